import Testing

@testable import AppSources

/// Certificate files of Apple's bundles that no ending of theirs tells.
@Suite struct `Files whose ending says nothing` {
    private func pins(_ text: String, _ language: SourceLanguage) -> [[String]] {
        let file = SourceModule.File(path: "a", language: language, text: text)
        return Reading.read(file).map { found in
            switch found.content {
            case .described(_, let pins, _, _): pins
            case .library(let library): library.pins
            default: []
            }
        }
    }

    @Test(arguments: [
        ("[policy setPinnedCertificates:[NSSet setWithObject:data]];", ["acme.kind"]),
        ("policy.pinnedCertificates = [NSSet setWithObject:data];", ["acme.kind"]),
        ("id all = [NSMutableSet set]; [all addObject:data]; policy.pinnedCertificates = all;", ["acme.kind"]),
        // What the policy is given is another's.
        ("[self show:data]; policy.pinnedCertificates = [self certificates];", [String]()),
        (
            "id all = [NSJSONSerialization JSONObjectWithData:data options:0 error:nil]; policy.pinnedCertificates = all;",
            []
        ),
    ])
    func `are certificates where a policy is given what stands in them`(use: String, expected: [String]) {
        let text = """
            @implementation Client
            - (void)start {
              NSString *path = [[NSBundle mainBundle] pathForResource:@"acme" ofType:@"kind"];
              NSData *data = [NSData dataWithContentsOfFile:path];
              AFSecurityPolicy *policy = [AFSecurityPolicy policyWithPinningMode:AFSSLPinningModeCertificate];
              \(use)
              self.manager.securityPolicy = policy;
            }
            @end
            """

        #expect(pins(text, .objectiveC) == [expected])
        // Settings are none, whoever is given them.
        #expect(pins(text.replacing("@\"kind\"", with: "@\"plist\""), .objectiveC) == [[]])
    }

    @Test(arguments: [("SecCertificateCreateWithData(nil, data as CFData)", true), ("Settings(data)", false)])
    func `are certificates where one is made of what stands in them`(made: String, isOne: Bool) {
        let text = """
            final class Judge: NSObject, URLSessionDelegate {
                func urlSession(_ session: URLSession, didReceive challenge: URLAuthenticationChallenge,
                    completionHandler: @escaping (URLSession.AuthChallengeDisposition, URLCredential?) -> Void) {
                    let trust = challenge.protectionSpace.serverTrust!
                    let path = Bundle.main.path(forResource: "acme", ofType: "bin")!
                    let data = NSData(contentsOfFile: path)!
                    let own = \(made)
                    let shown = SecTrustGetCertificateAtIndex(trust, 0)!
                    if own == shown { completionHandler(.useCredential, URLCredential(trust: trust)) }
                    else { completionHandler(.cancelAuthenticationChallenge, nil) }
                }
            }
            """

        #expect(pins(text, .swift) == [isOne ? ["acme.bin"] : []])
    }
}
