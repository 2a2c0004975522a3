package import Foundation
package import TLSCore

extension Curl {
    package static var onlyKeyType: KeyType? { nil }

    package var bringsAnchors: Bool { false }

    package func remembered(from host: String, path: [Certificate]) -> Self { self }

    package func ownFindings(of scope: PinScope, knownChain: [Certificate]) -> [PolicyFinding] { [] }

    package var scopes: [PinScope] {
        let keys = pins.map(\.pin)
        return [PinScope(written: [.init(keys: keys, position: .leaf)], checks: isInsecure ? [] : .all)]
    }
}

extension Curl {
    package func ownFindings(at instant: Date) -> [PolicyFinding] {
        switch source {
        case .publicKey: return []
        case .certificate:
            let message =
                "the file holds a certificate and no public key: it never matches, and every server is rejected"
            return [
                PolicyFinding(
                    .locksOut,
                    .outage,
                    message,
                    fix: "write its public key to the file ('openssl x509 -pubkey')"
                )
            ]
        case .list(let hashes):
            return hashes.compactMap { hash in
                guard case .never(let text) = hash else { return nil }
                let hint = PinMistake(in: text).hint.map { " (\($0))" } ?? ""
                let message = "'sha256//\(text)' is not the padded Base64 of a SHA-256 digest\(hint), and never matches"
                return PolicyFinding(.unusablePin, .outage, message, fix: "compute the pin again from the key")
            }
        }
    }
}
