import TrustKit

// Pins that an enum computes of itself, and objects of which one value is as declared.
enum S9Server: String, CaseIterable {
    case live = "live.acme.example"
    case stage = "stage.acme.example"

    var pins: [String] {
        switch self {
        case .live: return ["utmg5NIuXjXc321JwUBw4B1DNpJJkgnuJk88qs0RTVM="]
        case .stage: return ["vduvxDt5mhyuAlZH2GyLr30NZkpTRkcQBETkiJVp1rg="]
        }
    }
}

struct S9Domain {
    let host: String
    let hashes: [String]
    var subdomains = true
}

func computed() {
    let domains = S9Server.allCases.map { ($0.rawValue, [kTSKPublicKeyHashes: $0.pins]) }
    TrustKit.initSharedInstance(
        withConfiguration: [kTSKPinnedDomains: Dictionary(uniqueKeysWithValues: domains)]
    )
}

func declared() {
    let all = [S9Domain(host: "object.acme.example", hashes: ["utmg5NIuXjXc321JwUBw4B1DNpJJkgnuJk88qs0RTVM="])]
    var domains: [String: Any] = [:]
    for domain in all {
        domains[domain.host] = [kTSKPublicKeyHashes: domain.hashes, kTSKIncludeSubdomains: domain.subdomains]
    }
    TrustKit.initSharedInstance(withConfiguration: [kTSKPinnedDomains: domains])
}
