package import Foundation
package import TLSCore

/// A small world that many tests begin with: a root, an issuing authority, a server, and a device that trusts the root.
///
/// Nothing here can fail on a machine whose OpenSSL works, so each `try!` is a statement about the machine.
package enum Sample {
    /// The instant at which everything is minted and judged: 2026-09-21 14:13:20 UTC.
    package static let now = Date(timeIntervalSince1970: 1_790_000_000)
    package static let day: TimeInterval = 86400
    package static let host = "api.acme.example"

    package static let root = try! Authority(rootNamed: "Acme Root", now: now)
    package static let issuing = try! root.authority(
        .authority(named: "Acme Issuing", now: now),
        key: PrivateKey()
    )
    package static let server = try! issuing.identity(.leaf(names: [.dns(host)], now: now), key: PrivateKey())
    package static let store = try! TrustStore([TrustAnchor(root.certificate)])

    /// One RSA key each for the whole run: they are slow to make.
    package static let rsa1024 = try! PrivateKey(.rsa1024)
    package static let rsa2048 = try! PrivateKey(.rsa2048)

    /// A new key of some kind; the RSA kinds that are kept are handed out again.
    package static func key(_ type: KeyType) throws -> PrivateKey {
        switch type {
        case .rsa1024: rsa1024
        case .rsa2048: rsa2048
        default: try PrivateKey(type)
        }
    }

    /// A server's certificate for `host`, changed as the test needs it.
    package static func leaf(_ change: (inout CertificateTemplate) -> Void = { _ in }) -> CertificateTemplate {
        var template = CertificateTemplate.leaf(names: [.dns(host)], now: now)
        change(&template)
        return template
    }

    /// An authority's certificate, changed as the test needs it.
    package static func authority(
        _ name: String,
        _ change: (inout CertificateTemplate) -> Void = { _ in }
    ) -> CertificateTemplate {
        var template = CertificateTemplate.authority(named: name, now: now)
        change(&template)
        return template
    }
}
