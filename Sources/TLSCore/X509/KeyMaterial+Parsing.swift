import COpenSSL

extension KeyMaterial {
    /// Why some bytes hold no key that can be pinned: what they are instead, and where it stands.
    package struct ParseError: Error, Equatable, CustomStringConvertible, Sendable {
        /// 1-based line of the block, where the bytes are text.
        package let line: Int?
        package let description: String
        /// Whether another password, or one at all, might help.
        package let isAboutPassword: Bool

        init(_ description: String, line: Int? = nil, isAboutPassword: Bool = false) {
            self.line = line
            self.description = description
            self.isAboutPassword = isAboutPassword
        }

        fileprivate init(_ error: PEM.ParseError) { self.init(error.description, line: error.line) }
    }

    /// Everything with a key in some bytes, in their order: certificates, public keys, private keys, certificate
    /// requests and PKCS#12 bundles, in PEM or DER.
    ///
    /// - Parameter password: for a PKCS#12 or an encrypted private key; the empty one is tried first.
    package static func parse(_ bytes: [UInt8], password: String? = nil) throws(ParseError) -> [KeyMaterial] {
        switch try Form(bytes) {
        case .der: try parse(der: bytes, password: password)
        case .pem(let text): try parse(pem: text, password: password)
        }
    }

    /// Every certificate in some bytes, in their order, as `parse` finds them; keys beside them stay unread.
    package static func certificates(in bytes: [UInt8]) throws(ParseError) -> [Certificate] {
        switch try Form(bytes) {
        case .pem(let text): do { return try PEM.certificates(in: text) } catch { throw ParseError(error) }
        case .der:
            let found = try parse(der: bytes, password: nil)
            let certificates = found.compactMap(\.certificate)
            guard !certificates.isEmpty else { throw ParseError("no certificate found, but a key") }
            return certificates
        }
    }

    /// How some bytes are to be read.
    private enum Form {
        case der
        case pem(String)

        init(_ bytes: [UInt8]) throws(ParseError) {
            guard !bytes.isEmpty else { throw ParseError("this file is empty") }
            guard bytes.count <= Int(Int32.max) else { throw ParseError("this file is too large") }
            let isSequence = bytes[0] == ASN1Element.sequence
            let text = String(decoding: bytes, as: UTF8.self)
            // A SEQUENCE of a length that needs further bytes: no text begins like that.
            if isSequence, bytes.count > 1, bytes[1] & 0x80 != 0 {
                self = .der
            } else if text.contains("-----BEGIN") {
                self = .pem(text)
            } else if isSequence, bytes.contains(where: { $0 < 0x09 || $0 > 0x7E }) {
                self = .der
            } else {
                throw ParseError(complaint(about: bytes, text: text))
            }
        }
    }

    // MARK: PEM

    private static func parse(pem text: String, password: String?) throws(ParseError) -> [KeyMaterial] {
        let blocks: [PEM.Block]
        do { blocks = try PEM.blocks(in: text) } catch { throw ParseError(error) }
        var found: [KeyMaterial] = []
        // Parameters say nothing of a key; certificate revocation lists name none.
        for block in blocks where !block.label.hasSuffix("PARAMETERS") && block.label != "X509 CRL" {
            do throws(ParseError) {
                found += try materials(in: block, password: password)
            } catch {
                throw ParseError(error.description, line: block.line, isAboutPassword: error.isAboutPassword)
            }
        }
        guard !found.isEmpty else {
            throw ParseError("there is no key in it, only \(blocks.first?.noun ?? "text")", line: 1)
        }
        return found
    }

