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
}
