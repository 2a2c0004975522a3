package import TLSCore

/// One rule of a pin policy: "one of these pins must match a certificate there".
///
/// The axes are those on which real pinning libraries differ. The defaults are the safe choice: the key, so that a
/// renewal does not lock users out; the verified path, so that a stuffed chain does not fool it.
package struct PinRequirement: Hashable, Sendable {
    /// What of a certificate is hashed.
    package enum Match: String, CaseIterable, Sendable {
        /// The DER `SubjectPublicKeyInfo` (RFC 7469 section 2.4).
        case key
        /// The whole DER certificate.
        case certificate
    }

    /// Which certificates may match.
    package enum Position: String, CaseIterable, Sendable {
        /// Only the server's own certificate.
        case leaf
        /// Only certificates above the leaf; a leaf never satisfies such a pin.
        case authority
        case any
    }

    /// Where the certificates are looked for.
    package enum Search: String, CaseIterable, Sendable {
        /// The path that validation built, leaf first and anchor last.
        case verifiedPath = "verified-path"
        /// What the server sent: an attacker chooses it freely, so everything but its first entry proves nothing.
        case presentedChain = "presented-chain"
    }

    package var pins: [Pin]
    package var match: Match
    package var position: Position
    package var search: Search

    package init(
        pins: [Pin],
        match: Match = .key,
        position: Position = .any,
        search: Search = .verifiedPath
    ) {
        self.pins = pins
        self.match = match
        self.position = position
        self.search = search
    }
}
