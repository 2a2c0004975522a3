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

    /// How long a pipe may be without a writer, in milliseconds: a shell starts both ends at about the same time.
    private static let patience: Int32 = 2000

    /// - Throws: why it cannot be read, without the path.
    static func read(_ path: String) throws(InputError) -> [UInt8] {
        // Or else a named pipe without a writer would keep us waiting here.
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { throw InputError(reason(errno)) }
        defer { close(descriptor) }
        return try read(descriptor: descriptor)
    }

    /// Hands a file over in pieces, so that no file is too large; a pipe must have a writer.
    ///
    /// - Throws: why it cannot be read, without the path, and what `take` throws.
    static func stream(_ path: String, _ take: (UnsafeBufferPointer<UInt8>) throws -> Void) throws {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw InputError(reason(errno)) }
        defer { close(descriptor) }
        var buffer = [UInt8](repeating: 0, count: 1 << 20)
        while true {
            let count = buffer.withUnsafeMutableBytes { fill($0, from: descriptor) }
            if count == 0 { return }
            if count < 0 {
                guard errno == EINTR else { throw InputError(reason(errno)) }
                continue
            }
            try buffer.withUnsafeBufferPointer { try take(UnsafeBufferPointer(rebasing: $0[..<count])) }
        }
    }

    /// What a name stands for that a file gives to another, relative to its own folder.
    ///
    /// - Throws: where that is not in the file's folder or below it, links included.
    static func path(of name: String, below file: String) throws(InputError) -> String {
        let path = folder(of: file) + name
        // What is not there is told when it is read.
        guard let real = resolved(path), let folder = resolved("\(folder(of: file)).") else { return path }
        guard real.hasPrefix(folder == "/" ? folder : "\(folder)/") else {
            throw InputError("it must lie in the folder of this file, or below it, and it is a link to \(real)")
        }
        return path
    }

    /// Empty or with a slash at its end. What a shell pipes in belongs to the folder in which it was typed.
    static func folder(of file: String) -> String {
        let isPipe = file.hasPrefix("/dev/") || file.hasPrefix("/proc/")
        guard !isPipe, let slash = file.lastIndex(of: "/") else { return "" }
        return String(file[...slash])
    }

    /// The same for all names of a file; `nil` where there is none.
    static func resolved(_ path: String) -> String? {
        guard let real = realpath(path, nil) else { return nil }
        defer { free(real) }
        return String(cString: real)
    }

    /// Not by the name `/dev/stdin`, which cannot be opened where standard input is a socket.
    static func readStandardInput() throws(InputError) -> [UInt8] { try read(descriptor: STDIN_FILENO) }

    private static func read(descriptor: Int32) throws(InputError) -> [UInt8] {
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 64 << 10)
        var input = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        var hasWaited = false
        while true {
            let count = buffer.withUnsafeMutableBytes { fill($0, from: descriptor) }
            if count > 0 {
                bytes += buffer[..<count]
                guard bytes.count <= limit else { throw InputError("this file is larger than \(limit >> 20) MiB") }
            } else if count == 0 {
                // The end, or a named pipe that nobody has opened yet.
                guard bytes.isEmpty, !hasWaited else { return bytes }
                hasWaited = true
                guard poll(&input, 1, patience) != 0 else {
                    throw InputError("this is a pipe, and nobody writes into it")
                }
            } else if errno == EAGAIN {
                _ = poll(&input, 1, -1)
            } else if errno != EINTR {
                throw InputError(reason(errno))
            }
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
