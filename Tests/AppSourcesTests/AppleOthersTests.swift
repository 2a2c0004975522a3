import Testing

@testable import AppSources

/// Which servers delegates of Apple's systems let through beside those with a pin.
@Suite struct `What a delegate does with others` {
    private typealias Example = `A delegate that compares certificates`

    private static let leaving = "compared in code that leaves all others to the system's own checks"

    private static func judge(_ check: String, _ end: String) -> String {
        """
        final class Pinning: NSObject, URLSessionDelegate {
            let hosts = ["api.acme.example"]
            func isPinned(_ trust: SecTrust, _ host: String) -> Bool {
                \(check)
            }
            func urlSession(_ session: URLSession, didReceive challenge: URLAuthenticationChallenge) {
                let trust = challenge.protectionSpace.serverTrust!
                let host = challenge.protectionSpace.host
                \(end)
            }
        }
        let session = URLSession(configuration: .default, delegate: Pinning(), delegateQueue: nil)
        """
    }

    private static let compares = """
        guard let own = SecTrustGetCertificateAtIndex(trust, 0) else { return false }
        return "\(Example.pin)" == digest(of: own)
        """

    private static let accepts = "completionHandler(.useCredential, URLCredential(trust: trust))"

    @Test(arguments: [
        ("if isPinned(trust, host) { ACCEPT } else { completionHandler(.performDefaultHandling, nil) }", true),
        ("guard isPinned(trust, host) else { return completionHandler(.performDefaultHandling, nil) }; ACCEPT", true),
        ("completionHandler(isPinned(trust, host) ? .useCredential : .performDefaultHandling, nil)", true),
        ("if isPinned(trust, host) { ACCEPT } else { completionHandler(.cancelAuthenticationChallenge, nil) }", false),
        (
            "if isPinned(trust, host) { ACCEPT } else { reject(); completionHandler(.performDefaultHandling, nil) }",
            false
        ),
        (
            "if isPinned(trust, host) { ACCEPT } else { completionHandler(.performDefaultHandling, nil); throw No() }",
            false
        ),
    ])
    func `leaves them to the system where those that ask its function do`(end: String, isLeft: Bool) {
        let text = Self.judge(Self.compares, end.replacing("ACCEPT", with: Self.accepts))

        #expect(Example.told(text) == [" \(Example.pin): \(isLeft ? Self.leaving : Example.compared)"])
    }

    @Test(arguments: [("performDefaultHandling", true), ("cancelAuthenticationChallenge", false)])
    func `leaves them to the system beside its own roots`(other: String, isLeft: Bool) {
        let roots = """
            let file = Bundle.main.url(forResource: "root", withExtension: "cer")!
            let root = SecCertificateCreateWithData(nil, try! Data(contentsOf: file) as CFData)!
            SecTrustSetAnchorCertificates(trust, [root] as CFArray)
            return SecTrustEvaluateWithError(trust, nil)
            """
        let end = "if isPinned(trust, host) { \(Self.accepts) } else { completionHandler(.\(other), nil) }"

        let what = "certificate files, \(isLeft ? Self.leaving : Example.compared)"
        #expect(Example.told(Self.judge(roots, end)) == [" root.cer: \(what)"])
    }

    @Test(
        arguments: [
            ("return true", "", true), ("log(host); return true", "", true), ("return false", "", false),
            ("return true", "guard SecTrustEvaluateWithError(trust, nil) else { return false }", false),
            ("return completionHandler(.performDefaultHandling, nil)", "", false),
        ],
        ["guard hosts.contains(host) else", "if !hosts.contains(host)"]
    )
    func `says if it lets other hosts through`(_ answered: (answer: String, before: String, isOpen: Bool), ask: String)
    {
        let (answer, before, isOpen) = answered
        let check = "\(before)\n\(ask) { \(answer) }\n\(Self.compares)"
        let end =
            "if isPinned(trust, host) { \(Self.accepts) } else { completionHandler(.cancelAuthenticationChallenge, nil) }"

        let more = isOpen ? "; other hosts are let through, whatever they show" : ""
        #expect(Example.told(Self.judge(check, end)) == ["api.acme.example \(Example.pin): \(Example.compared)\(more)"])
    }

