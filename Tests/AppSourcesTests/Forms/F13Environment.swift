enum Environment {
    case live, stage

    static var current: Environment { Bundle.main.isLive ? .live : .stage }

    var elsewherePinHashes: [String] {
        switch self {
        case .live: ["utmg5NIuXjXc321JwUBw4B1DNpJJkgnuJk88qs0RTVM="]
        case .stage: ["vduvxDt5mhyuAlZH2GyLr30NZkpTRkcQBETkiJVp1rg="]
        }
    }
}
