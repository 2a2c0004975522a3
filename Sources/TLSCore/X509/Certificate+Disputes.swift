import COpenSSL

/// What TLS stacks in use disagree about: here no acceptance and no refusal can be demanded of a client, since it is its
/// library that decides. Each source is a version that was read or run.
extension Certificate {
    /// Whether some stack takes the certificate for the host though RFC 9525 section 6.3 does not: a common name where
    /// there is no DNS name (curl with OpenSSL, wget), a wildcard for a part of a label (OpenSSL's default, Node), a dot
    /// at the end (curl), an address as the common name of a certificate without other names (curl with OpenSSL).
    func isPerhapsNamed(_ host: String, on stack: TrustStack) -> Bool {
        guard SubjectName.canBeAsked(host) else { return false }
        if SubjectName.address(host) != nil {
            return [.openSSL, .unknown].contains(stack) && names.isEmpty && commonName == host
        }
        let name = SubjectName.relative(host)
        return hasPartialWildcard(for: name)
            || [name, "\(name)."].contains { (asked: String) in
                X509_check_host(x509.pointer, asked, asked.utf8.count, 0, nil) == 1
            }
    }

    /// Whether a wildcard for a part of the first label stands for the name, an IDN included, which OpenSSL excepts and Node
    /// and PHP do not.
    private func hasPartialWildcard(for name: String) -> Bool {
        let asked = name.lowercased().split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
        return asked.count == 2
            && names.contains {
                guard case .dns(let pattern) = $0 else { return false }
                let labels = pattern.lowercased().split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
                let parts = labels.first?.split(separator: "*", omittingEmptySubsequences: false) ?? []
                return parts.count == 2 && labels.last == asked[1] && labels.count == 2
                    && asked[0].hasPrefix(parts[0]) && asked[0].hasSuffix(parts[1])
                    && asked[0].count >= parts[0].count + parts[1].count
            }
    }

    /// Whether some stack takes the certificate for a server's: it is not for other purposes alone. `anyExtendedKeyUsage`
    /// is enough for Go and not for OpenSSL 3.0, and Go does not read a leaf's key usage.
    var isPerhapsForServers: Bool {
        _ = X509_check_purpose(x509.pointer, -1, 0)
        guard X509_get_extension_flags(x509.pointer) & UInt32(EXFLAG_XKUSAGE) != 0 else { return true }
        return X509_get_extended_key_usage(x509.pointer) & UInt32(XKU_SSL_SERVER | XKU_ANYEKU) != 0
    }

    private var flags: UInt32 {
        _ = X509_check_purpose(x509.pointer, -1, 0)
        return X509_get_extension_flags(x509.pointer)
    }

    private var hasOddSerial: Bool {
        let serial = X509_get0_serialNumber(x509.pointer)
        guard let number = ASN1_INTEGER_to_BN(serial, nil) else { return true }
        defer { BN_free(number) }
        return BN_is_zero(number) == 1 || BN_is_negative(number) == 1 || BN_num_bits(number) > 159
    }

    /// Whether it names a host by a wildcard.
    fileprivate var hasWildcard: Bool {
        names.contains { if case .dns(let name) = $0 { name.hasPrefix("*.") } else { false } }
    }

    private var repeatsExtension: Bool {
        let identifiers = (0..<X509_get_ext_count(x509.pointer)).map { index in
            derBytes { i2d_ASN1_OBJECT(X509_EXTENSION_get_object(X509_get_ext(x509.pointer, index)), $0) }
        }
        return Set(identifiers).count < identifiers.count
    }

