// As copied from a page.
func s41() {
    TrustKit.initSharedInstance(withConfiguration: [
        kTSKPinnedDomains: [
            “quoted.acme.example”: [
                kTSKPublicKeyHashes: [
                    “utmg5NIuXjXc321JwUBw4B1DNpJJkgnuJk88qs0RTVM=”,
                    “vduvxDt5mhyuAlZH2GyLr30NZkpTRkcQBETkiJVp1rg=”,
                ]
            ]
        ]
    ])
}
