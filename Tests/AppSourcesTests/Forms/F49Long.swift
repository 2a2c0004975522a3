import CryptoKit
import Foundation

final class LongDelegate: NSObject, URLSessionDelegate {
    private let pins = [
        "+vduvxDt5mhyuAlZH2GyLr30NZkpTRkcQBETkiJVp1rg=", "utmg5NIuXjXc321JwUBw4B1DNpJJkgnuJk88qs0RTVM=",
    ]
    func urlSession(
        _ session: URLSession,
        didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        let host = challenge.protectionSpace.host
        guard host == "long.acme.example", let trust = challenge.protectionSpace.serverTrust else {
            completionHandler(.performDefaultHandling, nil)
            return
        }
        guard let key = SecTrustCopyKey(trust), let data = SecKeyCopyExternalRepresentation(key, nil) as Data? else {
            completionHandler(.cancelAuthenticationChallenge, nil)
            return
        }
        let hash = Data(SHA256.hash(data: data)).base64EncodedString()
        if pins.contains(hash) {
            completionHandler(.useCredential, URLCredential(trust: trust))
        } else {
            completionHandler(.cancelAuthenticationChallenge, nil)
        }
    }
}
