import COpenSSL

/// A SHA-256 digest that names a public key, or a whole certificate.
///
/// A *public-key pin* hashes the DER `SubjectPublicKeyInfo` (RFC 7469 section 2.4), so it survives a renewal that keeps
/// the key. A *certificate pin* hashes the whole DER certificate, and every renewal breaks it. The bytes look alike;
/// which of the two a pin is, is said by what holds it.
public struct Pin: Sendable {
    /// The digest: always 32 bytes.
    public let digest: [UInt8]
    /// As its source writes it, without a prefix, where that is not its Base64 but means the same bytes; no part of its
    /// identity. In Base64 the last digit of 32 bytes has two bits that nobody reads.
    package var written: String?

    /// Takes a digest of exactly 32 bytes; `nil` for any other length.
    public init?(digest: some Sequence<UInt8>) {
        let digest = Array(digest)
        guard digest.count == 32 else { return nil }
        self.digest = digest
    }

    /// The pin of some DER: a `SubjectPublicKeyInfo` for a public-key pin, a certificate for a certificate pin.
    public init(hashing der: [UInt8]) {
        digest = sha256(der)
    }

    /// The digest in Base64 (RFC 4648 section 4, padded), as Apple's `SPKI-SHA256-BASE64` and TrustKit write it.
    public var base64: String { Base64.encode(digest) }

    /// The digest in lower-case hexadecimal, as DANE records and fingerprints write it.
    public var hex: String { hexadecimal(digest) }

    /// As curl, wget and git take it: `sha256//` and Base64 (`curl(1)`, `--pinnedpubkey`).
    public var curl: String { "sha256//" + base64 }
}

extension Pin: Hashable {
    public static func == (left: Pin, right: Pin) -> Bool { left.digest == right.digest }

    public func hash(into hasher: inout Hasher) { hasher.combine(digest) }
}

extension Pin: CustomStringConvertible {
    /// As OkHttp and Android write it: `sha256/` and Base64.
    public var description: String { "sha256/" + base64 }
}

extension Pin {
    /// Why a text is not a pin.
    public struct ParseError: Error, Equatable, CustomStringConvertible, Sendable {
        public let description: String
    }

    /// Reads `sha256/…`, `sha256//…`, bare Base64 or hexadecimal (with or without colons, as `openssl x509
    /// -fingerprint` prints it).
    public init(parsing text: String) throws(ParseError) {
        var body = Substring(text)
        // Base64 may begin with a slash too: then the length tells the prefixes apart.
        for prefix in ["sha256//", "sha256/"] where text.hasPrefix(prefix) {
            body = text.dropFirst(prefix.count)
            if body.utf8.count != 43 || !body.hasSuffix("=") { break }
        }
        guard !body.isEmpty else { throw ParseError(description: "the pin is empty") }
        let compact = body.filter { $0 != ":" }
        if compact.count == 64, let bytes = bytes(hexadecimal: compact), let pin = Pin(digest: bytes) {
            self = pin
            return
        }
        guard let bytes = Base64.decode(String(body)) else {
            throw ParseError(description: "'\(text)' is neither Base64 nor hexadecimal")
        }
        guard var pin = Pin(digest: bytes) else {
            throw ParseError(description: "'\(text)' holds \(bytes.count) bytes; a SHA-256 pin holds 32")
        }
        if body != pin.base64 { pin.written = String(body) }
        self = pin
    }
}

/// Base64 by OpenSSL, so that no other library is needed for 32 bytes.
enum Base64 {
    static func encode(_ bytes: [UInt8]) -> String {
        let capacity = 4 * ((bytes.count + 2) / 3) + 1
        let text = [UInt8](unsafeUninitializedCapacity: capacity) { buffer, count in
            count = Int(EVP_EncodeBlock(buffer.baseAddress, bytes, Int32(clamping: bytes.count)))
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// Strict: only the standard alphabet, only whole groups of four, padded.
    static func decode(_ text: String) -> [UInt8]? {
        let input = Array(text.utf8)
        guard !input.isEmpty, input.count % 4 == 0, input.count < 1 << 20 else { return nil }
        let padding = input.reversed().prefix { $0 == UInt8(ascii: "=") }.count
        guard padding <= 2, input.dropLast(padding).allSatisfy(isDigit) else { return nil }
        var bytes = [UInt8](repeating: 0, count: input.count / 4 * 3)
        guard EVP_DecodeBlock(&bytes, input, Int32(input.count)) == bytes.count else { return nil }
        return bytes.dropLast(padding)
    }

    static func isDigit(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "/"):
            true
        default: false
        }
    }
}

/// Lower-case hexadecimal, two digits a byte.
func hexadecimal(_ bytes: some Sequence<UInt8>) -> String {
    func digit(_ half: UInt8) -> UInt8 { half < 10 ? 0x30 + half : 0x57 + half }
    var digits: [UInt8] = []
    // Of one list, and not of one for each byte: every connection writes some digests.
    for byte in Array(bytes) {
        digits.append(digit(byte >> 4))
        digits.append(digit(byte & 15))
    }
    return String(decoding: digits, as: UTF8.self)
}

/// The bytes of an even number of hexadecimal digits; `nil` for anything else.
func bytes(hexadecimal text: some Collection<Character>) -> [UInt8]? {
    let digits = text.map { $0.isASCII ? $0.hexDigitValue : nil }
    guard digits.count % 2 == 0 else { return nil }
    var bytes: [UInt8] = []
    for index in stride(from: 0, to: digits.count, by: 2) {
        guard let high = digits[index], let low = digits[index + 1] else { return nil }
        bytes.append(UInt8(high << 4 | low))
    }
    return bytes
}
