import COpenSSL
import Foundation

extension Certificate {
    /// Mints a certificate: `template` says what stands in it, `key` whose it is, `issuer` who vouches for it.
    ///
    /// With no issuer the certificate vouches for itself. Subject and authority key identifiers are always there:
    /// without them OpenSSL tells two roots of the same name apart by their order in the store, which is luck.
    ///
    /// - Throws: `OpenSSLError` when a field cannot be written, such as an object identifier that is none.
    static func mint(
        _ template: CertificateTemplate,
        for key: PrivateKey,
        issuer: (certificate: Certificate, key: PrivateKey)?
    ) throws(OpenSSLError) -> Certificate {
        ERR_clear_error()
        let x509 = try require(X509_new(), "make a certificate")
        do throws(OpenSSLError) {
            let version = template.isVersion1 ? X509_VERSION_1 : X509_VERSION_3
            try require(X509_set_version(x509, Int(version)), "set the version")
            try require(X509_set_pubkey(x509, key.forCertificates.pointer), "set the public key")
            try setSubject(of: x509, to: template.commonName)
            let issuerName = X509_get_subject_name(issuer?.certificate.x509.pointer ?? x509)
            try require(X509_set_issuer_name(x509, issuerName), "set the issuer")
            try setTime(X509_getm_notBefore(x509), to: template.notBefore)
            try setTime(X509_getm_notAfter(x509), to: template.notAfter)
            for usage in template.extendedKeyUsage {
                _ = try require(DER.objectIdentifier(usage), "read the identifier '\(usage)'")
            }
            let identifier = template.keyIdentifier ?? keyIdentifier(of: x509)
            let authority = issuer.map {
                $0.certificate.keyIdentifier ?? keyIdentifier(of: $0.certificate.x509.pointer)
            }
            let extensions = template.extensions(identifier: identifier, authority: authority ?? identifier)
            for entry in extensions where !template.isVersion1 { try add(entry, to: x509) }
            let signer = issuer?.key ?? key
            let serial = template.serial ?? derivedSerial(template, extensions, key: key, signer: signer)
            try setSerial(of: x509, to: serial, isNegative: template.isSerialNegative)
            let digest = signer.signsDigests ? template.digest.evp : nil
            guard X509_sign(x509, signer.evp.pointer, digest) > 0 else {
                throw OpenSSLError.drain("sign a certificate")
            }
        } catch {
            X509_free(x509)
            throw error
        }
        let minted = Certificate(owning: x509)
        if template.mislabelsSignature { return try Certificate(der: mislabelled(minted.der)) }
        guard template.corruptsSignature else { return minted }
        // The signature is the last field, so its last byte is the certificate's.
        return try Certificate(der: minted.der.dropLast() + [minted.der[minted.der.count - 1] ^ 1])
    }

    /// The same with another algorithm beside the signature: ecdsa-with-SHA256, or where it was that, ecdsa-with-SHA384
    /// (RFC 5758 section 3.2).
    private static func mislabelled(_ der: [UInt8]) -> [UInt8] {
        let parts = ASN1Element.list(in: der[...]).first.map { ASN1Element.list(in: $0.contents) } ?? []
        guard parts.count == 3 else { return der }
        func label(_ digest: UInt8) -> [UInt8] { [6, 8, 0x2A, 0x86, 0x48, 0xCE, 0x3D, 4, 3, digest] }
        let new = label(parts[1].contents.elementsEqual(label(2)) ? 3 : 2)
        return DER.sequence([
            DER.encode(tag: parts[0].tag, Array(parts[0].contents)), DER.sequence([new]),
            DER.encode(tag: parts[2].tag, Array(parts[2].contents)),
        ])
    }

    private static func setSerial(
        of x509: OpaquePointer,
        to bytes: [UInt8],
        isNegative: Bool
    ) throws(OpenSSLError) {
        let number = try require(BN_bin2bn(bytes, Int32(clamping: bytes.count), nil), "set the serial")
        defer { BN_free(number) }
        BN_set_negative(number, isNegative ? 1 : 0)
        _ = try require(BN_to_ASN1_INTEGER(number, X509_get_serialNumber(x509)), "set the serial")
    }

