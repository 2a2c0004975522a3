/// A token that a client is given to send, so that it can be told what of it arrived, and where.
///
/// It looks like any other token. All tokens of a trial begin alike, so that one that comes late is known too.
package struct Canary: Hashable, Sendable {
    /// Hexadecimal digits.
    private let stem: String
    /// The stem, and what Base64 makes of it wherever it begins, as in `Authorization: Basic`.
    private let patterns: [[UInt8]]

    package init() {
        var generator = SystemRandomNumberGenerator()
        self.init(using: &generator)
    }

    package init(using generator: inout some RandomNumberGenerator) {
        stem = Canary.digits(Canary.stemLength, using: &generator)
        let bytes = Array(stem.utf8)
        patterns = [bytes] + (0...2).map { Canary.base64(bytes[$0..<($0 + Canary.stemLength - 2)]) }
    }

    private static let stemLength = 20
    private static let endLength = 12

    /// One that nobody was given yet.
    package func token(using generator: inout some RandomNumberGenerator) -> String {
        stem + Canary.digits(Canary.endLength, using: &generator)
    }

    package func token() -> String {
        var generator = SystemRandomNumberGenerator()
        return token(using: &generator)
    }

    private static func digits(_ count: Int, using generator: inout some RandomNumberGenerator) -> String {
        String((0..<count).map { _ in "0123456789abcdef".randomElement(using: &generator) ?? "0" })
    }

    /// Of a multiple of three bytes.
    private static func base64(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
        let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
        return stride(from: bytes.startIndex, to: bytes.endIndex, by: 3).flatMap { index in
            let group = bytes[index..<(index + 3)].reduce(0) { $0 << 8 | Int($1) }
            return [18, 12, 6, 0].map { letters[group >> $0 & 63] }
        }
    }

    /// Where tokens begin in some bytes.
    package func places(in bytes: some RandomAccessCollection<UInt8>) -> [Int] {
        var places: [Int] = []
        var (offset, rest) = (0, bytes[...])
        while let first = rest.first {
            let found = patterns.first { $0[0] == first && rest.starts(with: $0) }
            if found != nil { places.append(offset) }
            let step = found?.count ?? 1
            offset += step
            rest = rest.dropFirst(step)
        }
        return places
    }

    /// The same bytes, with a name in place of each token.
    package func redacting(_ bytes: [UInt8]) -> [UInt8] {
        var (rest, redacted) = (bytes[...], [UInt8]())
        while let found = rest.firstRange(of: patterns[0]) {
            redacted += rest[..<found.lowerBound] + Array("{canary}".utf8)
            rest = rest[found.lowerBound...].dropFirst(Canary.stemLength + Canary.endLength)
        }
        return redacted + rest
    }

    package func redacting(_ text: String) -> String {
        text.utf8.count < Canary.stemLength ? text : String(decoding: redacting(Array(text.utf8)), as: UTF8.self)
    }

    /// How many bytes at the end of a piece may be the beginning of a token that goes on in the next.
    package static let overlap = 23
}

/// A token of ours that arrived, by its place only.
public struct Leak: Hashable, Sendable {
    public enum Place: Hashable, Sendable {
        case requestLine
        /// By the name of the header.
        case header(String)
        case body
        /// In the name that a handshake asks for.
        case serverName
        /// In a name that was looked up.
        case lookup
        /// In datagrams (UDP).
        case datagram
        /// In bytes that are no request, or no whole one.
        case elsewhere
    }

    public var place: Place
    /// How many bytes of plaintext came before it.
    public var offset: Int

    package init(_ place: Place, offset: Int) {
        self.place = place
        self.offset = offset
    }

    /// How many are kept of one connection.
    package static let limit = 32
}

extension Leak.Place: CustomStringConvertible {
    public var description: String {
        switch self {
        case .requestLine: "the request line"
        case .header(let name): "header \(name)"
        case .body: "the body"
        case .serverName: "the server name (SNI)"
        case .lookup: "a name that was looked up"
        case .datagram: "a datagram (UDP)"
        case .elsewhere: "bytes that are no whole request"
        }
    }
}
