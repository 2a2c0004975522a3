import Alamofire
import Foundation

// Hosts and pins side by side in objects; reports go elsewhere.
struct F16Policy {
    let domain: String
    let pins: Set<String>
    let reportURL: String
}

final class F16Objects: NSObject, URLSessionDelegate {
    let policies = [
        F16Policy(
            domain: "api.acme.example",
            pins: ["utmg5NIuXjXc321JwUBw4B1DNpJJkgnuJk88qs0RTVM="],
            reportURL: "https://reports.acme.example/pins"
        )
    ]

    func urlSession(_ session: URLSession, didReceive challenge: URLAuthenticationChallenge) -> Bool {
        let space = challenge.protectionSpace
        guard let policy = policies.first(where: { $0.domain == space.host }),
            let key = SecTrustCopyKey(space.serverTrust!)
        else { return false }
        return policy.pins.contains(digest(of: key))
    }
}

// An evaluator of the app's own is given its pins.
let f16 = ServerTrustManager(evaluators: [
    "own.acme.example": F16Evaluator(hashes: ["vduvxDt5mhyuAlZH2GyLr30NZkpTRkcQBETkiJVp1rg="])
])

// What the network framework asks.
enum F16Network {
    static let hashes = ["utmg5NIuXjXc321JwUBw4B1DNpJJkgnuJk88qs0RTVM="]

    static func validate(trust: sec_trust_t, complete: sec_protocol_verify_complete_t) {
        let chain = SecTrustCopyCertificateChain(sec_trust_copy_ref(trust).takeRetainedValue())
        complete(hashes.contains(digest(of: chain)))
    }
}
