import Foundation

class FirstDelegate: NSObject, URLSessionDelegate {
    let ownPins = ["utmg5NIuXjXc321JwUBw4B1DNpJJkgnuJk88qs0RTVM="]

    func urlSession(_ session: URLSession, didReceive challenge: URLAuthenticationChallenge) -> Bool {
        guard challenge.protectionSpace.host == "api.acme.example", let trust = challenge.protectionSpace.serverTrust,
            let certificate = SecTrustGetCertificateAtIndex(trust, 0)
        else { return false }
        return ownPins.contains(digest(of: certificate))
    }
}

class SecondDelegate: NSObject, URLSessionDelegate {
    let ownPins = ["vduvxDt5mhyuAlZH2GyLr30NZkpTRkcQBETkiJVp1rg="]

    func urlSession(_ session: URLSession, didReceive challenge: URLAuthenticationChallenge) -> Bool {
        guard challenge.protectionSpace.host == "cdn.acme.example", let trust = challenge.protectionSpace.serverTrust,
            let certificate = SecTrustGetCertificateAtIndex(trust, 0)
        else { return false }
        return ownPins.contains(digest(of: certificate))
    }
}

class ThirdDelegate: NSObject, URLSessionDelegate {
    func urlSession(_ session: URLSession, didReceive challenge: URLAuthenticationChallenge) -> Bool {
        if AppSettings.isDebug { return true }
        guard let trust = challenge.protectionSpace.serverTrust,
            let certificate = SecTrustGetCertificateAtIndex(trust, 0)
        else { return false }
        let expected: String
        switch challenge.protectionSpace.host {
        case "a.acme.example": expected = "utmg5NIuXjXc321JwUBw4B1DNpJJkgnuJk88qs0RTVM="
        case "b.acme.example": expected = "vduvxDt5mhyuAlZH2GyLr30NZkpTRkcQBETkiJVp1rg="
        default: return false
        }
        return digest(of: certificate) == expected
    }
}
