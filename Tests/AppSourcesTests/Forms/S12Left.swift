/// What leaves a function before TrustKit is given its dictionary, and what takes the dictionary's place.
func bound() {
    guard let window, !isDebug else { return }
    TrustKit.initSharedInstance(withConfiguration: [
        kTSKPinnedDomains: [
            "bound.acme.example": [
                kTSKPublicKeyHashes: [
                    "utmg5NIuXjXc321JwUBw4B1DNpJJkgnuJk88qs0RTVM=", "vduvxDt5mhyuAlZH2GyLr30NZkpTRkcQBETkiJVp1rg=",
                ]
            ]
        ]
    ])
}

func done() {
    do {
        if isDebug { return }
        try prepare()
    } catch { return }
    TrustKit.initSharedInstance(withConfiguration: [
        kTSKPinnedDomains: [
            "done.acme.example": [
                kTSKPublicKeyHashes: [
                    "utmg5NIuXjXc321JwUBw4B1DNpJJkgnuJk88qs0RTVM=", "vduvxDt5mhyuAlZH2GyLr30NZkpTRkcQBETkiJVp1rg=",
                ]
            ]
        ]
    ])
}

func ended() {
    if isDebug { fatalError() }
    TrustKit.initSharedInstance(withConfiguration: [
        kTSKPinnedDomains: [
            "ended.acme.example": [
                kTSKPublicKeyHashes: [
                    "utmg5NIuXjXc321JwUBw4B1DNpJJkgnuJk88qs0RTVM=", "vduvxDt5mhyuAlZH2GyLr30NZkpTRkcQBETkiJVp1rg=",
                ]
            ]
        ]
    ])
}

func replaced() {
    var configuration: [String: Any] = [
        kTSKPinnedDomains: [
            "replaced.acme.example": [
                kTSKPublicKeyHashes: [
                    "utmg5NIuXjXc321JwUBw4B1DNpJJkgnuJk88qs0RTVM=", "vduvxDt5mhyuAlZH2GyLr30NZkpTRkcQBETkiJVp1rg=",
                ]
            ]
        ]
    ]
    if isStage { configuration = [:] }
    TrustKit.initSharedInstance(withConfiguration: configuration)
}
