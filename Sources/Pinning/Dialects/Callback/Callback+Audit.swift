package import Foundation
package import TLSCore

extension Callback {
    package static var onlyKeyType: KeyType? { nil }

    package var bringsAnchors: Bool { false }

    package func remembered(from host: String, path: [Certificate]) -> Self { self }

    package func ownFindings(of scope: PinScope, knownChain: [Certificate]) -> [PolicyFinding] { [] }

    package var scopes: [PinScope] {
        let list = PinScope.List(keys.map { PinnedDigest($0) }, position: form.position, search: form.search)
        return [PinScope(written: [list], checks: form.checks, failure: form.failure)]
    }
}

extension Callback {
    package func ownFindings(at instant: Date) -> [PolicyFinding] {
        let fix: String
        switch form {
        // Resumption takes nothing from a callback that stops nobody.
        case .goVerifyConnection, .nodePinUnauthorized: return []
        case .goLeaf, .goRawAny, .goRawAnySkip, .goLeafSkip:
            fix = "use VerifyConnection, which is called for each connection"
        case .nodePin, .nodePinNoHost:
            fix = "check the key again when a socket says that its session was reused"
        }
        let message =
            "the callback is not called for resumed sessions: one that began without pins goes on without them"
        return [PolicyFinding(.resumption, .warning, message, fix: fix)]
    }
}
