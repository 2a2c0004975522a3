package import TLSCore

/// A certificate fingerprint as urllib3 (`assert_fingerprint`) and aiohttp (`Fingerprint`) take it: a digest of the
/// whole leaf, and only one, so that no backup is possible and every renewal locks users out.
package struct Fingerprint: HostlessPinConfiguration, Equatable {
    package static let dialect = Dialect.fingerprint

    package static let format = PolicyFormat(dialect) { Fingerprint(reading: $1, with: $0) }

    package enum Library: String, CaseIterable, Sendable {
        /// The digest comes beside the check of the path, and switches that of the host off.
        case urllib3
        /// The digest replaces every check.
        case aiohttp
    }

    package let digest: [UInt8]
    /// Which algorithm, told by the length alone.
    package let algorithm: FingerprintDigest
    package let library: Library
    /// urllib3's `cert_reqs`: whether the path and its dates are checked.
    package let requiresCertificate: Bool

    /// `nil` for a digest that is none, and for MD5 and SHA-1 in aiohttp, which raises an error.
    package init?(_ digest: [UInt8], library: Library = .urllib3, requiresCertificate: Bool = true) {
        guard let algorithm = FingerprintDigest.allCases.first(where: { $0.count == digest.count }),
            library == .urllib3 || algorithm == .sha256
        else { return nil }
        self.digest = digest
        self.algorithm = algorithm
        self.library = library
        self.requiresCertificate = requiresCertificate && library == .urllib3
    }

    package func decide(_ situation: Situation) -> Decision {
        if let refusal = situation.refusal(below: .tls1_2, by: "Python's ssl module") { return refusal }
        guard requiresCertificate else { return judge(situation, checks: []) }
        let decision = judge(situation.on(stack), checks: [.path, .validity])
        guard decision.demand == .accept,
            judge(situation.on(.openSSLToRoots), checks: [.path, .validity]).demand != .accept
        else { return decision }
        return Decision(.either, .systemRule("only Python 3.13 and later take a path that ends in an intermediate"))
    }

    private func judge(_ situation: Situation, checks: PinPolicy.Checks) -> Decision {
        let ordinary = situation.decide(PinPolicy(checks: checks))
        guard ordinary.demand != .reject, let leaf = situation.chain.first else { return ordinary }
        guard leaf.fingerprint(algorithm) == digest else {
            let pins = pins.map(\.pin)
            return Decision(.reject, .noPinMatches(PinRequirement(pins: pins, match: .certificate, position: .leaf)))
        }
        return ordinary.demand == .accept ? Decision(.accept, .pinned(matched: [leaf])) : ordinary
    }

    /// Empty for MD5 and SHA-1, which are no pins.
    package var pins: [ConfiguredPin] {
        Pin(digest: digest).map { [ConfiguredPin(domain: nil, pin: $0, match: .certificate, position: .leaf)] } ?? []
    }

    package func mapPins(_ transform: (Pin) -> Pin) -> Fingerprint {
        guard let pin = Pin(digest: digest) else { return self }
        return Fingerprint(transform(pin).digest, library: library, requiresCertificate: requiresCertificate) ?? self
    }
}
