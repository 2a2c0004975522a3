import COpenSSL

/// Why a chain is not trusted: a typed reason, drawn from OpenSSL's code and never from its message text.
package struct TrustFailure: Error, Hashable, Sendable {
    /// What was wrong. Each is a thing a user can name; the code stays for those that have no name here.
    package enum Reason: Hashable, Sendable {
        case noCertificate
        /// The path leads to no anchor of the store.
        case unknownAuthority
        /// The leaf vouches for itself, and is no anchor.
        case selfSigned
        case wrongHost
        /// The name asked for is none.
        case malformedHost
        case expired
        /// A certificate ends in this very second, which some clients count in.
        case lastSecond
        case notYetValid
        case badSignature
        /// A certificate of the path vouches for another and is not allowed to.
        case notAnAuthority
        case pathTooLong
        /// Key usage or extended key usage forbids serving TLS.
        case wrongPurpose
        /// A name outside the constraints of an authority above.
        case nameNotPermitted
        case unknownCriticalExtension
        /// A key too short, or a digest too old.
        case tooWeak
        case revoked
        /// The server cannot prove to have the key of the certificate that it shows.
        case notItsKey
        case malformed
        /// Authorities vouch for each other in so many ways that not all were tried (`PathSearch`).
        case tooManyPaths
        /// The client's TLS library takes no signatures of such a key in a handshake.
        case unknownKey
        /// More certificates were sent than the TLS library reads.
        case tooManyCertificates
        /// The library takes one of several anchors, nobody can foretell which, and refuses some of them.
        case undecided
        /// The client compares such a name in a way of its own.
        case disputedName
        /// More names, or more constraints on them, than OpenSSL compares.
        case tooManyNames
        /// Another of OpenSSL's `X509_V_ERR_…` codes.
        case other(Int)
    }

    package let reason: Reason
    /// Which certificate of the path: 0 is the leaf.
    package let depth: Int

    package init(_ reason: Reason, depth: Int = 0) {
        self.reason = reason
        self.depth = depth
    }

    /// Whether it is the leaf's own fault, so that no other path can mend it.
    var isOfLeaf: Bool {
        guard depth == 0 else { return false }
        return switch reason {
        case .wrongHost, .malformedHost, .expired, .notYetValid, .wrongPurpose, .unknownCriticalExtension,
            .noCertificate, .unknownKey:
            true
        default: false
        }
    }

    /// The same, but said of what is really wrong, where OpenSSL knows only that it found no issuer, or nothing at all.
    func explained(by chain: [Certificate]) -> TrustFailure {
        switch reason {
        case .unknownAuthority:
            // An authority whose extensions cannot be read is nobody's issuer.
            let unread = chain.indices.first { chain[$0].hasUnreadExtension }
            return unread.map { TrustFailure(.malformed, depth: $0) } ?? self
        case .other(Int(X509_V_ERR_UNSPECIFIED)) where chain.contains(where: \.hasNameConstraints):
            return TrustFailure(.tooManyNames, depth: depth)
        default: return self
        }
    }

    /// From `X509_STORE_CTX_get_error(3)`, or `SSL_get_verify_result(3)`.
    init(code: Int32, depth: Int) {
        self.init(Reason(code: code), depth: depth)
    }
}

extension TrustFailure.Reason {
    init(code: Int32) {
        self =
            switch code {
            case X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT, X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT_LOCALLY,
                X509_V_ERR_UNABLE_TO_VERIFY_LEAF_SIGNATURE, X509_V_ERR_SELF_SIGNED_CERT_IN_CHAIN,
                X509_V_ERR_CERT_UNTRUSTED:
                .unknownAuthority
            case X509_V_ERR_DEPTH_ZERO_SELF_SIGNED_CERT: .selfSigned
            case X509_V_ERR_HOSTNAME_MISMATCH, X509_V_ERR_IP_ADDRESS_MISMATCH: .wrongHost
            case X509_V_ERR_CERT_HAS_EXPIRED: .expired
            case X509_V_ERR_CERT_NOT_YET_VALID: .notYetValid
            case X509_V_ERR_CERT_SIGNATURE_FAILURE, X509_V_ERR_UNABLE_TO_DECRYPT_CERT_SIGNATURE: .badSignature
            case X509_V_ERR_INVALID_CA, X509_V_ERR_KEYUSAGE_NO_CERTSIGN, X509_V_ERR_INVALID_NON_CA: .notAnAuthority
            case X509_V_ERR_PATH_LENGTH_EXCEEDED: .pathTooLong
            case X509_V_ERR_INVALID_PURPOSE: .wrongPurpose
            case X509_V_ERR_PERMITTED_VIOLATION, X509_V_ERR_EXCLUDED_VIOLATION: .nameNotPermitted
            case X509_V_ERR_UNHANDLED_CRITICAL_EXTENSION: .unknownCriticalExtension
            case X509_V_ERR_EE_KEY_TOO_SMALL, X509_V_ERR_CA_KEY_TOO_SMALL, X509_V_ERR_CA_MD_TOO_WEAK: .tooWeak
            case X509_V_ERR_CERT_REVOKED: .revoked
            case X509_V_ERR_ERROR_IN_CERT_NOT_BEFORE_FIELD, X509_V_ERR_ERROR_IN_CERT_NOT_AFTER_FIELD,
                X509_V_ERR_INVALID_EXTENSION, X509_V_ERR_UNSUPPORTED_NAME_SYNTAX,
                X509_V_ERR_UNSUPPORTED_CONSTRAINT_SYNTAX, X509_V_ERR_UNSUPPORTED_CONSTRAINT_TYPE,
                X509_V_ERR_UNABLE_TO_DECODE_ISSUER_PUBLIC_KEY, X509_V_ERR_EC_KEY_EXPLICIT_PARAMS:
                .malformed
            default: .other(Int(code))
            }
    }
}

extension TrustFailure: CustomStringConvertible {
    /// A clause for people, as in "it does not name the host".
    package var description: String {
        switch reason {
        case .noCertificate: "no certificate was shown"
        case .unknownAuthority: "its issuer is not trusted"
        case .selfSigned: "it vouches only for itself"
        case .wrongHost: "it does not name the host"
        case .malformedHost: "the host asked for is no name"
        case .expired: depth == 0 ? "it has expired" : "an authority above it has expired"
        case .lastSecond: "a certificate ends in this very second"
        case .notYetValid: depth == 0 ? "it is not valid yet" : "an authority above it is not valid yet"
        case .badSignature: "a signature is forged"
        case .notAnAuthority: "its issuer is no authority"
        case .pathTooLong: "its path is longer than an authority allows"
        case .wrongPurpose: "it is not meant for servers"
        case .nameNotPermitted: "an authority above it may not vouch for this name"
        case .unknownCriticalExtension: "a critical extension is unknown"
        case .tooWeak: "a key or a digest is too weak"
        case .revoked: "it is revoked"
        case .notItsKey: "the server does not have its key"
        case .malformed: "a field cannot be read"
        case .tooManyNames: "it has more names than are held to an authority's constraints"
        case .unknownKey: "the client takes no signatures of its kind of key"
        case .tooManyCertificates: "more certificates are sent than are read"
        case .undecided: "its library takes any of several anchors, and refuses some"
        case .disputedName: "its library compares this name in a way of its own"
        case .tooManyPaths: "there are more ways to an anchor than were tried"
        case .other(let code): "it is not trusted (\(String(cString: X509_verify_cert_error_string(code))))"
        }
    }
}
