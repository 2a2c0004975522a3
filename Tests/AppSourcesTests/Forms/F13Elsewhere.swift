import Foundation

// The pins stand in the members of another source.
final class F13Elsewhere: NSObject, URLSessionDelegate {
    func urlSession(_ session: URLSession, didReceive challenge: URLAuthenticationChallenge) -> Bool {
        guard let key = SecTrustCopyKey(challenge.protectionSpace.serverTrust!) else { return false }
        return Environment.current.elsewherePinHashes.contains(digest(of: key))
    }
}
