import TrustKit

struct S14Constants {
    static let isOn = true
    static var isAsked = true

    static func always() -> [String: Any] {
        guard isOn else { return [:] }
        return [
            kTSKPinnedDomains: [
                "always.acme.example": [
                    kTSKPublicKeyHashes: [
                        "utmg5NIuXjXc321JwUBw4B1DNpJJkgnuJk88qs0RTVM=", "vduvxDt5mhyuAlZH2GyLr30NZkpTRkcQBETkiJVp1rg=",
                    ]
                ]
            ]
        ]
    }

    static func asked() -> [String: Any] {
        guard isAsked else { return [:] }
        return [
            kTSKPinnedDomains: [
                "asked.acme.example": [
                    kTSKPublicKeyHashes: [
                        "utmg5NIuXjXc321JwUBw4B1DNpJJkgnuJk88qs0RTVM=", "vduvxDt5mhyuAlZH2GyLr30NZkpTRkcQBETkiJVp1rg=",
                    ]
                ]
            ]
        ]
    }
}
