import CryptoKit
import Foundation

/// A function says of a host whether it is pinned, and asks for more.
class F77Until: NSObject, URLSessionDelegate {
    private static let pinnedHosts = ["until.acme.example"]
    private static let end = Date(timeIntervalSince1970: 1_900_000_000)

    static func shouldPin(_ host: String) -> Bool {
        pinnedHosts.contains(host.lowercased()) && Date() < end
    }

    func urlSession(
        _ session: URLSession,
        didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        guard Self.shouldPin(challenge.protectionSpace.host) else {
            completionHandler(.performDefaultHandling, nil)
            return
        }
        guard let trust = challenge.protectionSpace.serverTrust, let key = SecTrustCopyKey(trust),
            let data = SecKeyCopyExternalRepresentation(key, nil) as Data?,
            Data(SHA256.hash(data: data)).base64EncodedString() == "utmg5NIuXjXc321JwUBw4B1DNpJJkgnuJk88qs0RTVM="
        else { return completionHandler(.cancelAuthenticationChallenge, nil) }
        completionHandler(.useCredential, URLCredential(trust: trust))
    }
}

/// One that asks for the host alone.
class F77Always: NSObject, URLSessionDelegate {
    private static let pinnedHosts = ["always.acme.example"]

    static func isPinned(_ host: String) -> Bool {
        pinnedHosts.contains(host.lowercased())
    }

    func urlSession(
        _ session: URLSession,
        didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        guard Self.isPinned(challenge.protectionSpace.host) else {
            completionHandler(.performDefaultHandling, nil)
            return
        }
        guard let trust = challenge.protectionSpace.serverTrust, let key = SecTrustCopyKey(trust),
            let data = SecKeyCopyExternalRepresentation(key, nil) as Data?,
            Data(SHA256.hash(data: data)).base64EncodedString() == "vduvxDt5mhyuAlZH2GyLr30NZkpTRkcQBETkiJVp1rg="
        else { return completionHandler(.cancelAuthenticationChallenge, nil) }
        completionHandler(.useCredential, URLCredential(trust: trust))
    }
}

/// One that says for which hosts nothing is compared.
class F77Skips: NSObject, URLSessionDelegate {
    private let pinnedHosts = ["skips.acme.example"]

    private func skips(_ host: String) -> Bool {
        return !pinnedHosts.contains(host) || F77Remote.isOff
    }

    func urlSession(
        _ session: URLSession,
        didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        if skips(challenge.protectionSpace.host) {
            completionHandler(.performDefaultHandling, nil)
            return
        }
        guard let trust = challenge.protectionSpace.serverTrust, let key = SecTrustCopyKey(trust),
            let data = SecKeyCopyExternalRepresentation(key, nil) as Data?,
            Data(SHA256.hash(data: data)).base64EncodedString() == "utmg5NIuXjXc321JwUBw4B1DNpJJkgnuJk88qs0RTVM="
        else { return completionHandler(.cancelAuthenticationChallenge, nil) }
        completionHandler(.useCredential, URLCredential(trust: trust))
    }
}
