package import Foundation
package import TLSCore

extension Fingerprint {
    package static var onlyKeyType: KeyType? { nil }

    package var bringsAnchors: Bool { false }

    package func remembered(from host: String, path: [Certificate]) -> Self { self }

    package func ownFindings(of scope: PinScope, knownChain: [Certificate]) -> [PolicyFinding] { [] }

    package var scopes: [PinScope] {
        let list = PinScope.List([PinnedDigest(digest, algorithm, of: .certificate)], position: .leaf)
        return [PinScope(written: [list], checks: requiresCertificate ? [.path, .validity] : [])]
    }
}

extension Fingerprint {
    package func ownFindings(at instant: Date) -> [PolicyFinding] {
        guard algorithm != .sha256 else { return [] }
        let name = algorithm == .md5 ? "MD5" : "SHA-1"
        let fix = "give the SHA-256 fingerprint: 64 digits"
        return [
            PolicyFinding(.weakDigest, .warning, "the fingerprint is one of \(name), which has been broken", fix: fix)
        ]
    }
}
