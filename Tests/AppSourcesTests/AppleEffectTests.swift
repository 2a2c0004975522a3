import Testing

@testable import AppSources

/// Whether what delegates of Apple's systems compare decides anything, and when.
@Suite struct `What a delegate compares` {
    private typealias Example = `A delegate that compares certificates`

    private static let headless =
        "\(Example.compared); the digest is of a key without its header: no pin that openssl, TrustKit or Android takes matches"

    @Test(arguments: [
        ("SHA256.hash(data: data)", true), ("SHA256.hash(data: data as Data)", true), ("digest(of: data)", true),
        ("summed(data)", true), ("SHA256.hash(data: data.dropFirst())", false),
        ("SHA256.hash(data: certificate)", false),
        ("digest(of: header + data)", false), ("Data(hasher.sum(data))", false),
    ])
    func `says if its digest is of a key without its header`(digest: String, isHeadless: Bool) {
        let text =
            Example.delegate().replacing("SHA256.hash(data: header + data)", with: digest) + """

                func digest(of key: Data) -> Data { let bytes = key; return Data(SHA256.hash(data: bytes)) }
                func summed(_ key: Data) -> Data {
                    var sum = [UInt8](repeating: 0, count: Int(CC_SHA256_DIGEST_LENGTH))
                    key.withUnsafeBytes { _ = CC_SHA256($0.baseAddress, CC_LONG(key.count), &sum) }
                    return Data(sum)
                }
                """

        let what = isHeadless ? Self.headless : Example.compared
        #expect(Example.told(text) == ["api.acme.example \(Example.pin): \(what)"])
    }

    @Test(arguments: [
        ("Optional(key).flatMap({ COPY })", true), ("own.flatMap { COPY }", true), ("own.filter { COPY }", false),
    ])
    func `says so of a key that a closure takes`(taking: String, isHeadless: Bool) {
        let copy = "SecKeyCopyExternalRepresentation($0, nil) as Data?"
        let text = Example.delegate().replacing("header + data", with: "bytes").replacing(
            "let hash = ",
            with: "guard let bytes = \(taking.replacing("COPY", with: copy)) else { return }\n        let hash = "
        )
        .replacing("let data = SecKeyCopyExternalRepresentation(key, nil) as Data?", with: "let own = Optional(key)")
        .replacing("Optional(key).flatMap", with: "own.flatMap")

        let what = isHeadless ? Self.headless : Example.compared
        #expect(Example.told(text) == ["api.acme.example \(Example.pin): \(what)"])
    }

    @Test(arguments: ["SHA256.hash(data: data)", "SHA256.hash(data: certificate)"])
    func `that takes digests of other things as well is not called headless`(other: String) {
        let text = Example.delegate(before: "log(\(other))").replacing("header + data", with: "data")

        let what = other.contains("certificate") ? Example.compared : Self.headless
        #expect(Example.told(text) == ["api.acme.example \(Example.pin): \(what)"])
    }

    @Test(arguments: [
        ("pins.contains(hash) || Settings.isInsecure", ["not Settings.isInsecure"]),
        ("pins.contains(hash) || isDevelopment()", []), ("pins.contains(hash) || known == hash", []),
        ("host == \"a.acme.example\" || Settings.isInsecure", []), ("isTrusted || Settings.isInsecure", []),
    ])
    func `has what else lets a server through as a condition`(condition: String, conditions: [String]) {
        let text = Example.delegate().replacing("if pins.contains(hash)", with: "if \(condition)")
            .replacing("private var pins", with: "private func isDevelopment() -> Bool { false }\n    private var pins")

        #expect(Example.found(text).map(\.conditions) == [conditions])
    }

    @Test func `that lets all through in one build is told with the other`() {
        let text = Example.delegate().replacing(
            "if pins.contains(hash)",
            with: "if pins.contains(hash) || isDevelopment()"
        )
        .replacing(
            "private var pins",
            with: """
                private func isDevelopment() -> Bool {
                    #if DEBUG
                    return true
                    #else
                    return false
                    #endif
                }
                private var pins
                """
        )

        let never = ", for 'not isDevelopment()' alone, which never holds"
        let own = "api.acme.example \(Example.pin): \(Example.compared)"
        #expect(Example.told(text) == ["\(own)\(never)", own])
        #expect(Example.found(text).map(\.conditions) == [["DEBUG"], ["not DEBUG"]])
    }

