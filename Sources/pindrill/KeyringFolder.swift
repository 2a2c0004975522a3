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

/// `--certs`, for what plays scenarios.
struct KeyringOption: ParsableArguments {
    @Option(
        help: ArgumentHelp("Shows the keys and roots of this keyring, in place of new ones.", valueName: "folder"),
        completion: .directory
    )
    var certs: String?

    var folder: KeyringFolder? { certs.map(KeyringFolder.init) }
}

/// A keyring on disk: a folder that only its owner can read, with one file in it.
struct KeyringFolder {
    /// Where it is if nobody says otherwise.
    static let usual = "certs/local"

    let path: String
    private var file: String { "\(path)/keyring.json" }

    /// A scenario file's keys and certificates, with those of this keyring.
    ///
    /// - Throws: `InputError` where it lacks something that the file declares.
    func pki(for scenarios: ScenarioFile, now: Date) throws -> PKI {
        let keyring = try read()
        do {
            try keyring.check(scenarios, now: now)
        } catch {
            throw InputError("\(path): \(error)")
        }
        return PKI(scenarios.blueprint, now: now, keyring: keyring)
    }

    func read() throws(InputError) -> Keyring {
        guard let keyring = try readIfThere() else {
            throw InputError("\(path): there is no keyring; 'pindrill certs init --certs \(path)' makes one")
        }
        return keyring
    }

    /// Reads it, changes it, and writes it, with everybody else kept out; a keyring that is not there yet is empty.
    func change<Value>(_ body: (inout Keyring) throws -> Value) throws -> Value {
        try makeFolder()
        let lock = open("\(path)/lock", O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard lock >= 0 else { throw failure(errno, at: "\(path)/lock") }
        defer { close(lock) }
        guard flock(lock, LOCK_EX | LOCK_NB) == 0 else {
            throw InputError("\(path): another pindrill is changing this keyring; try again once it has ended")
        }
        var keyring = try readIfThere() ?? Keyring()
        let value = try body(&keyring)
        try PrivateFile.write(Array("*\n".utf8), to: "\(path)/.gitignore")
        try PrivateFile.write(Array(try keyring.text().utf8), to: file)
        return value
    }

    private func readIfThere() throws(InputError) -> Keyring? {
        var status = stat()
        if stat(path, &status) != 0 {
            guard errno == ENOENT else { throw failure(errno, at: path) }
            return nil
        }
        try check(status, S_IFDIR, path, mode: "700")
        if lstat(file, &status) != 0 {
            guard errno == ENOENT else { throw failure(errno, at: file) }
            return nil
        }
        try check(status, S_IFREG, file, mode: "600")
        let bytes: [UInt8]
        do { bytes = try InputFile.read(file) } catch { throw InputError("\(file): \(error)") }
        do {
            return try Keyring(parsing: bytes)
        } catch {
            throw InputError("\(file): \(error); put back a copy, or remove it and run 'pindrill certs init'")
        }
    }

    /// Private keys are nobody else's to read.
    private func check(_ status: stat, _ kind: mode_t, _ place: String, mode: String) throws(InputError) {
        guard status.st_mode & S_IFMT == kind else {
            throw InputError(
                "\(place): this is no \(kind == S_IFDIR ? "folder" : "ordinary file"); name another keyring"
            )
        }
        guard status.st_uid == geteuid() else {
            throw InputError("\(place): this belongs to another user; make a keyring of your own in another folder")
        }
        guard status.st_mode & 0o077 == 0 else {
            throw InputError("\(place): others on this machine may open it; run 'chmod \(mode) \(place)'")
        }
    }

    private func makeFolder() throws(InputError) {
        let parent = URL(filePath: path).deletingLastPathComponent().path
        try? FileManager.default.createDirectory(atPath: parent, withIntermediateDirectories: true)
        guard mkdir(path, 0o700) == 0 || errno == EEXIST else { throw failure(errno, at: path) }
        var status = stat()
        guard stat(path, &status) == 0 else { throw failure(errno, at: path) }
        try check(status, S_IFDIR, path, mode: "700")
    }
}

private func failure(_ number: Int32, at path: String) -> InputError {
    InputError("\(path): \(String(cString: strerror(number)))")
}

/// A file that only its owner can read. It is there as a whole, or not at all.
enum PrivateFile {
    static func write(_ bytes: [UInt8], to path: String) throws(InputError) {
        let beside = "\(path).\(getpid())"
        unlink(beside)
        let descriptor = open(beside, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw failure(errno, at: path) }
        let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        do {
            try handle.write(contentsOf: Data(bytes))
            try handle.synchronize()
        } catch {
            unlink(beside)
            throw InputError("\(path): it could not be written: \(error.localizedDescription); nothing was changed")
        }
        guard rename(beside, path) == 0 else {
            let number = errno
            unlink(beside)
            throw failure(number, at: path)
        }
    }
}
