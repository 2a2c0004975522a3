public import Foundation
public import TLSCore

/// A small world that many tests begin with: a root, an issuing authority, a server, and a device that trusts the root.
///
/// Nothing here can fail on a machine whose OpenSSL works, so each `try!` is a statement about the machine.
public enum Sample {
    /// The instant at which everything is minted and judged: 2026-09-21 14:13:20 UTC.
    public static let now = Date(timeIntervalSince1970: 1_790_000_000)
    public static let day: TimeInterval = 86400
    public static let host = "api.acme.example"

    public static let root = try! Authority(rootNamed: "Acme Root", now: now)
    public static let issuing = try! root.authority(
        .authority(named: "Acme Issuing", now: now),
        key: PrivateKey()
    )
    public static let server = try! issuing.identity(.leaf(names: [.dns(host)], now: now), key: PrivateKey())
    public static let store = try! TrustStore([TrustAnchor(root.certificate)])

    /// One RSA key each for the whole run: they are slow to make.
    public static let rsa1024 = try! PrivateKey(.rsa1024)
    public static let rsa2048 = try! PrivateKey(.rsa2048)

    /// A new key of some kind; the RSA kinds that are kept are handed out again.
    public static func key(_ type: KeyType) throws -> PrivateKey {
        switch type {
        case .rsa1024: rsa1024
        case .rsa2048: rsa2048
        default: try PrivateKey(type)
        }
    }

    /// A server's certificate for `host`, changed as the test needs it.
    public static func leaf(_ change: (inout CertificateTemplate) -> Void = { _ in }) -> CertificateTemplate {
        var template = CertificateTemplate.leaf(names: [.dns(host)], now: now)
        change(&template)
        return template
    }

    /// An authority's certificate, changed as the test needs it.
    public static func authority(
        _ name: String,
        _ change: (inout CertificateTemplate) -> Void = { _ in }
    ) -> CertificateTemplate {
        var template = CertificateTemplate.authority(named: name, now: now)
        change(&template)
        return template
    }
}
