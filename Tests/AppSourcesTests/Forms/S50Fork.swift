import TrustKit

// A constant that TrustKit has not.
enum ForkedTrust {
    static func start(isHard: Bool) {
        TrustKit.initSharedInstance(withConfiguration: [
            kTSKSwizzleNetworkDelegates: false,
            kTSKPinnedDomains: [
                "fork.acme.example": [
                    kTSKEnforcePinning: isHard,
                    kTSKPublicKeyHashes: [
                        "utmg5NIuXjXc321JwUBw4B1DNpJJkgnuJk88qs0RTVM=",
                        "vduvxDt5mhyuAlZH2GyLr30NZkpTRkcQBETkiJVp1rg=",
                    ],
                ],
                kTSKEverythingElse: [
                    kTSKPublicKeyHashes: ["vduvxDt5mhyuAlZH2GyLr30NZkpTRkcQBETkiJVp1rg="]
                ],
            ],
        ])
    }
}
