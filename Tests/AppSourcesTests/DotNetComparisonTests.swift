import Testing

@testable import AppSources

/// On which other ways callbacks of .NET let a server through, and what takes one away again.
@Suite struct `Callbacks of .NET` {
    private static let digest = "9A7B2C3D4E5F60718293A4B5C6D7E8F901234567"
    private static let compared = "compared with the server's certificate in code"

    private func found(in text: String) -> [FoundPins] {
        let file = SourceModule.File(path: "a.cs", language: .cSharp, text: text)
        return Reading.read(file)
    }

    private func told(_ text: String) -> [String] {
        found(in: text).map { found in
            if case .described(_, _, let what, _) = found.content { return what }
            return "modelled"
        }
    }

    /// - Parameter code: what it does before it compares.
    private func conditions(_ code: String, comparing: String = "") -> [[String]] {
        let compares = "return certificate.Thumbprint == \"\(Self.digest)\";"
        let text = """
            handler.ServerCertificateCustomValidationCallback = (message, certificate, chain, errors) =>
            {
                \(code)
                \(comparing.isEmpty ? compares : comparing.replacing("PIN", with: "\"\(Self.digest)\""))
            };
            """
        return found(in: text).map(\.conditions)
    }

    @Test(arguments: [
        ("if (certificate == null) { return true; }", [String]()),
        ("if (certificate == null) { return false; }", []),
        ("if (options != null && options.AllowsAny) { return true; }", ["not options.AllowsAny"]),
        ("if (options.AllowsAny) { return true; }", ["not options.AllowsAny"]),
        ("if (options == null) { return true; }", ["not options == null"]),
        ("if (options == null) { return false; }", []),
        ("if (options.Pin == null) { return true; }", []),
    ])
    func `are not let pass by what is missing`(code: String, expected: [String]) {
        #expect(conditions(code) == [expected])
    }

    @Test(arguments: [
        ("AllowsPinned && certificate.Thumbprint == PIN || errors == SslPolicyErrors.None", "AllowsPinned"),
        ("(certificate.Thumbprint == PIN && !Own.isOff) || errors == SslPolicyErrors.None", "not Own.isOff"),
        ("certificate.Thumbprint == PIN || AllowsPinned && errors == SslPolicyErrors.None", nil),
        ("certificate != null && certificate.Thumbprint == PIN || errors == SslPolicyErrors.None", nil),
    ])
    func `need a switch that stands beside the pin in one expression`(answer: String, words: String?) {
        let isOfOthers = answer.contains("AllowsPinned && errors")
        let others =
            isOfOthers ? "not (AllowsPinned && errors == SslPolicyErrors.None)" : "not errors == SslPolicyErrors.None"

        #expect(conditions("", comparing: "return \(answer);") == [[others] + [words].compactMap { $0 }])
    }

    @Test(arguments: [
        ("one.Status != X509ChainStatusFlags.NoError", true), ("certificate.Thumbprint != PIN", false),
    ])
    func `may say yes by a variable that is true at first`(makesFalse: String, isYes: Bool) {
        let comparing = """
            var isValid = true;
            if (!(certificate.Thumbprint == PIN || Own.TrustsAny)) { return false; }
            foreach (var one in chain.ChainStatus) { if (\(makesFalse)) { isValid = false; } }
            return isValid;
            """

        #expect(conditions("", comparing: comparing) == [isYes ? ["not Own.TrustsAny"] : []])
    }

    @Test(arguments: [
        ("!Own.pins.Any(pin => pin == certificate.Thumbprint) && !Own.TrustsAny", ["not Own.TrustsAny"]),
        ("!Own.pins.Any(pin => pin == certificate.Thumbprint)", [String]()), ("!Own.pins.Any()", []),
    ])
    func `ask each of the pins`(refused: String, expected: [String]) {
        let comparing =
            "if (\(refused)) { return false; }\nreturn \(refused.contains("Thumb") ? "true" : "certificate.Thumbprint == PIN");"

        #expect(conditions("", comparing: comparing + " var other = PIN;") == [expected])
    }

