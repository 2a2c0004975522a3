import ArgumentParser
import Foundation
import MitmProxy
import Synchronization
import TLSCore

#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// What a run can leave for those who look closer.
struct EvidenceOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Writes the secrets of all connections, so that Wireshark can read a capture of them (SSLKEYLOGFILE).",
            valueName: "file"
        ),
        completion: .file()
    )
    var keylog: String?

    @Option(
        help: ArgumentHelp(
            "Writes what all connections carried, with their secrets, as a capture that Wireshark opens decrypted (pcapng).",
            valueName: "file"
        ),
        completion: .file()
    )
    var pcap: String?

    @Option(
        help: ArgumentHelp(
            "After how many days a later run in the same folder removes what --keylog and --pcap wrote (default: 7).",
            valueName: "n"
        )
    )
    var evidenceDays: Int?

    func validate() throws {
        guard let evidenceDays else { return }
        guard (1...3650).contains(evidenceDays) else { throw ValidationError("--evidence-days must be from 1 to 3650") }
        if keylog == nil, pcap == nil {
            throw ValidationError("--evidence-days means nothing without --keylog or --pcap")
        }
    }
}

/// The files of one run that hold the secrets of its connections.
struct Evidence {
    let secrets: SecretLog?
    let capture: PacketCapture?
    private let captured: EvidenceFile?

    init(_ options: EvidenceOptions, now: Date) throws(InputError) {
        Expiry.sweep([options.keylog, options.pcap].compactMap(\.self), now: now)
        let expiry = Expiry(now + TimeInterval(options.evidenceDays ?? 7) * 86400)
        var keys: EvidenceFile?
        if let path = options.keylog {
            keys = try EvidenceFile(
                path,
                of: "--keylog",
                "will have the secrets of every connection: who has it can read what a capture of them holds"
            )
            keys?.write(Array("# \(expiry.text)\n".utf8))
        }
        captured = try options.pcap.map { path throws(InputError) in
            try EvidenceFile(
                path,
                of: "--pcap",
                "will have all that clients say, and the secrets that decrypt it: who has it can read it"
            )
        }
        capture = captured.map { PacketCapture(comment: expiry.text, write: $0.write) }
        let log = SecretLog { [keys, capture] line in
            keys?.write(Array("\(line)\n".utf8))
            capture?.add(secret: line)
        }
        secrets = keys == nil && capture == nil ? nil : log
    }

    /// Says what is not in it, once the run is over.
    func finish() {
        guard let captured, let count = capture?.fullTrials, count > 0 else { return }
        let trials = count == 1 ? "1 trial carried" : "\(count) trials carried"
        Terminal.remark("note: \(captured.path) has not all: \(trials) more than 64 MB")
    }
}

/// A file of one run, which only its owner can read.
private final class EvidenceFile: Sendable {
    let path: String
    private let handle: FileHandle
    /// How much of it is whole; `nil` once writing has failed.
    private let length = Mutex<UInt64?>(0)

    /// A file of an earlier run is replaced, and whoever has that open sees nothing of this one.
    init(_ path: String, of option: String, _ warning: String) throws(InputError) {
        self.path = path
        var status = stat()
        if lstat(path, &status) == 0 {
            guard status.st_mode & S_IFMT == S_IFREG else {
                throw InputError("\(path): this is no ordinary file; name another for \(option)")
            }
            unlink(path)
        }
        let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw InputError("\(path): \(String(cString: strerror(errno)))") }
        handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        Terminal.remark("warning: \(path) \(warning). Remove it once it is used")
    }

    /// Connections come from several threads; what is written at once stands as a whole, or not at all.
    @Sendable func write(_ bytes: [UInt8]) {
        length.withLock { length in
            guard let before = length else { return }
            do {
                try handle.write(contentsOf: Data(bytes))
                length = before + UInt64(bytes.count)
            } catch {
                try? handle.truncate(atOffset: before)
                length = nil
                Terminal.complain("\(path): it could not be written on: \(error.localizedDescription)")
            }
        }
    }
}

/// When a file of ours is to go, as the file itself says it where it begins: nothing else is ever removed.
private struct Expiry {
    private static let before = "written by pindrill, which removes it in a later run after "
    private let date: Date

    var text: String { Expiry.before + date.formatted(.iso8601) }

    init(_ date: Date) { self.date = date }

    /// - Parameter head: how a file begins.
    private init?(_ head: [UInt8]) {
        let isCapture = head.starts(with: [0x0A, 0x0D, 0x0D, 0x0A])
        guard isCapture || head.starts(with: "# ".utf8) else { return nil }
        let text = String(decoding: head.dropFirst(isCapture ? PacketCapture.commentOffset : 2), as: UTF8.self)
        guard text.hasPrefix(Expiry.before),
            let date = try? Date(String(text.dropFirst(Expiry.before.count).prefix(20)), strategy: .iso8601)
        else { return nil }
        self.date = date
    }

    /// Removes what is over from the folders of these files, and from the one that the run was started in.
    static func sweep(_ paths: [String], now: Date) {
        for folder in Set(paths.map { URL(filePath: $0).deletingLastPathComponent().path } + [URL(filePath: ".").path])
        {
            for name in (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? [] {
                let file = "\(folder)/\(name)"
                var status = stat()
                guard lstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_mode & 0o777 == 0o600,
                    status.st_uid == geteuid(), let expiry = Expiry(head(of: file)), expiry.date < now,
                    unlink(file) == 0
                else { continue }
                Terminal.remark("note: \(file) was removed: its days were over")
            }
        }
    }

    private static func head(of file: String) -> [UInt8] {
        let descriptor = open(file, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        guard descriptor >= 0 else { return [] }
        let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        return Array((try? handle.read(upToCount: 256)) ?? Data())
    }
}
