import TLSCore

/// The public-key pin as iOS code computes it: a fixed header for each kind of key, and behind it what
/// `SecKeyCopyExternalRepresentation` returns. For a kind of key without a header it cannot be had, or is wrong.
enum AppleKeyHash: CaseIterable {
    case rsa2048, rsa3072, rsa4096, p256, p384

    /// The kind of a certificate's key; `nil` where no header is known.
    init?(_ certificate: Certificate) {
        switch (certificate.keyCurve, certificate.keyDescription) {
        case ("prime256v1", _): self = .p256
        case ("secp384r1", _): self = .p384
        case (nil, "RSA 2048"): self = .rsa2048
        case (nil, "RSA 3072"): self = .rsa3072
        case (nil, "RSA 4096"): self = .rsa4096
        default: return nil
        }
    }

    /// What stands before the key in a `SubjectPublicKeyInfo`, lengths included: right for the usual exponent only.
    var header: [UInt8] {
        switch self {
        case .rsa2048: AppleKeyHash.rsa(outer: [0x01, 0x22], inner: [0x01, 0x0F])
        case .rsa3072: AppleKeyHash.rsa(outer: [0x01, 0xA2], inner: [0x01, 0x8F])
        case .rsa4096: AppleKeyHash.rsa(outer: [0x02, 0x22], inner: [0x02, 0x0F])
        case .p256:
            [0x30, 0x59, 0x30, 0x13, 0x06, 0x07, 0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x02, 0x01, 0x06, 0x08]
                + [0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x03, 0x01, 0x07, 0x03, 0x42, 0x00]
        case .p384:
            [0x30, 0x76, 0x30, 0x10, 0x06, 0x07, 0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x02, 0x01, 0x06, 0x05]
                + [0x2B, 0x81, 0x04, 0x00, 0x22, 0x03, 0x62, 0x00]
        }
    }

    func pin(of certificate: Certificate) -> Pin { Pin(hashing: header + certificate.publicKeyBits) }

    private static func rsa(outer: [UInt8], inner: [UInt8]) -> [UInt8] {
        [0x30, 0x82] + outer + [0x30, 0x0D, 0x06, 0x09, 0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x01, 0x01, 0x05]
            + [0x00, 0x03, 0x82] + inner + [0x00]
    }
}
