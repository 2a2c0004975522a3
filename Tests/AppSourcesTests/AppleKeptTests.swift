import Testing

@testable import AppSources

/// Refusals of Apple's delegates that nobody hears, and lists that they look nothing up in.
@Suite struct `A refusal that nobody hears` {
    private static let pin = "utmg5NIuXjXc321JwUBw4B1DNpJJkgnuJk88qs0RTVM="
    private static let compared = "compared with the server's certificate in code"
    private static let yes = "completionHandler(.useCredential, URLCredential(trust: trust))"
    private static let no = "completionHandler(.cancelAuthenticationChallenge, nil)"

    private func delegate(_ answer: String) -> String {
        """
        final class Pinning: NSObject, URLSessionDelegate {
            private let pins: Set<String> = ["\(Self.pin)"]
            private func verify(_ trust: SecTrust) throws {
                let chain = SecTrustCopyCertificateChain(trust) as? [SecCertificate] ?? []
                let hash = Data(SHA256.hash(data: SecCertificateCopyData(chain[0]) as Data)).base64EncodedString()
                guard pins.contains(hash) else { throw Mismatch.key }
            }
            func urlSession(
                _ session: URLSession, didReceive challenge: URLAuthenticationChallenge,
                completionHandler: @escaping (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
            ) {
                guard let trust = challenge.protectionSpace.serverTrust else { return \(Self.no) }
                \(answer)
            }
        }
        let session = URLSession(configuration: .default, delegate: Pinning(), delegateQueue: nil)
        """
    }

    @Test(arguments: [
        ("do { try verify(trust) } catch { log(error) }\n\(yes)", true), ("try? verify(trust)\n\(yes)", true),
        ("_ = try? verify(trust)\n\(yes)", true), ("do { try verify(trust); \(yes) } catch { \(no) }", false),
        ("do { try verify(trust) } catch { return \(no) }\n\(yes)", false),
        ("do { try verify(trust) } catch { isKnown = false }\nif isKnown { \(yes) } else { \(no) }", false),
        ("if (try? verify(trust)) != nil { \(yes) } else { \(no) }", false),
        ("let isOther = (try? verify(trust)) == nil\nif isOther { \(no) } else { \(yes) }", false),
        ("do { try verify(trust) } catch { fatalError() }\n\(yes)", false),
    ])
    func `lets every certificate through`(answer: String, isOpen: Bool) {
        #expect(Reading.told(delegate(answer), .swift) == [isOpen ? ComparisonForm.lenient : Self.compared])
    }

    /// A delegate that asks a function which answers.
    private func asking(_ answer: String, _ throwing: String = "return pins.contains(hash)", head: String = "-> Bool")
        -> String
    {
        delegate(answer).replacing("throws {", with: "\(head) {")
            .replacing("guard pins.contains(hash) else { throw Mismatch.key }", with: throwing)
    }

    @Test(arguments: [
        ("let isPinned = verify(trust)\nlog(isPinned)\n\(yes)", true), ("_ = verify(trust)\n\(yes)", true),
        ("if verify(trust) { \(yes) } else { log(trust); \(yes) }", true),
        ("if verify(trust) { \(yes) } else { \(no) }", false), ("guard verify(trust) else { return }\n\(yes)", false),
        ("precondition(verify(trust))\n\(yes)", false), ("if verify(trust) { \(yes) }", false),
        ("let own = verify(trust) ? URLCredential(trust: trust) : nil\ncompletionHandler(.useCredential, own)", false),
        ("if verify(trust) { \(yes) } else if isOpen { \(yes) }", false),
    ])
    func `is an answer, too`(answer: String, isOpen: Bool) {
        #expect(Reading.told(asking(answer), .swift) == [isOpen ? ComparisonForm.lenient : Self.compared])
    }

