public import Foundation
public import TLSCore

/// The certificates that most pinning tests need, minted for one host.
public struct StandardPKI: Sendable {
    /// What the owner's server shows today.
    public let today: Identity
    /// The same key under a new certificate.
    public let renewed: Identity
    /// Another key of the owner's, from the same authority: the usual backup.
    public let rotated: Identity
    /// That other key under another authority that the device trusts.
    public let newCA: Identity
    /// An attacker's key under an authority that the device was made to trust: only pins can tell.
    public let attacker: Identity
    /// An attacker's key under an authority that nobody trusts.
    public let stranger: Identity
    /// A certificate that vouches for itself, with the right names.
    public let selfSigned: Identity
    /// What the device trusts: both of the owner's roots, and the attacker's.
    public let trust: TrustStore

    /// Every anchor of `trust`, as PEM.
    public var trustPEM: String { trust.pem() }
}

extension PKI {
    /// Mints the usual events for a host: new keys at each call.
    ///
    /// - Throws: `OpenSSLError`.
    public static func standard(host: String, now: Date = Date()) throws -> StandardPKI {
        let pki = try PKI(standardBlueprint, now: now)
        func identity(_ chain: String) throws -> Identity { try pki.identity(chain: chain, at: .zero, host: host) }
        return StandardPKI(
            today: try identity("today"),
            renewed: try identity("renewed"),
            rotated: try identity("rotated"),
            newCA: try identity("new-ca"),
            attacker: try identity("attacker"),
            stranger: try identity("stranger"),
            selfSigned: try identity("self-signed"),
            trust: try pki.store(named: "device", at: .zero)
        )
    }

    private static let standardBlueprint = Blueprint(
        keys: [
            KeyDeclaration(name: "leaf-1"), KeyDeclaration(name: "leaf-2"),
            KeyDeclaration(name: "evil", holder: .attacker),
        ],
        authorities: [
            AuthorityDeclaration(name: "root"),
            AuthorityDeclaration(name: "issuing", issuer: "root"),
            AuthorityDeclaration(name: "other-root"),
            AuthorityDeclaration(name: "installed-root", holder: .attacker),
            AuthorityDeclaration(name: "installed-issuing", issuer: "installed-root", holder: .attacker),
            AuthorityDeclaration(name: "unknown-root", subject: .copied(from: "root"), holder: .attacker),
            AuthorityDeclaration(name: "unknown-issuing", issuer: "unknown-root", holder: .attacker),
        ],
        stores: [
            StoreDeclaration(
                name: "device",
                anchors: [.init("root"), .init("other-root"), .init("installed-root", origin: .user)]
            )
        ],
        chains: [
            ChainDeclaration(
                name: "today",
                key: "leaf-1",
                issuer: .authority("issuing"),
                valid: StoryWindow(from: .days(-30), to: .days(60))
            ),
            ChainDeclaration(name: "renewed", key: "leaf-1", issuer: .authority("issuing")),
            ChainDeclaration(name: "rotated", key: "leaf-2", issuer: .authority("issuing")),
            ChainDeclaration(name: "new-ca", key: "leaf-2", issuer: .authority("other-root")),
            ChainDeclaration(name: "attacker", key: "evil", issuer: .authority("installed-issuing")),
            ChainDeclaration(name: "stranger", key: "evil", issuer: .authority("unknown-issuing")),
            ChainDeclaration(name: "self-signed", key: "evil", issuer: .selfSigned),
        ]
    )
}
