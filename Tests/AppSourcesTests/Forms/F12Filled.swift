import Foundation

// Tables and lists that begin empty and are filled by functions.
final class F12Filled: NSObject, URLSessionDelegate {
    private var pinned: [String: [String]] = [:]
    private var more: Set<String> = []

    func configure() {
        pinned["api.acme.example"] = ["utmg5NIuXjXc321JwUBw4B1DNpJJkgnuJk88qs0RTVM="]
        pinned["*.acme.example"] = ["CCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCC="]
        more.insert("vduvxDt5mhyuAlZH2GyLr30NZkpTRkcQBETkiJVp1rg=")
    }

    func urlSession(_ session: URLSession, didReceive challenge: URLAuthenticationChallenge) -> Bool {
        let space = challenge.protectionSpace
        guard let key = SecTrustCopyKey(space.serverTrust!), let pins = pinned[space.host] else { return false }
        return pins.contains(digest(of: key)) || more.contains(digest(of: key)) || isFile(space.serverTrust!)
    }

    private func isFile(_ trust: SecTrust) -> Bool {
        let path = Bundle.main.path(forResource: "acme", ofType: "cer")
        let settings = Bundle.main.path(forResource: "Settings", ofType: "plist")
        return NSData(contentsOfFile: path!)!.isEqual(to: SecCertificateCopyData(leaf(of: trust)) as Data)
    }
}
