import CryptoKit
import Foundation

final class GivenPinning: NSObject, URLSessionDelegate {
    private let pins: Set<String>
    private let domains: [String]
    init(pins: Set<String>, domains: [String]) {
        self.pins = pins
        self.domains = domains
    }
    func urlSession(
        _ session: URLSession,
        didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        guard let trust = challenge.protectionSpace.serverTrust, domains.contains(challenge.protectionSpace.host) else {
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

let givenSession = URLSession(
    configuration: .default,
    delegate: GivenPinning(
        pins: ["utmg5NIuXjXc321JwUBw4B1DNpJJkgnuJk88qs0RTVM=", "vduvxDt5mhyuAlZH2GyLr30NZkpTRkcQBETkiJVp1rg="],
        domains: ["given.acme.example"]
    ),
    delegateQueue: nil
)