    /// 16 bytes drawn from everything else: two certificates that differ in anything differ in serial.
    private static func derivedSerial(
        _ template: CertificateTemplate,
        _ extensions: [CertificateExtension],
        key: PrivateKey,
        signer: PrivateKey
    ) -> [UInt8] {
        let window = "\(template.notBefore.timeIntervalSince1970) \(template.notAfter.timeIntervalSince1970)"
        let asked =
            "\(window) \(template.digest) \(template.corruptsSignature) \(template.mislabelsSignature) \(template.commonName)"
        var everything = key.pin.digest + signer.pin.digest + asked.utf8
        for entry in extensions {
            everything += "\n\(entry.identifier) \(entry.isCritical) \(entry.value.count) ".utf8
            everything += entry.value
        }
        let digest = sha256(everything)
        // The first bit stays clear, so that the number is positive in 16 bytes, and the next is set, so never zero.
        return [digest[0] & 0x7F | 0x40] + digest[1..<16]
    }

    private static func setSubject(of x509: OpaquePointer, to commonName: String) throws(OpenSSLError) {
        guard !commonName.isEmpty else { return }
        // X.520 limits a common name to 64 characters, which are code points; longer ones are cut, as they only serve readers.
        let text = Array(String(String.UnicodeScalarView(commonName.unicodeScalars.prefix(64))).utf8)
        let name = X509_get_subject_name(x509)
        let written = X509_NAME_add_entry_by_NID(
            name,
            NID_commonName,
            MBSTRING_UTF8,
            text,
            Int32(clamping: text.count),
            -1,
            0
        )
        try require(written, "set the subject '\(commonName)'")
    }

    private static func setTime(_ field: UnsafeMutablePointer<ASN1_TIME>?, to date: Date) throws(OpenSSLError) {
        let seconds = date.wholeSeconds
        // Years 0 to 9999: OpenSSL 3.0 writes later ones too, as dates that nobody can read.
        guard -62_167_219_200..<253_402_300_800 ~= seconds else {
            throw OpenSSLError(attempt: "set a validity date whose year has not four digits", codes: [])
        }
        _ = try require(ASN1_TIME_set(field, seconds), "set a validity date")
    }

    /// SHA-1 over the public key's bits: method 1 of RFC 5280 section 4.2.1.2, as public authorities do it.
    private static func keyIdentifier(of x509: OpaquePointer) -> [UInt8] {
        var digest = [UInt8](repeating: 0, count: Int(EVP_MAX_MD_SIZE))
        var count: UInt32 = 0
        guard X509_pubkey_digest(x509, EVP_sha1(), &digest, &count) == 1 else { return [] }
        return Array(digest.prefix(Int(count)))
    }

    private static func add(_ entry: CertificateExtension, to x509: OpaquePointer) throws(OpenSSLError) {
        let object = try require(OBJ_txt2obj(entry.identifier, 1), "read the identifier '\(entry.identifier)'")
        defer { ASN1_OBJECT_free(object) }
        let octets = try require(ASN1_OCTET_STRING_new(), "make an extension")
        defer { ASN1_STRING_free(octets) }
        try require(ASN1_STRING_set(octets, entry.value, Int32(clamping: entry.value.count)), "make an extension")
        let made = X509_EXTENSION_create_by_OBJ(nil, object, entry.isCritical ? 1 : 0, octets)
        let new = try require(made, "make an extension")
        defer { X509_EXTENSION_free(new) }
        try require(X509_add_ext(x509, new, -1), "add the extension \(entry.identifier)")
    }
}

extension CertificateTemplate {
    /// Every extension in the order it will stand.
    fileprivate func extensions(identifier: [UInt8], authority: [UInt8]) -> [CertificateExtension] {
        var all: [CertificateExtension] = []
        if let isAuthority {
            all.append(.basicConstraints(isAuthority: isAuthority, pathLength: pathLength))
        }
        if let keyUsage { all.append(.keyUsage(keyUsage)) }
        if !extendedKeyUsage.isEmpty { all.append(.extendedKeyUsage(extendedKeyUsage)) }
        // RFC 5280 section 4.2.1.6: critical where the subject is empty.
        if !names.isEmpty { all.append(.subjectAlternativeName(names, isCritical: commonName.isEmpty)) }
        if let nameConstraints { all.append(.nameConstraints(nameConstraints)) }
        all.append(.subjectKeyIdentifier(identifier))
        all.append(.authorityKeyIdentifier(authority))
        return all + extraExtensions
    }
}

extension CertificateTemplate.Digest {
    fileprivate var evp: OpaquePointer? {
        switch self {
        case .sha256: EVP_sha256()
        case .sha384: EVP_sha384()
        case .sha512: EVP_sha512()
        case .sha1: EVP_sha1()
        case .md5: EVP_md5()
        }
    }
}
