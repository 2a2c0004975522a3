import Testing

@testable import AppSources

/// What callbacks of Apple's systems answer, whatever they compare, and which files they only write.
@Suite struct `An answer of Apple's callbacks` {
    private static let lenient = "looked up in code that lets every certificate through"
    private static let compared = "certificate files, compared with the server's certificate in code"

    /// A socket that compares a certificate with its own.
    private func socket(_ answer: String, before: String = "") -> String {
        """
        @implementation Line
        - (void)socket:(GCDAsyncSocket *)socket didReceiveTrust:(SecTrustRef)trust completionHandler:(void (^)(BOOL))completionHandler {
            NSData *shown = CFBridgingRelease(SecCertificateCopyData(SecTrustGetCertificateAtIndex(trust, 0)));
            NSString *path = [[NSBundle mainBundle] pathForResource:@"acme" ofType:@"cer"];
            NSData *own = [NSData dataWithContentsOfFile:path];
            \(before)
            BOOL isSame = [shown isEqualToData:own];
            \(answer)
        }
        @end
        """
    }

    private let missing = "if (shown == nil || own == nil) { completionHandler(NO); return; }"

    @Test(arguments: [
        ("NSLog(@\"%d\", isSame); completionHandler(YES);", true), ("completionHandler(isSame);", false),
        ("if (isSame) { completionHandler(YES); } else { completionHandler(NO); }", false),
        ("if (!isSame) { completionHandler(NO); return; } completionHandler(YES);", false),
        ("if (!isSame) return; completionHandler(YES);", false),
        ("completionHandler(isSame ? YES : NO);", false),
    ])
    func `is a breach where it is yes, whatever is compared`(answer: String, isOpen: Bool) {
        let what = isOpen ? "certificate files, \(Self.lenient)" : Self.compared

        #expect(Reading.told(socket(answer), .objectiveC) == [what])
        // Where there is nothing to compare, it may be no.
        #expect(Reading.told(socket(answer, before: missing), .objectiveC) == [what])
    }

    @Test func `is a breach where no pin is told, too`() {
        let text = socket("completionHandler(YES);").replacing("@\"acme\" ofType:@\"cer\"", with: "own ofType:kind")

        #expect(Reading.told(text, .objectiveC) == [Self.lenient])
    }

    @Test(arguments: [
        ("@\"api.acme.example\"", "", ["api.acme.example"]), ("self.host", "", []),
        ("@\"api.acme.example\"", "[second connectToHost:@\"www.acme.example\" onPort:443 error:nil];", []),
    ])
    func `is of the host that a socket is told to connect to, where that is one`(
        host: String,
        other: String,
        hosts: [String]
    ) {
        let start = "- (void)start { [line connectToHost:\(host) onPort:443 error:nil]; \(other) }\n@end"
        let text = socket("completionHandler(isSame);").replacing("@end", with: start)

        let told = Reading.found(text, .objectiveC).map { found -> [String] in
            if case .described(let hosts, _, _, _) = found.content { hosts } else { [] }
        }
        #expect(told == [hosts])
    }

    private func delegate(_ answer: String) -> String {
        """
        final class Pinning: NSObject, URLSessionDelegate {
            func urlSession(
                _ session: URLSession, didReceive challenge: URLAuthenticationChallenge,
                completionHandler: @escaping (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
            ) {
                guard let trust = challenge.protectionSpace.serverTrust,
                    let leaf = SecTrustGetCertificateAtIndex(trust, 0)
                else { return completionHandler(.cancelAuthenticationChallenge, nil) }
                let hash = Data(SHA256.hash(data: SecCertificateCopyData(leaf) as Data)).base64EncodedString()
                let isPinned = hash == "utmg5NIuXjXc321JwUBw4B1DNpJJkgnuJk88qs0RTVM="
                \(answer)
            }
        }
        let session = URLSession(configuration: .default, delegate: Pinning(), delegateQueue: nil)
        """
    }

    @Test(arguments: [
        ("print(isPinned); completionHandler(.useCredential, URLCredential(trust: trust))", true),
        ("completionHandler(isPinned ? .useCredential : .cancelAuthenticationChallenge, nil)", false),
        (
            "guard isPinned else { return }\n        completionHandler(.useCredential, URLCredential(trust: trust))",
            false
        ),
    ])
    func `is a breach in Swift, too`(answer: String, isOpen: Bool) {
        let told = Reading.told(delegate(answer), .swift)

        #expect(told == [isOpen ? Self.lenient : "compared with the server's certificate in code"])
    }

    @Test(arguments: [
        ("[shown writeToFile:copy atomically:YES];", false),
        ("NSData *kept = [NSData dataWithContentsOfFile:copy]; isSame = [shown isEqualToData:kept];", true),
        ("[shown writeToFile:copy atomically:YES]; own = [NSData dataWithContentsOfFile:copy];", true),
    ])
    func `has no file that is written alone`(use: String, isFile: Bool) {
        let copy = "NSString *copy = [folder stringByAppendingPathComponent:@\"seen.crt\"];"
        let text = socket("\(copy) \(use) completionHandler(isSame);")

        let pins = Reading.found(text, .objectiveC).flatMap { found -> [String] in
            if case .described(_, let pins, _, _) = found.content { pins } else { [] }
        }
        #expect(pins.contains("seen.crt") == isFile)
        #expect(pins.contains("acme.cer"))
    }

