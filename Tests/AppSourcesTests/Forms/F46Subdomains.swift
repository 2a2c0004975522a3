import CryptoKit
import Foundation

struct SubdomainsEntry { let host: String; let pins: [String]; let includeSubdomains: Bool }
final class SubdomainsDelegate: NSObject, URLSessionDelegate {
    static let domains: [SubdomainsEntry] = [
        SubdomainsEntry(
            host: "acme.example",
            pins: ["utmg5NIuXjXc321JwUBw4B1DNpJJkgnuJk88qs0RTVM="],
            includeSubdomains: true
        )
    ]
    private func pins(for host: String) -> [String]? {
        Self.domains.first { host == $0.host || ($0.includeSubdomains && host.hasSuffix("." + $0.host)) }?.pins
    }
    func urlSession(
        _ session: URLSession,
        didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        guard let trust = challenge.protectionSpace.serverTrust, let own = pins(for: challenge.protectionSpace.host)
        else {
            completionHandler(.performDefaultHandling, nil)
            return
        }
        guard let key = SecTrustCopyKey(trust), let data = SecKeyCopyExternalRepresentation(key, nil) as Data? else {
            completionHandler(.cancelAuthenticationChallenge, nil)
            return
        }
        let hash = Data(SHA256.hash(data: data)).base64EncodedString()
        if own.contains(hash) {
            completionHandler(.useCredential, URLCredential(trust: trust))
        } else {
            completionHandler(.cancelAuthenticationChallenge, nil)
        }
    }
}
