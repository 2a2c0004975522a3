import TrustKit

struct Keys {
    static let host = "api.acme.example"
    static var pins: [String] { [first, "vduvxDt5mhyuAlZH2GyLr30NZkpTRkcQBETkiJVp1rg="] }
    private static let first = "utmg5NIuXjXc321JwUBw4B1DNpJJkgnuJk88qs0RTVM="
}

final class Pinning {
    private let configuration: [String: Any] = [
        kTSKPinnedDomains: [
            Keys.host: [kTSKPublicKeyHashes: Keys.pins, kTSKEnforcePinning: NSNumber(value: true)],
            "www.acme.example": policy(enforcing: false),
        ]
    ]

    static func policy(enforcing: Bool) -> [String: Any] {
        return [
            kTSKPublicKeyHashes: [
                "utmg5NIuXjXc321JwUBw4B1DNpJJkgnuJk88qs0RTVM=", "vduvxDt5mhyuAlZH2GyLr30NZkpTRkcQBETkiJVp1rg=",
            ], kTSKEnforcePinning: enforcing,
        ]
    }
}