    @Test(arguments: [
        ("guard let pins = table[host], !pins.isEmpty else", true), ("guard let pins = table[host] else", true),
        ("guard let pins = table[host], !pins.isEmpty, isKnown(pins) else", false),
        ("guard let pins = table[host], isKnown(pins) else", false),
    ])
    func `says so of hosts that have no pins in its table`(asks: String, isOpen: Bool) {
        let compares = Self.compares.replacing("\"\(Example.pin)\" == digest", with: "pins.contains(digest") + ")"
        let check = "\(asks) { return true }\n\(compares)"
        let end =
            "if isPinned(trust, host) { \(Self.accepts) } else { completionHandler(.cancelAuthenticationChallenge, nil) }"
        let table = "let table = [\"api.acme.example\": [\"\(Example.pin)\"]]"
        let text = Self.judge(check, end).replacing("let hosts = [\"api.acme.example\"]", with: table)

        let told = Example.told(text).first ?? ""
        #expect(told.hasSuffix("; other hosts are let through, whatever they show") == isOpen)
    }

    @Test(arguments: [
        ("", "guard SecTrustEvaluateWithError(trust, nil) else { return false }", true),
        ("guard METHOD else { return completionHandler(.performDefaultHandling, nil) }", "", true),
        ("guard METHOD, isKnown(host) else { return completionHandler(.performDefaultHandling, nil) }", "", false),
        ("guard SecTrustEvaluateWithError(trust, nil) else { return }", "", false),
    ])
    func `says so where pinned hosts alone are evaluated`(first: String, behind: String, isOpen: Bool) {
        let check = "guard hosts.contains(host) else { return true }\n\(behind)\n\(Self.compares)"
        let method = "challenge.protectionSpace.authenticationMethod == NSURLAuthenticationMethodServerTrust"
        let end = """
            \(first.replacing("METHOD", with: method))
            if isPinned(trust, host) { \(Self.accepts) } else { completionHandler(.cancelAuthenticationChallenge, nil) }
            """

        let told = Example.told(Self.judge(check, end)).first ?? ""
        #expect(told.hasSuffix("; other hosts are let through, whatever they show") == isOpen)
    }

    @Test(arguments: [
        ("let isOne = hosts.contains { host.hasSuffix($0) }; guard isOne", true),
        ("guard hosts.contains(where: { host.hasSuffix($0) })", true),
        ("guard isHost(host)", true), ("guard !isExempt(host)", false),
        ("guard !exempt.contains { host.hasSuffix($0) }", false),
        ("guard hosts.contains { host.hasPrefix($0) }", false), ("guard hosts.contains { host == $0 }", false),
        ("guard hosts.contains { path.hasSuffix($0) }", false),
    ])
    func `says if a host counts that ends so`(asks: String, isTold: Bool) {
        let check = """
            \(asks) else { return true }
                    \(Self.compares)
                }
                func isHost(_ host: String) -> Bool { return hosts.contains { host.hasSuffix($0) }
                }
                func isExempt(_ host: String) -> Bool { return exempt.contains { host.hasSuffix($0) }
            """
        let others =
            asks.contains("isHost")
            ? check.replacing("isExempt", with: "isOther") : check.replacing("isHost", with: "isOther")
        let end =
            "if isPinned(trust, host) { \(Self.accepts) } else { completionHandler(.cancelAuthenticationChallenge, nil) }"

        #expect(Example.told(Self.judge(others, end)).first?.contains("; hosts that end so count, too") == isTold)
    }

    @Test(arguments: [("{ host.hasSuffix($0) }", []), ("{ $0 == locale }", ["shouldPin"])])
    func `has no question of hosts as a condition`(closure: String, conditions: [String]) {
        let ask = """
            let shouldPin = names.contains \(closure)
                    guard shouldPin else { return completionHandler(.performDefaultHandling, nil) }
            """
        let text = Example.delegate().replacing("guard host ==", with: "\(ask)\n        guard host ==")

        #expect(Example.found(text).map(\.conditions) == [conditions])
    }

