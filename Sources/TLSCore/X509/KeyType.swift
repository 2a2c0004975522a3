/// The kinds of key PinDrill can make, by the names `scenarios.yaml` uses.
package enum KeyType: String, CaseIterable, Sendable {
    /// NIST P-256, the default: what most of the web serves today.
    case p256
    case p384
    case p521
    case ed25519
    case ed448
    /// Too short for every current client; here to show that.
    case rsa1024
    case rsa2048
    case rsa3072
    case rsa4096
}
