import Alamofire

// A loop over a table, whose pattern stands in brackets.
struct F80Pairs {
    private static let files = ["pairs.acme.example": "one", "other.acme.example": "two"]

    func session() -> Session {
        var evaluators: [String: ServerTrustEvaluating] = [:]
        for (host, file) in Self.files {
            let data = try! Data(contentsOf: Bundle.main.url(forResource: file, withExtension: "cer")!)
            let certificate = SecCertificateCreateWithData(nil, data as CFData)!
            evaluators[host] = PinnedCertificatesTrustEvaluator(certificates: [certificate])
        }
        return Session(serverTrustManager: ServerTrustManager(evaluators: evaluators))
    }

    // Which elements it takes is decided for each.
    func some() -> Session {
        var evaluators: [String: ServerTrustEvaluating] = [:]
        for (host, _) in Self.files where isPinned(host) {
            evaluators[host] = PinnedCertificatesTrustEvaluator()
        }
        return Session(serverTrustManager: ServerTrustManager(evaluators: evaluators))
    }
}
