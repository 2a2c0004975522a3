import COpenSSL

/// Facts that the rules of platforms are about, read from the DER on demand.
extension Certificate {
    /// The size of the key in bits; 0 where it cannot be read.
    public var keyBits: Int {
        guard let key = X509_get0_pubkey(x509.pointer) else { return 0 }
        return Int(EVP_PKEY_get_bits(key))
    }

    /// The curve of an elliptic-curve key by OpenSSL's name, as in `prime256v1`; `nil` for any other key.
    public var keyCurve: String? {
        guard let key = X509_get0_pubkey(x509.pointer), EVP_PKEY_get_base_id(key) == EVP_PKEY_EC else { return nil }
        var name = [CChar](repeating: 0, count: 64)
        var count = 0
        guard EVP_PKEY_get_group_name(key, &name, name.count, &count) == 1 else { return nil }
        return String(decoding: name.prefix(count).map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    /// The contents of the `subjectPublicKey` bit string: for RSA the modulus and the exponent in DER (PKCS #1), for
    /// elliptic curves the point. It is what Apple's `SecKeyCopyExternalRepresentation` returns.
    public var publicKeyBits: [UInt8] {
        guard let bits = X509_get0_pubkey_bitstr(x509.pointer), let bytes = ASN1_STRING_get0_data(bits) else {
            return []
        }
        return Array(UnsafeBufferPointer(start: bytes, count: Int(ASN1_STRING_length(bits))))
    }

    /// The subject's common name; empty where it has none.
    package var commonName: String {
        var text = [CChar](repeating: 0, count: 512)
        let subject = X509_get_subject_name(x509.pointer)
        let count = X509_NAME_get_text_by_NID(subject, NID_commonName, &text, Int32(text.count))
        return String(decoding: text.prefix(max(0, Int(count))).map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    /// What Android names a root's file by: OpenSSL's hash of a subject before version 1.0.
    package var oldSubjectHash: String {
        let digits = String(X509_subject_name_hash_old(x509.pointer), radix: 16)
        return String(repeating: "0", count: 8 - digits.count) + digits
    }

    /// Every extension in its order.
    package var extensions: [CertificateExtension] {
        (0..<X509_get_ext_count(x509.pointer)).compactMap { index in
            guard let entry = X509_get_ext(x509.pointer, index), let value = X509_EXTENSION_get_data(entry),
                let bytes = ASN1_STRING_get0_data(value)
            else { return nil }
            var text = [CChar](repeating: 0, count: 256)
            let count = OBJ_obj2txt(&text, Int32(text.count), X509_EXTENSION_get_object(entry), 1)
            let identifier = text.prefix(max(0, Int(count))).map(UInt8.init(bitPattern:))
            return CertificateExtension(
                String(decoding: identifier, as: UTF8.self),
                isCritical: X509_EXTENSION_get_critical(entry) == 1,
                value: Array(UnsafeBufferPointer(start: bytes, count: Int(ASN1_STRING_length(value))))
            )
        }
    }

    /// Whether the certificate was signed over an MD2, MD4, MD5 or SHA-1 digest, which can be forged.
    public var hasWeakSignature: Bool {
        var digest: Int32 = 0
        guard OBJ_find_sigid_algs(X509_get_signature_nid(x509.pointer), &digest, nil) == 1 else { return false }
        return [NID_md2, NID_md4, NID_md5, NID_sha1].contains(digest)
    }

    /// Whether an extension is in no form that OpenSSL can read.
    var hasUnreadExtension: Bool {
        _ = X509_check_purpose(x509.pointer, -1, 0)
        return X509_get_extension_flags(x509.pointer) & UInt32(EXFLAG_INVALID) != 0
    }

    /// Whether a certificate that could say so does not say that it is an authority's.
    var lacksAuthorityConstraint: Bool {
        _ = X509_check_purpose(x509.pointer, -1, 0)
        let flags = X509_get_extension_flags(x509.pointer)
        return X509_get_version(x509.pointer) == X509_VERSION_3 && flags & UInt32(EXFLAG_CA) == 0
    }

    /// Whether its key is RSA's, or on P-256 or P-384.
    var hasCommonKey: Bool {
        keyCurve.map { ["prime256v1", "secp384r1"].contains($0) } ?? keyDescription.hasPrefix("RSA")
    }

    /// Whether its key is RSA's or on a curve of NIST, and not Edwards'.
    var hasClassicKey: Bool {
        guard let key = X509_get0_pubkey(x509.pointer) else { return false }
        return [EVP_PKEY_RSA, EVP_PKEY_RSA_PSS, EVP_PKEY_EC].contains(EVP_PKEY_get_base_id(key))
    }

    /// Whether it vouches for itself, and has nothing to say whether it is an authority.
    var isSilentRoot: Bool {
        _ = X509_check_purpose(x509.pointer, -1, 0)
        return isNamed(by: self) && X509_get_extension_flags(x509.pointer) & UInt32(EXFLAG_BCONS) == 0
    }

    /// How many authorities may stand between it and a leaf; `nil` for any number.
    var mostBelow: Int? {
        let length = X509_get_pathlen(x509.pointer)
        return length < 0 ? nil : length
    }

    var isVersion1: Bool { X509_get_version(x509.pointer) == X509_VERSION_1 }

    var hasNameConstraints: Bool { X509_get_ext_by_NID(x509.pointer, NID_name_constraints, -1) >= 0 }

    /// Whether the extended key usage names the authentication of servers (RFC 5280 section 4.2.1.12), rather than
    /// leaving it open or out.
    public var namesServerAuthentication: Bool {
        // Fills OpenSSL's cache of extensions, without which there are no flags.
        _ = X509_check_purpose(x509.pointer, -1, 0)
        guard X509_get_extension_flags(x509.pointer) & UInt32(EXFLAG_XKUSAGE) != 0 else { return false }
        return X509_get_extended_key_usage(x509.pointer) & UInt32(XKU_SSL_SERVER) != 0
    }
}

extension [Certificate] {
    /// The depth of the first authority below which there are more than it allows, those that vouch for their own name
    /// counted.
    var placeOfShortLimit: Int? {
        indices.dropFirst().first { depth in self[depth].mostBelow.map { depth - 1 > $0 } ?? false }
    }
}
