import Foundation
import Pinning
import TLSCore
import TestSupport
import Testing

@Suite struct `Apple's rules for certificates` {
    typealias Change = @Sendable (inout CertificateTemplate) -> Void

    /// What is changed, who put the anchor there, and whether the rule strikes.
    static let rows: [(name: String, change: Change, origin: TrustAnchor.Origin, rule: String?)] = [
        ("as it should be", { _ in }, .system, nil),
        ("398 days", lasts(398), .system, nil),
        ("399 days", lasts(399), .system, "more than 398 days"),
        ("399 days, by a user's anchor", lasts(399), .user, nil),
        ("825 days, by a user's anchor", lasts(825), .user, nil),
        ("826 days, by a user's anchor", lasts(826), .user, "more than 825 days"),
        ("826 days, by the app's anchor", lasts(826), .app, "more than 825 days"),
        ("no purpose", { $0.extendedKeyUsage = [] }, .system, "serverAuth"),
        ("no purpose, by the app's anchor", { $0.extendedKeyUsage = [] }, .app, "serverAuth"),
        ("no purpose, by a user's anchor", { $0.extendedKeyUsage = [] }, .user, nil),
        ("SHA-1", { $0.digest = .sha1 }, .system, "SHA-1"),
    ]

    @Test(arguments: rows.indices)
    func `are told as rules, never as pins`(row: Int) throws {
        let (name, change, origin, rule) = Self.rows[row]
        let identity = try Sample.issuing.identity(Sample.leaf(change), key: PrivateKey())

        let decision = try decide(identity, pinned: identity.pin, origin)

        #expect(decision.demand == (rule == nil ? .accept : .reject), "\(name): \(decision)")
        #expect(decision.description.contains(rule ?? "a pinned key is in it"), "\(name): \(decision)")
        #expect(!decision.isRefusalByPin)
    }

    @Test(arguments: [(KeyType.rsa1024, true), (.rsa2048, false), (.p256, false), (.p384, false), (.ed25519, true)])
    func `ask for long keys`(type: KeyType, isShort: Bool) throws {
        let identity = try Sample.issuing.identity(Sample.leaf(), key: Sample.key(type))

        let decision = try decide(identity, pinned: identity.pin, .system)

        #expect(decision.demand == (isShort ? .reject : .accept))
        #expect(decision.description.contains("RSA 2048 or EC 256") == isShort)
    }

    @Test func `reach an intermediate's signature, and not the root's`() throws {
        let root = try Authority(root: Sample.authority("Old root") { $0.digest = .sha1 }, key: PrivateKey())
        let issuing = try root.authority(Sample.authority("Issuing"), key: PrivateKey())
        let weak = try root.authority(Sample.authority("Weak issuing") { $0.digest = .sha1 }, key: PrivateKey())
        let store = try TrustStore([TrustAnchor(root.certificate)])

        let demands = try [issuing, weak].map { authority in
            let identity = try authority.identity(Sample.leaf(), key: PrivateKey())
            return decide(identity, pinned: identity.pin, in: store).demand
        }

        #expect(demands == [.accept, .reject])
    }

    private func decide(_ identity: Identity, pinned: Pin, _ origin: TrustAnchor.Origin) throws -> Decision {
        decide(identity, pinned: pinned, in: try TrustStore([TrustAnchor(Sample.root.certificate, origin: origin)]))
    }

    private func decide(_ identity: Identity, pinned: Pin, in store: TrustStore) -> Decision {
        ATSConfiguration([.init(Sample.host, leaf: [pinned])])
            .decide(Situation(chain: identity.chain, store: store, host: Sample.host, at: Sample.now))
    }

    private static func lasts(_ days: Double) -> Change {
        { $0.notAfter = $0.notBefore + days * CertificateTemplate.day }
    }
}
