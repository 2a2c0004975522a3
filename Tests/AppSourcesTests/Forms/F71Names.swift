import Foundation

// A host by another name, of which something is asked.
final class F71Contains: NSObject, URLSessionDelegate {
    private let key = "utmg5NIuXjXc321JwUBw4B1DNpJJkgnuJk88qs0RTVM="

    func urlSession(
        _ session: URLSession,
        didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        let domain = challenge.protectionSpace.host
        if !domain.contains("acme.example") {
            completionHandler(.performDefaultHandling, nil)
            return
        }
        let isPinned = digest(of: SecTrustCopyKey(challenge.protectionSpace.serverTrust!)!) == key
        completionHandler(isPinned ? .useCredential : .cancelAuthenticationChallenge, nil)
    }
}

// The other way round.
final class F71Others: NSObject, URLSessionDelegate {
    private let key = "utmg5NIuXjXc321JwUBw4B1DNpJJkgnuJk88qs0RTVM="

    func urlSession(
        _ session: URLSession,
        didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        let domain = challenge.protectionSpace.host
        guard !domain.contains("acme.test") else {
            completionHandler(.performDefaultHandling, nil)
            return
        }
        let isPinned = digest(of: SecTrustCopyKey(challenge.protectionSpace.serverTrust!)!) == key
        completionHandler(isPinned ? .useCredential : .cancelAuthenticationChallenge, nil)
    }
}

// It must equal what a constant has.
final class F71Equal: NSObject, URLSessionDelegate {
    private let own = "names.acme.example"
    private let key = "utmg5NIuXjXc321JwUBw4B1DNpJJkgnuJk88qs0RTVM="

    func urlSession(
        _ session: URLSession,
        didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        let server = challenge.protectionSpace.host
        guard server == own else { return completionHandler(.performDefaultHandling, nil) }
        let isPinned = digest(of: SecTrustCopyKey(challenge.protectionSpace.serverTrust!)!) == key
        completionHandler(isPinned ? .useCredential : .cancelAuthenticationChallenge, nil)
    }
}