    @Test(arguments: [("print(path)", false), ("own = try? Data(contentsOf: URL(fileURLWithPath: path))", true)])
    func `has no file that only a log is told`(use: String, isFile: Bool) {
        let text = delegate("completionHandler(.cancelAuthenticationChallenge, nil)")
            .replacing(
                "hash == \"utmg5NIuXjXc321JwUBw4B1DNpJJkgnuJk88qs0RTVM=\"",
                with: "SecCertificateCopyData(leaf) as Data == own"
            )
            .replacing(
                "let hash",
                with:
                    "var own: Data?\n        if let path = Bundle.main.path(forResource: \"acme\", ofType: \"cer\") { \(use) }\n        let hash"
            )

        let pins = Reading.found(text, .swift).flatMap { found -> [String] in
            if case .described(_, let pins, _, _) = found.content { pins } else { [] }
        }
        #expect(pins == (isFile ? ["acme.cer"] : []))
    }
}

/// Which policy of AFNetworking's is given what.
@Suite struct `A policy without a mode` {
    private func client(_ none: String, _ pinned: String) -> String {
        """
        @implementation Client
        - (void)start {
            if (self.isOpen) {
                AFSecurityPolicy *policy = [AFSecurityPolicy policyWithPinningMode:AFSSLPinningModeNone];
                \(none)
                self.manager.securityPolicy = policy;
            } else {
                self.manager.securityPolicy = [self pinned];
            }
        }
        - (AFSecurityPolicy *)pinned {
            NSData *own = [NSData dataWithContentsOfFile:[[NSBundle mainBundle] pathForResource:@"acme" ofType:@"cer"]];
            AFSecurityPolicy *policy = [AFSecurityPolicy policyWithPinningMode:AFSSLPinningModeCertificate];
            \(pinned)
            return policy;
        }
        @end
        """
    }

    private let given = "[policy setPinnedCertificates:[NSSet setWithObject:own]];"

    @Test func `is told if it is given certificates, and not if another policy is`() {
        let mistake = "the pinning mode is none: no certificate is compared, though the policy is given some"

        #expect(Reading.told(client(given, given), .objectiveC).contains(mistake))
        #expect(
            Reading.told(client("policy.validatesDomainName = YES;", given), .objectiveC).allSatisfy {
                !$0.contains("none")
            }
        )
    }

    @Test func `says nothing of what another policy lets through`() {
        let open = "policy.allowInvalidCertificates = YES; policy.validatesDomainName = NO; \(given)"

        #expect(Reading.told(client(open, given), .objectiveC).filter { $0.contains("; in chains") }.isEmpty)
        #expect(
            Reading.told(client(given, open), .objectiveC).allSatisfy { !$0.contains("lets every certificate through") }
        )
    }

    @Test(arguments: [
        ("[AFSecurityPolicy policyWithPinningMode:AFSSLPinningModeCertificate]", nil),
        ("[StrictPolicy policyWithPinningMode:AFSSLPinningModeCertificate]", "StrictPolicy"),
        ("[[StrictPolicy alloc] init]; [policy setSSLPinningMode:AFSSLPinningModeCertificate]", "StrictPolicy"),
        ("[[AFSecurityPolicy alloc] init]; [policy setSSLPinningMode:AFSSLPinningModeCertificate]", nil),
    ])
    func `is told with its class, where that is not the library's`(making: String, other: String?) {
        let text = client("", given).replacing(
            "[AFSecurityPolicy policyWithPinningMode:AFSSLPinningModeCertificate]",
            with: making
        )

        let told = Reading.told(text, .objectiveC).filter {
            $0.contains("acme") || $0.contains("StrictPolicy") || $0 == "no description"
        }
        let unlike =
            "certificates of the app's own, for every host; 'StrictPolicy' is no policy of AFNetworking's own, and may do otherwise"
        #expect(told == [other == nil ? "no description" : unlike])
    }

    @Test(arguments: [
        ("", true), ("manager.securityPolicy.validatesDomainName = NO;", true),
        ("manager.securityPolicy = policy;", false), ("[manager setSecurityPolicy:policy];", false),
        ("return policy;", false), ("self.policy = policy;", false), ("[self use:policy];", false),
    ])
    func `is told where it is given to nobody`(giving: String, isUngiven: Bool) {
        let text = """
            @implementation Client
            - (id)start {
                NSData *own = [NSData dataWithContentsOfFile:[[NSBundle mainBundle] pathForResource:@"acme" ofType:@"cer"]];
                AFSecurityPolicy *policy = [AFSecurityPolicy policyWithPinningMode:AFSSLPinningModeCertificate];
                [policy setPinnedCertificates:@[own]];
                policy.validatesDomainName = YES;
                \(giving)
                return nil;
            }
            @end
            """

        let ungiven = "; the policy is made, and given to no manager, so that nothing is compared"
        #expect(Reading.told(text, .objectiveC).contains { $0.hasSuffix(ungiven) } == isUngiven)
    }
}
