package import Foundation
package import TLSCore

/// `public-key-pinning-ios`, as many tutorials copied it: the leaf's key behind the header of RSA 2048.
///
/// Source: martinkrasnocka/public-key-pinning-ios, `PublicKeyPinningHandler.swift`. Surprises: the hash of any key but
/// RSA 2048 is not its public-key pin, so that a server with an elliptic-curve key is turned away although it is
/// pinned; and every host of the session must match, for it knows no others.
package struct PublicKeyPinning: HostlessPinConfiguration, Hashable {
    package static let dialect = Dialect.publicKeyPinning

    package var bringsAnchors: Bool { false }

    package func remembered(from host: String, path: [Certificate]) -> Self { self }

    package func ownFindings(at instant: Date) -> [PolicyFinding] { [] }

    package static let format = PolicyFormat(dialect) { PublicKeyPinning(reading: $1, with: $0) }

    package static let onlyKeyType: KeyType? = .rsa2048

    package var keys: [Pin]

    package func decide(_ situation: Situation) -> Decision {
        switch ApplePlatform.trust(situation) {
        case .refused(let decision): return decision
        case .trusted(let path):
            // A path that was built has a leaf.
            let leaf = path[0]
            if keys.contains(AppleKeyHash.rsa2048.pin(of: leaf)) { return Decision(.accept, .pinned(matched: [leaf])) }
            return Decision(.reject, .noPinMatches(PinRequirement(pins: keys, position: .leaf)))
        }
    }

    package var pins: [ConfiguredPin] { keys.map { ConfiguredPin(domain: nil, pin: $0, position: .leaf) } }

    package func mapPins(_ transform: (Pin) -> Pin) -> PublicKeyPinning { PublicKeyPinning(keys: keys.map(transform)) }

    package func rendered() -> String {
        var writer = DeclarationWriter()
        writer.open(PublicKeyPinning.dialect.rawValue)
        writer.list("keys", keys.map { "\($0)" })
        return writer.output
    }

    package var scopes: [PinScope] { [PinScope(written: [.init(keys: keys, position: .leaf)])] }
}

extension PublicKeyPinning {
    /// The keys of `public-key-pinning-ios:`.
    init?(reading node: YAMLNode, with reader: PolicyReader) {
        let fields = reader.fields(node, known: ["keys"], required: ["keys"])
        self.init(keys: reader.keyPins(fields["keys"]))
    }
}
