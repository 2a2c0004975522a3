/// JA4, which names the TLS stack that a ClientHello comes from by what it offers.
///
/// Source: FoxIO's `technical_details/JA4.md` (github.com/FoxIO-LLC/ja4). JA4 itself is under the BSD licence of three
/// clauses; its siblings (JA4S, JA4H, …), which are not, are not here.
package struct JA4: Hashable, Sendable {
    private let head: Head
    private let ciphers: [UInt16]
    private let extensions: [UInt16]
    /// In the order of the client (RFC 8446 section 4.2.3).
    let signatureAlgorithms: [UInt16]

    private struct Head: Hashable {
        var version: String
        var hasServerName: Bool
        var applicationProtocol: String
    }

    private static let serverName: UInt16 = 0
    private static let signatureAlgorithmsType: UInt16 = 13
    private static let applicationProtocols: UInt16 = 16
    private static let supportedVersions: UInt16 = 43
    /// Padding (RFC 7685), a key of before, and early data (RFC 8446 section 4.2): one stack sends them on some connections.
    private static let passing: Set<UInt16> = [21, 41, 42]

    /// - Parameter message: a whole handshake message (RFC 8446 section 4.1.2); `nil` where it is no ClientHello.
    package init?(message: [UInt8]) {
        var outer = WireReader(message)
        guard outer.byte() == 1, var hello = outer.block(lengthBytes: 3), let legacy = hello.number(),
            hello.skip(32), hello.block(lengthBytes: 1) != nil, var list = hello.block(lengthBytes: 2),
            hello.block(lengthBytes: 1) != nil
        else { return nil }
        ciphers = list.numbers().filter { !Self.isGrease($0) }
        var types: [UInt16] = []
        var versions: [UInt16] = []
        var signatures: [UInt16] = []
        var alpn = "00"
        // SSL 3.0 knows none (RFC 6101).
        if !hello.isAtEnd {
            guard var entries = hello.block(lengthBytes: 2) else { return nil }
            while !entries.isAtEnd {
                guard let type = entries.number(), var contents = entries.block(lengthBytes: 2) else { return nil }
                if !Self.isGrease(type) { types.append(type) }
                switch type {
                case Self.supportedVersions: if var list = contents.block(lengthBytes: 1) { versions = list.numbers() }
                case Self.signatureAlgorithmsType:
                    if var list = contents.block(lengthBytes: 2) { signatures = list.numbers() }
                case Self.applicationProtocols:
                    if var list = contents.block(lengthBytes: 2), let first = list.block(lengthBytes: 1) {
                        alpn = Self.ends(of: Array(first.rest))
                    }
                default: break
                }
            }
        }
        let newest = versions.filter { !Self.isGrease($0) }.max() ?? legacy
        head = Head(
            version: Self.name(ofVersion: newest),
            hasServerName: types.contains(Self.serverName),
            applicationProtocol: alpn
        )
        extensions = types
        signatureAlgorithms = signatures.filter { !Self.isGrease($0) }
    }

    /// As in `t13d1516h2_8daaf6152771_e5627efa2ab1`.
    package var text: String { text(extensions) }

    /// The same without what one stack sends on some of its connections: two that differ here come from two stacks, or
    /// from one that tries again with another offer.
    package var stack: String { text(extensions.filter { !Self.passing.contains($0) }) }

    private func text(_ extensions: [UInt16]) -> String {
        func count(_ list: [UInt16]) -> String { list.count < 10 ? "0\(list.count)" : "\(min(list.count, 99))" }
        func digits(_ list: [UInt16]) -> String {
            list.map { hexadecimal([UInt8($0 >> 8), UInt8($0 & 0xFF)]) }.joined(separator: ",")
        }
        func hash(_ text: String) -> String { String(hexadecimal(sha256(Array(text.utf8))).prefix(12)) }
        let none = "000000000000"
        let named = extensions.filter { $0 != Self.serverName && $0 != Self.applicationProtocols }.sorted()
        let tail = signatureAlgorithms.isEmpty ? "" : "_\(digits(signatureAlgorithms))"
        let first = "t\(head.version)\(head.hasServerName ? "d" : "i")\(count(ciphers))\(count(extensions))"
        return first + head.applicationProtocol + "_" + (ciphers.isEmpty ? none : hash(digits(ciphers.sorted()))) + "_"
            + (extensions.isEmpty ? none : hash(digits(named) + tail))
    }

    /// RFC 8701: both bytes alike, and their low halves ten.
    private static func isGrease(_ number: UInt16) -> Bool { number & 0x0F0F == 0x0A0A && number >> 8 == number & 0xFF }

    private static func name(ofVersion number: UInt16) -> String {
        switch number {
        case 0x0304: "13"
        case 0x0303: "12"
        case 0x0302: "11"
        case 0x0301: "10"
        case 0x0300: "s3"
        case 0x0002: "s2"
        default: "00"
        }
    }

    /// The first and the last character of a protocol's name; of their hexadecimal digits where one is no letter or digit.
    private static func ends(of name: [UInt8]) -> String {
        guard let first = name.first, let last = name.last else { return "00" }
        let isPlain = [first, last].allSatisfy { byte in
            let scalar = Unicode.Scalar(byte)
            return scalar.isASCII && (scalar.properties.isAlphabetic || scalar.properties.numericType != nil)
        }
        guard !isPlain else { return String(decoding: [first, last], as: UTF8.self) }
        return String([hexadecimal([first]).first, hexadecimal([last]).last].compactMap(\.self))
    }
}

extension WireReader {
    fileprivate mutating func number() -> UInt16? {
        guard let high = byte(), let low = byte() else { return nil }
        return UInt16(high) << 8 | UInt16(low)
    }

    fileprivate mutating func numbers() -> [UInt16] {
        var all: [UInt16] = []
        while let next = number() { all.append(next) }
        return all
    }

    fileprivate mutating func skip(_ count: Int) -> Bool { (0..<count).allSatisfy { _ in byte() != nil } }
}
