package import Foundation
package import TLSCore

extension LeafDelegate {
    package static var onlyKeyType: KeyType? { nil }

    package var bringsAnchors: Bool { false }

    package func remembered(from host: String, path: [Certificate]) -> Self { self }

    package func ownFindings(of scope: PinScope, knownChain: [Certificate]) -> [PolicyFinding] { [] }

    package var scopes: [PinScope] {
        let digests = certificates.map { PinnedDigest($0, of: .certificate) }
        let position: PinRequirement.Position = form == .anyPresented ? .any : .leaf
        let list = PinScope.List(digests, position: position, search: .presentedChain)
        // What lets nobody in needs no checks.
        return [
            form == .asPrinted ? PinScope(written: [list], lists: [.init([])]) : PinScope(written: [list], checks: [])
        ]
    }
}

extension LeafDelegate {
    package func ownFindings(at instant: Date) -> [PolicyFinding] {
        guard form == .asPrinted else { return [] }
        let message = "the delegate compares an array with certificates: it crashes, or rejects every server"
        return [PolicyFinding(.locksOut, .outage, message, fix: "take the first certificate out of the array")]
    }
}
