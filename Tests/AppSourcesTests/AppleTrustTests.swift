import Testing

@testable import AppSources

/// Certificates that clients of Swift and Objective-C are given as their authorities, and what NIO's callbacks answer.
@Suite struct `Roots of the app's own` {
    private static let alone = "only certificates that the app carries are trusted"

    /// Host, pins, and what is said of them.
    private func told(_ text: String, _ language: SourceLanguage = .swift) -> [String] {
        Reading.found(text, language).map { found in
            guard case .described(let hosts, let pins, let what, _) = found.content else { return "\(found.content)" }
            return "\(hosts.joined(separator: " ")) \(pins.joined(separator: " ")): \(what)"
        }
    }

    private func client(_ roots: String, _ more: String = "") -> String {
        """
        let folder = environment.folder
        let path = "\\(folder)/roots/acme.pem"
        var tls = TLSConfiguration.makeClientConfiguration()
        tls.trustRoots = \(roots)
        \(more)
        let response = try await client.execute(HTTPClientRequest(url: "https://api.acme.example/items"))
        """
    }

    @Test(arguments: [
        (".certificates(try NIOSSLCertificate.fromPEMFile(\"acme.pem\"))", "acme.pem"),
        (".certificates(try NIOSSLCertificate.fromPEMFile(path))", "roots/acme.pem"), (".file(path)", "roots/acme.pem"),
        (".certificates([.file(path: \"acme.crt\", format: .pem)])", "acme.crt"), (".default", nil),
        (".certificates(given)", nil),
    ])
    func `are told with the host that is asked`(roots: String, file: String?) {
        #expect(told(client(roots)) == file.map { ["api.acme.example \($0): \(Self.alone)"] } ?? [])
    }

    @Test(arguments: [
        ("tls.certificateVerification = .fullVerification", alone),
        ("tls.certificateVerification = .noHostnameVerification", "\(alone), whatever name they are for"),
        (
            "tls.certificateVerification = .none",
            "certificates that the app carries, and with 'certificateVerification: .none' none is verified: every certificate is let through"
        ),
        ("other.certificateVerification = .none", alone),
        ("if isLocal { tls.certificateVerification = .none }", alone),
    ])
    func `are told with what is verified`(setting: String, what: String) {
        #expect(told(client(".file(\"acme.pem\")", setting)) == ["api.acme.example acme.pem: \(what)"])
    }

    @Test(arguments: [("makeClientConfiguration()", true), ("makeServerConfiguration(chain, key)", false)])
    func `of a server are those of its clients`(maker: String, isTold: Bool) {
        let text = client(".file(\"acme.pem\")").replacing("makeClientConfiguration()", with: maker)

        #expect(told(text).isEmpty != isTold)
    }

    @Test(arguments: [("forClient", true), ("forServer", false)])
    func `are told where a call is given them`(maker: String, isTold: Bool) {
        let text = """
            let tls = TLSConfiguration.\(maker)(
                certificateVerification: .noHostnameVerification, trustRoots: .file("acme.pem"))
            let line = MQTTClient(host: "line.acme.example", port: 8883, tlsConfiguration: tls)
            """

        let what = "line.acme.example acme.pem: \(Self.alone), whatever name they are for"
        #expect(told(text) == (isTold ? [what] : []))
    }

    @Test(arguments: [("@\"api.acme.example\"", "api.acme.example"), ("Host.current", "")])
    func `of a call of gRPC are told with its host`(host: String, name: String) {
        let text = """
            void start(void) {
                NSString *path = [[NSBundle mainBundle] pathForResource:@"roots" ofType:@"ca-bundle"];
                NSString *roots = [NSString stringWithContentsOfFile:path encoding:NSUTF8StringEncoding error:nil];
                [GRPCCall setTLSPEMRootCerts:roots forHost:\(host) error:nil];
            }
            """

        #expect(told(text, .objectiveC) == ["\(name) roots.ca-bundle: \(Self.alone)"])
    }

    private func handler(_ answer: String) -> String {
        """
        let pins: Set<String> = ["utmg5NIuXjXc321JwUBw4B1DNpJJkgnuJk88qs0RTVM="]
        let handler = try NIOSSLClientHandler(
            context: context, serverHostname: "api.acme.example",
            customVerificationCallback: { certificates, promise in
                let key = try! certificates[0].extractPublicKey().toSPKIBytes()
                let hash = Data(SHA256.hash(data: key)).base64EncodedString()
                \(answer)
            })
        """
    }

    @Test(arguments: [
        ("promise.succeed(pins.contains(hash) ? .certificateVerified : .failed)", false),
        ("if !pins.contains(hash) { print(hash) }; promise.succeed(.certificateVerified)", true),
    ])
    func `are no pins of NIO's callback, which compares or lets all through`(answer: String, isOpen: Bool) {
        let pin = "utmg5NIuXjXc321JwUBw4B1DNpJJkgnuJk88qs0RTVM="
        let what =
            isOpen ? " \(pin): \(ComparisonForm.lenient)" : " \(pin): compared with the server's certificate in code"

        #expect(told(handler(answer)).map { $0.trimmingPrefix("api.acme.example").description } == [what])
    }
}
