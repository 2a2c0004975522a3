import Testing

@testable import AppSources

/// What is said of code of Apple's systems that nothing comes to in what was read.
@Suite struct `What nothing uses on Apple's systems` {
    private typealias Example = `A delegate that compares certificates`

    private static func found(_ text: String, beside other: String = "") -> [FoundPins] {
        let file = SourceModule.File(path: "a", language: .swift, text: text)
        return SourceReader(SourceModule([file, .init(path: "b", language: .swift, text: other)])).read(file)
    }

    private static func told(_ found: [FoundPins]) -> [String] {
        found.map { if case .described(_, _, let what, _) = $0.content { what } else { "\($0.content)" } }
    }

    @Test(arguments: [
        ("delegate: nil", "", "", "; nothing in what was read uses 'Client' but itself"),
        ("delegate: self", "", "", ""),
        ("delegate: named", "", "", "; nothing in what was read makes an object of 'Client'"),
        (
            "delegate: nil", "Client.shared.load()", "",
            "; nothing in what was read gives a session 'Client' as its delegate"
        ),
        ("delegate: nil", "let own = URLSession(configuration: .default, delegate: Client.shared)", "", ""),
        (
            "delegate: nil", "", "func load() { Client.shared.load() }",
            "; nothing in what was read gives a session 'Client' as its delegate"
        ),
        ("delegate: nil", "", "URLSession(configuration: .default, delegate: Client.shared, delegateQueue: nil)", ""),
        ("delegate: self", "Client.shared.load()", "", ""),
    ])
    func `a delegate whose sessions have none is told so`(
        given: String,
        use: String,
        other: String,
        more: String
    ) {
        let text = """
            final class Client: NSObject {
                static let name = "client"
                \(given.hasSuffix("named") ? "let named = Client.name" : "static let shared: Client = Client()")
                func load() {
                    URLSession(configuration: .default, \(given), delegateQueue: nil).dataTask(with: url).resume()
                }
            }
            extension Client: URLSessionDelegate {
                func urlSession(_ session: URLSession, didReceive challenge: URLAuthenticationChallenge) -> Bool {
                    "\(Example.pin)" == digest(of: SecTrustCopyKey(challenge.protectionSpace.serverTrust!))
                }
            }
            \(use)
            """

        #expect(Self.told(Self.found(text, beside: other)) == [Example.compared + more])
    }

    @Test(arguments: [("start", "", true), ("start", "start()", false), ("init", "", false)])
    func `a delegate that one function makes is not used where nothing calls that`(
        function: String,
        use: String,
        isTold: Bool
    ) {
        let head = function == "init" ? "init()" : "func \(function)() -> URLSession"
        let text =
            Example.delegate().split(separator: "\n").dropLast().joined(separator: "\n") + """

                final class Client {
                    let session: URLSession
                    \(head) {
                        let pinning = Pinning()
                        session = URLSession(configuration: .default, delegate: pinning, delegateQueue: nil)
                    }
                }
                \(use)
                """

        let more = isTold ? "; nothing in what was read calls 'start'" : ""
        #expect(Self.told(Self.found(text)) == [Example.compared + more])
    }

    @Test(arguments: [
        ("extension URLSession", "static var checked: URLSession", "", true),
        ("extension URLSession", "static var checked: URLSession", "let own = URLSession.checked", false),
        ("extension URLSession", "@objc static var checked: URLSession", "", false),
        ("struct Client", "var checked: URLSession", "", true),
        ("struct Client: Loading", "var checked: URLSession", "", false),
        // An object has it from its beginning.
        ("struct Client", "let checked: URLSession =", "", false),
    ])
    func `a delegate that one member makes is not used where nothing names that`(
        type: String,
        member: String,
        use: String,
        isTold: Bool
    ) {
        let made = "URLSession(configuration: .default, delegate: Pinning(), delegateQueue: nil)"
        let body = member.hasSuffix("=") ? " \(made)" : " {\n\(made)\n}"
        let text =
            Example.delegate().split(separator: "\n").dropLast().joined(separator: "\n") + """

                \(type) {
                    \(member)\(body)
                }
                """

        let more = isTold ? "; nothing in what was read uses 'checked'" : ""
        #expect(Self.told(Self.found(text, beside: use)) == [Example.compared + more])
        #expect(Self.told(Self.found("\(text)\n\(use)")) == [Example.compared + more])
    }

    @Test(arguments: [true, false])
    func `a socket is told with the certificates that the source holds`(isCertificate: Bool) {
        let text = isCertificate ? "MII" + String(repeating: "Bc3d", count: 120) + "A==" : "no certificate at all"
        let source = """
            final class Service {
                static let certificate = NSData(base64EncodedString: "\(text)", options: [])!
                func load(_ request: HTTP) {
                    request.security = HTTPSecurity(certs: [SSLCert(data: Service.certificate)], usePublicKeys: false)
                }
            }
            """

        let found = Self.found(source)
        #expect(Self.told(found).contains("certificates of the app's own") == isCertificate)
        if isCertificate, case .described(_, let pins, _, _)? = found.first?.content { #expect(pins == [text]) }
    }
}
