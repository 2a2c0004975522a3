package import TLSCore

/// `pinnedpubkey` of curl, wget and git: the leaf's key is one of a list, or the one in a file.
///
/// The pin holds with `--insecure` too, when nothing else does.
package struct Curl: HostlessPinConfiguration, Equatable {
    package static let dialect = Dialect.curl

    package static let format = PolicyFormat(dialect, or: "'sha256//…', public key in PEM or DER") {
        $0.isPinnedPublicKey
    } read: { contents, _ throws(PolicyFileError) in
        try Curl(parsing: Array(contents.data), file: contents.file)
    } declaration: {
        Curl(reading: $1, with: $0)
    }

    /// Whose option it is; they differ in the oldest TLS they speak.
    package enum Tool: String, CaseIterable, Sendable {
        case curl
        case wget
        case git
    }

    package enum Source: Hashable, Sendable {
        /// `sha256//…;sha256//…`
        case list([Hash])
        /// The contents of a public-key file, as the DER `SubjectPublicKeyInfo`.
        case publicKey([UInt8])
        /// The contents of a file that holds a certificate, which is a common mistake: it never matches.
        case certificate(Certificate)
    }

    /// What stands behind one `sha256//`.
    package enum Hash: Hashable, Sendable {
        case pin(Pin)
        /// Not a padded Base64 digest: the tools compare text, so it never matches.
        case never(String)

        /// Reads the text behind `sha256//`.
        package init(_ text: String) {
            let pin = try? Pin(parsing: text)
            self = pin.flatMap { $0.base64 == text ? .pin($0) : nil } ?? .never(text)
        }

        var text: String {
            switch self {
            case .pin(let pin): pin.base64
            case .never(let text): text
            }
        }
    }

    package var tool: Tool
    package var source: Source
    /// `--insecure`, `--no-check-certificate` or `http.sslVerify=false`: no path, host or date is checked.
    package var isInsecure: Bool

    package init(_ source: Source, tool: Tool = .curl, isInsecure: Bool = false) {
        self.source = source
        self.tool = tool
        self.isInsecure = isInsecure
    }

    /// Debian links wget with GnuTLS, and git with curl's GnuTLS build; others build git with OpenSSL.
    package var stack: TrustStack { tool == .curl ? .openSSL : .gnuTLS }

    package var stacks: [TrustStack] { tool == .git ? [.gnuTLS, .openSSL] : [stack] }

    package func decide(_ situation: Situation) -> Decision {
        let requirement = PinRequirement(pins: pins.map(\.pin), position: .leaf)
        let policy = PinPolicy(requirements: [requirement], checks: isInsecure ? [] : .all)
        let decision = situation.decide(policy, on: stacks)
        switch tool {
        case .curl: return situation.refusal(below: .tls1_2, by: "OpenSSL, which curl is linked with,") ?? decision
        // Debian links GnuTLS, which still speaks TLS 1.1.
        case .wget: return decision
        case .git: return situation.unlessOld(decision)
        }
    }

    package var pins: [ConfiguredPin] {
        let pins: [Pin] =
            switch source {
            case .list(let hashes): hashes.compactMap { if case .pin(let pin) = $0 { pin } else { nil } }
            case .publicKey(let der): [Pin(hashing: der)]
            case .certificate: []
            }
        return pins.map { ConfiguredPin(domain: nil, pin: $0, position: .leaf) }
    }

    /// Another pin than that of a key file becomes a list: there is no key to put into the file.
    package func mapPins(_ transform: (Pin) -> Pin) -> Curl {
        var copy = self
        switch source {
        case .list(let hashes):
            copy.source = .list(hashes.map { if case .pin(let pin) = $0 { .pin(transform(pin)) } else { $0 } })
        case .publicKey(let der):
            let pin = Pin(hashing: der)
            let new = transform(pin)
            if new != pin { copy.source = .list([.pin(new)]) }
        case .certificate: break
        }
        return copy
    }
}
