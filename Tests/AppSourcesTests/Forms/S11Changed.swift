/// Ways to change a list that are no assignment.
func handed() {
    var hashes = ["utmg5NIuXjXc321JwUBw4B1DNpJJkgnuJk88qs0RTVM="]
    fill(&hashes)
    TrustKit.initSharedInstance(withConfiguration: [
        kTSKPinnedDomains: ["handed.acme.example": [kTSKPublicKeyHashes: hashes]]
    ])
}

func removed() {
    var hashes = ["utmg5NIuXjXc321JwUBw4B1DNpJJkgnuJk88qs0RTVM=", "vduvxDt5mhyuAlZH2GyLr30NZkpTRkcQBETkiJVp1rg="]
    hashes.removeAll { $0.hasPrefix("v") }
    TrustKit.initSharedInstance(withConfiguration: [
        kTSKPinnedDomains: ["removed.acme.example": [kTSKPublicKeyHashes: hashes]]
    ])
}

func together() {
    var hashes = ["utmg5NIuXjXc321JwUBw4B1DNpJJkgnuJk88qs0RTVM="]
    (hashes, count) = (hashes + ["vduvxDt5mhyuAlZH2GyLr30NZkpTRkcQBETkiJVp1rg="], 2)
    TrustKit.initSharedInstance(withConfiguration: [
        kTSKPinnedDomains: ["together.acme.example": [kTSKPublicKeyHashes: hashes]]
    ])
}

func own() {
    var hashes = ["utmg5NIuXjXc321JwUBw4B1DNpJJkgnuJk88qs0RTVM=", "vduvxDt5mhyuAlZH2GyLr30NZkpTRkcQBETkiJVp1rg="]
    hashes.keepFirst()
    TrustKit.initSharedInstance(withConfiguration: [
        kTSKPinnedDomains: ["own.acme.example": [kTSKPublicKeyHashes: hashes]]
    ])
}
