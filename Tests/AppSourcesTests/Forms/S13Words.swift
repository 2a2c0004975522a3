import Foundation

/// A host's name that has the word of a switch in it, and a switch.
final class S13Words: NSObject, URLSessionDelegate {
    func urlSession(
        _ session: URLSession,
        didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        guard let trust = challenge.protectionSpace.serverTrust, let key = SecTrustCopyKey(trust) else { return }
        let digest = digest(of: key)
        if digest == "utmg5NIuXjXc321JwUBw4B1DNpJJkgnuJk88qs0RTVM=" {
            completionHandler(.useCredential, URLCredential(trust: trust))
        } else if challenge.protectionSpace.host == "reinforce.acme.example" {
            completionHandler(.cancelAuthenticationChallenge, nil)
        }
    }
}
