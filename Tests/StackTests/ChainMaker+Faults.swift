import Foundation
import TLSCore

/// What may be wrong, or only uncommon, with a certificate of a random chain.
extension ChainMaker {
    /// Where and when the certificate is to be used.
    struct Place {
        var host: String
        var now: Date

        /// Without the host's first label; an address has none that counts.
        var parent: String { String(host[host.index(after: host.firstIndex(of: ".") ?? host.startIndex)...]) }
    }

    typealias Fault = @Sendable (inout CertificateTemplate, Place) -> Void

    private static let unknown = CertificateExtension("1.3.6.1.4.1.55555.1", isCritical: true, value: [5, 0])
    private static let anyPurpose = "2.5.29.37.0"

    static let authorityFaults: KeyValuePairs<String, Fault> = [
        "expired": { $0.notAfter = $1.now - day / 2 },
        "not yet valid": { $0.notBefore = $1.now + day },
        "no authority": { template, _ in template.isAuthority = false },
        "no basic constraints": { template, _ in template.isAuthority = nil },
        "may not sign": { template, _ in template.keyUsage = [.digitalSignature] },
        "no key usage": { template, _ in template.keyUsage = nil },
        "for any purpose": { template, _ in template.extendedKeyUsage = [anyPurpose] },
        "for clients": { template, _ in template.extendedKeyUsage = [CertificateTemplate.clientAuthentication] },
        "for servers": { template, _ in template.extendedKeyUsage = [CertificateTemplate.serverAuthentication] },
        "no path below": { template, _ in template.pathLength = 0 },
        "one below": { template, _ in template.pathLength = 1 },
        "permits it": { $0.nameConstraints = NameConstraints(permitted: [$1.constraint]) },
        "permits another": { template, _ in
            template.nameConstraints = NameConstraints(permitted: [.dns("other.example")])
        },
        "excludes it": { $0.nameConstraints = NameConstraints(excluded: [$1.constraint]) },
        "excludes another": { template, _ in
            template.nameConstraints = NameConstraints(excluded: [.dns("other.example")])
        },
        "SHA-1": { template, _ in template.digest = .sha1 },
        "SHA-512": { template, _ in template.digest = .sha512 },
        "unknown critical extension": { template, _ in template.extraExtensions = [unknown] },
        "ends in two minutes": { $0.notAfter = $1.now + 120 },
        "version 1": { template, _ in template.isVersion1 = true },
    ]

    static let leafFaults: KeyValuePairs<String, Fault> = [
        "wildcard": { $0.names = [.dns("*.\($1.parent)")] },
        "wildcard in a label": { $0.names = [.dns("\($1.host.prefix(1))*.\($1.parent)")] },
        "wildcard two labels up": { template, _ in template.names = [.dns("*.example")] },
        "another name": { $0.names = [.dns("other.\($1.parent)")] },
        "another name, the common name right": {
            ($0.names, $0.commonName) = ([.dns("other.\($1.parent)")], $1.host)
        },
        "common name only": { template, _ in template.names = [] },
        "upper case": { $0.names = [.dns($1.host.uppercased())] },
        "its name in Unicode": { template, _ in template.names = [.dns("b\u{FC}cher.lattice.example")] },
        "an address as a name": { template, _ in template.names = [.dns("127.0.0.1")] },
        "a dot at the end": { $0.names = [.dns("\($1.host).")] },
        "no purpose": { template, _ in template.extendedKeyUsage = [] },
        "any purpose": { template, _ in template.extendedKeyUsage = [anyPurpose] },
        "for clients": { template, _ in template.extendedKeyUsage = [CertificateTemplate.clientAuthentication] },
        "for clients and servers": { template, _ in
            template.extendedKeyUsage.append(CertificateTemplate.clientAuthentication)
        },
        "expired": { $0.notAfter = $1.now - day / 2 },
        "not yet valid": { $0.notBefore = $1.now + day },
        "ends in two minutes": { $0.notAfter = $1.now + 120 },
        "ten years": { $0.notAfter = $1.now + 3650 * day },
        "no end": { template, _ in template.notAfter = Date(timeIntervalSince1970: 253_402_300_799) },
        "SHA-1": { template, _ in template.digest = .sha1 },
        "SHA-384": { template, _ in template.digest = .sha384 },
        "no key usage": { template, _ in template.keyUsage = nil },
        "for keys only": { template, _ in template.keyUsage = [.keyEncipherment] },
        "an authority's": { template, _ in template.isAuthority = true },
        "corrupt": { template, _ in template.corruptsSignature = true },
        "unknown critical extension": { template, _ in template.extraExtensions = [unknown] },
    ]
}

extension ChainMaker.Place {
    /// What holds the host in constraints on names (RFC 5280 section 4.2.1.10).
    fileprivate var constraint: SubjectName {
        if case .ip(let octets) = SubjectName(host) { return .ip(octets + [255, 255, 255, 255]) }
        return .dns(parent)
    }
}
