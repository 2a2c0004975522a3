import TrustKit

private let isPinnedAtAll = false

func neverPinned() {
    let never: [String: Any] = [
        kTSKPinnedDomains: [
            "api.acme.example": [
                kTSKPublicKeyHashes: [
                    "utmg5NIuXjXc321JwUBw4B1DNpJJkgnuJk88qs0RTVM=", "vduvxDt5mhyuAlZH2GyLr30NZkpTRkcQBETkiJVp1rg=",
                ]
            ]
        ]
    ]
    if isPinnedAtAll { TrustKit.initSharedInstance(withConfiguration: never) }
}