    private static func connection(_ condition: String, _ end: String) -> [FoundPins] {
        let text = """
            @implementation Pinning
            - (void)connection:(NSURLConnection *)connection
                willSendRequestForAuthenticationChallenge:(NSURLAuthenticationChallenge *)challenge {
                SecTrustRef trust = challenge.protectionSpace.serverTrust;
                NSData *shown = CFBridgingRelease(SecCertificateCopyData(SecTrustGetCertificateAtIndex(trust, 0)));
                NSString *path = [[NSBundle mainBundle] pathForResource:@"root" ofType:@"der"];
                NSData *own = [NSData dataWithContentsOfFile:path];
                if (\(condition)) {
                    [challenge.sender useCredential:[NSURLCredential credentialForTrust:trust]
                        forAuthenticationChallenge:challenge];
                } else {
                    [challenge.sender \(end):challenge];
                }
            }
            @end
            """
        let file = SourceModule.File(path: "a.m", language: .objectiveC, text: text)
        return Reading.read(file)
    }

    @Test(arguments: [
        ("[self isPinning] == NO", ["not [self isPinning] == NO"]), ("![self isPinning]", ["[self isPinning]"]),
        ("isOpen", ["not isOpen"]), ("[self isTrusted:trust]", []), ("[shown isEqualToData:second]", []),
    ])
    func `has what a method of its own answers as a condition`(other: String, conditions: [String]) {
        let found = Self.connection("[shown isEqualToData:own] || \(other)", "cancelAuthenticationChallenge")

        #expect(found.map(\.conditions) == [conditions])
    }

    @Test(arguments: [
        ("performDefaultHandlingForAuthenticationChallenge", true), ("cancelAuthenticationChallenge", false),
    ])
    func `leaves them to the system by the challenge's sender`(end: String, isLeft: Bool) {
        let found = Self.connection("[shown isEqualToData:own]", end)

        #expect(found.contains { "\($0.content)".contains("leaves all others") } == isLeft)
    }

    @Test(arguments: [
        ("endpoints.contains(host)", true), ("endpoints.contains(challenge.protectionSpace.host)", true),
        ("endpoints.contains(where: { host.hasSuffix($0) })", true), ("Self.endpoints.contains(host)", true),
        ("!endpoints.contains(host)", false), ("endpoints.contains(path)", false), ("bypassed.contains(host)", false),
        ("words.contains(host)", false),
    ])
    func `has the hosts of a list that must have its host, whatever its name`(asks: String, isTold: Bool) {
        let text = Example.delegate(asks: asks).replacing(
            "private let pinned = \"acme.example\"",
            with: """
                private static let endpoints = ["acme.example", "acme.test"]
                    private static let bypassed = ["acme.example"]
                    private static let words = ["acme.example", "one of them"]
                """
        )

        #expect(Example.told(text).first?.hasPrefix("acme.example acme.test ") == isTold)
        #expect(Example.told(text).first?.hasPrefix(" ") == !isTold)
    }

    @Test(arguments: [
        ("guard let pins = table[c.protectionSpace.host] else { ACCEPT; return }", true),
        ("guard let pins = table[c.protectionSpace.host] else { REJECT; return }", false),
        (
            "guard Checks.passes(trust) else { return REJECT }; guard let pins = table[c.protectionSpace.host] else { ACCEPT; return }",
            false
        ),
        ("if c.protectionSpace.host != \"api.acme.example\" { ACCEPT; return }", true),
        ("if c.protectionSpace.host != \"api.acme.example\" { REJECT; return }", false),
        (
            "guard SecTrustEvaluateWithError(trust, nil) else { return REJECT }; guard let pins = table[c.protectionSpace.host] else { ACCEPT; return }",
            false
        ),
    ])
    func `says so of a delegate that asks for the host itself`(check: String, isTold: Bool) {
        let text = """
            final class Pinning: NSObject, URLSessionDelegate {
                let table = ["api.acme.example": ["\(Example.pin)"]]
                func urlSession(_ s: URLSession, didReceive c: URLAuthenticationChallenge, completionHandler: @escaping Handler) {
                    guard let trust = c.protectionSpace.serverTrust else { return REJECT }
                    \(check)
                    if table["api.acme.example"]!.contains(base64(SecCertificateCopyData(SecTrustGetCertificateAtIndex(trust, 0)!))) { ACCEPT } else { REJECT }
                }
            }
            let session = URLSession(configuration: .default, delegate: Pinning(), delegateQueue: nil)
            """
            .replacing("ACCEPT", with: Self.accepts)
            .replacing("REJECT", with: "completionHandler(.cancelAuthenticationChallenge, nil)")

        #expect(Example.told(text).contains { $0.contains("other hosts are let through") } == isTold)
    }

