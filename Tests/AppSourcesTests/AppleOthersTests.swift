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
}
