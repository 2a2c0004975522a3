import Alamofire

let policies: [String: ServerTrustPolicy] = [
    "api.acme.example": .pinPublicKeys(
        publicKeys: ServerTrustPolicy.publicKeys(),
        validateCertificateChain: true,
        validateHost: true
    )
]
let old = SessionManager(serverTrustPolicyManager: ServerTrustPolicyManager(policies: policies))

// Swift 2 wrote cases with a capital; a case may stand without its type.
func older() -> Manager {
    let policies: [String: ServerTrustPolicy] = [
        "api.acme.example": ServerTrustPolicy.PinCertificates(
            certificates: ServerTrustPolicy.certificatesInBundle(),
            validateCertificateChain: true,
            validateHost: true
        ),
        "www.acme.example": .disableEvaluation,
    ]
    return Manager(serverTrustPolicyManager: ServerTrustPolicyManager(policies: policies))
}
