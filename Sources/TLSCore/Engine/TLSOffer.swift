import COpenSSL

/// What a server wants of a client's own certificate. Its handshake goes on without one in either case.
package enum ClientCertificateDemand: String, CaseIterable, Hashable, Sendable {
    /// Who has none is served.
    case asked
    /// Who has none is answered 400, as by `ssl_verify_client on` of nginx.
    case required
}

/// What a server limits itself to on some of its connections, beside the settings that it has for all.
package struct TLSOffer: Hashable, Sendable {
    /// `nil`: those of the settings.
    package var versions: ClosedRange<TLSVersion>?
    /// Cipher suites by OpenSSL's names (`openssl-ciphers(1)`), those of TLS 1.3 among them; empty for all.
    package var ciphers: [String]
    /// Key-exchange groups by OpenSSL's names, in order of preference; empty for all.
    package var groups: [String]
    /// The size of the group for `DHE` suites in bits, 1024 or 2048; `nil`: no such suite can be chosen.
    package var finiteFieldBits: Int?
    /// Application protocols in order of preference; `nil`: those of the settings. Where none is left, the extension is
    /// not answered.
    package var applicationProtocols: [String]?
    /// Whether the client is asked for a certificate; `nil`: it is not.
    package var clientCertificate: ClientCertificateDemand?

    package init(
        versions: ClosedRange<TLSVersion>? = nil,
        ciphers: [String] = [],
        groups: [String] = [],
        finiteFieldBits: Int? = nil,
        applicationProtocols: [String]? = nil,
        clientCertificate: ClientCertificateDemand? = nil
    ) {
        self.versions = versions
        self.ciphers = ciphers
        self.groups = groups
        self.finiteFieldBits = finiteFieldBits
        self.applicationProtocols = applicationProtocols
        self.clientCertificate = clientCertificate
    }

    /// One version and nothing else; no limit for `nil`.
    package init(version: TLSVersion?) {
        self.init(versions: version.map { $0...$0 })
    }

    private var newCiphers: [String] { ciphers.filter { $0.hasPrefix("TLS_") } }
    private var oldCiphers: [String] { ciphers.filter { !$0.hasPrefix("TLS_") } }

    /// The versions that the cipher suites belong to; `nil` where they are of all.
    package var versionsOfCiphers: ClosedRange<TLSVersion>? {
        switch (oldCiphers.isEmpty, newCiphers.isEmpty) {
        case (false, true): .tls1_0 ... .tls1_2
        case (true, false): .tls1_3 ... .tls1_3
        default: nil
        }
    }

    /// Whether some of the cipher suites leave out encryption, or the server's certificate.
    package var isInTheOpen: Bool {
        oldCiphers.contains { $0.contains("NULL") || $0.contains("ADH") || $0.contains("AECDH") }
    }

    /// What some builds of OpenSSL have and others lack (`NEWS.md` of OpenSSL 1.1.0 and 3.5).
    package static let knownElsewhere: Set<String> = [
        "X25519MLKEM768", "SecP256r1MLKEM768", "SecP384r1MLKEM1024", "MLKEM768",
        "RC4-SHA", "RC4-MD5", "DES-CBC3-SHA", "ECDHE-RSA-DES-CBC3-SHA", "ECDHE-ECDSA-DES-CBC3-SHA",
    ]

    /// What of this the OpenSSL at hand does not have, in words; `nil` where it has all.
    package func obstacle(except tolerated: Set<String> = []) -> String? {
        guard let context = try? TLSContext(server: TLSSettings()), let ssl = SSL_new(context.ssl.pointer) else {
            return nil
        }
        defer {
            SSL_free(ssl)
            ERR_clear_error()
        }
        for group in groups where !tolerated.contains(group) && pd_ssl_set_groups(ssl, group) != 1 {
            return "the key-exchange group '\(group)'"
        }
        for cipher in newCiphers where SSL_set_ciphersuites(ssl, cipher) != 1 { return "the cipher suite '\(cipher)'" }
        for cipher in oldCiphers
        where !tolerated.contains(cipher) && SSL_set_cipher_list(ssl, "\(cipher):@SECLEVEL=0") != 1 {
            return "the cipher suite '\(cipher)'"
        }
        return nil
    }

    func apply(to ssl: OpaquePointer) throws(OpenSSLError) {
        if let versions {
            let (lowest, highest) = (Int32(versions.lowerBound.rawValue), Int32(versions.upperBound.rawValue))
            try require(pd_ssl_set_versions(ssl, lowest, highest), "speak \(versions.upperBound)")
        }
        if !oldCiphers.isEmpty {
            let list = oldCiphers.joined(separator: ":") + ":@SECLEVEL=0"
            try require(SSL_set_cipher_list(ssl, list), "choose cipher suites")
        }
        if !newCiphers.isEmpty {
            try require(SSL_set_ciphersuites(ssl, newCiphers.joined(separator: ":")), "choose cipher suites")
        }
        if !groups.isEmpty {
            try require(pd_ssl_set_groups(ssl, groups.joined(separator: ":")), "choose key-exchange groups")
        }
        // `SSL_CTX_set_dh_auto(3)`: 2 is always 1024 bits, 1 as many as suit the certificate's key.
        if let finiteFieldBits { pd_ssl_set_dh_auto(ssl, finiteFieldBits < 2048 ? 2 : 1) }
        // Whatever certificate comes is good: it is not the client that is judged by one.
        if clientCertificate != nil { SSL_set_verify(ssl, SSL_VERIFY_PEER, { _, _ in 1 }) }
    }
}