    @Test(arguments: [("let", "true", []), ("let", "false", nil), ("var", "true", ["enforcesPins"])])
    func `has a part of a condition as one`(kind: String, value: String, conditions: [String]?) {
        let enforced = Example.delegate().replacing(
            "completionHandler(.cancelAuthenticationChallenge, nil)",
            with: "if enforcesPins && !pins.isEmpty { completionHandler(.cancelAuthenticationChallenge, nil) }"
        )
        .replacing("private var pins", with: "\(kind) enforcesPins = \(value)\n    private var pins")

        #expect(Example.found(enforced).map(\.conditions) == [conditions ?? []])
        #expect(Example.told(enforced).contains { $0.contains("which never holds") } == (conditions == nil))
    }

    @Test(arguments: [
        ("private var isPinningOn = true", []),
        ("@AppStorage(\"pinning\") private var isPinningOn = true", ["isPinningOn"]),
        ("@Published private var isPinningOn = true", ["isPinningOn"]),
        ("@MainActor private var isPinningOn = true", []),
    ])
    func `has a switch that a wrapper keeps as a condition`(flag: String, conditions: [String]) {
        let ask = "guard isPinningOn else { return completionHandler(.performDefaultHandling, nil) }"
        let text = Example.delegate().replacing("private var pins", with: "\(flag)\n    private var pins")
            .replacing("let host = challenge", with: "\(ask)\n        let host = challenge")

        #expect(Example.found(text).map(\.conditions) == [conditions])
    }

    @Test(arguments: [("#available(iOS 15.0, *)", true), ("isKnown(session)", false)])
    func `asks for a version of the system`(condition: String, isTold: Bool) {
        let text = """
            final class Pinning: NSObject, URLSessionDelegate {
                func urlSession(_ session: URLSession, didReceive challenge: URLAuthenticationChallenge) -> Bool {
                    if \(condition) {
                        return "\(Example.pin)" == digest(of: SecTrustCopyKey(challenge.protectionSpace.serverTrust!))
                    } else {
                        return true
                    }
                }
            }
            let made = Pinning()
            """

        #expect(Example.found(text).map(\.conditions) == [isTold ? [condition] : []])
    }

    @Test(arguments: [
        ("let made = Pinning.digest", ""), ("class Own: Pinning {}", ""), ("", "makes an object of 'Pinning'"),
        ("// shared", "uses 'Pinning' but itself"), ("// delegate", ""),
    ])
    func `that only its own type names is told so`(other: String, more: String) {
        let own = [
            "// shared": "static let shared = Pinning()",
            "// delegate":
                "static func session() -> URLSession { URLSession(configuration: .default, delegate: Pinning()) }",
        ][other, default: "static let sum = Pinning.digest"]
        let text =
            Example.delegate().split(separator: "\n").dropLast().joined(separator: "\n")
            .replacing("private var pins", with: "\(own)\n    private var pins") + "\n" + other

        let what = more.isEmpty ? Example.compared : "\(Example.compared); nothing in what was read \(more)"
        #expect(Example.told(text) == ["api.acme.example \(Example.pin): \(what)"])
    }

    @Test(arguments: [("\"same\"", true), ("key.description", false)])
    func `that looks up what is always the same takes no digest`(answer: String, isIdle: Bool) {
        let text =
            Example.delegate().replacing(
                "Data(SHA256.hash(data: header + data)).base64EncodedString()",
                with: "sum(key)"
            )
            + "\nfunc sum(_ key: SecKey) -> String { return \(answer) }"

        let idle = "looked up in code that takes no digest: 'sum' answers the same for every certificate"
        #expect(Example.told(text) == ["api.acme.example \(Example.pin): \(isIdle ? idle : Example.compared)"])
    }

    @Test(arguments: ["<your host>", "api.acme.example"])
    func `has no host where something stands for one`(host: String) {
        let text = Example.delegate(asks: "host == Self.backend").replacing(
            "private let pinned",
            with: "private static let backend = \"\(host)\"\n    private let pinned"
        )

        let isTold = host == "api.acme.example"
        #expect(Example.told(text).first?.hasPrefix("api.acme.example \(Example.pin)") == isTold)
        let found = Example.found(text).first.map { "\($0.content)" } ?? ""
        #expect(found.contains("stands for one") == !isTold)
    }

