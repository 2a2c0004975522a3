enum Pins {
    static let host = "api.acme.com"
    static let today = "utmg5NIuXjXc321JwUBw4B1DNpJJkgnuJk88qs0RTVM="
    static let backup = "vduvxDt5mhyuAlZH2GyLr30NZkpTRkcQBETkiJVp1rg="
}
