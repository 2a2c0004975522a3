import TrustKit

class BoundPins {
    func start() {
        if let isOn = config.isOn, isOn == false { return }
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
}
