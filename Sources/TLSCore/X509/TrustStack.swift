/// How a client's TLS library builds paths and judges them, as far as libraries differ. The rules stay OpenSSL's: a stack
/// says which paths are tried, and where it judges otherwise. `docs/stacks.md` has the sources.
package enum TrustStack: String, CaseIterable, Sendable {
    /// Nobody knows: what the others disagree about can be demanded of no client.
    case unknown
    /// curl, Perl, and Python from 3.13 on: one path, and no way back.
    case openSSL = "openssl"
    /// The same without `X509_V_FLAG_PARTIAL_CHAIN`, as in Node, Ruby, PHP, `openssl s_client` and Python before 3.13: a path
    /// ends in a certificate that vouches for itself.
    case openSSLToRoots = "openssl-to-roots"
    /// BoringSSL's verifier in its old form, as swift-nio-ssl has it: `X509_verify_cert` without a way back.
    case boringSSL = "boringssl"
    /// wget and gnutls-cli of Debian.
    case gnuTLS = "gnutls"
    /// `crypto/x509` of Go.
    case go
    /// JSSE, Java's own.
    case java
    /// `TrustManagerImpl` of Android's Conscrypt.
    case conscrypt
    /// `trustd` of Apple's platforms.
    case apple
    /// Chromium's own verifier, and the browsers before it that knew HPKP.
    case chromium

    /// Which certificates of a path are held to their extended key usage, where OpenSSL is not asked about purposes.
    enum Purposes {
        case none
        case leaf
        case path
    }

    /// Whether a certificate has expired in the second that its `notAfter` names, which RFC 5280 section 4.1.2.5 counts in.
    /// `X509_cmp_time` calls equal times past. The others cannot be foretold: gnutls-cli and Chromium count it in, wget and
    /// Firefox do not, and Go, Java, Android and Apple compare fractions of a second with the whole one.
    var expiresEarly: Bool { [.openSSL, .openSSLToRoots, .boringSSL].contains(self) }

    /// Whether another path is tried when one fails.
    var backtracks: Bool {
        switch self {
        case .go, .java, .conscrypt, .apple, .chromium: true
        case .unknown, .openSSL, .openSSLToRoots, .boringSSL, .gnuTLS: false
        }
    }

    /// Whether nothing of an anchor counts but its name and its key (RFC 5280 section 6.1.1 d).
    var takesAnchorsAsKeys: Bool { self == .java || self == .conscrypt }

    /// Whether an anchor is held to its dates and its constraints on names, and to nothing else.
    var takesAnchorsAsTheyAre: Bool { self == .boringSSL }

    /// Whether an anchor of version 1, which cannot say that it is an authority's, may be one that vouches not for itself.
    var takesOldAnchors: Bool { self == .go || self == .gnuTLS }

    /// Whether servers can prove only to have RSA keys and those on P-256 and P-384 (`kVerifySignatureAlgorithms` of BoringSSL).
    var knowsFewKeys: Bool { [.chromium, .conscrypt, .boringSSL].contains(self) }

    /// Whether a certificate can be verified with an authority's key that is neither RSA's nor on a curve of NIST
    /// (`SignatureAlgorithm` of Chromium's verifier has no others).
    var verifiesEdwardsKeys: Bool { self != .chromium && self != .conscrypt }

    /// Whether a path goes on above an anchor to those that vouch for it in the store.
    var goesOnAboveAnchors: Bool { self == .conscrypt }

    /// So many certificates are read of what a server sends (`jdk.tls.maxCertificateChainLength` of Java,
    /// `DEFAULT_MAX_VERIFY_DEPTH` of GnuTLS); `nil` for as many as fit into a message.
    var mostCertificates: Int? {
        switch self {
        case .java: 10
        case .gnuTLS: 16
        default: nil
        }
    }

    /// Whether a common name is held to an authority's constraints on names where the leaf has no DNS name beside it.
    var constrainsCommonNames: Bool { [.openSSL, .openSSLToRoots, .gnuTLS].contains(self) }

    /// Whether an authority's limit on those below it counts certificates of one name and issuer as well, against RFC 5280
    /// section 4.2.1.9.
    var countsSelfIssued: Bool { self == .go || self == .gnuTLS }

    /// `nil`: as OpenSSL, which takes no `anyExtendedKeyUsage` for a server's.
    var purposes: Purposes? {
        switch self {
        case .unknown, .openSSL, .openSSLToRoots, .boringSSL, .apple, .chromium: nil
        case .gnuTLS: Purposes.none
        case .java, .conscrypt: .leaf
        case .go: .path
        }
    }

    /// Whether signatures over SHA-1 and MD5 are refused, and RSA keys below 1024 bits, and no others.
    var refusesForgeableDigests: Bool { [.gnuTLS, .go, .conscrypt].contains(self) }

    /// Whether an IPv4 address written as IPv6 (`::ffff:192.0.2.1`) is the IPv4 address.
    var readsMappedAddresses: Bool { [.go, .java, .conscrypt].contains(self) }

    /// Whether all versions in use refuse what OpenSSL finds here; otherwise some may accept it.
    package func isSure(of reason: TrustFailure.Reason) -> Bool {
        switch reason {
        // We stopped, and cannot say that nobody finds a way.
        case .tooManyPaths, .undecided, .disputedName, .lastSecond: false
        // Chromium and swift-nio-ssl were run, and Conscrypt's BoringSSL was not.
        case .unknownKey: self != .conscrypt
        case .tooWeak: refusesForgeableDigests || self == .apple
        // Chromium takes `anyExtendedKeyUsage`, and Firefox, which knew HPKP as well, does not.
        case .wrongPurpose: self != .unknown && self != .chromium
        // A common name without any other: OpenSSL, GnuTLS and Java take it.
        case .wrongHost: [.go, .conscrypt, .apple, .chromium].contains(self)
        case .noCertificate, .malformedHost, .revoked, .notItsKey: true
        default: self != .unknown
        }
    }
}
