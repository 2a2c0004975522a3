import Testing

@testable import AppSources

/// What functions of .NET that judge a certificate compare, how, and for whom.
@Suite struct `Judges of .NET` {
    private static let digest = "9A7B2C3D4E5F60718293A4B5C6D7E8F901234567"
    private static let compared = "compared with the server's certificate in code"

    private func found(in texts: [String]) -> [FoundPins] {
        let files = texts.enumerated().map { index, text in
            SourceModule.File(path: ["a.cs", "b.cs"][index], language: .cSharp, text: text)
        }
        return SourceReader(SourceModule(files)).read(files[0])
    }

    private func told(_ texts: String...) -> [String] {
        found(in: texts).map { found in
            if case .described(_, _, let what, _) = found.content { return what }
            return "modelled"
        }
    }

    private func hosts(_ text: String) -> [[String]] {
        found(in: [text]).map { found in
            if case .described(let hosts, _, _, _) = found.content { return hosts }
            return []
        }
    }

    @Test(arguments: [("Show(own);", true), ("return Show(certificate);", false)])
    func `let others through though code beside them looks at certificates`(code: String, isBeside: Bool) {
        let text = """
            class Client {
                HttpClient Make(X509Certificate2 own) {
                    \(isBeside ? code : "")
                    return new HttpClient(new HttpClientHandler { ServerCertificateCustomValidationCallback = Check });
                }
                bool Check(object sender, X509Certificate2 certificate, X509Chain chain, SslPolicyErrors errors) {
                    if (certificate.Thumbprint == "\(Self.digest)") return true;
                    \(isBeside ? "" : code)
                    return errors == SslPolicyErrors.None;
                }
                bool Show(X509Certificate2 own) { if (isLoud) { Log.Write(own.Thumbprint); } return false; }
            }
            """

        // Where the other one judges, too, what all have in common is told.
        let expected = isBeside ? ["not errors == SslPolicyErrors.None"] : []
        #expect(found(in: [text]).map(\.conditions) == [expected])
        if isBeside { #expect(found(in: [text]).flatMap(\.asked) == []) }
    }

    @Test(arguments: [
        "Task<Answer<T>> Get<T>(string path)", "Task<T> Get<T>(string path)", "void Get(string path)",
    ])
    func `are read beside a function with a type of its own`(head: String) {
        let text = """
            class Client {
                HttpClient Make() {
                    return new HttpClient(new HttpClientHandler { ServerCertificateCustomValidationCallback = Check }) {
                        BaseAddress = new Uri("https://api.acme.example/")
                    };
                }
                static \(head) { return Send<Own>(path, null); }
                bool Check(object sender, X509Certificate2 certificate, X509Chain chain, SslPolicyErrors errors) {
                    if (certificate.Thumbprint == "\(Self.digest)") return true;
                    return errors == SslPolicyErrors.None;
                }
            }
            """

        #expect(found(in: [text]).map(\.conditions) == [["not errors == SslPolicyErrors.None"]])
        #expect(hosts(text) == [["api.acme.example"]])
    }

    private static let inCapitals = ".NET writes it in capitals with nothing between them, as no pin is"
    private static let ofSHA1 = "SHA-1 is taken, and the pins have the length of SHA-256"
    private static let long = "9A7B2C3D4E5F60718293A4B5C6D7E8F9012345679A7B2C3D4E5F60718293A4B5"

    @Test(arguments: [
        ("certificate.GetCertHashString() == PIN", digest.lowercased(), inCapitals),
        ("certificate.GetCertHashString() == PIN", digest, nil),
        ("certificate.GetCertHashString().Equals(PIN)", digest.lowercased(), inCapitals),
        ("certificate.Thumbprint == PIN", "9A:7B:2C:3D:4E:5F:60:71:82:93:A4:B5:C6:D7:E8:F9:01:23:45:67", inCapitals),
        ("certificate.GetCertHashString().ToLower() == PIN", digest.lowercased(), nil),
        ("string.Equals(certificate.Thumbprint, PIN, StringComparison.OrdinalIgnoreCase)", digest.lowercased(), nil),
        (
            "string.Equals(certificate.Thumbprint, PIN, StringComparison.OrdinalIgnoreCase)",
            "9a 7b 2c 3d 4e 5f 60 71 82 93 a4 b5 c6 d7 e8 f9 01 23 45 67",
            ".NET writes it with nothing between the digits, as no pin is"
        ),
        ("Own.Plain(certificate.Thumbprint) == PIN", digest.lowercased(), nil),
        ("Hex(certificate.GetCertHash()) == PIN", digest.lowercased(), nil),
        ("certificate.Thumbprint == PIN", long, ofSHA1),
        ("certificate.GetCertHashString(HashAlgorithmName.SHA256) == PIN", long, nil),
        (
            "Convert.ToHexString(SHA256.HashData(certificate.RawData)) == PIN", long.lowercased(),
            "it is written in capitals, as no pin is"
        ),
        ("Convert.ToHexString(SHA256.HashData(certificate.RawData)) == PIN", long, nil),
        (
            "Convert.ToHexString(SHA256.HashData(certificate.RawData)) == PIN", digest,
            "SHA-256 is taken, and the pins have the length of SHA-1"
        ),
        ("Convert.ToHexString(SHA1.HashData(certificate.RawData)) == PIN", digest, nil),
        (
            "BitConverter.ToString(SHA256.HashData(certificate.RawData)) == PIN", long,
            "it is written as 'AB-01-…', as no pin is"
        ),
        ("BitConverter.ToString(SHA256.HashData(certificate.RawData)).Replace(DASH, EMPTY) == PIN", long, nil),
    ])
    func `match no pin that is written in other letters`(code: String, pin: String, other: String?) {
        let text = """
            handler.ServerCertificateCustomValidationCallback = (message, certificate, chain, errors) => {
                if (errors == SslPolicyErrors.None) { return true; }
                if (\(code.replacing("PIN", with: "\"\(pin)\""))) { return true; }
                return false;
            };
            """

        #expect(told(text) == [Self.compared + (other.map { "; \($0): nothing is equal to it" } ?? "")])
    }

    @Test(arguments: [
        ("Thumbprint", digest, "modelled"), ("Thumbprint", long, "\(compared); \(ofSHA1): nothing is equal to it"),
        ("GetCertHashString(HashAlgorithmName.SHA256)", long, "modelled"),
    ])
    func `have a verdict where the pin has the digest's length`(taken: String, pin: String, what: String) {
        let text = """
            handler.ServerCertificateCustomValidationCallback = (message, certificate, chain, errors) =>
                certificate.\(taken) == "\(pin)";
            """

        #expect(told(text) == [what])
    }

    @Test(arguments: [("GetPublicKey()", true), ("PublicKey.ExportSubjectPublicKeyInfo()", false)])
    func `take the digest of a key without its header`(taken: String, isRaw: Bool) {
        let text = """
            handler.ServerCertificateCustomValidationCallback = (message, certificate, chain, errors) => {
                var digest = Convert.ToBase64String(SHA256.HashData(certificate.\(taken)));
                return digest == "utmg5NIuXjXc321JwUBw4B1DNpJJkgnuJk88qs0RTVM=";
            };
            """

        let raw =
            "; the digest is of a key without its header: no pin that openssl, TrustKit or Android takes matches"
        #expect(told(text) == [Self.compared + (isRaw ? raw : "")])
    }

    @Test(arguments: [
        ("if (message.RequestUri.Host != HOST) { return true; }", "return is;", true),
        ("if (message.RequestUri.Host == HOST) { return is; }", "return true;", true),
        (
            "if (message.RequestUri.Host != HOST) { return errors == SslPolicyErrors.None; }", "return is;",
            false
        ),
        ("if (message.RequestUri.Host != HOST) { return false; }", "return is;", false),
    ])
    func `let other hosts through`(first: String, last: String, isOpen: Bool) {
        let text = """
            handler.ServerCertificateCustomValidationCallback = (message, certificate, chain, errors) => {
                \(first.replacing("is;", with: "certificate.Thumbprint == PIN;"))
                \(last.replacing("is;", with: "certificate.Thumbprint == PIN;"))
            };
            """
            .replacing("PIN", with: "\"\(Self.digest)\"").replacing("HOST", with: "\"api.acme.example\"")

        let others = "; other hosts are let through, whatever they show"
        #expect(told(text) == [Self.compared + (isOpen ? others : "")])
        #expect(hosts(text) == [["api.acme.example"]])
    }

    @Test(arguments: [
        ("chain.ChainElements[1].Certificate", 2), ("chain.ChainElements[0].Certificate", nil), ("certificate", nil),
        ("parts[1].Certificate", nil),
    ])
    func `say which certificate of a chain they look at`(taken: String, number: Int?) {
        let text = """
            handler.ServerCertificateCustomValidationCallback = (message, certificate, chain, errors) => {
                Count();
                return \(taken).Thumbprint == "\(Self.digest)";
            };
            """

        let place = number.map { "; the certificate is number \($0) of its chain, an authority's" } ?? ""
        #expect(told(text) == [Self.compared + place])
    }

    private static let ofEither =
        "compared with a certificate, and this source does not tell whether with a server's or with a client's"
    private static let ofClient = "compared by a server with the certificate of its client"

    @Test(arguments: [
        ("bool IsKnown(X509Certificate2 one)", "", ofEither),
        (
            "bool IsKnown(X509Certificate2 one)", "var one = request.GetClientCertificate(); Pins.IsKnown(one);",
            ofClient
        ),
        (
            "bool IsKnown(X509Certificate2 one)",
            "handler.ServerCertificateCustomValidationCallback = (m, one, c, e) => Pins.IsKnown(one);",
            "compared with a certificate in 'IsKnown', which b.cs calls"
        ),
        (
            "bool IsKnown(X509Certificate2 one)",
            "handler.ServerCertificateCustomValidationCallback = (m, one, c, e) => "
                + "e == SslPolicyErrors.None || Pins.IsKnown(one);",
            "compared with a certificate in 'IsKnown', which b.cs calls, if not e == SslPolicyErrors.None"
        ),
        (
            "bool IsKnown(X509Certificate2 one)",
            "handler.ServerCertificateCustomValidationCallback = (m, one, c, e) => Own.Asks(Pins.IsKnown(one));",
            "compared with a certificate in 'IsKnown', which b.cs calls: what else decides there is not told"
        ),
        ("string IsKnown(X509Certificate2 one)", "", nil), ("bool IsKnown(Item one)", "", nil),
        ("bool IsKnown(X509Certificate2 one)", "", nil),
    ])
    func `compare for others`(head: String, use: String, what: String?) {
        let isEmpty = what == nil && head.hasPrefix("bool") && head.contains("X509")
        let text = """
            public static class Pins {
                public static \(head) {
                    return one.GetCertHashString() == \(isEmpty ? "Own.Pin" : "\"\(Self.digest)\"");
                }
            }
            """

        #expect(told(text, "class Use { void Make() { \(use) } }") == [what].compactMap { $0 })
    }

    @Test(arguments: [
        ("var options = new SslClientAuthenticationOptions { RemoteCertificateValidationCallback = Check };", true),
        (
            "var options = new Other { RemoteCertificateValidationCallback = Check }; Give(options); options = none;",
            false
        ),
    ])
    func `are given a client by its options`(made: String, isKnown: Bool) {
        let text = """
            class Client {
                HttpClient Make() {
                    \(made)
                    var handler = new SocketsHttpHandler { \(isKnown ? "SslOptions" : "Other") = options };
                    return new HttpClient(handler) { BaseAddress = new Uri("https://api.acme.example/") };
                }
                bool Check(object sender, X509Certificate2 certificate, X509Chain chain, SslPolicyErrors errors) {
                    if (certificate.Thumbprint == "\(Self.digest)") return true;
                    return errors == SslPolicyErrors.None;
                }
            }
            """

        #expect(hosts(text) == [isKnown ? ["api.acme.example"] : []])
    }

    @Test(arguments: [
        ("client.Connect(\"smtp.acme.example\", 465, true);", ["smtp.acme.example"]),
        ("other.Connect(\"smtp.acme.example\", 465, true);", []),
        ("client.Connect(\"smtp.acme.example\", 465); client.Connect(\"mail.acme.example\", 465);", []),
    ])
    func `have the host that a client of mail connects to`(connects: String, expected: [String]) {
        let text = """
            class Mail {
                void Send() {
                    var client = new SmtpClient();
                    client.ServerCertificateValidationCallback = (sender, one, chain, errors) =>
                        errors == SslPolicyErrors.None || ((X509Certificate2)one).Thumbprint == "\(Self.digest)";
                    \(connects)
                }
            }
            """

        #expect(hosts(text) == [expected])
    }

    @Test(arguments: [("WithCertificateValidationHandler", true), ("WithOther", false)])
    func `may be a handler of MQTTnet`(name: String, isOne: Bool) {
        let text = """
            class Mail {
                void Make(MqttClientOptionsBuilder builder) {
                    builder.WithTlsOptions(tls => tls.\(name)(
                        context => context.Certificate.GetCertHashString() == "\(Self.digest)"));
                }
            }
            """

        #expect(told(text).isEmpty != isOne)
    }

    @Test(arguments: [
        ("", "\"acme-ca.crt\"", true), ("", "Path", false), ("options.UseHttps();", "\"acme-ca.crt\"", nil),
    ])
    func `may build a chain to roots of the app's own`(other: String, file: String, isRead: Bool?) {
        let text = """
            class Client {
                bool Check(object sender, X509Certificate2 one, X509Chain chain, SslPolicyErrors errors) {
                    \(other)
                    chain.ChainPolicy.TrustMode = X509ChainTrustMode.CustomRootTrust;
                    chain.ChainPolicy.CustomTrustStore.Add(new X509Certificate2(\(file)));
                    return chain.Build(one);
                }
            }
            """

        let what = "certificates of the app's own are the only roots of the chain that is built"
        #expect(told(text) == (isRead.map { [$0 ? what : "modelled"] } ?? []))
    }

    @Test(arguments: [
        ("message.RequestUri.Host != \"api.acme.example\" || IsOne(one)", ["api.acme.example"]),
        ("message.Method != \"api.acme.example\" || IsOne(one)", []),
    ])
    func `may be about one host, and let all others through`(answer: String, expected: [String]) {
        let text = """
            class Client {
                bool IsOne(X509Certificate2 one) => one.Thumbprint == "\(Self.digest)";
                HttpClient Make() => new HttpClient(new HttpClientHandler {
                    ServerCertificateCustomValidationCallback = (message, one, chain, errors) => \(answer) });
            }
            """

        #expect(hosts(text) == [expected])
    }
}