    @Test(arguments: [
        ("guard let trust = space.serverTrust, let host = space.host as String? else", true),
        ("guard let trust = space.serverTrust, hosts.contains(space.host) else", false),
    ])
    func `says so where a challenge without a trust is left to the system`(check: String, isTold: Bool) {
        let text = """
            final class Pinning: NSObject, URLSessionDelegate {
                let hosts = ["api.acme.example"]
                func isPinned(_ trust: SecTrust, _ host: String) -> Bool {
                    guard hosts.contains(host) else { return true }
                    return "\(Example.pin)" == keyOf(trust)
                }
                func keyOf(_ trust: SecTrust) -> String { base64(SecTrustCopyKey(trust)!) }
                func urlSession(_ s: URLSession, didReceive c: URLAuthenticationChallenge, completionHandler: @escaping Handler) {
                    let space = c.protectionSpace
                    \(check) { completionHandler(.performDefaultHandling, nil); return }
                    if isPinned(trust, space.host) { \(Self.accepts) } else { completionHandler(.cancelAuthenticationChallenge, nil) }
                }
            }
            let session = URLSession(configuration: .default, delegate: Pinning(), delegateQueue: nil)
            """

        #expect(Example.told(text).contains { $0.contains("other hosts are let through") } == isTold)
    }

    private static let hex = String(repeating: "ab01", count: 16)

    @Test(arguments: [
        (
            "sha256/\(hex)", "\"sha256/\" + data.base64EncodedString()",
            "the digest is written in Base64, and the pins in hexadecimal"
        ),
        (
            "sha256/\(Example.pin)", "data.base64EncodedString()",
            "the pins begin with 'sha256/', and the digest does not"
        ),
        ("sha256/\(Example.pin)", "\"sha256/\" + data.base64EncodedString()", nil),
        ("sha256/\(Example.pin)", "strip(data.base64EncodedString())", nil),
        (
            hex.uppercased(), "data.map { String(format: \"%02x\", $0) }.joined()",
            "the digest is written in small letters, and the pins in capitals"
        ),
        (hex.uppercased(), "data.map { String(format: \"%02x\", $0) }.joined().uppercased()", nil),
        (hex, "data.map { String(format: \"%02x\", $0) }.joined()", nil),
        (
            Array(repeating: "ab:01", count: 16).joined(separator: ":"),
            "data.map { String(format: \"%02x\", $0) }.joined()",
            "the digest is written with nothing between its digits, and the pins with colons"
        ),
        (
            Array(repeating: "ab:01", count: 16).joined(separator: ":"),
            "data.map { String(format: \"%02x\", $0) }.joined(separator: \":\")", nil
        ),
    ])
    func `lets nobody through where the digest is written in another way`(pin: String, written: String, what: String?) {
        let text = """
            final class Pinning: NSObject, URLSessionDelegate {
                func urlSession(_ s: URLSession, didReceive c: URLAuthenticationChallenge, completionHandler: @escaping Handler) {
                    let trust = c.protectionSpace.serverTrust!
                    let data = Data(SHA256.hash(data: SecCertificateCopyData(SecTrustGetCertificateAtIndex(trust, 0)!) as Data))
                    let digest = \(written)
                    if digest == "\(pin)" { \(Self.accepts) } else { completionHandler(.cancelAuthenticationChallenge, nil) }
                }
            }
            let session = URLSession(configuration: .default, delegate: Pinning(), delegateQueue: nil)
            """
        let found = Example.told(text)

        #expect(found.count == 1)
        #expect(found.first?.contains(what ?? "written") == (what != nil))
    }

    private func session(_ code: String) -> String {
        """
        final class Pinning: NSObject, URLSessionDelegate {
            static let shared = Pinning()
            func urlSession(_ session: URLSession, didReceive challenge: URLAuthenticationChallenge, completionHandler: @escaping (URLSession.AuthChallengeDisposition, URLCredential?) -> Void) {
                \(code)
            }
        }
        let session = URLSession(configuration: .default, delegate: Pinning.shared, delegateQueue: nil)
        """
    }