    @Test(arguments: [("{ return true; }", true), ("=> true;", true), ("{ return data.Length > 0; }", false)])
    func `of Unity may say yes to every certificate`(body: String, isYes: Bool) {
        let type = "class Any : CertificateHandler { protected override bool ValidateCertificate(byte[] data) \(body) }"
        let use = "class Login { void Send() { request.certificateHandler = new Any(); } }"
        let what = "a handler that lets every certificate through"

        #expect(told("\(type)\n\(use)") == (isYes ? [what] : []))
        #expect(told(type) == (isYes ? ["\(what); nothing in what was read makes an object of 'Any'"] : []))
        #expect(FoundPins.acceptsAll(what) && !told(type).contains(where: FoundPins.acceptsAll))
    }

    @Test(arguments: [true, false])
    func `of Unity count where something makes them`(isMade: Bool) {
        let text = """
            class One : CertificateHandler
            {
                protected override bool ValidateCertificate(byte[] data)
                {
                    return new X509Certificate2(data).GetCertHashString() == "\(Self.digest)";
                }
            }
            class Login { void Send() { request.certificateHandler = new \(isMade ? "One" : "Other")(); } }
            """

        let unmade = "; nothing in what was read makes an object of 'One'"
        #expect(told(text) == [Self.compared + (isMade ? "" : unmade)])
    }

    @Test(arguments: [
        ("known = own;", true), ("if (known == null) { known = own; }", false), ("other = own;", false),
    ])
    func `refuse nothing where they compare what they noted just before`(note: String, isLenient: Bool) {
        let text = """
            class Pins
            {
                string known, other;
                void Start() { ServicePointManager.ServerCertificateValidationCallback = Check; }
                bool Check(object sender, X509Certificate certificate, X509Chain chain, SslPolicyErrors errors)
                {
                    var own = certificate.GetPublicKeyString();
                    \(note)
                    return known == own;
                }
            }
            """

        #expect(told(text) == [isLenient ? "looked up in code that lets every certificate through" : "modelled"])
    }

    @Test(arguments: [("clientCertificate", true), ("certificate", false)])
    func `of a server are known by their certificate's name`(name: String, isOfClient: Bool) {
        let text = """
            class Clients
            {
                public bool Validate(X509Certificate2 \(name))
                {
                    string[] allowed = { "\(Self.digest)" };
                    return allowed.Contains(\(name).Thumbprint);
                }
            }
            """

        let ofEither =
            "compared with a certificate, and this source does not tell whether with a server's or with a client's"
        #expect(told(text) == [isOfClient ? "compared by a server with the certificate of its client" : ofEither])
    }

    @Test(arguments: [("30820122300D06", true), ("3082010A0282", false)])
    func `match no key that is written with its kind`(start: String, isOther: Bool) {
        let key = start + String(repeating: "0F", count: 80)
        let text = """
            handler.ServerCertificateCustomValidationCallback = (message, certificate, chain, errors) =>
                errors == SslPolicyErrors.None && certificate.GetPublicKeyString() == "\(key)";
            """

        let other =
            "; the pin is a key with what says its kind, and the server's is taken without it: nothing can match"
        #expect(told(text) == [Self.compared + (isOther ? other : "")])
    }

    @Test(arguments: [("ChainElementStatus", true), ("Extensions", false)])
    func `compare what the system refuses where they go through its reasons`(list: String, isOfStatuses: Bool) {
        let comparing = """
            foreach (var one in element.\(list))
            {
                if (certificate.Thumbprint == PIN) { continue; }
                return false;
            }
            return true;
            """

        let expected = isOfStatuses ? ["the system refuses the certificate"] : []
        #expect(conditions("", comparing: comparing) == [expected])
    }

    @Test(arguments: [
        ("if (message.RequestUri.Host != \"api.acme.example\") { return true; }", [String]()),
        (
            "if (message.RequestUri.Host == \"www.acme.example\" && options.IsTest) { return true; }",
            ["not (message.RequestUri.Host == \"www.acme.example\" && options.IsTest)"]
        ),
        ("if (message.RequestUri.Host != \"api.acme.example\" && options.IsTest) { return true; }", []),
    ])
    func `say yes for other hosts without a condition`(code: String, expected: [String]) {
        #expect(conditions(code) == [expected])
    }

