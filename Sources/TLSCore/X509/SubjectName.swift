import COpenSSL
package import Foundation

/// A name that a certificate may be used for (subject alternative name, RFC 5280 section 4.2.1.6).
package enum SubjectName: Hashable, Sendable, CustomStringConvertible {
    /// A DNS name, possibly with a `*` as its whole first label.
    case dns(String)
    /// 4 or 16 bytes, network order.
    case ip([UInt8])
    /// Any other kind, by its ASN.1 context tag and contents.
    case other(tag: UInt8, contents: [UInt8])

    /// Takes an IPv4 or IPv6 address as such, and everything else as a DNS name.
    package init(_ text: String) {
        if let address = SubjectName.address(text) {
            self = .ip(address)
        } else {
            self = .dns(text)
        }
    }

    package var description: String {
        switch self {
        case .dns(let name): name
        case .ip(let bytes) where bytes.count == 4: bytes.map(String.init).joined(separator: ".")
        case .ip(let bytes):
            stride(from: 0, to: bytes.count - 1, by: 2)
                .map { String(UInt16(bytes[$0]) << 8 | UInt16(bytes[$0 + 1]), radix: 16) }
                .joined(separator: ":")
        case .other(let tag, let contents): "[\(tag)] \(hexadecimal(contents))"
        }
    }

    /// A host without the dot at its end, which stands for the root of all names and is in no certificate: clients take
    /// it off before they compare.
    package static func relative(_ host: String) -> String { host.hasSuffix(".") ? String(host.dropLast()) : host }

    /// An IPv4 address that is written as IPv6 (RFC 4291 section 2.5.5.2) as itself; anything else as it stands.
    package static func unmapped(_ host: String) -> String {
        guard let octets = address(host), octets.count == 16,
            octets.prefix(12) == [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 255, 255]
        else { return host }
        return octets.suffix(4).map { "\($0)" }.joined(separator: ".")
    }

    /// Whether a certificate can be asked for this host. To OpenSSL an empty name means "do not check", a NUL ends
    /// the name, and a leading dot means "any host below".
    static func canBeAsked(_ host: String) -> Bool {
        !host.isEmpty && !host.utf8.contains(0) && !host.hasPrefix(".")
    }

    /// The 4 or 16 bytes of an address in text form; `nil` when it is none.
    static func address(_ text: String) -> [UInt8]? {
        // OpenSSL would read as far as a NUL or a space, and pass over what stands behind.
        guard text.utf8.allSatisfy({ 0x21...0x7E ~= $0 }), let octets = a2i_IPADDRESS(text) else { return nil }
        defer { ASN1_STRING_free(octets) }
        return Array(
            UnsafeBufferPointer(start: ASN1_STRING_get0_data(octets), count: Int(ASN1_STRING_length(octets)))
        )
    }
}

extension Certificate {
    /// The subject alternative names in the order they stand; empty when there are none.
    package var names: [SubjectName] {
        guard let raw = X509_get_ext_d2i(x509.pointer, NID_subject_alt_name, nil, nil) else { return [] }
        let list = OpaquePointer(raw)
        defer { GENERAL_NAMES_free(list) }
        return (0..<pd_general_names_count(list)).compactMap { index in
            guard let name = pd_general_name_at(list, index) else { return nil }
            var kind: Int32 = 0
            guard let value = GENERAL_NAME_get0_value(name, &kind) else { return nil }
            switch kind {
            case GEN_DNS: return .dns(String(decoding: octets(of: value), as: UTF8.self))
            case GEN_IPADD: return .ip(octets(of: value))
            case GEN_EMAIL, GEN_URI: return .other(tag: UInt8(kind), contents: octets(of: value))
            default: return .other(tag: UInt8(clamping: kind), contents: [])
            }
        }
    }

    private func octets(of value: UnsafeMutableRawPointer) -> [UInt8] {
        let string = value.assumingMemoryBound(to: ASN1_STRING.self)
        return Array(
            UnsafeBufferPointer(start: ASN1_STRING_get0_data(string), count: Int(ASN1_STRING_length(string)))
        )
    }
}

extension Certificate {
    /// What is wrong with this certificate alone, whoever vouches for it; `nil` for the host or the instant checks
    /// none of it, and `nil` comes back when nothing is wrong.
    ///
    /// A common name never counts (RFC 9525 section 6.3).
    package func failure(host: String?, at instant: Date?) -> TrustFailure? {
        if let host {
            let host = SubjectName.relative(host)
            guard SubjectName.canBeAsked(host) else { return TrustFailure(.malformedHost) }
            guard isNamed(host) else { return TrustFailure(.wrongHost) }
        }
        guard let instant else { return nil }
        if instant < validity.notBefore { return TrustFailure(.notYetValid) }
        // OpenSSL, and so every client built on it, is stricter than RFC 5280 by one second.
        return instant >= validity.notAfter ? TrustFailure(.expired) : nil
    }

    private func isNamed(_ host: String) -> Bool {
        if SubjectName.address(host) != nil { return X509_check_ip_asc(x509.pointer, host, 0) == 1 }
        let flags = UInt32(X509_CHECK_FLAG_NEVER_CHECK_SUBJECT | X509_CHECK_FLAG_NO_PARTIAL_WILDCARDS)
        return X509_check_host(x509.pointer, host, host.utf8.count, flags, nil) == 1
    }
}
