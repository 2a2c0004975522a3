import Security

final class LongDigestDelegate: NSObject, URLSessionDelegate {
    private let key = "AbCdEfGhIjKlMnOpQrStUvWxYz0123456789AbCdEfGhIjKlMnOpQrStUvWxYz0123456789AbCdEfGhIjKlMg=="

    func urlSession(_ session: URLSession, didReceive challenge: URLAuthenticationChallenge) -> Bool {
        guard let trust = challenge.protectionSpace.serverTrust, let served = SecTrustCopyKey(trust) else {
            return false
        }
        return sha512(of: served).base64EncodedString() == key
    }
}
