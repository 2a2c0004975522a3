import Foundation

// What decides whether anything is compared, and whether others are refused.
final class F41Asked: NSObject, URLSessionDelegate {
    private let keys = ["utmg5NIuXjXc321JwUBw4B1DNpJJkgnuJk88qs0RTVM="]

    func urlSession(
        _ session: URLSession,
        didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        guard Settings.isPinningEnabled else { return completionHandler(.useCredential, nil) }
        if holds(challenge.protectionSpace.serverTrust!) {
            completionHandler(.useCredential, nil)
        } else {
            completionHandler(.cancelAuthenticationChallenge, nil)
        }
    }

    private func holds(_ serverTrust: SecTrust) -> Bool {
        guard let key = SecTrustCopyKey(serverTrust) else { return false }
        return keys.contains(digest(of: key))
    }
}

final class F41Strict: NSObject, URLSessionDelegate {
    let enforces: Bool
    private let keys = ["vduvxDt5mhyuAlZH2GyLr30NZkpTRkcQBETkiJVp1rg="]

    func urlSession(
        _ session: URLSession,
        didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        guard let key = SecTrustCopyKey(challenge.protectionSpace.serverTrust!) else {
            return completionHandler(.cancelAuthenticationChallenge, nil)
        }
        if keys.contains(digest(of: key)) {
            completionHandler(.useCredential, nil)
        } else if enforces {
            completionHandler(.cancelAuthenticationChallenge, nil)
        } else {
            completionHandler(.useCredential, nil)
        }
    }
}

// Two comparisons, of which a switch takes one.
final class F41Ways: NSObject, URLSessionDelegate {
    var isCertificatePinning = false
    private let spare = "vduvxDt5mhyuAlZH2GyLr30NZkpTRkcQBETkiJVp1rg="

    func urlSession(
        _ session: URLSession,
        didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        let certificate = SecTrustGetCertificateAtIndex(challenge.protectionSpace.serverTrust!, 0)!
        if self.isCertificatePinning {
            let own = Bundle.main.path(forResource: "ways", ofType: "cer")!
            let answer = SecCertificateCopyData(certificate) as Data == NSData(contentsOfFile: own)! as Data
            completionHandler(answer ? .useCredential : .cancelAuthenticationChallenge, nil)
        } else {
            let answer = digest(of: SecCertificateCopyKey(certificate)!) == spare
            completionHandler(answer ? .useCredential : .cancelAuthenticationChallenge, nil)
        }
    }
}

// The wrong way round.
final class F41Opposite: NSObject, URLSessionDelegate {
    private let key = "utmg5NIuXjXc321JwUBw4B1DNpJJkgnuJk88qs0RTVM="

    func urlSession(
        _ session: URLSession,
        didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        let found = digest(of: SecTrustCopyKey(challenge.protectionSpace.serverTrust!)!)
        if found != key {
            completionHandler(.useCredential, nil)
        } else {
            completionHandler(.cancelAuthenticationChallenge, nil)
        }
    }
}
