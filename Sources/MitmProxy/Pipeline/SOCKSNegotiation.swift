package import NIOCore

/// The server's side of SOCKS5 up to the target (RFC 1928): bytes go in, answers come out. A user and a password are
/// taken whatever they are, unless there are credentials (RFC 1929).
package struct SOCKSNegotiation {
    package enum Step: Hashable, Sendable {
        case answer([UInt8])
        /// What follows goes to this `host:port`. Who reaches it answers `granted`, or else `denied`.
        case tunnel(target: String)
    }

    /// Why it ends, and what its client is told before.
    package struct Refusal: Error, Hashable, Sendable {
        package let reason: String
        package let answer: [UInt8]
    }

    private enum Stage {
        case greeting
        case password
        case request
    }

    private var stage = Stage.greeting
    private let credentials: Exposure.Credentials?

    package init(_ credentials: Exposure.Credentials? = nil) { self.credentials = credentials }

    /// The first byte of every message but that of RFC 1929.
    package static let version: UInt8 = 5
    private static let passwordVersion: UInt8 = 1

    package static let granted = reply(0)
    /// Not allowed by ruleset.
    package static let denied = reply(2)
    /// Host unreachable.
    package static let unreachable = reply(4)

    /// The address that it was bound to is nobody's business.
    private static func reply(_ code: UInt8) -> [UInt8] { [version, code, 0, 1, 0, 0, 0, 0, 0, 0] }

    /// Reads one message, once all of it is there.
    package mutating func next(_ bytes: inout ByteBuffer) throws(Refusal) -> Step? {
        var rest = bytes
        guard let step = try read(&rest) else { return nil }
        bytes = rest
        return step
    }

    private mutating func read(_ bytes: inout ByteBuffer) throws(Refusal) -> Step? {
        guard let version: UInt8 = bytes.readInteger() else { return nil }
        guard version == (stage == .password ? Self.passwordVersion : Self.version) else {
            throw Refusal(reason: "SOCKS with a message of version \(version)", answer: [])
        }
        switch stage {
        case .greeting:
            guard let methods = bytes.readCounted() else { return nil }
            // Nothing before a user and a password.
            let known: [UInt8] = credentials == nil ? [0, 2] : [2]
            guard let method = known.first(where: methods.contains) else {
                throw Refusal(reason: "SOCKS without a method of ours", answer: [Self.version, 0xFF])
            }
            stage = method == 0 ? .request : .password
            return .answer([Self.version, method])
        case .password:
            guard let name = bytes.readCounted(), let password = bytes.readCounted() else { return nil }
            if let credentials, [name, password] != [Array(credentials.name.utf8), Array(credentials.password.utf8)] {
                throw Refusal(reason: "SOCKS without the password", answer: [Self.passwordVersion, 1])
            }
            stage = .request
            return .answer([Self.passwordVersion, 0])
        case .request:
            guard let (command, _, type) = bytes.readMultipleIntegers(as: (UInt8, UInt8, UInt8).self) else {
                return nil
            }
            guard command == 1 else {
                throw Refusal(reason: "SOCKS with command \(command): only CONNECT is known", answer: Self.reply(7))
            }
            guard let host = try Self.host(type, &bytes) else { return nil }
            guard let port: UInt16 = bytes.readInteger() else { return nil }
            let target = "\(host):\(port)"
            guard RequestReader.namesTunnel(target) else {
                throw Refusal(reason: "SOCKS to '\(target.prefix(80))'", answer: Self.reply(1))
            }
            return .tunnel(target: target)
        }
    }

    private static func host(_ type: UInt8, _ bytes: inout ByteBuffer) throws(Refusal) -> String? {
        switch type {
        case 3: return bytes.readCounted().map { String(decoding: $0, as: UTF8.self) }
        case 1, 4:
            let address = bytes.readSlice(length: type == 1 ? 4 : 16)
            let text = address.flatMap { try? SocketAddress(packedIPAddress: $0, port: 0).ipAddress }
            return type == 4 ? text.map { "[\($0)]" } : text
        default: throw Refusal(reason: "SOCKS with an address of type \(type)", answer: reply(8))
        }
    }
}

extension ByteBuffer {
    /// One byte that counts those which follow it.
    fileprivate mutating func readCounted() -> [UInt8]? {
        guard let count: UInt8 = readInteger() else { return nil }
        return readBytes(length: Int(count))
    }
}
