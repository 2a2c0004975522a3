import CryptoKit
import Foundation

/// A list of hosts, of which the source does not tell one.
class F78Listed: NSObject, URLSessionDelegate {
    private func isOwn(_ host: String) -> Bool {
        let allowedHosts = [
            F78Remote.base
                .replacingOccurrences(of: "https://", with: ""), "listed.acme.example", "second.acme.example",
        ]
        return allowedHosts.contains(where: { host.hasSuffix($0) })
    }

    func urlSession(
        _ session: URLSession,
        didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        guard isOwn(challenge.protectionSpace.host) else {
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
