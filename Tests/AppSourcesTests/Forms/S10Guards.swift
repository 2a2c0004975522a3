/// What must hold where TrustKit is given its dictionary.
func guarded() {
    guard !isDebug else { return }
    TrustKit.initSharedInstance(withConfiguration: [
        kTSKPinnedDomains: [
            "guarded.acme.example": [
                kTSKPublicKeyHashes: [
                    "utmg5NIuXjXc321JwUBw4B1DNpJJkgnuJk88qs0RTVM=", "vduvxDt5mhyuAlZH2GyLr30NZkpTRkcQBETkiJVp1rg=",
                ]
            ]
        ]
    ])
}

func used() {
    let configuration = [
        kTSKPinnedDomains: [
            "used.acme.example": [
                kTSKPublicKeyHashes: [
                    "utmg5NIuXjXc321JwUBw4B1DNpJJkgnuJk88qs0RTVM=", "vduvxDt5mhyuAlZH2GyLr30NZkpTRkcQBETkiJVp1rg=",
                ]
            ]
        ]
    ]
    if isLive { TrustKit.initSharedInstance(withConfiguration: configuration) }
}

#if false
let never = [
    kTSKPinnedDomains: [
        "never.acme.example": [
            kTSKPublicKeyHashes: [
                "utmg5NIuXjXc321JwUBw4B1DNpJJkgnuJk88qs0RTVM=", "vduvxDt5mhyuAlZH2GyLr30NZkpTRkcQBETkiJVp1rg=",
            ]
        ]
    ]
]
#endif
