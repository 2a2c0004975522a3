import Foundation

// The host is one that another source has; a host that is exempt is none of them; a table has what is no digest.
final class F42Untold: NSObject, URLSessionDelegate {
    func urlSession(
        _ session: URLSession,
        didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        guard challenge.protectionSpace.host == Elsewhere.host, let trust = challenge.protectionSpace.serverTrust,
            let key = SecTrustCopyKey(trust), digest(of: key) == "utmg5NIuXjXc321JwUBw4B1DNpJJkgnuJk88qs0RTVM="
        else { return completionHandler(.cancelAuthenticationChallenge, nil) }
        completionHandler(.useCredential, nil)
    }
}

final class F42Exempt: NSObject, URLSessionDelegate {
    func urlSession(
        _ session: URLSession,
        didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        if challenge.protectionSpace.host == Elsewhere.images {
            return completionHandler(.performDefaultHandling, nil)
        }
        guard let key = SecTrustCopyKey(challenge.protectionSpace.serverTrust!),
            digest(of: key) == "vduvxDt5mhyuAlZH2GyLr30NZkpTRkcQBETkiJVp1rg="
        else { return completionHandler(.cancelAuthenticationChallenge, nil) }
        completionHandler(.useCredential, nil)
    }
}

final class F42Table: NSObject, URLSessionDelegate {
    private let keys = [
        "api.acme.example": ["utmg5NIuXjXc321JwUBw4B1DNpJJkgnuJk88qs0RTVM="],
        "later.acme.example": ["DDDDDDDDDDDDDDDDDDDD="],
    ]

    func urlSession(
        _ session: URLSession,
        didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        guard let own = keys[challenge.protectionSpace.host],
            let key = SecTrustCopyKey(challenge.protectionSpace.serverTrust!), own.contains(digest(of: key))
        else { return completionHandler(.cancelAuthenticationChallenge, nil) }
        completionHandler(.useCredential, nil)
    }
}
