import Foundation
import TestSupport
import Testing

@testable import TLSCore

/// What the TLS stacks of clients make of chains on which they differ.
@Suite struct `TLS stacks` {
    private static let now = Sample.now

    /// A new root, also signed by the old one, as after a rotation.
    private struct Rotation {
        let oldRoot: Authority
        let newRoot: Authority
        let server: Identity
        /// The new root's name and key, signed by the old one.
        let crossed: Certificate

        init() throws {
            let key = try PrivateKey()
            oldRoot = try Authority(rootNamed: "Old Root", now: now)
            newRoot = try Authority(root: Sample.authority("New Root"), key: key)
            crossed = try oldRoot.authority(Sample.authority("New Root"), key: key).certificate
            server = try newRoot.identity(Sample.leaf(), key: PrivateKey())
        }
    }

    private static func answer(_ chain: [Certificate], _ anchors: [Certificate], _ stack: TrustStack) throws
        -> TrustResult
    {
        try TrustStore(anchors.map { TrustAnchor($0) }).on(stack).evaluate(chain, host: Sample.host, at: now)
    }

    @Test(arguments: TrustStack.allCases)
    func `T1: a new root sent before its cross-signature is passed over by who tries another path`(
        stack: TrustStack
    ) throws {
        let rotation = try Rotation()
        let sent = rotation.server.chain + [rotation.newRoot.certificate, rotation.crossed]
        let orderly = rotation.server.chain + [rotation.crossed, rotation.newRoot.certificate]
        let anchors = [rotation.oldRoot.certificate]

        let result = try Self.answer(sent, anchors, stack)
        let control = try Self.answer(orderly, anchors, stack)
        let stranger = try Self.answer(sent, [Authority(rootNamed: "Old Root", now: Self.now).certificate], stack)

        #expect(result.isTrusted == ![.openSSL, .openSSLToRoots, .unknown].contains(stack))
        #expect(control.isTrusted)
        #expect(!stranger.isTrusted)
    }
}
