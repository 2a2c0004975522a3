import Foundation

// F6: a delegate of the app's own; one has digests by host, the other a file of the bundle.
final class PinnedSession: NSObject, URLSessionDelegate {
    private static let pins: [String: [String]] = [
        "api.acme.example": ["utmg5NIuXjXc321JwUBw4B1DNpJJkgnuJk88qs0RTVM="]
    ]

    func urlSession(
        _ session: URLSession,
        didReceive challenge: URLAuthenticationChallenge
    ) async -> (URLSession.AuthChallengeDisposition, URLCredential?) {
        guard let trust = challenge.protectionSpace.serverTrust,
            let key = SecTrustCopyKey(trust), let pins = Self.pins[challenge.protectionSpace.host]
        else { return (.cancelAuthenticationChallenge, nil) }
        return pins.contains(digest(of: key))
            ? (.useCredential, URLCredential(trust: trust)) : (.cancelAuthenticationChallenge, nil)
    }
}

final class FileSession: NSObject, URLSessionDelegate {
    func urlSession(_ session: URLSession, didReceive challenge: URLAuthenticationChallenge) -> Bool {
        guard let served = SecTrustGetCertificateAtIndex(challenge.protectionSpace.serverTrust!, 0),
            let path = Bundle.main.path(forResource: "acme", ofType: "cer")
        else { return false }
        return NSData(contentsOfFile: path)!.isEqual(to: SecCertificateCopyData(served) as Data)
    }
}

// Whoever is trusted by the system is trusted here: no pins.
final class OpenSession: NSObject, URLSessionDelegate {
    func open(_ challenge: URLAuthenticationChallenge) -> URLCredential {
        URLCredential(trust: challenge.protectionSpace.serverTrust!)
    }
}
