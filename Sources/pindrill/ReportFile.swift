import Foundation
import Scenarios

#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// A report on disk. From the start of the run on, the file holds a whole document with the trials finished so far, so
/// that nothing is lost when the run is killed.
///
/// That needs a file whose end can be written again. A device or a pipe gets the document once the run is over.
struct ReportFile: Sendable {
    private let target: ReportTarget
    private var document: ReportDocument
    private let descriptor: Int32
    private let identity: Identity
    /// What was written last, which is written again where the next edit fails halfway.
    private var latest: ReportDocument.Edit?
    private var size = 0
    private(set) var hasFailed = false

    /// Which file it is, whatever path leads there.
    private struct Identity: Hashable {
        var device: UInt64
        var number: UInt64
        var isRegular: Bool

        init?(_ descriptor: Int32) {
            var status = stat()
            guard fstat(descriptor, &status) == 0 else { return nil }
            device = UInt64(truncatingIfNeeded: status.st_dev)
            number = UInt64(truncatingIfNeeded: status.st_ino)
            isRegular = status.st_mode & S_IFMT == S_IFREG
        }
    }

    /// Opens the files of several reports, and changes none of them.
    static func prepare(
        _ targets: [ReportTarget],
        document: (ReportKind) -> ReportDocument
    ) throws(Trouble) -> [ReportFile] {
        var taken: [Identity: String] = [:]
        for (descriptor, name) in [(STDOUT_FILENO, "standard output"), (STDERR_FILENO, "standard error")] {
            if let identity = Identity(descriptor) { taken[identity] = name }
        }
        var files: [ReportFile] = []
        for target in targets {
            let file = try ReportFile(target, document(target.kind))
            if file.identity.isRegular, let other = taken.updateValue("\(target)", forKey: file.identity) {
                throw Trouble("\(target): this file is taken by \(other)")
            }
            files.append(file)
        }
        return files
    }

    private init(_ target: ReportTarget, _ document: ReportDocument) throws(Trouble) {
        self.target = target
        self.document = document
        let flags = O_WRONLY | O_CREAT | O_CLOEXEC | O_NOCTTY
        descriptor = target.path.withCString { open($0, flags, 0o666) }
        guard descriptor >= 0, let identity = Identity(descriptor) else {
            throw Trouble("\(target): \(String(cString: strerror(errno)))")
        }
        self.identity = identity
    }

    /// Writes the document of a run that has not finished any trial. Here as later, a failure is told of once.
    mutating func begin() {
        guard identity.isRegular else { return }
        size = Int(lseek(descriptor, 0, SEEK_END))
        attempt { document in try document.begin() }
    }

    mutating func add(_ trial: TrialResult, duration: Duration) {
        guard identity.isRegular else { return }
        attempt { document in try document.add(trial, duration: duration) }
    }

    /// Puts the trials into the order of the file, where that is possible without a moment in which a kill would do harm.
    mutating func finish(_ report: Report, exitStatus: Int32) {
        guard !hasFailed else { return }
        if identity.isRegular {
            let whole = try? document.finished(report, exitStatus: exitStatus)
            guard let whole, replace(with: whole.bytes) else {
                attempt { document in try document.end(report, exitStatus: exitStatus) }
                return
            }
        } else {
            attempt { document in try document.finished(report, exitStatus: exitStatus) }
        }
    }

    private mutating func attempt(_ change: (inout ReportDocument) throws -> ReportDocument.Edit) {
        guard !hasFailed else { return }
        do {
            let edit = try change(&document)
            guard let number = identity.isRegular ? apply(edit) : put(edit.bytes) else { return }
            fail(String(cString: strerror(number)))
        } catch {
            fail("\(error)")
        }
    }

    private mutating func fail(_ reason: String) {
        hasFailed = true
        Terminal.clearProgress()
        Terminal.complain("\(target.path): the report could not be written: \(reason)")
    }

    // MARK: System calls; each says which `errno` prevented it

    /// Writes the end of the document anew, in one call.
    private mutating func apply(_ edit: ReportDocument.Edit) -> Int32? {
        let end = edit.offset + edit.bytes.count
        // Blanks may follow a document of either kind. What is left of a longer one may not.
        let padding = [UInt8](repeating: UInt8(ascii: " "), count: latest == nil ? 0 : max(0, size - end))
        if let number = put(edit.bytes + padding, at: edit.offset) {
            if let latest {
                // These blocks of the disk are ours already.
                _ = put(latest.bytes, at: latest.offset)
                _ = ftruncate(descriptor, off_t(latest.offset + latest.bytes.count))
            }
            return number
        }
        if size > end, ftruncate(descriptor, off_t(end)) != 0 { return errno }
        size = end
        latest = edit
        return nil
    }

    /// Writes at an offset, or where that is `nil` into a stream.
    private func put(_ bytes: [UInt8], at offset: Int? = nil) -> Int32? {
        bytes.withUnsafeBytes { bytes in
            var done = 0
            while done < bytes.count {
                let rest = UnsafeRawBufferPointer(rebasing: bytes[done...])
                let count =
                    if let offset {
                        pwrite(descriptor, rest.baseAddress, rest.count, off_t(offset + done))
                    } else {
                        write(descriptor, rest.baseAddress, rest.count)
                    }
                if count >= 0 { done += count } else if errno != EINTR { return errno }
            }
            return nil
        }
    }

    /// Whether the file could be replaced in one go.
    private func replace(with bytes: [UInt8]) -> Bool {
        let url = URL(filePath: target.path).resolvingSymlinksInPath()
        do {
            try Data(bytes).write(to: url, options: .atomic)
            return true
        } catch {
            return false
        }
    }
}
