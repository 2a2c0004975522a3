import Alamofire

let policies: [String: ServerTrustPolicy] = [
    "api.acme.example": .pinPublicKeys(
        publicKeys: ServerTrustPolicy.publicKeys(),
        validateCertificateChain: true,
        validateHost: true
    )
]
let old = SessionManager(serverTrustPolicyManager: ServerTrustPolicyManager(policies: policies))