    @Test(arguments: [("true", true), ("false", false)])
    func `is one in whose place something stands`(usual: String, isOpen: Bool) {
        let thrown = "guard pins.contains(hash) else { throw Mismatch.key }\n        return true"
        let answer = "if (try? verify(trust)) ?? \(usual) { \(Self.yes) } else { \(Self.no) }"
        let text = asking(answer, thrown, head: "throws -> Bool")

        #expect(Reading.told(text, .swift) == [isOpen ? ComparisonForm.lenient : Self.compared])
    }

    @Test(arguments: [
        ("? (.cancelAuthenticationChallenge, nil) : (.useCredential, URLCredential(trust: trust))", true),
        ("? (.useCredential, URLCredential(trust: trust)) : (.cancelAuthenticationChallenge, nil)", false),
    ])
    func `is that of the pins themselves where all others are let through`(ways: String, isOpposite: Bool) {
        let text = """
            final class Pinning: NSObject, URLSessionDelegate {
                private let pins: Set<String> = ["\(Self.pin)"]
                func urlSession(_ session: URLSession, didReceive challenge: URLAuthenticationChallenge) async
                    -> (URLSession.AuthChallengeDisposition, URLCredential?)
                {
                    let trust = challenge.protectionSpace.serverTrust!
                    let chain = SecTrustCopyCertificateChain(trust) as! [SecCertificate]
                    let hash = Data(SHA256.hash(data: SecCertificateCopyData(chain[0]) as Data)).base64EncodedString()
                    return pins.contains(hash) \(ways)
                }
            }
            let session = URLSession(configuration: .default, delegate: Pinning(), delegateQueue: nil)
            """

        #expect(Reading.told(text, .swift) == [isOpposite ? ComparisonForm.opposite : Self.compared])
    }

    @Test(arguments: [
        ("completionHandler(.performDefaultHandling, nil)", true),
        ("if verify(trust) { \(yes) } else { \(no) }", false),
    ])
    func `is told where its delegate never asks`(answer: String, isUncalled: Bool) {
        let what = Self.compared + (isUncalled ? "; nothing in what was read calls 'verify'" : "")

        #expect(Reading.told(asking(answer), .swift) == [what])
    }

    @Test(arguments: [("complete(true)", true), ("complete(hash == \"\(pin)\")", false)])
    func `is that of a connection, too, whose chain may be empty`(answer: String, isOpen: Bool) {
        let text = """
            func open() -> NWConnection {
                sec_protocol_options_set_verify_block(options, { _, trust, complete in
                    let shown = sec_trust_copy_ref(trust).takeRetainedValue()
                    guard let chain = SecTrustCopyCertificateChain(shown) as? [SecCertificate], let leaf = chain.first
                    else { return complete(false) }
                    let hash = Data(SHA256.hash(data: SecCertificateCopyData(leaf) as Data)).base64EncodedString()
                    if hash != "\(Self.pin)" { print("another one") }
                    \(answer)
                }, queue)
                return NWConnection(host: "line.acme.example", port: 443, using: parameters)
            }
            let line = open()
            """

        #expect(Reading.told(text, .swift) == [isOpen ? ComparisonForm.lenient : Self.compared])
    }

    /// A delegate that has another function look a certificate up.
    private func builds(_ first: String, _ second: String) -> String {
        """
        final class Pinning: NSObject, URLSessionDelegate {
            func urlSession(
                _ session: URLSession, didReceive challenge: URLAuthenticationChallenge,
                completionHandler: @escaping (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
            ) {
                let trust = challenge.protectionSpace.serverTrust!
                #if DEBUG
                \(first)
                #else
                \(second)
                #endif
            }
            static func matches(_ trust: SecTrust) -> Bool {
                let chain = SecTrustCopyCertificateChain(trust) as! [SecCertificate]
                return Data(SHA256.hash(data: SecCertificateCopyData(chain[0]) as Data)).base64EncodedString() == "\(Self.pin)"
            }
        }
        let session = URLSession(configuration: .default, delegate: Pinning(), delegateQueue: nil)
        """
    }

