import Testing

@testable import AppSources

/// Pins that nothing uses, beside a client that takes every certificate.
@Suite struct `Bypassed pins` {
    private let one = "utmg5NIuXjXc321JwUBw4B1DNpJJkgnuJk88qs0RTVM="

    private func leftovers(_ text: String, _ language: SourceLanguage) -> Leftovers? {
        let file = SourceModule.File(path: "A", language: language, text: text)
        return SourceReader(SourceModule([file])).leftovers(of: file, used: [])
    }

    @Test(arguments: [
        ("HttpClient()..badCertificateCallback = (cert, host, port) => true;", true),
        ("HttpClient()..badCertificateCallback = (cert, host, port) { return true; };", true),
        ("HttpClient()..badCertificateCallback = (cert, host, port) => false;", false),
        ("HttpClient()..badCertificateCallback = (cert, host, port) => kDebugMode;", false), ("HttpClient();", false),
    ])
    func `are told of a client that lets all certificates through`(make: String, isOpen: Bool) {
        let pins = "const pins = ['\(one)'];\n"

        #expect(leftovers("\(pins)class Api { final client = \(make) }", .dart)?.areBypassed == isOpen)
        #expect(leftovers("\(pins)class Api { Api() { client = \(make) } }", .dart)?.areBypassed == isOpen)
        // It may never be put in place, or called.
        let override = "class Own extends HttpOverrides { HttpClient createHttpClient(context) { return \(make) } }"
        #expect(leftovers(pins + override, .dart)?.areBypassed == false)
        #expect(leftovers("\(pins)HttpClient _open() { return \(make) }", .dart)?.areBypassed == false)
    }

    @Test(arguments: [("=> true", true), ("=> errors == SslPolicyErrors.None", false)])
    func `are told of a callback of C# that says yes`(answer: String, isOpen: Bool) {
        let text = """
            class Api {
                const string Pin = "\(one)";
                Api() { handler.ServerCertificateCustomValidationCallback = (message, cert, chain, errors) \(answer); }
            }
            """

        #expect(leftovers(text, .cSharp)?.areBypassed == isOpen)
    }
}
