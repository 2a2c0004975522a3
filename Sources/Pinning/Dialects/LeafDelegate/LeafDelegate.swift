package import TLSCore

/// A `URLSession` delegate that compares certificates byte by byte, without any evaluation of trust, in the forms in
/// which it is found.
///
/// It names no hosts: every server of the session is held to it. `URLSession` leaves such a session to its delegate, so
/// App Transport Security is taken as switched off; then the TLS stack decides about old versions.
package struct LeafDelegate: HostlessPinConfiguration, Hashable {
    package static let dialect = Dialect.delegate

    package static let format = PolicyFormat(dialect) { LeafDelegate(reading: $1, with: $0) }

    /// What the delegate really does.
    package enum Form: String, CaseIterable, Sendable {
        /// Casts the array of `SecTrustCopyCertificateChain` to a certificate, as a much copied article prints it. The
        /// cast is not checked, what comes out equals no certificate (or crashes): nobody ever gets in.
        case asPrinted = "as-printed"
        /// Compares the first certificate that the server sent. TLS proves that the server holds its key, so nobody
        /// else gets in; but an expired one, or one for another name, does.
        case asIntended = "as-intended"
        /// Compares every certificate that the server sent: who sends a copy of the real one behind his own gets in.
        case anyPresented = "any-presented"
    }

    package var form: Form
    /// SHA-256 over the DER of each certificate that the app carries.
    package var certificates: [Pin]

    package init(_ form: Form, certificates: [Pin]) {
        self.form = form
        self.certificates = certificates
    }

    package func decide(_ situation: Situation) -> Decision {
        if form == .asPrinted {
            return Decision(.reject, .systemRule("the delegate compares an array with certificates, and never accepts"))
        }
        let position = form == .asIntended ? PinRequirement.Position.leaf : .any
        let requirement = PinRequirement(
            pins: certificates,
            match: .certificate,
            position: position,
            search: .presentedChain
        )
        let decision = situation.decide(PinPolicy(requirements: [requirement], checks: []))
        let isOld = situation.version < .tls1_2 && decision.demand == .accept
        return isOld ? Decision(.either, .oldVersion(situation.version)) : decision
    }

    package var pins: [ConfiguredPin] {
        let position = form == .anyPresented ? PinRequirement.Position.any : .leaf
        return certificates.map { ConfiguredPin(domain: nil, pin: $0, match: .certificate, position: position) }
    }

    package func mapPins(_ transform: (Pin) -> Pin) -> LeafDelegate {
        LeafDelegate(form, certificates: certificates.map(transform))
    }

    package func rendered() -> String {
        var writer = DeclarationWriter()
        writer.open(LeafDelegate.dialect.rawValue)
        writer.text("form", form.rawValue)
        writer.list("certificates", certificates.map { "\($0)" })
        return writer.output
    }
}
