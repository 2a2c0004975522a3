enum OverloadedKeys {
    static func wanted(by host: String) -> [String]? {
        ["overload.acme.example": ["utmg5NIuXjXc321JwUBw4B1DNpJJkgnuJk88qs0RTVM="]][host]
    }

    static func wanted(by age: Int) -> [String]? { ["vduvxDt5mhyuAlZH2GyLr30NZkpTRkcQBETkiJVp1rg="] }
}
