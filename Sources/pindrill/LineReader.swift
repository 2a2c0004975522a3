import Foundation
import Scenarios

#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// The lines of a shard's report, one after the other: as many as a file may have, in the memory of a few.
///
/// An indented report is read whole, and becomes lines here.
final class LineReader {
    private let handle: FileHandle?
    private var buffer: [UInt8] = []
    private var start = 0
    /// The first line and the last.
    private(set) var head = Data()
    let end: Data
    /// The trial that comes next, with its line feed, and its place; `nil` behind the last.
    private(set) var line: [UInt8] = []
    private(set) var place: Int?

    private static let piece = 1 << 16

    /// - Throws: `InputError` without the path.
    init(_ path: String) throws {
        let file: FileHandle
        do { file = try FileHandle(forReadingFrom: URL(filePath: path)) } catch {
            throw InputError("no such file, or it cannot be read")
        }
        if try file.read(upToCount: 2).map({ Array($0) }) == Array("{\n".utf8) {
            guard let report = try? RecordedReport(parsing: Data(contentsOf: URL(filePath: path))) else {
                throw InputError("this is not a report as --report jsonl=PATH or json=PATH writes it")
            }
            handle = nil
            buffer = Array(try report.document(.jsonl).utf8)
            end = Data(buffer.split(separator: UInt8(ascii: "\n")).last ?? [])
        } else {
            let size = try file.seekToEnd()
            try file.seek(toOffset: size - min(size, UInt64(Self.piece)))
            end = Data(try (file.readToEnd() ?? Data()).split(separator: UInt8(ascii: "\n")).last ?? Data())
            try file.seek(toOffset: 0)
            handle = file
        }
        head = Data(try next() ?? [])
        try advance()
    }

    func advance() throws {
        line = try next() ?? []
        place = ShardMerge.place(of: line)
        guard place != nil || line.isEmpty || line.prefix(end.count).elementsEqual(end) else {
            throw InputError("a trial does not tell its place: was it played by a run with --shard?")
        }
    }

    private func next() throws -> [UInt8]? {
        var scanned = start
        while true {
            if let newline = newline(from: scanned) {
                defer { start = newline + 1 }
                return Array(buffer[start...newline])
            }
            buffer.removeFirst(start)
            start = 0
            scanned = buffer.count
            guard let more = try handle?.read(upToCount: Self.piece), !more.isEmpty else { return nil }
            buffer += more
        }
    }

    private func newline(from index: Int) -> Int? {
        buffer.withUnsafeBytes { bytes in
            guard index < bytes.count, let base = bytes.baseAddress,
                let found = memchr(base + index, 0x0A, bytes.count - index)
            else { return nil }
            return UnsafeRawPointer(found) - base
        }
    }
}
