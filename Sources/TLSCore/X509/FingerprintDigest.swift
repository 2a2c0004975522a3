import COpenSSL

/// The digests that clients take certificate fingerprints by; two of them no longer prove anything.
package enum FingerprintDigest: String, CaseIterable, Sendable {
    case md5
    case sha1
    case sha256

    /// How many bytes one has.
    package var count: Int {
        switch self {
        case .md5: 16
        case .sha1: 20
        case .sha256: 32
        }
    }

    /// Of some bytes; empty where this OpenSSL has been built without the algorithm.
    ///
    /// Of SHA-1, finding a second text with the same digest is out of reach, and making two is not.
    package func hash(_ bytes: [UInt8]) -> [UInt8] {
        _ = OpenSSL.isReady
        ERR_clear_error()
        defer { ERR_clear_error() }
        let algorithm =
            switch self {
            case .md5: EVP_md5()
            case .sha1: EVP_sha1()
            case .sha256: EVP_sha256()
            }
        var digest = [UInt8](repeating: 0, count: Int(EVP_MAX_MD_SIZE))
        var count: UInt32 = 0
        guard EVP_Digest(bytes, bytes.count, &digest, &count, algorithm, nil) == 1 else { return [] }
        return Array(digest.prefix(Int(count)))
    }
}

extension Certificate {
    /// The digest of the whole DER.
    package func fingerprint(_ digest: FingerprintDigest) -> [UInt8] { digest.hash(der) }
}
