import Alamofire

// Evaluators that another source may give to a manager.
struct Target {
    let policies: [String: ServerTrustPolicy] = [
        "loose.acme.example": .pinCertificates(
            certificates: ServerTrustPolicy.certificates(),
            validateCertificateChain: true,
            validateHost: true
        )
    ]
    var evaluators: [String: ServerTrustEvaluating]? {
        [host: PinnedCertificatesTrustEvaluator(validateHost: true)]
    }
}