    @Test(arguments: [
        ("ServicePointManager.ServerCertificateValidationCallback -= Pinned;", "it is taken away again"),
        ("ServicePointManager.ServerCertificateValidationCallback = null;", "it is taken away again"),
        (
            "ServicePointManager.ServerCertificateValidationCallback = AcceptAll;",
            "ServicePointManager is given one that lets every certificate through"
        ),
        ("ServicePointManager.ServerCertificateValidationCallback = Ordinary;", nil),
        ("ServicePointManager.ServerCertificateValidationCallback = Closed;", nil),
    ])
    func `of the whole program may be taken away by another function`(code: String, what: String?) {
        func text(_ within: String, _ behind: String) -> String {
            """
            class Pins
            {
                void Start()
                {
                    ServicePointManager.ServerCertificateValidationCallback += Pinned;
                    \(within)
                }
                void End() { \(behind) }
                bool Pinned(object s, X509Certificate certificate, X509Chain chain, SslPolicyErrors errors)
                {
                    return certificate.GetCertHashString() == "\(Self.digest)";
                }
                bool AcceptAll(object s, X509Certificate c, X509Chain chain, SslPolicyErrors errors) { return true; }
                bool Ordinary(object s, X509Certificate c, X509Chain chain, SslPolicyErrors errors)
                {
                    return errors == SslPolicyErrors.None;
                }
                bool Closed(object s, X509Certificate c, X509Chain chain, SslPolicyErrors errors)
                {
                    if (c == null) { throw new AuthenticationException(); }
                    return true;
                }
            }
            """
        }

        #expect(told(text("", code)) == [what.map { "\(Self.compared); on line 8 \($0)" } ?? "modelled"])
        // What a function takes away again is for those that it calls; one that says yes to all stays.
        let isYes = code.contains("AcceptAll")
        let own = what.map { "\(Self.compared); on line 6 \($0)" }
        #expect(told(text(code, "")) == [isYes ? own ?? "" : "modelled"])
    }

    @Test(arguments: [
        ("new HttpClient(new Pinned())", true), ("services.AddHttpClient<Api>().AddHttpMessageHandler<Pinned>()", true),
        ("new HttpClient()", false),
    ])
    func `of a handler are told so if nothing makes one`(code: String, isMade: Bool) {
        let text = """
            class Pinned : HttpClientHandler
            {
                public Pinned() { ServerCertificateCustomValidationCallback = IsPinned; }
                private static bool IsPinned(
                    HttpRequestMessage m, X509Certificate2 certificate, X509Chain chain, SslPolicyErrors errors)
                {
                    return certificate.Thumbprint == "\(Self.digest)";
                }
            }
            class Api { object Client = \(code); }
            """

        let unmade = "\(Self.compared); nothing in what was read makes an object of 'Pinned'"
        #expect(told(text) == [isMade ? "modelled" : unmade])
    }

    @Test(arguments: [
        ("class Mail", "", true), ("class Mail", "Pin(client);", false), ("partial class Mail", "", false),
        ("interface Mail", "", false),
    ])
    func `are set by no function that is private, if only by silence, and not called`(
        type: String,
        call: String,
        isUnused: Bool
    ) {
        let text = """
            \(type)
            {
                void Open(Client client) { client.ServerCertificateValidationCallback = (s, c, chain, errors) => true; }
                void Pin(Client client)
                {
                    client.ServerCertificateValidationCallback = (s, certificate, chain, errors) =>
                    {
                        return certificate.GetCertHashString() == "\(Self.digest)";
                    };
                }
                void Connect(Client client) { \(call) client.Connect(); }
            }
            """

        let unused =
            "compared with the server's certificate in 'Pin', which nothing in this source calls; every certificate is let through"
        #expect(told(text) == [isUnused ? unused : "modelled"])
    }
}
