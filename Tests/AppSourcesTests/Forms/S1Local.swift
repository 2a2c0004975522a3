import TrustKit

func start() {
    let cfg =
        [
            kTSKSwizzleNetworkDelegates: false,
            kTSKPinnedDomains: [
                "api.acme.example": [
                    kTSKEnforcePinning: true,
                    kTSKIncludeSubdomains: true,
                    kTSKExpirationDate: "2031-01-01",
                    kTSKPublicKeyHashes: [
                        "utmg5NIuXjXc321JwUBw4B1DNpJJkgnuJk88qs0RTVM=", "vduvxDt5mhyuAlZH2GyLr30NZkpTRkcQBETkiJVp1rg=",
                    ],
                ]
            ],
        ] as [String: Any]
    TrustKit.initSharedInstance(withConfiguration: cfg)
}
