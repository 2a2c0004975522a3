import TrustKit

class S20Base {
    var host: String { "base.acme.example" }

    func start() {
        TrustKit.initSharedInstance(withConfiguration: [
            kTSKPinnedDomains: [
                host: [
                    kTSKPublicKeyHashes: [
                        "utmg5NIuXjXc321JwUBw4B1DNpJJkgnuJk88qs0RTVM=", "vduvxDt5mhyuAlZH2GyLr30NZkpTRkcQBETkiJVp1rg=",
                    ]
                ]
            ]
        ])
    }
}

class S20Heir: S20Base {
    override var host: String { "heir.acme.example" }
}

enum S20Site {
    case live, stage

    var host: String {
        switch self {
        case .live: return "live.acme.example"
        case .stage: return "stage.acme.example"
        }
    }
}

func s20(_ site: S20Site) {
    TrustKit.initSharedInstance(withConfiguration: [
        kTSKPinnedDomains: [
            site.host: [
                kTSKPublicKeyHashes: [
                    "utmg5NIuXjXc321JwUBw4B1DNpJJkgnuJk88qs0RTVM=", "vduvxDt5mhyuAlZH2GyLr30NZkpTRkcQBETkiJVp1rg=",
                ]
            ]
        ]
    ])
}
