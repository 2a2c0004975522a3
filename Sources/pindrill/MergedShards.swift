import ArgumentParser
import Foundation
import Scenarios

#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// The reports of shards, read line by line, and written as one.
struct MergedShards {
    private let shards: [LineReader]
    private let merge: ShardMerge

    init(_ paths: [String]) throws {
        var (shards, parts) = ([LineReader](), [ShardMerge.Part]())
        for path in paths {
            let lines: LineReader
            do { lines = try LineReader(path) } catch let error as InputError { throw InputError("\(path): \(error)") }
            parts.append(try ShardMerge.Part(path, head: lines.head, end: lines.end))
            shards.append(lines)
        }
        merge = try ShardMerge(parts)
        self.shards = shards
    }

    /// The shard whose next trial comes first; `nil`: all are at their ends.
    private var next: Int? {
        var (first, place) = (Int?.none, Int.max)
        for (index, shard) in shards.enumerated() {
            guard let own = shard.place, own < place else { continue }
            (first, place) = (index, own)
        }
        return first
    }

    /// - Returns: the exit status of the whole run.
    func write(to options: ConversionOptions) throws -> Int32 {
        let (targets, stable) = (options.report, options.stable)
        // The others need all of it at once.
        let streams = stable ? [] : targets.filter { [.json, .jsonl].contains($0.kind) }
        var outputs = try streams.map(Output.init)
        var whole = Data()
        let keepsAll = streams.count < targets.count
        var merge = merge
        do {
            for index in outputs.indices {
                try outputs[index].begin(try outputs[index].isIndented ? merge.indentedHead() : merge.head())
            }
            if keepsAll { whole.append(contentsOf: try merge.head().utf8) }
            while let next {
                let line = try merge.take(shards[next].line, from: next)
                for index in outputs.indices { try outputs[index].add(line) }
                if keepsAll { whole.append(contentsOf: line) }
                try shards[next].advance()
            }
            for index in outputs.indices {
                try outputs[index].end(try outputs[index].isIndented ? merge.indentedEnd() : merge.end())
            }
            if keepsAll {
                whole.append(contentsOf: try merge.end().utf8)
                let report = try RecordedReport(parsing: whole)
                for target in targets where !streams.contains(target) {
                    try WrittenReport.write(
                        try target.document(of: report, stable: stable, place: options.place ?? .nowhere),
                        to: target
                    )
                }
            }
        } catch {
            for output in outputs { output.abandon() }
            throw error
        }
        return merge.exitStatus
    }
}

/// A report that is written trial by trial, beside its place, which it takes when it is whole.
private struct Output {
    private let target: ReportTarget
    private let handle: FileHandle
    private let beside: String
    private var buffer = Data()
    private var isFirst = true

    /// Whether it is the indented form, and not that of lines.
    var isIndented: Bool { target.kind == .json }

    init(_ target: ReportTarget) throws {
        self.target = target
        beside = "\(target.path).\(ProcessInfo.processInfo.processIdentifier)"
        if target.isStandardOutput {
            handle = .standardOutput
        } else {
            guard FileManager.default.createFile(atPath: beside, contents: nil),
                let file = FileHandle(forWritingAtPath: beside)
            else {
                Terminal.complain("\(target.path): the report could not be written: no file can be made beside it")
                throw Terminal.writingFailed
            }
            handle = file
        }
    }

    mutating func begin(_ text: String) throws { try put(Data(text.utf8)) }

    mutating func add(_ line: [UInt8]) throws {
        if isIndented {
            buffer.append(contentsOf: (isFirst ? "\n" : ",\n").utf8)
            buffer.append(contentsOf: JSONIndentation.indented(line[...], by: 4))
        } else {
            buffer.append(contentsOf: line)
        }
        isFirst = false
        if buffer.count > 1 << 20 { try put(Data()) }
    }

    mutating func end(_ text: String) throws {
        try put(Data(text.utf8))
        guard !target.isStandardOutput else { return }
        try handle.synchronize()
        try handle.close()
        guard rename(beside, target.path) == 0 else { throw fail(String(cString: strerror(errno))) }
    }

    private mutating func put(_ text: Data) throws {
        buffer.append(text)
        do { try handle.write(contentsOf: buffer) } catch { throw fail(error.localizedDescription) }
        buffer.removeAll(keepingCapacity: true)
    }

    /// Leaves nothing of it.
    func abandon() { if !target.isStandardOutput { unlink(beside) } }

    private func fail(_ reason: String) -> any Error {
        Terminal.complain("\(target.path): the report could not be written: \(reason)")
        return Terminal.writingFailed
    }
}
