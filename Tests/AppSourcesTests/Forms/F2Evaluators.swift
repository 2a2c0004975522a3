import Alamofire

let evaluators: [String: ServerTrustEvaluating] = [
    "api.acme.example": PinnedCertificatesTrustEvaluator(
        certificates: [Certs.acme, Certs.spare],
        performDefaultValidation: true
    ),
    "open.acme.example": DisabledTrustEvaluator(),
]
let session = Session(serverTrustManager: ServerTrustManager(allHostsMustBeEvaluated: false, evaluators: evaluators))
