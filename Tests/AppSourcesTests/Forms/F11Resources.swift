import Foundation

// Files by names that closures and callers give; what a delegate prints names none.
final class F11Resources: NSObject, URLSessionDelegate {
    private lazy var own: [Data] = ["leaf", "spare"].compactMap { name in
        Bundle.main.url(forResource: name, withExtension: "der").flatMap { try? Data(contentsOf: $0) }
    }
    private let other = F11Resources.load(named: "root")

    private static func load(named name: String) -> Data? {
        guard let path = Bundle.main.path(forResource: name, ofType: "cer") else {
            print("root.cer is not in the bundle of old.cer")
            return nil
        }
        return FileManager.default.contents(atPath: path)
    }

    func urlSession(_ session: URLSession, didReceive challenge: URLAuthenticationChallenge) -> Bool {
        guard let served = SecTrustGetCertificateAtIndex(challenge.protectionSpace.serverTrust!, 0) else {
            return false
        }
        let bytes = SecCertificateCopyData(served) as Data
        return own.contains(bytes) || other == bytes
    }
}
