package import Foundation
import Scenarios

#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// A trial's temporary folder, which nobody else can read, with the homes that clients are given.
///
/// A file in it is locked (flock(2)) for as long as its owner lives, however that ends: a folder whose lock can be had was
/// left behind by somebody who was killed.
package struct TrialFolder: Sendable {
    package let url: URL
    private let lock: Int32

    private struct Unusable: Error, CustomStringConvertible {
        let folder: String
        var description: String { "no folder can be made in '\(folder)'; set TMPDIR to one that can be written to" }
    }

    package init(in parent: URL = FileManager.default.temporaryDirectory) throws {
        // Not UUID(): without /dev/urandom all of them are zeros, and this asks the kernel.
        let name = TrialFolder.prefix + String(UInt64.random(in: .min ... .max), radix: 16, uppercase: true)
        url = parent.appending(path: name)
        for place in [url, url.appending(path: "home"), url.appending(path: "tmp")] {
            guard mkdir(place.path, 0o700) == 0 else { throw Unusable(folder: parent.path) }
        }
        // It gets its name when it is locked: nobody finds it unlocked while we live.
        let unnamed = url.appending(path: ".\(TrialFolder.owner)").path
        lock = open(unnamed, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard lock >= 0, flock(lock, LOCK_EX | LOCK_NB) == 0,
            rename(unnamed, url.appending(path: TrialFolder.owner).path) == 0
        else {
            remove()
            throw Unusable(folder: parent.path)
        }
    }

    package func remove() {
        try? FileManager.default.removeItem(at: url)
        if lock >= 0 { close(lock) }
    }

    /// No word that a rule may look for in what a client prints.
    private static let prefix = "pd-"
    private static let owner = "owner"

    /// Removes the folders of this user's runs that were killed, and what was started there, once in the life of a process.
    static let sweepOnce: Void = sweep(FileManager.default.temporaryDirectory)

    package static func sweep(_ parent: URL) {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: parent.path)) ?? []
        for name in names where name.hasPrefix(prefix) {
            let folder = parent.appending(path: name)
            var status = stat()
            guard lstat(folder.path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR, status.st_uid == geteuid()
            else { continue }
            let lock = open(folder.appending(path: owner).path, O_RDWR | O_NOFOLLOW | O_CLOEXEC)
            guard lock >= 0 else {
                // Killed before it was locked: it holds nothing. One that is being made is younger.
                if errno == ENOENT, isOld(status) { try? FileManager.default.removeItem(at: folder) }
                continue
            }
            if flock(lock, LOCK_EX | LOCK_NB) == 0 {
                // Killed before the guardian was told of it.
                Descendants(ofTrialIn: folder.path).end()
                try? FileManager.default.removeItem(at: folder)
            }
            close(lock)
        }
    }

    /// Whether nothing was changed in a folder for an hour.
    private static func isOld(_ status: stat) -> Bool {
        #if canImport(Darwin)
        let changed = status.st_mtimespec.tv_sec
        #else
        let changed = status.st_mtim.tv_sec
        #endif
        return time(nil) - changed > 3600
    }
}
