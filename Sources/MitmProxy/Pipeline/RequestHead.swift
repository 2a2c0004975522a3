import Foundation
import NIOCore

/// The head of an HTTP request in the clear: enough to see whom a client is after, and no more.
package struct RequestHead: Equatable {
    package var method: String
    package var target: String
    /// The `Host` field, where there is one.
    package var host: String?

    /// Longer heads are refused: nothing that asks for a tunnel needs more.
    package static let limit = 8192

    /// Reads a whole head, up to and including its empty line; `nil` when it is no HTTP/1 request.
    package init?(_ text: some StringProtocol) {
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
    package var authority: String? {
        // A path may hold another address in its query.
        guard !target.hasPrefix("/"), let scheme = target.range(of: "://") else { return host }
        let rest = target[scheme.upperBound...].prefix { $0 != "/" && $0 != "?" && $0 != "#" }
        let authority = rest.split(separator: "@", omittingEmptySubsequences: false).last ?? rest
        return authority.isEmpty ? host : String(authority)
    }

    /// Whether the target is a `host:port`, as CONNECT needs (RFC 9110 section 9.3.6).
    package var namesTunnel: Bool {
        guard let colon = target.utf8.lastIndex(of: UInt8(ascii: ":")) else { return false }
        let port = target[target.index(after: colon)...]
        var host = target[..<colon]
        if host.hasPrefix("["), host.hasSuffix("]") {
            host = host.dropFirst().dropLast()
            guard host.utf8.allSatisfy({ $0 == UInt8(ascii: ":") || RequestHead.isInName($0) }) else { return false }
        } else {
            guard host.utf8.allSatisfy(RequestHead.isInName) else { return false }
        }
        // `Int` alone would take a sign.
        guard !host.isEmpty, port.utf8.allSatisfy({ UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }) else { return false }
        return Int(port).map { 1...65535 ~= $0 } ?? false
    }

    private static func isInName(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: "-._".utf8.contains(byte)
        }
    }
}

extension RequestHead {
    /// What bytes in the clear are, as far as they have come.
    package enum Beginning: Equatable {
        /// A request: whatever of it left the client, left it.
        case request
        /// A CONNECT, or what may yet become one: that tells nobody anything yet.
        case tunnel
        case neither
    }

    /// Reads the method: letters and what else RFC 9110 section 5.6.2 allows, and a space.
    package static func beginning(_ bytes: some Collection<UInt8>) -> Beginning {
        guard let first = bytes.first, isLetter(first) else { return .neither }
        let method = Array(bytes.prefix { isLetter($0) || "!#$%&'*+-.^_`|~0123456789".utf8.contains($0) })
        let next = bytes.dropFirst(method.count).first
        guard next == nil || next == UInt8(ascii: " ") else { return .neither }
        if next == nil { return "CONNECT".utf8.starts(with: method) ? .tunnel : .request }
        return method.elementsEqual("CONNECT".utf8) ? .tunnel : .request
    }

    private static func isLetter(_ byte: UInt8) -> Bool {
        UInt8(ascii: "A")...UInt8(ascii: "Z") ~= byte || UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte
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
