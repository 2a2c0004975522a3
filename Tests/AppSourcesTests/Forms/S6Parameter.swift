import TrustKit

// S4: a parameter decides whether the pins are enforced: two configurations.
func configuration(hardfail: Bool) -> [String: Any] {
    [
        kTSKPinnedDomains: [
            "api.acme.example": [
                kTSKEnforcePinning: hardfail,
                kTSKPublicKeyHashes: [
                    "utmg5NIuXjXc321JwUBw4B1DNpJJkgnuJk88qs0RTVM=", "vduvxDt5mhyuAlZH2GyLr30NZkpTRkcQBETkiJVp1rg=",
                ],
            ]
        ]
    ]
}
