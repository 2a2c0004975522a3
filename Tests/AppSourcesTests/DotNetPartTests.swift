import Testing

@testable import AppSources

/// What .NET's callbacks compare, and where.
@Suite struct `Parts of certificates in .NET` {
    private static let key =
        "3082010A0282010100CAAD99D553E566106A3ADD40EA41D43358F7E6683354353C69F9CA2923B4EB94F819B12D"

    private func told(_ text: String) -> [String] { Reading.toldOrUnread(text, .cSharp) }

    @Test(arguments: [("string", false), ("byte[]", false), ("X509Certificate2", false), ("bool", true)])
    func `a function that answers with a part of a certificate judges none`(type: String, isTold: Bool) {
        let text = """
            class Parts {
                static \(type) Of(object sender, X509Certificate2 certificate, X509Chain chain, SslPolicyErrors errors) {
                    return Use(certificate.GetPublicKeyString());
                }
            }
            """
        #expect(told(text).isEmpty != isTold)
    }

    @Test(arguments: [
        ("new Client { Key = \"OTHER\" }", 2), ("new Client { Id = 1, Key = \"OTHER\", Name = \"a\" }", 2),
        ("new Client { Key = \"OTHER\" + More() }", 1), ("new Client { Other = \"OTHER\" }", 1), ("null", 1),
    ])
    func `a property has what other objects are made with as well`(making: String, count: Int) {
        let text = """
            class Client {
                public string Key { get; set; } = "\(Self.key)";
                void Start() { ServicePointManager.ServerCertificateValidationCallback = (sender, certificate, chain, errors) =>
                    certificate.GetPublicKeyString() == Key; }
                static Client Spare() => \(making.replacing("OTHER", with: "\(Self.key)AB"));
            }
            """
        let pins = Reading.found(text, .cSharp).map { found -> Int in
            if case .described(_, let pins, _, _) = found.content { pins.count } else { 0 }
        }
        #expect(pins == [count])
    }

    @Test(arguments: ["report.crt", "client.pem"])
    func `a file that another type of the namespace names is no pin`(file: String) {
        let text = """
            namespace Acme {
                class Client {
                    bool Check(object sender, X509Certificate certificate, X509Chain chain, SslPolicyErrors errors) {
                        return certificate.GetPublicKeyString() == "\(Self.key)";
                    }
                    void Start() { ServicePointManager.ServerCertificateValidationCallback = Check; }
                }
                class Other { void Write() { File.WriteAllText("\(file)", "x"); } }
            }
            """
        let pins = Reading.found(text, .cSharp).map { found -> [String] in
            if case .described(_, let pins, _, _) = found.content { pins } else { [] }
        }
        #expect(pins == [[Self.key]])
    }

    @Test(arguments: [
        ("request.ServicePoint.Certificate.GetCertHashString()", true), ("own.GetCertHashString()", false),
        ("own.Find(request.ServicePoint.Address).GetCertHashString()", false),
    ])
    func `a certificate may be compared behind the response`(taken: String, isTold: Bool) {
        let text = """
            class Sender {
                void Ask() {
                    var request = (HttpWebRequest)WebRequest.Create("https://api.acme.example/");
                    request.GetResponse();
                    if (\(taken) != "9A7B2C3D4E5F60718293A4B5C6D7E8F901234567") throw new Exception("pin");
                }
            }
            """
        let compared = "compared with the server's certificate in code"
        #expect(told(text).contains { $0.hasPrefix(compared) } == isTold)
    }

