package import Foundation
package import TLSCore

/// AFNetworking's `AFSecurityPolicy`, for every host that its session manager speaks to.
///
/// Source: AFNetworking 4.0, `AFSecurityPolicy.m`. Apps write it in code, so its own format here is a declaration in YAML.
package struct AFNetworking: HostlessPinConfiguration, Equatable {
    package static let dialect = Dialect.afnetworking

    package static let format = PolicyFormat(dialect) { AFNetworking(reading: $1, with: $0) }

    /// `AFSSLPinningModeCertificate` and `AFSSLPinningModePublicKey`, each with what it is given.
    package enum Pinned: Hashable, Sendable {
        /// They are the only anchors as well.
        case certificates([Alamofire.PinnedCertificate])
        case publicKeys([Pin])
    }

    package var pinned: Pinned
    /// Whether ordinary trust is not asked for.
    package var allowInvalidCertificates = false
    package var validatesDomainName = true

    package init(_ pinned: Pinned, allowInvalidCertificates: Bool = false, validatesDomainName: Bool = true) {
        self.pinned = pinned
        self.allowInvalidCertificates = allowInvalidCertificates
        self.validatesDomainName = validatesDomainName
    }

    package func decide(_ situation: Situation) -> Decision {
        if let refusal = situation.refusal(below: .tls1_2, by: "App Transport Security") { return refusal }
        guard !evaluator.pins.isEmpty else {
            return Decision(.reject, .systemRule("no certificates are pinned, and then AFNetworking accepts none"))
        }
        let decision = evaluator.decide(situation)
        guard decision.demand == .accept else { return decision }
        // App Transport Security looks first, as it does before Alamofire.
        let ordinary = ApplePlatform.decideUnpinned(situation)
        guard ordinary.demand != .accept else { return decision }
        let rule = "the policy accepts it, App Transport Security may not: \(ordinary)"
        return Decision(.either, .systemRule(rule))
    }

    /// The same in Alamofire's words, whose evaluators have these rules.
    private var evaluator: Alamofire.Evaluator {
        switch pinned {
        case .certificates(let certificates):
            let asAnchors = Alamofire.Evaluator.pinnedCertificates(
                certificates,
                acceptSelfSigned: true,
                validateHost: validatesDomainName
            )
            guard !allowInvalidCertificates else { return asAnchors }
            return .composite([.default(validateHost: validatesDomainName), asAnchors])
        case .publicKeys(let keys):
            return .publicKeys(
                keys,
                performDefaultValidation: !allowInvalidCertificates,
                validateHost: !allowInvalidCertificates && validatesDomainName
            )
        }
    }

    package var pins: [ConfiguredPin] {
        switch pinned {
        case .certificates(let certificates):
            certificates.map { ConfiguredPin(domain: nil, comparing: $0.digest, position: $0.position) }
        case .publicKeys(let keys): keys.map { ConfiguredPin(domain: nil, pin: $0) }
        }
    }

    package func mapPins(_ transform: (Pin) -> Pin) -> AFNetworking {
        var copy = self
        switch pinned {
        case .certificates(let certificates):
            copy.pinned = .certificates(
                certificates.map { old in
                    let new = transform(old.pin)
                    return new == old.pin ? old : Alamofire.PinnedCertificate(new)
                }
            )
        case .publicKeys(let keys): copy.pinned = .publicKeys(keys.map(transform))
        }
        return copy
    }

    package static var onlyKeyType: KeyType? { nil }

    package var bringsAnchors: Bool { false }

    package func remembered(from host: String, path: [Certificate]) -> Self { self }

    package func ownFindings(at instant: Date) -> [PolicyFinding] { [] }

    package func ownFindings(of scope: PinScope, knownChain: [Certificate]) -> [PolicyFinding] { [] }

    package var scopes: [PinScope] { [PinScope(written: evaluator.lists, checks: evaluator.checks)] }
}

extension AFNetworking {
    private enum Mode: String, CaseIterable {
        case certificate
        case publicKey = "public-key"
    }

    /// The keys of `afnetworking:`, with AFNetworking's own words.
    init?(reading node: YAMLNode, with reader: PolicyReader) {
        let fields = reader.fields(
            node,
            known: ["SSLPinningMode", "pinnedCertificates", "allowInvalidCertificates", "validatesDomainName"],
            required: ["SSLPinningMode", "pinnedCertificates"]
        )
        let mode = fields["SSLPinningMode"].flatMap { reader.choice($0, "a pinning mode") } ?? Mode.certificate
        let list = fields["pinnedCertificates"]
        self.init(
            mode == .certificate ? .certificates(reader.pinnedCertificates(list)) : .publicKeys(reader.keyPins(list)),
            allowInvalidCertificates: fields["allowInvalidCertificates"].flatMap(reader.boolean) ?? false,
            validatesDomainName: fields["validatesDomainName"].flatMap(reader.boolean) ?? true
        )
    }

    package func rendered() -> String {
        var writer = DeclarationWriter()
        writer.open(Dialect.afnetworking.rawValue)
        switch pinned {
        case .certificates(let certificates):
            writer.text("SSLPinningMode", Mode.certificate.rawValue)
            writer.list("pinnedCertificates", certificates.map { $0.certificate?.pem ?? "\($0.pin)" })
        case .publicKeys(let keys):
            writer.text("SSLPinningMode", Mode.publicKey.rawValue)
            writer.list("pinnedCertificates", keys.map { "\($0)" })
        }
        if allowInvalidCertificates { writer.boolean("allowInvalidCertificates", true) }
        if !validatesDomainName { writer.boolean("validatesDomainName", false) }
        return writer.output
    }
}
