class F8Initialiser {
    let evaluators: [String: ServerTrustEvaluating]
    let session: Session

    init() {
        let bundle = Bundle.main
        guard let path = bundle.url(forResource: "acme", withExtension: "cer") else { fatalError() }
        evaluators = [
            "init.acme.example": PinnedCertificatesTrustEvaluator(certificates: [Self.certificate(path)]),
            "other.acme.example": PinnedCertificatesTrustEvaluator(certificates: [Certificates.elsewhere]),
        ]
        session = Session(serverTrustManager: ServerTrustManager(evaluators: evaluators))
    }

    private static func certificate(_ path: URL) -> SecCertificate {
        SecCertificateCreateWithData(nil, NSData(contentsOf: path)!)!
    }
}
