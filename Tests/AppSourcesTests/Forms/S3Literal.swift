import TrustKit

func begin() {
    #if DEBUG
    TrustKit.initialize(withConfiguration: [
        kTSKPinnedDomains: [
            "stage.acme.example": [
                kTSKPublicKeyHashes: [
                    "utmg5NIuXjXc321JwUBw4B1DNpJJkgnuJk88qs0RTVM=", "vduvxDt5mhyuAlZH2GyLr30NZkpTRkcQBETkiJVp1rg=",
                ]
            ]
        ]
    ])
    #else
    TrustKit.initialize(withConfiguration: [
        kTSKPinnedDomains: [
            "api.acme.example": [
                kTSKPublicKeyHashes: [
                    "utmg5NIuXjXc321JwUBw4B1DNpJJkgnuJk88qs0RTVM=", "vduvxDt5mhyuAlZH2GyLr30NZkpTRkcQBETkiJVp1rg=",
                ]
            ]
        ]
    ])
    #endif
}
