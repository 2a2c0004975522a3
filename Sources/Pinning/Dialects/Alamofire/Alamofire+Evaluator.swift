package import TLSCore

extension Alamofire {
    /// Alamofire's `ServerTrustEvaluating` types with their flags.
    package indirect enum Evaluator: Hashable, Sendable {
        case `default`(validateHost: Bool = true)
        /// Ordinary trust, then revocation, which passes where nobody can be asked unless a positive response is
        /// required.
        case revocation(
            performDefaultValidation: Bool = true,
            validateHost: Bool = true,
            requirePositiveResponse: Bool = false
        )
        /// Some certificate of the chain is one of these, to the last byte; not the leaf in particular.
        case pinnedCertificates(
            [PinnedCertificate],
            acceptSelfSigned: Bool = false,
            performDefaultValidation: Bool = true,
            validateHost: Bool = true
        )
        /// Some certificate of the chain has one of these keys.
        case publicKeys([Pin], performDefaultValidation: Bool = true, validateHost: Bool = true)
        /// Every one of them, in order; the first refusal is final.
        case composite([Evaluator])
        /// Accepts everything.
        case disabled
    }

    /// A certificate that an app carries: known in full, or by its fingerprint alone.
    package struct PinnedCertificate: Hashable, Sendable {
        package let pin: Pin
        package let certificate: Certificate?

        package init(_ certificate: Certificate) {
            pin = certificate.fingerprint
            self.certificate = certificate
        }

        package init(_ pin: Pin) {
            self.pin = pin
            certificate = nil
        }
    }
}

extension Alamofire.Evaluator {
    func decide(_ situation: Situation) -> Decision {
        switch self {
        case .disabled: return Decision(.accept, .systemRule("the evaluator accepts everything"))
        case .default(let validateHost):
            return Self.evaluate(.unpinned, in: situation, validateHost: validateHost)
        case .revocation(_, let validateHost, let requirePositiveResponse):
            // To ask about revocation is to evaluate the chain, with or without the default validation before it.
            let decision = Self.evaluate(.unpinned, in: situation, validateHost: validateHost)
            guard requirePositiveResponse, decision.demand == .accept else { return decision }
            return Decision(.either, .systemRule("the authority's word on revocation decides, and must be had"))
        case .pinnedCertificates(let pinned, let acceptSelfSigned, let performDefaultValidation, let validateHost):
            guard !pinned.isEmpty else { return Self.nothingPinned("certificates") }
            return Self.judge(
                PinRequirement(pins: pinned.map(\.pin), match: .certificate),
                in: acceptSelfSigned ? situation.trustingOnly(pinned) : situation,
                performDefaultValidation: performDefaultValidation,
                validateHost: validateHost
            )
        case .publicKeys(let pins, let performDefaultValidation, let validateHost):
            guard !pins.isEmpty else { return Self.nothingPinned("public keys") }
            // Security.framework hands out RSA and elliptic-curve keys only: no other key is ever compared.
            let unseen = (situation.chain + situation.store.anchors.map(\.certificate))
                .filter { !$0.hasAppleKey }
                .map(\.pin)
            return Self.judge(
                PinRequirement(pins: pins.filter { !unseen.contains($0) }),
                in: situation,
                performDefaultValidation: performDefaultValidation,
                validateHost: validateHost
            )
        case .composite(let evaluators): return Self.decideAll(evaluators, situation)
        }
    }

    private static func nothingPinned(_ what: String) -> Decision {
        Decision(.reject, .systemRule("no \(what) are pinned, which Alamofire treats as an error"))
    }

    private static func judge(
        _ requirement: PinRequirement,
        in situation: Situation,
        performDefaultValidation: Bool,
        validateHost: Bool
    ) -> Decision {
        let policy = PinPolicy(requirements: [requirement])
        if performDefaultValidation || validateHost {
            return evaluate(policy, in: situation, validateHost: validateHost)
        }
        // Nobody evaluates: the pins are looked for in whatever path can be built.
        let path = situation.bestEffortPath
        guard !path.isEmpty else { return Decision(.reject, .untrusted(TrustFailure(.noCertificate))) }
        return policy.judgePins(presented: path, verified: path, in: situation.store)
    }

    /// `SecTrustEvaluateWithError` with Apple's rules for certificates, and then the pins.
    private static func evaluate(_ policy: PinPolicy, in situation: Situation, validateHost: Bool) -> Decision {
        let trust = situation.on(.apple).store.evaluate(
            situation.chain,
            host: validateHost ? situation.host : nil,
            at: situation.instant,
            toleratesWeakness: true
        )
        switch trust {
        case .refused(let failure): return .untrusted(failure)
        case .trusted(let path):
            if let rule = ApplePlatform.brokenRule(path, in: situation.store) {
                return Decision(.reject, .systemRule(rule))
            }
            return policy.judgePins(presented: situation.chain, verified: path, in: situation.store)
        }
    }

    private static func decideAll(_ evaluators: [Alamofire.Evaluator], _ situation: Situation) -> Decision {
        let decisions = evaluators.map { $0.decide(situation) }
        return decisions.first { $0.demand == .reject }
            ?? decisions.first { $0.demand == .either }
            ?? decisions.last { if case .pinned = $0.reason { true } else { false } }
            ?? decisions.last
            ?? Decision(.accept, .systemRule("the evaluator is composed of none, and accepts everything"))
    }

    var pins: [(pin: Pin, match: PinRequirement.Match)] {
        switch self {
        case .pinnedCertificates(let pinned, _, _, _): pinned.map { ($0.pin, .certificate) }
        case .publicKeys(let pins, _, _): pins.map { ($0, .key) }
        case .composite(let evaluators): evaluators.flatMap(\.pins)
        case .default, .revocation, .disabled: []
        }
    }

    func mapPins(_ transform: (Pin) -> Pin) -> Self {
        switch self {
        case .pinnedCertificates(let pinned, let acceptSelfSigned, let performDefaultValidation, let validateHost):
            let mapped = pinned.map { old in
                let new = transform(old.pin)
                return new == old.pin ? old : Alamofire.PinnedCertificate(new)
            }
            return .pinnedCertificates(
                mapped,
                acceptSelfSigned: acceptSelfSigned,
                performDefaultValidation: performDefaultValidation,
                validateHost: validateHost
            )
        case .publicKeys(let pins, let performDefaultValidation, let validateHost):
            return .publicKeys(
                pins.map(transform),
                performDefaultValidation: performDefaultValidation,
                validateHost: validateHost
            )
        case .composite(let evaluators): return .composite(evaluators.map { $0.mapPins(transform) })
        case .default, .revocation, .disabled: return self
        }
    }
}

extension Certificate {
    /// Whether Security.framework hands out its key.
    var hasAppleKey: Bool { keyDescription.hasPrefix("RSA ") || keyDescription.hasPrefix("EC ") }
}

extension Situation {
    /// The same situation on a device that trusts these certificates and nothing else. One that is known by its
    /// fingerprint alone is looked for among those at hand.
    fileprivate func trustingOnly(_ pinned: [Alamofire.PinnedCertificate]) -> Situation {
        let atHand = chain + store.anchors.map(\.certificate)
        let anchors = pinned.compactMap { known in known.certificate ?? atHand.first { $0.fingerprint == known.pin } }
        var situation = self
        // A store refuses a certificate only when memory is short; then nothing is trusted.
        if let store = try? TrustStore(anchors.map { TrustAnchor($0, origin: .app) }) { situation.store = store }
        return situation
    }
}
