import Foundation

#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// A file that a user named: an ordinary one, or what a shell pipes in (`/dev/stdin`, `<(…)`).
enum InputFile {
    /// No scenario file or bundle of certificates is near it; it keeps `/dev/zero` from filling the memory.
    private static let limit = 16 << 20

    /// - Throws: why it cannot be read, without the path.
    static func read(_ path: String) throws(Trouble) -> [UInt8] {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw Trouble(reason(errno)) }
        defer { close(descriptor) }
        return try read(descriptor: descriptor)
    }

    /// Not by the name `/dev/stdin`, which cannot be opened where standard input is a socket.
    static func readStandardInput() throws(Trouble) -> [UInt8] { try read(descriptor: STDIN_FILENO) }

    private static func read(descriptor: Int32) throws(Trouble) -> [UInt8] {
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 64 << 10)
        while true {
            let count = buffer.withUnsafeMutableBytes { fill($0, from: descriptor) }
            guard count >= 0 else {
                if errno == EINTR { continue }
                throw Trouble(reason(errno))
            }
            guard count > 0 else { return bytes }
            bytes += buffer[..<count]
            guard bytes.count <= limit else { throw Trouble("this file is larger than \(limit >> 20) MiB") }
        }
    }

    private static func reason(_ number: Int32) -> String {
        switch number {
        case ENOENT, ENOTDIR: "no such file"
        case EISDIR: "this is a folder; name a file"
        case EACCES, EPERM: "this file cannot be read; check its permissions"
        default: String(cString: strerror(number))
        }
    }
}

/// Not a method, where `read` would be the one above.
private func fill(_ buffer: UnsafeMutableRawBufferPointer, from descriptor: Int32) -> Int {
    read(descriptor, buffer.baseAddress, buffer.count)
}
