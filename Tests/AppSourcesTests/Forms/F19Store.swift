enum KeysElsewhere {
    static let all: [String: [String]] = [
        "stored.acme.example": ["utmg5NIuXjXc321JwUBw4B1DNpJJkgnuJk88qs0RTVM="]
    ]

    static func expected(at host: String) -> [String]? {
        let lower = host.lowercased()
        return all[lower]
    }
}

enum KeysOfNobody {
    static let unused: [String: [String]] = [
        "first.unused.acme.example": ["vduvxDt5mhyuAlZH2GyLr30NZkpTRkcQBETkiJVp1rg="]
    ]
}
