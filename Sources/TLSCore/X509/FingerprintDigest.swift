import COpenSSL

/// The digests that clients take certificate fingerprints by; two of them no longer prove anything.
public enum FingerprintDigest: String, CaseIterable, Sendable {
    case md5
    case sha1
    case sha256

    /// How many bytes one has.
    public var count: Int {
        switch self {
        case .md5: 16
        case .sha1: 20
        case .sha256: 32
        }
    }
}

extension Certificate {
    /// The digest of the whole DER; empty where this OpenSSL has been built without the algorithm.
    public func fingerprint(_ digest: FingerprintDigest) -> [UInt8] {
        ERR_clear_error()
        defer { ERR_clear_error() }
        let algorithm =
            switch digest {
            case .md5: EVP_md5()
            case .sha1: EVP_sha1()
            case .sha256: EVP_sha256()
            }
        var bytes = [UInt8](repeating: 0, count: Int(EVP_MAX_MD_SIZE))
        var count: UInt32 = 0
        guard X509_digest(x509.pointer, algorithm, &bytes, &count) == 1 else { return [] }
        return Array(bytes.prefix(Int(count)))
    }
}
