import COpenSSL

/// Writes DER by hand, so that extensions of any shape can be minted, malformed ones included.
///
/// OpenSSL's own text syntax for extensions (`X509V3_EXT_conf`) is avoided on purpose: a comma in a name would inject.
enum DER {
    static func sequence(_ parts: [[UInt8]]) -> [UInt8] { encode(tag: 0x30, parts.flatMap { $0 }) }
    static func octets(_ bytes: [UInt8]) -> [UInt8] { encode(tag: 0x04, bytes) }
    static func boolean(_ value: Bool) -> [UInt8] { encode(tag: 0x01, [value ? 0xFF : 0]) }

    /// A whole number that is not negative.
    static func integer(_ value: Int) -> [UInt8] {
        var bytes: [UInt8] = []
        var rest = value
        repeat {
            bytes.insert(UInt8(rest & 0xFF), at: 0)
            rest >>= 8
        } while rest > 0
        if bytes[0] & 0x80 != 0 { bytes.insert(0, at: 0) }
        return encode(tag: 0x02, bytes)
    }

    /// A named-bit list, most significant bit first, without trailing zero bits (X.690 section 11.2.2).
    static func namedBits(_ bits: [Bool]) -> [UInt8] {
        let used = (bits.lastIndex(of: true) ?? -1) + 1
        var bytes = [UInt8](repeating: 0, count: (used + 7) / 8)
        for index in 0..<used where bits[index] { bytes[index / 8] |= 0x80 >> UInt8(index % 8) }
        return encode(tag: 0x03, [UInt8(bytes.count * 8 - used)] + bytes)
    }

    /// An object identifier in dotted form; `nil` when OpenSSL cannot read it.
    static func objectIdentifier(_ dotted: String) -> [UInt8]? {
        guard let object = OBJ_txt2obj(dotted, 1) else { return nil }
        defer { ASN1_OBJECT_free(object) }
        return derBytes { i2d_ASN1_OBJECT(object, $0) }
    }

    static func encode(tag: UInt8, _ contents: [UInt8]) -> [UInt8] { [tag] + length(contents.count) + contents }

    private static func length(_ count: Int) -> [UInt8] {
        if count < 0x80 { return [UInt8(count)] }
        var bytes: [UInt8] = []
        var rest = count
        while rest > 0 {
            bytes.insert(UInt8(rest & 0xFF), at: 0)
            rest >>= 8
        }
        return [0x80 | UInt8(bytes.count)] + bytes
    }
}
