import Testing

@testable import AppSources

/// Code that names pins, and decides nothing by them.
@Suite struct `Code that decides nothing` {
    private static let digest = "9A7B2C3D4E5F60718293A4B5C6D7E8F901234567"

    private func told(_ text: String, _ language: SourceLanguage) -> [String] {
        let file = SourceModule.File(path: "a", language: language, text: text)
        return Reading.read(file).map { found in
            if case .described(_, _, let what, _) = found.content { what } else { "something else" }
        }
    }

    @Test(arguments: [true, false])
    func `a function that looks at nothing makes no digest`(looks: Bool) {
        let answer = looks ? "sha1.convert(bytes).toString()" : "'\(Self.digest)'"
        let text = """
            const pins = ['\(Self.digest)'];
            String digestOf(List<int> bytes) {
              return \(answer);
            }
            HttpClient make() => HttpClient()..badCertificateCallback = (cert, host, port) {
              return pins.contains(digestOf(cert.der));
            };
            """

        let idle =
            "looked up in code that takes no digest: 'digestOf' answers the same for every certificate, which is a "
            + "pin: every certificate is let through"
        #expect(told(text, .dart) == [looks ? "compared with the server's certificate in code" : idle])
    }

    @Test(arguments: ["", "if (kDebugMode) "])
    func `a callback that answers yes to all is told beside what nothing calls`(condition: String) {
        let text = """
            const pins = ['\(Self.digest)'];
            bool _isPinned(X509Certificate cert) => pins.contains(sha1.convert(cert.der).toString());
            HttpClient make() {
              final client = HttpClient();
              \(condition)client.badCertificateCallback = (cert, host, port) => true;
              return client;
            }
            """

        let unused = "compared with the server's certificate in '_isPinned', which nothing in this source calls"
        #expect(told(text, .dart) == [condition.isEmpty ? "\(unused); every certificate is let through" : unused])
    }

    @Test(arguments: [
        ("https.createServer({ requestCert: true }, (req, res) => check(req.socket.getPeerCertificate()))", true),
        (
            "app.use(function (request, _, next) { check((request.socket as TLSSocket).getPeerCertificate(true)); next() })",
            true
        ),
        (
            "https.createServer({ requestCert: true }, handle)\nfunction handle(it) { const socket = it.socket\n"
                + "check(socket.getPeerCertificate()) }", true
        ),
        (
            "const agent = new https.Agent({ requestCert: true })\nsocket.on('secure', () => check(socket.getPeerCertificate()))",
            false
        ),
        ("https.get('https://api.acme.example/', (res) => check(res.socket.getPeerCertificate()))", false),
    ])
    func `a server of Node that looks at its clients is told`(code: String, isServer: Bool) {
        let text = """
            const pins = ['9A:7B:2C:3D:4E:5F:60:71:82:93:A4:B5:C6:D7:E8:F9:01:23:45:67']
            function check(certificate) { if (!pins.includes(certificate.fingerprint)) throw new Error('pin') }
            \(code)
            """

        let client = "compared by a server with the certificate of its client"
        #expect(told(text, .script) == [isServer ? client : "compared with the server's certificate in code"])
    }

    @Test(arguments: [
        ("public void Trust(string pin) { _pins.Add(pin.ToUpperInvariant()); }", true),
        ("public void Trust() { _pins.Add(\"1B7B2C3D4E5F60718293A4B5C6D7E8F901234568\"); }", false),
        ("public bool Trusts(string pin) { return _pins.Contains(pin); }", false),
    ])
    func `what is added to a list of pins, and not told, is told`(function: String, adds: Bool) {
        let text = """
            class Pinned
            {
                private readonly HashSet<string> _pins;

                public Pinned() { _pins = new HashSet<string> { "\(Self.digest)" }; }

                public bool IsPinned(X509Certificate2 cert) { return _pins.Contains(cert.Thumbprint); }

                public bool Check(object sender, X509Certificate cert, X509Chain chain, SslPolicyErrors errors)
                {
                    return IsPinned(new X509Certificate2(cert));
                }

                \(function)
            }
            """

        let all = "compared with the server's certificate in code"
        let more = "; '_pins' is given more on line 14, which this source does not tell"
        #expect(told(text, .cSharp) == [adds ? all + more : all])
    }

    @Test(arguments: [
        ("Environment.Exit(0);", true), ("Environment.FailFast(\"pin\");", true), ("log.Error(\"pin\");", false),
    ])
    func `a callback in C# that ends the app refuses`(refusal: String, isJudged: Bool) {
        let text = """
            class Api {
              void Make() { ServicePointManager.ServerCertificateValidationCallback = Check; }
              bool Check(object sender, X509Certificate certificate, X509Chain chain, SslPolicyErrors errors) {
                if (errors != SslPolicyErrors.None) { return false; }
                if (certificate.GetCertHashString() != "\(Self.digest)") { \(refusal) }
                return true;
              }
            }
            """

        let what = isJudged ? "compared with the server's certificate in code" : ComparisonForm.lenient
        #expect(told(text, .cSharp) == [what])
    }
}