    @Test(arguments: [
        ("final class Checker", "", "; nothing in what was read makes an object of 'Checker'"),
        ("final class Checker", "let checker = Checker()", ""), ("final class Checker: CAPPlugin", "", ""),
        ("@objc(Checker) final class Checker", "", ""),
        ("enum Checker", "", "; nothing in what was read calls 'isPinned'"),
    ])
    func `an object that nothing makes is told so`(head: String, other: String, more: String) {
        let text = """
            \(head) {
                func isPinned(_ serverTrust: SecTrust) -> Bool {
                    guard let key = SecTrustCopyKey(serverTrust) else { return false }
                    return "\(Example.pin)" == digest(of: key)
                }
            }
            \(other)
            """

        let told = Example.told(text).first ?? ""
        #expect(
            told.replacing("; nothing in what was read calls 'isPinned'", with: head.contains("enum") ? more : "")
                == " \(Example.pin): \(Example.compared)\(more)"
        )
    }

    @Test(arguments: [("false", true), ("true", false), ("isStrict", false)])
    func `says if the system's roots count beside its own`(only: String, isOpen: Bool) {
        let text = """
            final class Anchors: NSObject, URLSessionDelegate {
                func urlSession(_ session: URLSession, didReceive challenge: URLAuthenticationChallenge) -> Bool {
                    let file = Bundle.main.url(forResource: "root", withExtension: "cer")!
                    let root = SecCertificateCreateWithData(nil, try! Data(contentsOf: file) as CFData)!
                    let trust = challenge.protectionSpace.serverTrust!
                    SecTrustSetAnchorCertificates(trust, [root] as CFArray)
                    SecTrustSetAnchorCertificatesOnly(trust, \(only))
                    return SecTrustEvaluateWithError(trust, nil)
                }
            }
            let made = Anchors()
            """

        let open = "; the system's roots count as well, so that a certificate of any of them is let through"
        #expect(Example.told(text) == [" root.cer: certificate files, \(Example.compared)\(isOpen ? open : "")"])
    }

    @Test(arguments: [
        ("", "", true), ("let isPinned = Trust.isPinned(trust)", "", false), ("", ": Judge", false),
        ("", ": NSObject", true), ("isPinned", "", false),
    ])
    func `a function that nothing calls is told so`(other: String, base: String, isUncalled: Bool) {
        let text = """
            enum Trust\(base) {
                static func isPinned(_ serverTrust: SecTrust) -> Bool {
                    guard let key = SecTrustCopyKey(serverTrust) else { return false }
                    return "\(Example.pin)" == digest(of: key)
                }
            }
            \(other)
            """

        let more = isUncalled ? "; nothing in what was read calls 'isPinned'" : ""
        #expect(Example.told(text) == [" \(Example.pin): \(Example.compared)\(more)"])
    }

    @Test(arguments: [
        ("SHA256.hash(data: self)", true), ("SHA256.hash(data: header + self)", false),
        ("sum(CC_SHA256(bytes, CC_LONG(count), &digest))", true),
        ("sum(CC_SHA256(bytes, CC_LONG(self.count), &digest))", true),
        ("sum(CC_SHA256(bytes, CC_LONG(all.count), &digest))", false),
    ])
    func `says so too if data takes its own digest`(digest: String, isHeadless: Bool) {
        let text =
            Example.delegate().replacing("Data(SHA256.hash(data: header + data))", with: "data.sha256()")
            + "\nextension Data { func sha256() -> Data { Data(\(digest)) } }"

        let what = isHeadless ? Self.headless : Example.compared
        #expect(Example.told(text) == ["api.acme.example \(Example.pin): \(what)"])
        let ofAll = text.replacing("data.sha256()", with: "certificate.sha256()")
        #expect(Example.told(ofAll) == ["api.acme.example \(Example.pin): \(Example.compared)"])
    }

    @Test(arguments: [
        ("completionHandler(.useCredential, URLCredential(trust: trust))", true),
        ("completionHandler(.performDefaultHandling, nil)", false),
        ("if SecTrustEvaluateWithError(trust, nil) { completionHandler(.useCredential, nil) }", false),
        ("check(trust); completionHandler(.useCredential, nil)", true),
        ("validate(trust); completionHandler(.useCredential, nil)", false),
    ])
    func `says if nothing evaluates a chain to its own roots`(end: String, isOpen: Bool) {
        let text = """
            final class Anchors: NSObject, URLSessionDelegate {
                func urlSession(_ session: URLSession, didReceive challenge: URLAuthenticationChallenge) {
                    guard challenge.protectionSpace.host == "api.acme.example" else {
                        return completionHandler(.performDefaultHandling, nil)
                    }
                    let file = Bundle.main.url(forResource: "root", withExtension: "cer")!
                    let root = SecCertificateCreateWithData(nil, try! Data(contentsOf: file) as CFData)!
                    let trust = challenge.protectionSpace.serverTrust!
                    SecTrustSetAnchorCertificates(trust, [root] as CFArray)
                    \(end)
                }
            }
            let made = Anchors()
            """

        let open = "; nothing evaluates the chain, so that every certificate is let through"
        let what = "certificate files, \(Example.compared)\(isOpen ? open : "")"
        #expect(Example.told(text) == ["api.acme.example root.cer: \(what)"])
    }

    @Test(arguments: [
        ("isPinned = SecTrustEvaluateWithError(trust, nil)", true),
        ("let answer = SecTrustEvaluateWithError(trust, nil)\n isPinned = answer", true),
        ("let answer = SecTrustEvaluateWithError(trust, nil)\n log(answer)", false),
        ("isKnown = SecTrustEvaluateWithError(trust, nil)", false), ("isPinned = false", false),
    ])
    func `leaves the rest to the system where it takes that for its answer`(fallback: String, isLeft: Bool) {
        let text = Example.delegate().replacing(
            "if pins.contains(hash) {",
            with: """
                var isPinned = false
                if pins.contains(hash) { isPinned = true }
                if !isPinned {
                    \(fallback)
                }
                if isPinned {
                """
        )

        let what = isLeft ? "compared in code that leaves all others to the system's own checks" : Example.compared
        #expect(Example.told(text) == ["api.acme.example \(Example.pin): \(what)"])
    }

    @Test(arguments: [("api.acme.example", true), ("first", false)])
    func `has the hosts of a table of what stands for pins`(key: String, isHost: Bool) {
        let table = "[\"\(key)\": [\"PLACEHOLDER_HASH_1\"], \"second\": [\"PLACEHOLDER_HASH_2\"]]"
        let text = Example.delegate(table, asks: "let own = pins[host]")
            .replacing("pins.contains", with: "own.contains")

        let known = Example.found(text).flatMap { found -> [FoundPins.Part] in
            if case .described(_, _, _, let known) = found.content { known } else { [] }
        }
        #expect(known.map(\.host) == (isHost ? [key] : []))
        #expect(known.map(\.pins) == (isHost ? [["PLACEHOLDER_HASH_1"]] : []))
        #expect(Example.told(text).first?.contains("PLACEHOLDER_HASH_2: ") == true)
    }

    @Test(arguments: [("return completionHandler(.useCredential, nil)", ["isPinningOn"]), ("log(host)", [])])
    func `has the conditions of what calls its function that takes the key`(done: String, conditions: [String]) {
        let text = """
            final class Pinning: NSObject, URLSessionDelegate {
                var isPinningOn = true
                let pins = ["\(Example.pin)"]
                func hash(of certificate: SecCertificate) -> String? {
                    guard let key = SecTrustCopyPublicKey(trust(of: certificate)) else { return nil }
                    return Data(SHA256.hash(data: header + data(of: key))).base64EncodedString()
                }
                func urlSession(_ session: URLSession, didReceive challenge: URLAuthenticationChallenge) {
                    if !isPinningOn { \(done) }
                    let own = SecTrustGetCertificateAtIndex(challenge.protectionSpace.serverTrust!, 0)!
                    if pins.contains(hash(of: own)!) { completionHandler(.useCredential, nil) } else {
                        completionHandler(.cancelAuthenticationChallenge, nil)
                    }
                }
            }
            let made = Pinning()
            """

        #expect(Example.found(text).map(\.conditions) == [conditions])
    }
}
