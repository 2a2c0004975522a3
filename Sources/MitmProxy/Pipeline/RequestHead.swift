import Foundation
import NIOCore

/// The head of an HTTP request in the clear: enough to see whom a client is after, and no more.
struct RequestHead: Equatable {
    var method: String
    var target: String
    /// The `Host` field, where there is one.
    var host: String?

    /// Longer heads are refused: nothing that asks for a tunnel needs more.
    static let limit = 8192

    /// Reads a whole head, up to and including its empty line; `nil` when it is no HTTP/1 request.
    init?(_ text: some StringProtocol) {
        let lines = text.split(separator: "\r\n", omittingEmptySubsequences: false)
        let words = (lines.first ?? "").split(separator: " ", omittingEmptySubsequences: false)
        guard words.count == 3, words[2].hasPrefix("HTTP/1."), !words[0].isEmpty, !words[1].isEmpty else { return nil }
        method = String(words[0])
        target = String(words[1])
        host =
            lines.dropFirst()
            .first { $0.lowercased().hasPrefix("host:") }
            .map { $0.dropFirst(5).filter { !$0.isWhitespace } }
            .flatMap { $0.isEmpty ? nil : String($0) }
    }

    /// Whom the request is for: the authority of an absolute target (RFC 9112 section 3.2.2), else `Host`.
    var authority: String? {
        guard let scheme = target.range(of: "://") else { return host }
        let rest = target[scheme.upperBound...].prefix { $0 != "/" && $0 != "?" }
        return rest.isEmpty ? host : String(rest)
    }

    /// Whether the target is a `host:port`, as CONNECT needs (RFC 9110 section 9.3.6).
    var namesTunnel: Bool {
        guard let colon = target.lastIndex(of: ":"), colon != target.startIndex,
            let port = Int(target[target.index(after: colon)...])
        else { return false }
        return 1...65535 ~= port && target.allSatisfy { $0.isASCII && !$0.isWhitespace }
    }
}

extension ByteBuffer {
    /// The bytes up to and including the first empty line, taken out; `nil` while it has not come.
    mutating func readHead() -> String? {
        let view = readableBytesView
        let end = Array("\r\n\r\n".utf8)
        guard view.count >= end.count else { return nil }
        for index in view.indices.dropLast(end.count - 1) where view[index] == end[0] {
            guard view[index..<index + end.count].elementsEqual(end) else { continue }
            return readString(length: index + end.count - view.startIndex)
        }
        return nil
    }
}
