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
/// that nothing is lost when the run is killed: the first and the last document are made beside it and then take its
/// place, and between them its end is written anew.
///
/// A device or a pipe, standard output included, gets the document once the run is over.
struct ReportFile: Sendable {
    private let target: ReportTarget
    private var document: ReportDocument
    /// The target, links followed; `nil` for a device or a pipe.
    private let path: String?
    private var descriptor: Int32 = -1
    /// What was written last, which is written again where the next edit fails halfway.
    private var latest: ReportDocument.Edit?
    private var size = 0
    private(set) var hasFailed = false

    /// Looks at what several reports are for, and changes no file.
    static func prepare(
        _ targets: [ReportTarget],
        document: (ReportKind) -> ReportDocument
    ) throws(InputError) -> [ReportFile] {
        var taken: [String: String] = [:]
        for (descriptor, name) in [(STDOUT_FILENO, "standard output"), (STDERR_FILENO, "standard error")] {
            var status = stat()
            if fstat(descriptor, &status) == 0, let file = status.file { taken[file] = name }
        }
        var files: [ReportFile] = []
        for target in targets {
            var status = stat()
            let isThere = !target.isStandardOutput && stat(target.path, &status) == 0
            let path = URL(filePath: target.path).resolvingSymlinksInPath().path
            let isStream = target.isStandardOutput || isThere && status.file == nil
            let place = target.isStandardOutput ? "-" : isThere ? status.file : path
            if let place, let other = taken.updateValue("\(target)", forKey: place) {
                throw InputError("\(target): this file is taken by \(other)")
            }
            files.append(try ReportFile(target, document(target.kind), path: isStream ? nil : path))
        }
        return files
    }

    private init(_ target: ReportTarget, _ document: ReportDocument, path: String?) throws(InputError) {
        self.target = target
        self.document = document
        self.path = path
        guard path == nil else { return }
        // A named pipe that nobody reads would keep us waiting here.
        let flags = O_WRONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK
        descriptor = target.isStandardOutput ? Terminal.giveOutputAway() : open(target.path, flags)
        guard descriptor >= 0 else {
            let reason = errno == ENXIO ? "this is a pipe, and nobody reads from it" : String(cString: strerror(errno))
            throw InputError("\(target): \(reason)")
        }
        if !target.isStandardOutput { _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) & ~O_NONBLOCK) }
    }

    /// Writes the document of a run that has not finished any trial, and again once it is known how many it is to have.
    /// Here as later, a failure is told of once.
    mutating func begin(
        planned: Int? = nil,
        _ scenarios: Coverage? = nil,
        versions: [String: String] = [:],
        stories: [RecordedScenario] = [],
        shard: RecordedReport.Shard? = nil
    ) {
        guard path != nil else { return }
        attempt { try $0.begin(planned: planned, scenarios, versions: versions, stories: stories, shard: shard) }
    }

    /// Whether it says what the scenarios are about, and what their servers show.
    var tellsStories: Bool { target.kind.tellsStories }

    mutating func add(_ trial: TrialResult, duration: Duration) {
        guard path != nil else { return }
        attempt { document in try document.add(trial, duration: duration) }
    }

    /// Puts the trials into the order of the file, where that is possible without a moment in which a kill would do harm.
    mutating func finish(_ report: Report, exitStatus: Int32) {
        guard !hasFailed else { return }
        if let path {
            let whole = try? document.finished(report, exitStatus: exitStatus)
            guard let whole, replace(path, with: whole.bytes) == nil else {
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
            guard let number = path.map({ apply(edit, to: $0) }) ?? put(edit.bytes, into: descriptor) else { return }
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

    /// Writes the end of the document anew, in one call; the first document takes the place of an older file.
    private mutating func apply(_ edit: ReportDocument.Edit, to path: String) -> Int32? {
        if descriptor < 0 {
            guard let number = replace(path, with: edit.bytes) else {
                latest = edit
                return nil
            }
            if [ENOSPC, EDQUOT, EFBIG].contains(number) {
                // Nothing is better than the report of an earlier run, which would be taken for this one's.
                unlink(path)
                return number
            }
            // No file can be made beside it, or none can be moved to its place.
            descriptor = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0o666)
            guard descriptor >= 0 else { return number }
            size = Int(lseek(descriptor, 0, SEEK_END))
        }
        let end = edit.offset + edit.bytes.count
        // Blanks may follow a document of either kind. What is left of a longer one may not.
        let padding = [UInt8](repeating: UInt8(ascii: " "), count: latest == nil ? 0 : max(0, size - end))
        if let number = put(edit.bytes + padding, into: descriptor, at: edit.offset) {
            if let latest {
                // These blocks of the disk are ours already.
                _ = put(latest.bytes, into: descriptor, at: latest.offset)
                _ = ftruncate(descriptor, off_t(latest.offset + latest.bytes.count))
            }
            return number
        }
        if size > end, ftruncate(descriptor, off_t(end)) != 0 { return errno }
        size = end
        latest = edit
        return nil
    }

    /// Writes a file beside the report, which takes its place once the disk holds all of it.
    private mutating func replace(_ path: String, with bytes: [UInt8]) -> Int32? {
        let beside = "\(path).\(getpid())"
        let file = open(beside, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
        guard file >= 0 else { return errno }
        var status = stat()
        if stat(path, &status) == 0 { fchmod(file, status.st_mode & 0o777) }
        let failure = put(bytes, into: file, at: 0) ?? (fsync(file) == 0 && rename(beside, path) == 0 ? nil : errno)
        guard failure == nil else {
            close(file)
            unlink(beside)
            return failure
        }
        if descriptor >= 0 { close(descriptor) }
        (descriptor, size) = (file, bytes.count)
        return nil
    }

    /// Writes at an offset, or where that is `nil` into a stream.
    private func put(_ bytes: [UInt8], into descriptor: Int32, at offset: Int? = nil) -> Int32? {
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
}

extension stat {
    /// Which regular file it is, whatever path leads there.
    fileprivate var file: String? { st_mode & S_IFMT == S_IFREG ? "\(st_dev):\(st_ino)" : nil }
}
