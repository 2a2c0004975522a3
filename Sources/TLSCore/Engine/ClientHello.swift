/// What a client says first: whom it wants to talk to, and what it can speak.
package struct ClientHello: Hashable, Sendable {
    /// The server name indication (RFC 6066 section 3), lower-cased; `nil` when the client names nobody, or sends
    /// what is no name.
    package var serverName: String?
    /// The application protocols it offers (RFC 7301), in its order.
    package var applicationProtocols: [String] = []
    /// The cipher suites it offers, as their numbers, in its order.
    package var cipherSuites: [UInt16] = []
    /// The versions of TLS it offers, oldest first; of one that names its newest only, that one.
    package var versions: [TLSVersion] = []
    /// Which TLS stack it looks like.
    package var fingerprint: JA4?
}

extension ClientHello {
    /// Of several identities, each with a key of another kind, the one whose signatures the client likes best, as
    /// servers choose that have a certificate of each kind (`SSL_CTX_use_certificate(3)`); the first where it likes none.
    package func favourite(of identities: [Identity]) -> Identity? {
        let liked = (fingerprint?.signatureAlgorithms ?? []).compactMap(SignatureKind.init)
        let kinds = liked.filter { $0 != .ecdsa || takesECDSA }.uniqued
        return kinds.lazy.compactMap { kind in identities.first { $0.key.signatureKind == kind } }.first
            ?? identities.first
    }

    /// Before TLS 1.3 the cipher suite says what is signed with: RFC 8422 section 6, RFC 5289, RFC 7905, RFC 7251.
    private var takesECDSA: Bool {
        versions.contains(.tls1_3)
            || cipherSuites.contains { suite in
                [0xC006...0xC00A, 0xC023...0xC024, 0xC02B...0xC02C, 0xC0AC...0xC0AF, 0xCCA9...0xCCA9].contains {
                    $0.contains(suite)
                }
            }
    }
}

/// What a kind of key signs.
enum SignatureKind: Hashable {
    case rsa, ecdsa, edwards

    /// By the number of a `SignatureScheme` (RFC 8446 section 4.2.3), whose old half names the kind in its last byte
    /// (RFC 5246 section 7.4.1.4.1).
    init?(_ scheme: UInt16) {
        switch (scheme >> 8, scheme & 0xFF) {
        case (1...6, 1), (8, 4...6), (8, 9...11): self = .rsa
        case (1...6, 3): self = .ecdsa
        case (8, 7...8): self = .edwards
        default: return nil
        }
    }
}

extension ClientHello {
    /// Reads the contents of a `server_name` extension; `nil` unless it holds one host name and nothing else.
    static func serverName(in contents: [UInt8]) -> String? {
        var list = WireReader(contents)
        guard var names = list.block(lengthBytes: 2), list.isAtEnd,
            names.byte() == 0, let name = names.block(lengthBytes: 2), names.isAtEnd
        else { return nil }
        let bytes = name.rest
        // A NUL, a space or a control character is no host name: never match or mint by one.
        guard !bytes.isEmpty, bytes.count <= 255, bytes.allSatisfy({ 0x21...0x7E ~= $0 }) else { return nil }
        return String(decoding: bytes, as: UTF8.self).lowercased()
    }

    /// Reads the contents of an `application_layer_protocol_negotiation` extension; empty when it is malformed.
    static func applicationProtocols(in contents: [UInt8]) -> [String] {
        var list = WireReader(contents)
        guard var entries = list.block(lengthBytes: 2), list.isAtEnd else { return [] }
        var names: [String] = []
        while !entries.isAtEnd {
            guard let name = entries.block(lengthBytes: 1) else { return [] }
            names.append(String(decoding: name.rest, as: UTF8.self))
        }
        return names
    }

    /// Reads the two-byte numbers of a cipher-suite list.
    static func cipherSuites(in contents: [UInt8]) -> [UInt16] {
        numbers(in: contents)
    }

    /// Reads the contents of a `supported_versions` extension (RFC 8446 section 4.2.1); empty when it is malformed.
    static func versions(in contents: [UInt8]) -> [TLSVersion] {
        var list = WireReader(contents)
        guard let numbers = list.block(lengthBytes: 1), list.isAtEnd else { return [] }
        return self.numbers(in: Array(numbers.rest)).compactMap(TLSVersion.init).sorted()
    }

    private static func numbers(in contents: [UInt8]) -> [UInt16] {
        stride(from: 0, to: contents.count - 1, by: 2).map { UInt16(contents[$0]) << 8 | UInt16(contents[$0 + 1]) }
    }
}

/// Reads length-prefixed blocks, and never past their end: whatever a peer sends, Swift must not trap on an index.
struct WireReader {
    private(set) var rest: ArraySlice<UInt8>

    init(_ bytes: [UInt8]) { rest = bytes[...] }
    private init(slice: ArraySlice<UInt8>) { rest = slice }

    var isAtEnd: Bool { rest.isEmpty }

    mutating func byte() -> UInt8? { rest.popFirst() }

    /// A block behind its big-endian length; `nil`, and nothing read, when it is cut short.
    mutating func block(lengthBytes: Int) -> WireReader? {
        guard rest.count >= lengthBytes else { return nil }
        let length = rest.prefix(lengthBytes).reduce(0) { $0 << 8 | Int($1) }
        let body = rest.dropFirst(lengthBytes)
        guard body.count >= length else { return nil }
        rest = body.dropFirst(length)
        return WireReader(slice: body.prefix(length))
    }
}