    @Test func `an object that the compiler made is followed`() {
        let text = """
            class Client {
                static void Start() { ServicePointManager.ServerCertificateValidationCallback = new RemoteCertificateValidationCallback(Client.Pin); }
                static void End() { ServicePointManager.ServerCertificateValidationCallback = new RemoteCertificateValidationCallback(Client.Own.<>9.Any); }
                static bool Pin(object o, X509Certificate c, X509Chain h, SslPolicyErrors e) { return c.GetPublicKeyString() == "\(Self.key)"; }
                class Own { bool Any(object o, X509Certificate c, X509Chain h, SslPolicyErrors e) { return true; } }
            }
            """
        #expect(
            told(text).contains {
                $0.contains("on line 3 ServicePointManager is given one that lets every certificate")
            }
        )
        let other = text.replacing("return true;", with: "return Pin(o, c, h, e);")
        #expect(!told(other).contains { $0.contains("lets every certificate") })
        // A list of no type is no name.
        #expect(
            SourceModule.File(path: "a", language: .cSharp, text: "typeof(List<>)").tokens.contains { $0.isMark("<") }
        )
    }

    @Test(arguments: ["new PinStore(Pins)", "var store = new PinStore(Pins); return store"])
    func `a store may write a text in its own way`(store: String) {
        let text = """
            class Client {
                void Start() { ServicePointManager.ServerCertificateValidationCallback = Check; }
                bool Check(object sender, X509Certificate2 certificate, X509Chain chain, SslPolicyErrors errors) {
                    Log(sender);
                    \(store.contains("return") ? "" : "return ")\(store).Contains(certificate.GetPublicKeyString());
                }
                static readonly string[] Pins = { "utmg5NIuXjXc321JwUBw4B1DNpJJkgnuJk88qs0RTVM=" };
            }
            """
        #expect(!told(text).contains { $0.contains("as no pin is") })
    }

    @Test(arguments: [
        ("GetPublicKeyString()", "utmg5NIuXjXc321JwUBw4B1DNpJJkgnuJk88qs0RTVM=", true),
        ("GetCertHashString()", "9A7B2C3D4E5F60718293A4B5C6D7E8F9012345679A7B2C3D4E5F60718293A4B5", false),
    ])
    func `Base64 is never equal to what .NET writes in hexadecimal`(taken: String, pin: String, isOther: Bool) {
        let text = """
            class Client {
                void Start() { ServicePointManager.ServerCertificateValidationCallback = Check; }
                bool Check(object sender, X509Certificate2 certificate, X509Chain chain, SslPolicyErrors errors) {
                    Log(sender);
                    return Pins.Contains(certificate.\(taken));
                }
                static readonly string[] Pins = { "\(pin)" };
            }
            """
        let said = told(text)
        #expect(said.contains { $0.contains(".NET writes it in hexadecimal, as no pin is") } == isOther, "\(said)")
    }

    private func callback(_ body: String, _ more: String = "") -> String {
        """
        static class Pins {
            static readonly string[] FilePins = { "VUUMLi+n7iaAw+X9sfcsrHMs8MqLG+WewadiiymYWEA=" };
            static readonly string[] ApiPins = { "PD6PUu2Rh7NKN+wAgWFnGn5Hw+IELlAOn9so3A32QYE=" };
            static HttpClient Client() => new(new HttpClientHandler { ServerCertificateCustomValidationCallback = Check });
            static bool Check(HttpRequestMessage request, X509Certificate2 cert, X509Chain chain, SslPolicyErrors errors) {
                \(body)
            }
            \(more)
        }
        """
    }

    private static let digest = "Convert.ToBase64String(SHA256.HashData(cert.PublicKey.ExportSubjectPublicKeyInfo()))"

    @Test(arguments: [
        (
            "\"files.acme.example\" => FilePins, \"api.acme.example\" => ApiPins",
            ["api.acme.example", "files.acme.example"]
        ),
        ("\"files.acme.example\" => FilePins", ["files.acme.example"]),
    ])
    func `a switch over the host gives each host its own`(cases: String, hosts: [String]) {
        let text = callback(
            """
            string[] pins = request.RequestUri.Host switch { \(cases), _ => null };
                    if (pins is null) return true;
                    var hash = \(Self.digest);
                    foreach (var pin in pins) { if (hash == pin) return true; }
                    return false;
            """
        )
        let found = Reading.found(text, .cSharp)
        guard case .described(let named, let pins, _, let known)? = found.first?.content, found.count == 1 else {
            Issue.record("\(found)")
            return
        }
        #expect(named.sorted() == hosts)
        // The pins of one host need no table.
        #expect(hosts.count == 1 ? pins.count == 1 : known.map(\.pins.count) == [1, 1])
        #expect(found.flatMap(\.asked).isEmpty)
    }

    @Test(arguments: [
        (
            "if (errors != SslPolicyErrors.None) return false;",
            "; other hosts are held to the system's own checks alone"
        ),
        ("", "; other hosts are let through, whatever they show"),
        ("if (errors == SslPolicyErrors.RemoteCertificateNotAvailable) return false;", nil),
    ])
    func `other hosts may have passed the system's checks`(before: String, rest: String?) {
        let text = callback(
            """
            \(before)
                    if (request.RequestUri.Host != "api.acme.example") return true;
                    var hash = \(Self.digest);
                    return ApiPins.Contains(hash);
            """
        )

        let said = told(text)
        #expect(said.count == 1)
        if let rest {
            #expect(said.allSatisfy { $0.hasSuffix(rest) }, "\(said)")
        } else {
            #expect(said.allSatisfy { !$0.contains("held to the system") }, "\(said)")
        }
    }

    @Test(arguments: [("if (Relaxed) return true;", ["not Relaxed"]), ("if (Relaxed) Log(errors);", [])])
    func `a switch counts where a function makes the digests`(before: String, conditions: [String]) {
        let text = callback(
            "\(before)\n        if (Matches(cert)) return true;\n        return false;",
            """
            internal static bool Relaxed { get; set; }
                static bool Matches(X509Certificate2 cert) {
                    foreach (var hash in Hashes(cert)) { if (hash == ApiPins[0]) return true; }
                    return false;
                }
                static IEnumerable<string> Hashes(X509Certificate2 cert) {
                    var list = new List<string>();
                    list.Add(\(Self.digest));
                    return list;
                }
            """
        )

        #expect(Reading.found(text, .cSharp).map(\.conditions) == [conditions])
    }

    @Test(arguments: [
        ("var handler = new Handler(); www.certificateHandler = handler;", ["api.acme.example"]),
        ("www.certificateHandler = new Handler();", ["api.acme.example"]),
        ("var handler = new Other(); www.certificateHandler = handler;", []),
        ("var handler = new Handler(); handler = Find(); www.certificateHandler = handler;", []),
    ])
    func `a handler of Unity's is for the host of its request`(giving: String, hosts: [String]) {
        let text = """
            class Client {
                void Ask() {
                    UnityWebRequest www = UnityWebRequest.Get("https://api.acme.example/list");
                    \(giving)
                    www.SendWebRequest();
                }
            }
            class Handler : CertificateHandler {
                protected override bool ValidateCertificate(byte[] data) =>
                    new X509Certificate2(data).GetCertHashString() == "448CDE2E5E0E5B42498C2E9FAC9553C0ED600325";
            }
            """

        #expect(self.hosts(of: text) == [hosts])
    }

    @Test(arguments: [
        ("HttpHandler = handler", ["api.acme.example"]), ("Credentials = handler", []),
    ])
    func `a channel of gRPC has the host of its address`(option: String, hosts: [String]) {
        let text = """
            class Program {
                static void Main() {
                    var handler = new HttpClientHandler();
                    handler.ServerCertificateCustomValidationCallback = (message, cert, chain, errors) =>
                        cert.Thumbprint == "448CDE2E5E0E5B42498C2E9FAC9553C0ED600325";
                    var channel = GrpcChannel.ForAddress("https://api.acme.example:5001", new GrpcChannelOptions { \(option) });
                }
            }
            """

        #expect(self.hosts(of: text) == [hosts])
    }

    private func hosts(of text: String) -> [[String]] {
        Reading.found(text, .cSharp).map { found in
            switch found.content {
            case .described(let hosts, _, _, _): hosts
            case .library(let library): library.hosts
            default: ["neither"]
            }
        }
    }

    @Test(arguments: [
        (
            "if (request.RequestUri.Host is \"a.acme.example\" or \"b.acme.example\") return true;",
            [
                "not (request.RequestUri.Host == \"a.acme.example\" || request.RequestUri.Host == \"b.acme.example\")"
            ]
        ),
        ("if (errors is SslPolicyErrors.None) return true;", ["not errors == SslPolicyErrors.None"]),
        ("if (errors is not SslPolicyErrors.None) return false;", []),
        ("if (request.RequestUri is { IsLoopback: true }) return true;", ["not request.RequestUri.IsLoopback == true"]),
        // A type, of which a name is made.
        ("if (cert is X509Certificate2 own) Log(own);", []),
    ])
    func `a pattern is the comparison that it stands for`(before: String, conditions: [String]) {
        let found = Reading.found(callback("\(before)\n        return ApiPins.Contains(\(Self.digest));"), .cSharp)

        #expect(found.map(\.conditions) == [conditions])
        #expect(hosts(of: callback("\(before)\n        return ApiPins.Contains(\(Self.digest));")) == [[]])
    }
}
