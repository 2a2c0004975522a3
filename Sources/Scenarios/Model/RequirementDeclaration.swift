package import Pinning
package import TLSCore

/// One rule of a policy, by the names of a file: a `PinRequirement` once the keys and certificates exist.
package struct RequirementDeclaration: Hashable, Sendable {
    /// What a pin is the digest of.
    package enum PinSource: Hashable, Sendable {
        /// The public key of a declared key or authority.
        case key(of: String)
        /// The leaf certificate of a chain, which differs from step to step.
        case leafCertificate(ofChain: String)
        /// The certificate of an authority.
        case authorityCertificate(of: String)
        /// A key that no declaration knows, written as `sha256/BASE64=`.
        case literal(Pin)
    }

    /// Never empty; one match is enough. With `match: key` there are keys and literals, else certificates.
    package var pins: [PinSource]
    package var match: PinRequirement.Match = .key
    package var position: PinRequirement.Position = .any
    package var search: PinRequirement.Search = .verifiedPath
    package var location: SourceLocation = .code
}
