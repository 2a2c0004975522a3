package import NIOCore

/// What a load balancer says first of the client that it stands for: the PROXY protocol, versions 1 and 2 (HAProxy's
/// `doc/proxy-protocol.txt`).
package enum ForwardedHeader {
    /// Why it is none.
    package struct Malformed: Error, Hashable, Sendable {
        package let reason: String
    }

    /// A client's address as `host:port`; `nil` where the load balancer speaks for itself, or does not know.
    package typealias Source = String?

    /// The longest header of version 1, with its end (section 2.1).
    private static let longestLine = 107
    /// What begins a header of version 2 (section 2.2).
    private static let signature: [UInt8] = [0x0D, 0x0A, 0x0D, 0x0A, 0x00, 0x0D, 0x0A, 0x51, 0x55, 0x49, 0x54, 0x0A]
    /// Longer ones of version 2 are refused: addresses and the usual extensions take far less.
    private static let longestBlock = 4096

    /// Takes one header out; `nil` while more is to come.
    package static func read(_ bytes: inout ByteBuffer) throws(Malformed) -> Source? {
        let view = bytes.readableBytesView
        guard let first = view.first else { return nil }
        if first == signature[0] {
            guard view.starts(with: signature.prefix(view.count)) else { throw Malformed(reason: "no PROXY header") }
            return view.count < 16 ? nil : try readBlock(&bytes)
        }
        let word = Array("PROXY ".utf8)
        guard view.starts(with: word.prefix(view.count)) else { throw Malformed(reason: "no PROXY header") }
        guard let end = view.prefix(longestLine).firstIndex(of: UInt8(ascii: "\n")) else {
            guard view.count < longestLine else { throw Malformed(reason: "a PROXY header without an end") }
            return nil
        }
        let line = String(decoding: view[..<end], as: UTF8.self)
        bytes.moveReaderIndex(to: end + 1)
        return .some(try source(in: line))
    }

    private static func source(in line: String) throws(Malformed) -> Source {
        guard line.hasSuffix("\r") else { throw Malformed(reason: "a PROXY header that does not end in CRLF") }
        let words = line.dropLast().split(separator: " ", omittingEmptySubsequences: false).map(String.init)
        if words.count >= 2, words[1] == "UNKNOWN" { return nil }
        guard words.count == 6, ["TCP4", "TCP6"].contains(words[1]) else {
            throw Malformed(reason: "a PROXY header that names no addresses")
        }
        let isV6 = words[1] == "TCP6"
        let places = zip(words[2...3], words[4...5]).map { address, port in place(address, port, isV6: isV6) }
        guard let source = places[0], places[1] != nil else {
            throw Malformed(reason: "a PROXY header with a bad address or port")
        }
        return source
    }

    private static func place(_ address: String, _ port: String, isV6: Bool) -> String? {
        guard address.contains(":") == isV6, let number = UInt16(port), "\(number)" == port else { return nil }
        return try? text(SocketAddress(ipAddress: address, port: Int(number)))
    }

    private static func text(_ address: SocketAddress) -> String {
        let host = address.ipAddress ?? ""
        return "\(host.contains(":") ? "[\(host)]" : host):\(address.port ?? 0)"
    }

    private static func readBlock(_ bytes: inout ByteBuffer) throws(Malformed) -> Source? {
        var rest = bytes
        rest.moveReaderIndex(forwardBy: signature.count)
        guard let (command, family, length) = rest.readMultipleIntegers(as: (UInt8, UInt8, UInt16).self) else {
            return nil
        }
        guard command >> 4 == 2, command & 0xF <= 1 else {
            throw Malformed(reason: "a PROXY header of an unknown version or command")
        }
        guard length <= longestBlock else { throw Malformed(reason: "a PROXY header of \(length) bytes") }
        guard var block = rest.readSlice(length: Int(length)) else { return nil }
        bytes = rest
        // LOCAL: its own, such as a look whether we are alive.
        guard command & 0xF == 1 else { return .some(nil) }
        let size =
            switch family {
            case 0x11: 4
            case 0x21: 16
            // Families without a place in a report: UNSPEC, UDP, UNIX sockets (section 2.2).
            case 0x00, 0x12, 0x22, 0x31, 0x32: 0
            default: throw Malformed(reason: "a PROXY header of an unknown family")
            }
        guard size > 0 else { return .some(nil) }
        guard let address = block.readSlice(length: size), block.readSlice(length: size) != nil,
            let port: UInt16 = block.readInteger(), block.readInteger(as: UInt16.self) != nil,
            let source = try? SocketAddress(packedIPAddress: address, port: Int(port))
        else { throw Malformed(reason: "a PROXY header that is too short for its addresses") }
        return .some(text(source))
    }
}
