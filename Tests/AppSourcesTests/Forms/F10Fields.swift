import Alamofire

// A field that the function assigns which uses it, behind a declaration that ends with a question mark.
final class F10Fields {
    var policy: ServerTrustPolicy?
    var policies = [String: ServerTrustPolicy]()
    var outside: [String: ServerTrustEvaluating] = [:]
    var manager: SessionManager?

    func configure() {
        guard manager == nil else { return }
        policy = ServerTrustPolicy.pinCertificates(
            certificates: ServerTrustPolicy.certificates(),
            validateCertificateChain: true,
            validateHost: true
        )
        policies = ["field.acme.example": self.policy!]
        manager = SessionManager(serverTrustPolicyManager: ServerTrustPolicyManager(policies: self.policies))
    }

    func given() -> Session { Session(serverTrustManager: ServerTrustManager(evaluators: outside)) }

    func mapped() -> Session {
        let names = ["mapped.acme.example": "acme"]
        let evaluators = names.mapValues { PinnedCertificatesTrustEvaluator(certificates: [Self.certificate($0)]) }
        return Session(serverTrustManager: ServerTrustManager(evaluators: evaluators))
    }

    func reduced() -> Session {
        let evaluators = ["a.acme.example", "b.acme.example"].reduce(into: [:]) { found, host in
            found[host] = PublicKeysTrustEvaluator()
        }
        return Session(serverTrustManager: ServerTrustManager(evaluators: evaluators))
    }

    func paired() -> Session {
        let pairs = ["c.acme.example"].map { ($0, PublicKeysTrustEvaluator()) }
        return Session(serverTrustManager: ServerTrustManager(evaluators: Dictionary(uniqueKeysWithValues: pairs)))
    }

    func filtered() -> Session {
        var found: [String: ServerTrustEvaluating] = [:]
        for host in ["d.acme.example", "e.acme.example"] where host.count > limit {
            found[host] = PublicKeysTrustEvaluator()
        }
        return Session(serverTrustManager: ServerTrustManager(evaluators: found))
    }

    private static func certificate(_ name: String) -> SecCertificate {
        let path = Bundle.main.path(forResource: name, ofType: "cer")!
        return SecCertificateCreateWithData(nil, NSData(contentsOfFile: path)!)!
    }
}
