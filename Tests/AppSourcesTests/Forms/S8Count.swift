import TrustKit

// No dictionary is made where nothing was put into it.
func configuration() -> [String: Any]? {
    var domains = [String: Any]()
    if isSecure {
        domains["count.acme.example"] = [
            kTSKPublicKeyHashes: [
                "utmg5NIuXjXc321JwUBw4B1DNpJJkgnuJk88qs0RTVM=", "vduvxDt5mhyuAlZH2GyLr30NZkpTRkcQBETkiJVp1rg=",
            ]
        ]
    }
    return domains.count > 0 ? [kTSKSwizzleNetworkDelegates: false, kTSKPinnedDomains: domains] : nil
}
