import Foundation
import Witness

extension RequestReader.Request {
    /// Whom the request is for: the authority of an absolute target (RFC 9112 section 3.2.2), else `Host`.
    package var authority: String? {
        // A path may hold another address in its query.
        guard !target.hasPrefix("/"), let scheme = target.range(of: "://") else { return host }
        let rest = target[scheme.upperBound...].prefix { $0 != "/" && $0 != "?" && $0 != "#" }
        let authority = rest.split(separator: "@", omittingEmptySubsequences: false).last ?? rest
        return authority.isEmpty ? host : String(authority)
    }

    package var namesTunnel: Bool { RequestReader.namesTunnel(target) }
}

extension RequestReader {
    /// Whether a target is a `host:port`, as a tunnel needs (RFC 9110 section 9.3.6).
    static func namesTunnel(_ target: String) -> Bool {
        guard let colon = target.utf8.lastIndex(of: UInt8(ascii: ":")) else { return false }
        let port = target[target.index(after: colon)...]
        var host = target[..<colon]
        if host.hasPrefix("["), host.hasSuffix("]") {
            host = host.dropFirst().dropLast()
            guard host.utf8.allSatisfy({ $0 == UInt8(ascii: ":") || isInName($0) }) else { return false }
        } else {
            guard host.utf8.allSatisfy(isInName) else { return false }
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

    /// What bytes in the clear are, as far as they have come.
    package enum Beginning: Equatable {
        /// A request: whatever of it left the client, left it.
        case request
        /// A CONNECT, or what may yet become one: that tells nobody anything yet.
        case tunnel
        case neither

        /// Reads the method: a letter, what else RFC 9110 section 5.6.2 allows, and a space. No method is so long that
        /// its end must be waited for.
        package init(_ bytes: some Collection<UInt8>) {
            let start = bytes.prefix(64)
            let method = start.prefix(while: RequestDetector.isToken)
            let goesOn = method.endIndex == start.endIndex
            guard let first = method.first, UInt8(ascii: "a")...UInt8(ascii: "z") ~= first | 0x20,
                goesOn || start[method.endIndex] == UInt8(ascii: " ")
            else {
                self = .neither
                return
            }
            let isTunnel = goesOn ? "CONNECT".utf8.starts(with: method) : method.elementsEqual("CONNECT".utf8)
            self = isTunnel ? .tunnel : .request
        }
    }
}
