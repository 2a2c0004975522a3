import COpenSSL

/// What a password protects: PKCS#12 bundles (RFC 7292) and encrypted private keys.
extension KeyMaterial {
    /// Some seconds of a slow machine. Careful tools ask for 600,000 in each of the three parts of a PKCS#12.
    private static let largestCost = 5_000_000

    /// The key that a bundle is for, then its certificate, then the others.
    static func pkcs12(_ der: [UInt8], password: String?) throws(ParseError) -> [KeyMaterial] {
        try checkCost(der)
        let bundle = try reading { () throws(OpenSSLError) in
            try whole(der, "read a PKCS#12") {
                d2i_PKCS12(nil, $0, $1)
            } free: {
                PKCS12_free($0)
            }
        }
        let isChecked = PKCS12_mac_present(bundle.pointer) == 1
        for attempt in Set(["", password ?? ""]).sorted() {
            // Where there is no checksum, OpenSSL 3.0 would refuse every password: it gets one.
            if !isChecked, !attempt.isEmpty { PKCS12_set_mac(bundle.pointer, attempt, -1, nil, 0, 1, nil) }
            switch open(bundle, attempt, isChecked: isChecked) {
            case .opened(let found): return found
            case .wrongPassword: continue
            case .unreadable(let error): throw ParseError("\(error)")
            }
        }
        let complaint = password == nil ? "this PKCS#12 needs a password" : "this is not the password of this PKCS#12"
        throw ParseError(complaint, isAboutPassword: true)
    }

    private enum Opening {
        case opened([KeyMaterial])
        case wrongPassword
        case unreadable(OpenSSLError)
    }

    private static func open(_ bundle: Owned, _ password: String, isChecked: Bool) -> Opening {
        let first = parse(bundle, password, isChecked: isChecked)
        guard case .unreadable(let error) = first, error.codes.contains(where: { pd_is_unsupported($0) == 1 }) else {
            return first
        }
        // The Keychain's and old exports are encrypted with RC2, which OpenSSL 3 keeps apart. Only for this call: the
        // provider would add other weak things as well.
        guard let provider = OSSL_PROVIDER_try_load(nil, "legacy", 1) else {
            ERR_clear_error()
            return .unreadable(
                OpenSSLError(
                    attempt: "read a PKCS#12: it is encrypted in an old way, and OpenSSL's legacy provider is "
                        + "missing; export it again without the option -legacy",
                    codes: []
                )
            )
        }
        defer { OSSL_PROVIDER_unload(provider) }
        return parse(bundle, password, isChecked: isChecked)
    }

    private static func parse(_ bundle: Owned, _ password: String, isChecked: Bool) -> Opening {
        ERR_clear_error()
        var (key, leaf, others): (OpaquePointer?, OpaquePointer?, OpaquePointer?)
        guard PKCS12_parse(bundle.pointer, password, &key, &leaf, &others) == 1 else {
            let error = OpenSSLError.drain("read a PKCS#12")
            // Without a checksum a wrong password shows only in what cannot be decrypted.
            if !isChecked, !error.codes.contains(where: { pd_is_unsupported($0) == 1 }) { return .wrongPassword }
            return error.codes.contains { pd_is_wrong_mac($0) == 1 } ? .wrongPassword : .unreadable(error)
        }
        defer { pd_x509_stack_free_all(others) }
        var found: [KeyMaterial] = []
        if let key { found.append(KeyMaterial(owning: key, kind: .privateKey)) }
        if let leaf { found.append(KeyMaterial(Certificate(owning: leaf))) }
        found += TrustStore.certificates(others).map { KeyMaterial($0) }
        guard !found.isEmpty else {
            return .unreadable(
                OpenSSLError(attempt: "find a certificate or a key in this PKCS#12: it is empty", codes: [])
            )
        }
        return .opened(found)
    }

    /// An `EncryptedPrivateKeyInfo` (RFC 5958).
    static func encryptedKey(_ der: [UInt8], password: String?) throws(ParseError) -> KeyMaterial {
        try checkCost(der)
        return try encryptedKey(password) { word in
            guard let bio = BIO_new_mem_buf(der, Int32(clamping: der.count)) else { return nil }
            defer { BIO_free(bio) }
            return withPassword(word) { d2i_PKCS8PrivateKey_bio(bio, nil, nil, $0) }
        }
    }

    /// A PEM block that is encrypted in OpenSSL's old way, with headers that say how (RFC 1421).
    static func encryptedKey(inBlock block: PEM.Block, password: String?) throws(ParseError) -> KeyMaterial {
        let edges = ("-----BEGIN \(block.label)-----", "-----END \(block.label)-----")
        let text = Array(([edges.0] + block.body + [edges.1, ""]).joined(separator: "\n").utf8)
        return try encryptedKey(password) { word in
            guard let bio = BIO_new_mem_buf(text, Int32(clamping: text.count)) else { return nil }
            defer { BIO_free(bio) }
            return withPassword(word) { PEM_read_bio_PrivateKey(bio, nil, nil, $0) }
        }
    }

    private static func encryptedKey(
        _ password: String?,
        _ read: (String) -> OpaquePointer?
    ) throws(ParseError) -> KeyMaterial {
        _ = OpenSSL.isReady
        defer { ERR_clear_error() }
        for word in Set(["", password ?? ""]).sorted() {
            ERR_clear_error()
            if let key = read(word) { return KeyMaterial(owning: key, kind: .privateKey) }
        }
        let complaint =
            password == nil
            ? "this is an encrypted private key, and needs its password"
            : "this is not the password of this encrypted private key"
        throw ParseError(complaint, isAboutPassword: true)
    }

    /// A password without a callback is handed over as C text (`PEM_read_bio_PrivateKey(3)`); with neither, OpenSSL
    /// would ask the terminal.
    private static func withPassword<Value>(_ word: String, _ body: (UnsafeMutableRawPointer) -> Value) -> Value {
        var text = Array(word.utf8) + [0]
        return text.withUnsafeMutableBytes { body($0.baseAddress!) }  // it has at least the zero
    }

    private static func checkCost(_ der: [UInt8]) throws(ParseError) {
        guard ASN1Element.cost(of: der[...]) <= largestCost else {
            throw ParseError(
                "its password is to be hashed more than \(largestCost) times, which is the limit here; it is damaged, or a trap"
            )
        }
    }
}
