import Foundation
import Security

final class HostTableDelegate: NSObject, URLSessionDelegate {
    private let keysByHost: [String: Set<String>] = [
        "one.acme.example": ["utmg5NIuXjXc321JwUBw4B1DNpJJkgnuJk88qs0RTVM="],
        "two.acme.example": [
            "vduvxDt5mhyuAlZH2GyLr30NZkpTRkcQBETkiJVp1rg=", "utmg5NIuXjXc321JwUBw4B1DNpJJkgnuJk88qs0RTVM=",
        ],
        "three.acme.example": ["utmg5NIuXjXc321JwUBw4B1DNpJJkgnuJk88qs0RTVM="],
    ]
    private let exemptDomains: Set<String> = ["images.acme.example"]

    func urlSession(
        _ session: URLSession,
        didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        let host = challenge.protectionSpace.host
        guard let trust = challenge.protectionSpace.serverTrust, !exemptDomains.contains(host),
            let keys = keysByHost[host], let key = SecTrustCopyKey(trust), keys.contains(digest(of: key))
        else { return completionHandler(.performDefaultHandling, nil) }
        completionHandler(.useCredential, URLCredential(trust: trust))
    }
}
