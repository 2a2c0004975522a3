class OwnSettings {
    static let ownHost = "extension.acme.example"
    static let ownPin = "utmg5NIuXjXc321JwUBw4B1DNpJJkgnuJk88qs0RTVM="
    static let computedHost: String = try! read("HOST")
}