    private static func materials(in block: PEM.Block, password: String?) throws(ParseError) -> [KeyMaterial] {
        switch block.label {
        case "PUBLIC KEY", "RSA PUBLIC KEY", "CERTIFICATE REQUEST", "NEW CERTIFICATE REQUEST", "PRIVATE KEY",
            "RSA PRIVATE KEY", "EC PRIVATE KEY", "DSA PRIVATE KEY", "ENCRYPTED PRIVATE KEY", "PKCS12":
            break
        default: guard block.isCertificate else { throw ParseError(block.refusal) }
        }
        if let line = block.body.first(where: { $0.contains(":") }) {
            guard line.hasPrefix("Proc-Type: 4,ENCRYPTED") || block.body.contains("Proc-Type: 4,ENCRYPTED") else {
                throw ParseError("this \(block.noun) block is not Base64: it has a header, '\(line.prefix(40))'")
            }
            return [try encryptedKey(inBlock: block, password: password)]
        }
        let der: [UInt8]
        do {
            if block.isCertificate { return [KeyMaterial(try block.certificate())] }
            der = try block.der()
        } catch {
            throw ParseError(error)
        }
        do throws(ParseError) {
            let found = try parse(der: der, password: password)
            guard block.fits(found) else { throw ParseError("it holds something else") }
            return found
        } catch {
            guard !error.isAboutPassword else { throw error }
            throw ParseError("this block is no \(block.noun): \(error)")
        }
    }

    // MARK: DER

    static let pkcs7Advice = """
        this is a PKCS#7 bundle; take the certificates out of it with \
        'openssl pkcs7 -print_certs -in FILE', with '-inform DER' where it is binary
        """

    /// What the outermost elements of some DER look like.
    private enum Shape {
        case publicKey, rsaPublicKey, privateKey, encryptedPrivateKey, certificate, certificateRequest, revocations
        case pkcs12, pkcs7, unknown
    }

    private static func parse(der: [UInt8], password: String?) throws(ParseError) -> [KeyMaterial] {
        guard let outer = ASN1Element.list(in: der[...]).first else { throw ParseError("this is neither PEM nor DER") }
        let shape = shape(of: outer)
        guard outer.missing == 0 else { throw ParseError(truncation(of: der, outer, shape)) }
        return switch shape {
        case .certificate: [KeyMaterial(try reading { () throws(OpenSSLError) in try Certificate(der: der) })]
        case .publicKey: [try reading { () throws(OpenSSLError) in try KeyMaterial(publicKey: der) }]
        case .certificateRequest: [try reading { () throws(OpenSSLError) in try KeyMaterial(request: der) }]
        case .rsaPublicKey: [try rsaPublicKey(der)]
        case .privateKey: [try privateKey(der)]
        case .encryptedPrivateKey: [try encryptedKey(der, password: password)]
        case .pkcs12: try pkcs12(der, password: password)
        case .pkcs7: throw ParseError(pkcs7Advice)
        case .revocations: throw ParseError("this is a certificate revocation list, which holds no key")
        case .unknown: throw ParseError("this is DER, but no certificate, key, certificate request or PKCS#12")
        }
    }

    private static func shape(of outer: ASN1Element) -> Shape {
        let parts = outer.children
        let tags = parts.map(\.tag)
        if tags.starts(with: [0x02, 0x30, 0x04]) { return .privateKey }
        if tags.starts(with: [0x02, 0x30]) { return .pkcs12 }
        if tags.starts(with: [0x02, 0x04]) { return .privateKey }
        if tags == [0x02, 0x02] { return .rsaPublicKey }
        if tags.starts(with: [0x02, 0x02, 0x02]) { return .privateKey }
        if tags == [0x30, 0x03] { return .publicKey }
        if tags == [0x30, 0x04] { return .encryptedPrivateKey }
        if tags.starts(with: [0x06]) { return .pkcs7 }
        guard tags.starts(with: [0x30]) else { return .unknown }
        // Something signed: what is signed, how, and the signature.
        let signed = parts[0].children.map(\.tag)
        if signed == [0x02, 0x30, 0x30] || signed == [0x02, 0x30, 0x30, 0xA0] { return .certificateRequest }
        let isRevocations = signed.starts(with: [0x02, 0x30, 0x30, 0x17]) || signed.starts(with: [0x30, 0x30, 0x17])
        return isRevocations ? .revocations : .certificate
    }

