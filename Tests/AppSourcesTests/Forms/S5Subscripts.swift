import TrustKit

func configure(keys: [String]) -> [String: Any] {
    var domain: [String: Any] = [:]
    domain[kTSKPublicKeyHashes] = keys
    var configuration: [String: Any] = [:]
    configuration[kTSKPinnedDomains] = ["api.acme.example": domain]
    return configuration
}