    @Test func `is one where a build asks the function, and none where it does not`() {
        let asking = "if Self.matches(trust) { \(Self.yes) } else { \(Self.no) }"
        let system = "completionHandler(.performDefaultHandling, nil)"

        let one = Reading.found(builds(system, asking), .swift)
        let both = Reading.found(builds(asking, asking), .swift)

        #expect(one.map(\.conditions) == [["not DEBUG"]])
        #expect(both.map(\.conditions) == [[]])
    }

    private func lookup(_ list: String, _ asking: String) -> String {
        """
        final class Pinning: NSObject, URLSessionDelegate {
            \(list)
            func urlSession(
                _ session: URLSession, didReceive challenge: URLAuthenticationChallenge,
                completionHandler: @escaping (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
            ) {
                let host = challenge.protectionSpace.host
                let trust = challenge.protectionSpace.serverTrust!
                \(asking)
                let chain = SecTrustCopyCertificateChain(trust) as! [SecCertificate]
                let hash = Data(SHA256.hash(data: SecCertificateCopyData(chain[0]) as Data)).base64EncodedString()
                if pins.contains(hash) { \(Self.yes) } else { \(Self.no) }
            }
        }
        let session = URLSession(configuration: .default, delegate: Pinning(), delegateQueue: nil)
        """
    }

    @Test(arguments: ["fatalError()", "session.finish()"])
    func `is heard where the app ends in a guard`(end: String) {
        let list = "let pins = [\"utmg5NIuXjXc321JwUBw4B1DNpJJkgnuJk88qs0RTVM=\"]"
        let text = lookup(list, "").replacing(
            "if pins.contains(hash) { \(Self.yes) } else { \(Self.no) }",
            with: "guard let own = pins.first(where: { $0 == hash }) else { \(end) }\n\(Self.yes)"
        )

        #expect(Reading.told(text, .swift).contains { $0.contains("every certificate") } == (end != "fatalError()"))
    }

