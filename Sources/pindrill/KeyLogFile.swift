import ArgumentParser
import Foundation
import Synchronization
import TLSCore

#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// `--keylog`: the secrets of every connection of one run, for Wireshark. A file of its own, which only its owner can read.
final class KeyLogFile: Sendable {
    private let path: String
    private let handle: FileHandle
    private let hasFailed = Mutex(false)

    /// A file of an earlier run is replaced, and whoever has that open sees nothing of this one.
    init(_ path: String) throws(InputError) {
        self.path = path
        var status = stat()
        if lstat(path, &status) == 0 {
            guard status.st_mode & S_IFMT == S_IFREG else {
                throw InputError("\(path): this is no ordinary file; name another for --keylog")
            }
            unlink(path)
        }
        let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw InputError("\(path): \(String(cString: strerror(errno)))") }
        handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        Terminal.remark(
            "warning: \(path) will have the secrets of every connection: who has it can read what a capture of them holds. "
                + "Remove it once it is used"
        )
    }

    /// Connections come from several threads; a line is written at once, so none is torn.
    var log: SecretLog {
        SecretLog { [self] line in
            hasFailed.withLock { hasFailed in
                guard !hasFailed else { return }
                do {
                    try handle.write(contentsOf: Data("\(line)\n".utf8))
                } catch {
                    hasFailed = true
                    Terminal.complain("\(path): it could not be written on: \(error.localizedDescription)")
                }
            }
        }
    }
}
