import CryptoKit
import Foundation

/// Other hosts are let through by some builds.
class F76Unknown: NSObject, URLSessionDelegate {
    private let pins = ["unknown.acme.example": ["utmg5NIuXjXc321JwUBw4B1DNpJJkgnuJk88qs0RTVM="]]

    func urlSession(
        _ session: URLSession,
        didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        let host = challenge.protectionSpace.host
        guard let own = pins[host] else {
            #if DEBUG
            completionHandler(.performDefaultHandling, nil)
            #else
            completionHandler(.cancelAuthenticationChallenge, nil)
            #endif
            return
        }
        guard let trust = challenge.protectionSpace.serverTrust, let key = SecTrustCopyKey(trust),
            let data = SecKeyCopyExternalRepresentation(key, nil) as Data?,
            own.contains(Data(SHA256.hash(data: data)).base64EncodedString())
        else { return completionHandler(.cancelAuthenticationChallenge, nil) }
        completionHandler(.useCredential, URLCredential(trust: trust))
    }
}

/// The same, where the certificate is asked for as well.
class F76Known: NSObject, URLSessionDelegate {
    private let pins = ["known.acme.example": ["vduvxDt5mhyuAlZH2GyLr30NZkpTRkcQBETkiJVp1rg="]]

    func urlSession(
        _ session: URLSession,
        didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        let host = challenge.protectionSpace.host
        guard let own = pins[host], let trust = challenge.protectionSpace.serverTrust,
            let key = SecTrustCopyKey(trust), let data = SecKeyCopyExternalRepresentation(key, nil) as Data?,
            own.contains(Data(SHA256.hash(data: data)).base64EncodedString())
        else {
            #if DEBUG
            completionHandler(.performDefaultHandling, nil)
            #else
            completionHandler(.cancelAuthenticationChallenge, nil)
            #endif
            return
        }
        completionHandler(.useCredential, URLCredential(trust: trust))
    }
}