    @Test(arguments: [
        ("guard !pins.isEmpty else { return \(yes) }", "nothing is compared, and every certificate is let through"),
        (
            "guard !pins.isEmpty else { return completionHandler(.performDefaultHandling, nil) }",
            "nothing is compared, and the system's own checks decide"
        ),
        ("if pins.isEmpty { return \(yes) }", "nothing is compared, and every certificate is let through"),
        ("if !pins.isEmpty { print(host) }", "no certificate matches"), ("", "no certificate matches"),
    ])
    func `is of no use where the list is empty`(asking: String, end: String) {
        #expect(
            Reading.told(lookup("let pins: Set<String> = []", asking), .swift) == ["'pins' is empty, so that \(end)"]
        )
        // What something may fill is not known.
        let open = Reading.toldOrUnread(lookup("var pins: Set<String> = []", asking), .swift)
        #expect(
            open == ["the \(Self.compared.dropFirst(18)), with what this source does not tell"]
                || !open[0].contains("empty")
        )
    }

    @Test(arguments: [("[]", true), ("[\"\(pin)\"]", false)])
    func `is of no use where a table has no pins for its hosts`(list: String, isEmpty: Bool) {
        let table = "private let known: [String: [String]] = [\"api.acme.example\": \(list), \"www.acme.example\": []]"
        let asking =
            "guard let pins = known[host], !pins.isEmpty else { return completionHandler(.performDefaultHandling, nil) }"

        let told = Reading.told(lookup(table, asking), .swift)

        let empty = "'known' has no pins, so that nothing is compared, and the system's own checks decide"
        #expect(told == [isEmpty ? empty : Self.compared])
    }

    @Test(arguments: [
        ("String", "MIIBIjANBg...", true), ("String", "some words", false), ("Data", "MIIBIjANBg...", true),
    ])
    func `is told with the text that is compared, whatever its length`(type: String, text: String, isTold: Bool) {
        let source = lookup("let pinnedKey = \"\(text)\"", "").replacing(
            "pins.contains(hash)",
            with: "hash == self.pinnedKey"
        )

        let pins = Reading.found(source, .swift).flatMap { found -> [String] in
            if case .described(_, let pins, _, _) = found.content { pins } else { [] }
        }
        #expect(pins == (isTold ? [text] : []))
    }

    @Test(arguments: [("Client.own()", true), ("given", false)])
    func `has the file that an object is made with`(value: String, isTold: Bool) {
        let text = """
            final class Pinning: NSObject, URLSessionDelegate {
                private let certificate: Data
                init(certificate: Data) { self.certificate = certificate }
                func urlSession(_ session: URLSession, didReceive challenge: URLAuthenticationChallenge) async
                    -> (URLSession.AuthChallengeDisposition, URLCredential?)
                {
                    let trust = challenge.protectionSpace.serverTrust!
                    let chain = SecTrustCopyCertificateChain(trust) as? [SecCertificate] ?? []
                    let isPinned = chain.contains { SecCertificateCopyData($0) as Data == certificate }
                    return isPinned ? (.useCredential, URLCredential(trust: trust)) : (.cancelAuthenticationChallenge, nil)
                }
            }
            final class Client {
                static let shared = Client(root: \(value))
                let session: URLSession
                init(root: Data) {
                    session = URLSession(configuration: .default, delegate: Pinning(certificate: root), delegateQueue: nil)
                }
                static func own() -> Data { try! Data(contentsOf: Bundle.main.url(forResource: "acme", withExtension: "der")!) }
                static func icon() -> Data { try! Data(contentsOf: Bundle.main.url(forResource: "other", withExtension: "der")!) }
            }
            """

        let pins = Reading.found(text, .swift).flatMap { found -> [String] in
            if case .described(_, let pins, _, _) = found.content { pins } else { [] }
        }
        #expect(pins == (isTold ? ["acme.der"] : []))
    }

    @Test(arguments: [
        ("AFSSLPinningModeNone", "YES", "", true), ("AFSSLPinningModeNone", "NO", "", false),
        ("AFSSLPinningModeCertificate", "YES", "", false), ("AFSSLPinningModeNone", "YES", "if (isTest) ", false),
    ])
    func `is nothing where AFNetworking's policy refuses none`(
        mode: String,
        allows: String,
        asked: String,
        isOpen: Bool
    ) {
        let text = """
            @implementation Client
            - (AFHTTPSessionManager *)make {
                AFSecurityPolicy *policy = [AFSecurityPolicy policyWithPinningMode:\(mode)];
                \(asked)policy.allowInvalidCertificates = \(allows);
                AFHTTPSessionManager *manager = [AFHTTPSessionManager manager];
                manager.securityPolicy = policy;
                [manager setSessionDidReceiveAuthenticationChallengeBlock:^NSURLSessionAuthChallengeDisposition(NSURLSession *session, NSURLAuthenticationChallenge *challenge, NSURLCredential **credential) {
                    SecTrustRef trust = challenge.protectionSpace.serverTrust;
                    NSData *data = [NSData dataWithContentsOfFile:[[NSBundle mainBundle] pathForResource:@"acme" ofType:@"cer"]];
                    SecCertificateRef root = SecCertificateCreateWithData(NULL, (__bridge CFDataRef)data);
                    SecTrustSetAnchorCertificates(trust, (__bridge CFArrayRef)@[(__bridge id)root]);
                    if ([manager.securityPolicy evaluateServerTrust:trust forDomain:challenge.protectionSpace.host]) {
                        *credential = [NSURLCredential credentialForTrust:trust];
                        return NSURLSessionAuthChallengeUseCredential;
                    }
                    return NSURLSessionAuthChallengeCancelAuthenticationChallenge;
                }];
                return manager;
            }
            @end
            """

        #expect(Reading.told(text, .objectiveC).contains(where: FoundPins.acceptsAll) == isOpen)
    }
}