    /// What of a certificate that OpenSSL accepts other stacks refuse, in words; `nil` for nothing.
    fileprivate func dispute(isLeaf: Bool) -> String? {
        if isLeaf, flags & UInt32(EXFLAG_CA) != 0 { return "the server's certificate is an authority's" }
        if isLeaf, flags & UInt32(EXFLAG_KUSAGE) != 0,
            X509_get_key_usage(x509.pointer) & UInt32(X509v3_KU_DIGITAL_SIGNATURE) == 0
        {
            return "the server's certificate is not for signatures"
        }
        if !isLeaf, flags & UInt32(EXFLAG_BCONS) == 0 { return "an authority's certificate has no basic constraints" }
        if hasOddSerial { return "a serial number is not positive, or is too long" }
        return repeatsExtension ? "an extension stands twice in a certificate" : nil
    }
}

extension Certificate {
    /// The most intermediates that every stack follows: Java takes five (`PKIXBuilderParameters.getMaxPathLength`), webpki,
    /// which rustls uses, six.
    private static let mostIntermediates = 5
    /// Go reads no handshake message beyond this (`maxHandshake` in `crypto/tls`); OpenSSL stops at 100 KB.
    private static let mostBytes = 65_536

    /// What of a chain that OpenSSL trusts other stacks refuse, in words; `nil` for nothing.
    ///
    /// - Parameter path: as validated, leaf first, the anchor last: nothing of an anchor is checked but its name and key.
    package static func dispute(sent: [Certificate], path: [Certificate]) -> String? {
        if sent.reduce(0, { $0 + $1.der.count }) > mostBytes { return "the chain is very long in bytes" }
        if path.count > mostIntermediates + 2 { return "the path has very many authorities" }
        return path.dropLast().enumerated().lazy.compactMap { $1.dispute(isLeaf: $0 == 0) }.first
    }
}

extension TrustStack {
    /// What of a chain that this stack trusts other stacks, or other versions of it, refuse, in words; `nil` for nothing.
    package func dispute(sent: [Certificate], path: [Certificate]) -> String? {
        if let dispute = Certificate.dispute(sent: sent, path: path) { return dispute }
        if self == .unknown, path.placeWhereCommonNameIsConstrained != nil {
            return "a common name, beside which there is no DNS name, stands outside constraints on names"
        }
        if self == .unknown, path.placeOfShortLimit != nil {
            return "an authority limits those below it, and one of them has its issuer's name"
        }
        // `DNSName.constrains` of Java fails on an empty one.
        if [.unknown, .java, .conscrypt].contains(self),
            path.dropFirst().dropLast().contains(where: { $0.nameConstraints?.permitted.contains(.dns("")) == true })
        {
            return "an authority permits every name by an empty one"
        }
        // A store of certificates of servers is not one of authorities.
        if self == .chromium, path.count == 1 { return "the server's certificate is trusted by itself" }
        if self == .chromium, let anchor = path.last, TrustStack.hasManyWays(sent, anchor) {
            return "the names of authorities lead more ways than Chromium tries"
        }
        // Newer versions of Go hold constraints against all that a wildcard may stand for.
        guard self == .go, path.first?.hasWildcard == true,
            path.dropFirst().contains(where: \.hasNameConstraints)
        else { return nil }
        return "a wildcard stands below constraints on names"
    }

    /// `kPathBuilderIterationLimit` of Chromium's `net/cert`, since https://crrev.com/c/4903550: each issuer that is looked at
    /// counts, whichever path it leads to and whether or not it signed anything.
    private static let mostSteps = 20

    /// Whether all paths by names alone have more steps than Chromium makes. Which it takes first is not foretold.
    private static func hasManyWays(_ sent: [Certificate], _ anchor: Certificate) -> Bool {
        guard let leaf = sent.first else { return false }
        let issuers = (sent.dropFirst() + [anchor]).uniqued
        var waiting = [[leaf]]
        var steps = 0
        while let path = waiting.popLast(), let last = path.last {
            guard last != anchor else { continue }
            for issuer in issuers where last.isNamed(by: issuer) && !path.contains(issuer) {
                steps += 1
                if steps > mostSteps { return true }
                waiting.append(path + [issuer])
            }
        }
        return false
    }
}
