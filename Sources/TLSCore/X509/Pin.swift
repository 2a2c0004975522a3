/// A SHA-256 digest that names a public key, or a whole certificate.
///
/// A *public-key pin* hashes the DER `SubjectPublicKeyInfo` (RFC 7469 section 2.4), so it survives a renewal that keeps
/// the key. A *certificate pin* hashes the whole DER certificate, and every renewal breaks it. The bytes look alike;
/// which of the two a pin is, is said by what holds it (`PinRequirement.Match`).
public struct Pin: Hashable, Sendable {
    /// The digest: always 32 bytes.
    public let digest: [UInt8]

    /// Takes a digest of exactly 32 bytes; `nil` for any other length.
    public init?(digest: some Sequence<UInt8>) {
        let digest = Array(digest)
        guard digest.count == 32 else { return nil }
        self.digest = digest
    }
}
