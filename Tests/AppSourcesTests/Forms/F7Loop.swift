import Alamofire

// F7: filled in a loop over hosts.
func session(_ hosts: [String]) -> Session {
    var evaluators: [String: ServerTrustEvaluating] = [:]
    for host in hosts { evaluators[host] = PublicKeysTrustEvaluator() }
    return Session(serverTrustManager: ServerTrustManager(evaluators: evaluators))
}

// A variable holds the evaluator.
func held() -> Session {
    let pinned = PinnedCertificatesTrustEvaluator(validateHost: true)
    return Session(serverTrustManager: ServerTrustManager(evaluators: ["api.acme.example": pinned]))
}