    private static let files = "certificate files, compared "

    @Test(arguments: [
        ("let path = PATH", ".performDefaultHandling", "in code that leaves all others to the system's own checks"),
        ("let path = PATH", ".cancelAuthenticationChallenge", "with the server's certificate in code"),
        // What is compared there is refused there.
        (
            "let path = PATH, isKnown == challenge.protectionSpace.host", ".performDefaultHandling",
            "with the server's certificate in code"
        ),
    ])
    func `are refused by no question whether a file is there`(asked: String, answer: String, effect: String) {
        let asked = asked.replacing("PATH", with: "Bundle.main.path(forResource: \"acme\", ofType: \"cer\")")
        let text = session(
            """
            guard let trust = challenge.protectionSpace.serverTrust, let own = SecTrustGetCertificateAtIndex(trust, 0) else {
                        return completionHandler(.cancelAuthenticationChallenge, nil)
                    }
                    guard \(asked) else { completionHandler(.cancelAuthenticationChallenge, nil); return }
                    let local = try! Data(contentsOf: URL(fileURLWithPath: path))
                    if SecCertificateCopyData(own) as Data == local {
                        completionHandler(.useCredential, URLCredential(trust: trust))
                    } else {
                        completionHandler(\(answer), nil)
                    }
            """
        )

        #expect(Reading.told(text, .swift) == [Self.files + effect])
    }

    @Test(arguments: [
        (
            "free.contains(challenge.protectionSpace.host)", ".performDefaultHandling, nil",
            "left to the system's own checks: "
        ),
        ("free.contains(challenge.protectionSpace.host)", ".useCredential, own", "let through, whatever they show: "),
        ("free.contains(challenge.protectionSpace.realm)", ".performDefaultHandling, nil", nil),
        ("free.contains(challenge.protectionSpace.host)", ".cancelAuthenticationChallenge, nil", nil),
    ])
    func `may be in a list of hosts`(test: String, answer: String, rest: String?) {
        let text = session(
            """
            let free = ["pay.acme.example"]
                    if \(test) {
                        completionHandler(\(answer))
                        return
                    }
                    let trust = challenge.protectionSpace.serverTrust!
                    let shown = SecCertificateCopyData(SecTrustGetCertificateAtIndex(trust, 0)!) as Data
                    let local = try! Data(contentsOf: Bundle.main.url(forResource: "acme", withExtension: "der")!)
                    if shown == local { completionHandler(.useCredential, URLCredential(trust: trust)) } else {
                        completionHandler(.cancelAuthenticationChallenge, nil)
                    }
            """
        )

        let said = Reading.told(text, .swift)
        #expect(said.count == 1)
        if let rest {
            #expect(said.allSatisfy { $0.hasSuffix("; \(rest)pay.acme.example") }, "\(said)")
        } else {
            #expect(said.allSatisfy { !$0.contains("pay.acme.example") }, "\(said)")
        }
    }

    @Test(arguments: [
        ("initializeWithConfiguration", "@\"www.acme.com\" : POLICY", true),
        ("initSharedInstanceWithConfiguration", "@\"www.acme.com\" : POLICY", true),
        ("initializeWithConfiguration", "kTSKPinnedDomains : @{ @\"www.acme.com\" : POLICY }", false),
        ("takeConfiguration", "@\"www.acme.com\" : POLICY", nil),
    ])
    func `are below no key in TrustKit's old form`(function: String, domains: String, isOld: Bool?) {
        let policy = "@{ kTSKPublicKeyHashes : @[ @\"HXXQgxueCIU5TTLHob/bPbwcKOKw6DkfsTWYHbxbqTX=\" ] }"
        let text = """
            - (void)start {
                NSDictionary *config = @{ \(domains.replacing("POLICY", with: policy)) };
                [TrustKit \(function):config];
            }
            """
        let found = Reading.found(text, .objectiveC)
        let hosts = found.map { found -> [String] in
            if case .described(let hosts, _, let what, _) = found.content, what.contains("TrustKit throws") {
                hosts
            } else {
                []
            }
        }

        #expect(hosts == (isOld.map { [$0 ? ["www.acme.com"] : []] } ?? []))
    }
}
