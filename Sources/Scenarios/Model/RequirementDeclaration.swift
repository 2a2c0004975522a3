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
    package var match: PinRequirement.Match
    package var position: PinRequirement.Position
    package var search: PinRequirement.Search
    package var location: SourceLocation

    package init(
        pins: [PinSource],
        match: PinRequirement.Match = .key,
        position: PinRequirement.Position = .any,
        search: PinRequirement.Search = .verifiedPath,
        location: SourceLocation = .code
    ) {
        self.pins = pins
        self.match = match
        self.position = position
        self.search = search
        self.location = location
    }
}