    private static func truncation(of der: [UInt8], _ outer: ASN1Element, _ shape: Shape) -> String {
        let noun =
            switch shape {
            case .certificate: "read a DER certificate"
            case .certificateRequest: "read a DER certificate request"
            case .publicKey, .rsaPublicKey: "read a DER public key"
            case .privateKey, .encryptedPrivateKey: "read a DER private key"
            case .pkcs12: "read a PKCS#12"
            case .pkcs7, .revocations, .unknown: "read DER"
            }
        return "could not \(noun): it is truncated; \(outer.missing) bytes or more are missing after \(der.count)"
    }

    private static func rsaPublicKey(_ der: [UInt8]) throws(ParseError) -> KeyMaterial {
        // PKCS#1 knows no kind of key, so it is said in front: `rsaEncryption`, without parameters (RFC 3279).
        let algorithm: [UInt8] = [
            0x30, 0x0D, 0x06, 0x09, 0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x01, 0x01, 0x05, 0x00,
        ]
        let info = DER.sequence([algorithm, DER.encode(tag: ASN1Element.bits, [0] + der)])
        return try reading { () throws(OpenSSLError) in
            let material = try KeyMaterial(publicKey: info)
            guard material.keyDescription.hasPrefix("RSA") else {
                throw OpenSSLError(attempt: "read an RSA public key", codes: [])
            }
            return material
        }
    }

    private static func privateKey(_ der: [UInt8]) throws(ParseError) -> KeyMaterial {
        try reading { () throws(OpenSSLError) in
            let parsed = try whole(der, "read a private key") {
                d2i_AutoPrivateKey(nil, $0, $1)
            } free: {
                EVP_PKEY_free($0)
            }
            EVP_PKEY_up_ref(parsed.pointer)  // balanced by the initializer, which takes one over
            return KeyMaterial(owning: parsed.pointer, kind: .privateKey)
        }
    }

    /// Runs one reading, and turns OpenSSL's error into ours.
    static func reading<Value>(_ body: () throws(OpenSSLError) -> Value) throws(ParseError) -> Value {
        do {
            return try body()
        } catch {
            throw ParseError("\(error)")
        }
    }

    // MARK: What is neither

    private static func complaint(about bytes: [UInt8], text: String) -> String {
        let start = text.drop { $0.isWhitespace || $0 == "\u{FEFF}" }.prefix(40).lowercased()
        if start.hasPrefix("<!doctype html") || start.hasPrefix("<html") {
            return "this is an HTML page, not a certificate: what was downloaded was an answer for a browser"
        }
        if start.hasPrefix("<?xml") || start.hasPrefix("<!doctype plist") {
            return "this is XML, not a certificate or a key"
        }
        if start.hasPrefix("ssh-") || start.hasPrefix("ecdsa-sha2-") {
            return "this is an SSH public key: TLS certificates hold no such keys"
        }
        if bytes.starts(with: [0xFE, 0xED, 0xFE, 0xED]) {
            return "this is a Java keystore; make a PKCS#12 of it with 'keytool -importkeystore -deststoretype pkcs12'"
        }
        // With a byte-order mark, or without.
        if [[0xFF, 0xFE], [0xFE, 0xFF], [0x2D, 0, 0x2D, 0], [0, 0x2D, 0, 0x2D]].contains(where: bytes.starts) {
            return "this is UTF-16 text; save it as UTF-8"
        }
        let compact = text.filter { !$0.isWhitespace }
        if compact.hasPrefix("MI"), Base64.decode(compact) != nil {
            return "this is Base64 without a BEGIN and an END line; add those of what it is"
        }
        if start.isEmpty { return "there is nothing but white space in it" }
        return "no certificate and no key found: this is neither PEM nor DER"
    }
}

extension PEM.Block {
    /// Whether a block of this label may hold that.
    fileprivate func fits(_ found: [KeyMaterial]) -> Bool {
        let kind: KeyMaterial.Kind? =
            if label.hasSuffix("CERTIFICATE REQUEST") {
                .certificateRequest
            } else if label.hasSuffix("PRIVATE KEY") {
                .privateKey
            } else if label.hasSuffix("PUBLIC KEY") {
                .publicKey
            } else {
                nil
            }
        return kind == nil || found.map(\.kind) == [kind]
    }
}
