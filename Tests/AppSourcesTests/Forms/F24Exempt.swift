import Foundation

final class Exempt: NSObject, URLSessionDelegate {
    func urlSession(
        _ session: URLSession,
        didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        let host = challenge.protectionSpace.host
        if host == "open.acme.example" {
            completionHandler(.performDefaultHandling, nil)
            return
        }
        guard let trust = challenge.protectionSpace.serverTrust, host == "api.acme.example",
            let key = SecTrustCopyKey(trust),
            let data = SecKeyCopyExternalRepresentation(key, nil) as Data?
        else { return completionHandler(.cancelAuthenticationChallenge, nil) }
        let hash = Data(SHA256.hash(data: data)).base64EncodedString()
        completionHandler(
            hash == "utmg5NIuXjXc321JwUBw4B1DNpJJkgnuJk88qs0RTVM=" ? .useCredential : .cancelAuthenticationChallenge,
            URLCredential(trust: trust)
        )
    }
}
