import Foundation
import Scenarios

#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// What a client has started and left running, in whatever session it is by now: Linux tells by `/proc/PID/environ`
/// (proc(5)) what each process was given when it began, and a variable of ours is given to nobody else.
///
/// Who begins with an empty environment is not found. Other systems tell nobody's.
struct Descendants: Sendable {
    /// What only processes of this trial have in their environment: `NAME=value`.
    private let mark: String

    init(ofTrialIn folder: String) { mark = "\(CommandPlaceholder.dir.variable)=\(folder)" }

    struct Process: Hashable, Sendable, CustomStringConvertible {
        let number: pid_t
        let name: String

        var description: String { "'\(name)' (process \(number))" }
    }

    /// Those that are left when they have had some time to end by themselves.
    func outliving(_ patience: Duration) async -> [Process] {
        let deadline = ContinuousClock.now + patience
        var left = alive
        while !left.isEmpty, ContinuousClock.now < deadline, !Task.isCancelled {
            try? await Task.sleep(for: .milliseconds(20))
            left = alive
        }
        return left
    }

    /// Ends all of them at once.
    func end() {
        // One that was starting another when it was looked for.
        for _ in 0..<10 {
            let left = alive
            if left.isEmpty { return }
            for process in left { _ = kill(process.number, SIGKILL) }
        }
    }

    /// Who is being started shows no environment for an instant (execve(2)), so where there is one such, we look again.
    private var alive: [Process] {
        for _ in 0..<20 {
            let (found, isSure) = look()
            if isSure || !found.isEmpty { return found }
            usleep(500)
        }
        return []
    }

    private func look() -> (found: [Process], isSure: Bool) {
        #if os(Linux)
        guard let folder = opendir("/proc") else { return ([], true) }
        defer { closedir(folder) }
        // More than most environments; what stands behind it is not looked at.
        var bytes = [CChar](repeating: 0, count: 1 << 18)
        var found: [Process] = []
        var isSure = true
        while let entry = readdir(folder) {
            let number = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
                bytes.baseAddress.map { pid_t(atoi($0.assumingMemoryBound(to: CChar.self))) } ?? 0
            }
            // A zombie has no environment any more, and other users' are not ours to read.
            guard number > 0, number != getpid() else { continue }
            let count = Descendants.contents(of: "/proc/\(number)/environ", &bytes)
            if count == 0, Descendants.isBeingStarted(number, &bytes) { isSure = false }
            guard let count, bytes.withUnsafeBufferPointer({ holdsMark($0.prefix(count)) }) else { continue }
            let length = Descendants.contents(of: "/proc/\(number)/comm", &bytes) ?? 0
            // It ends with a line break.
            let name = bytes.prefix(max(0, length - 1)).map { UInt8(bitPattern: $0) }
            found.append(Process(number: number, name: String(decoding: name, as: UTF8.self)))
        }
        return (found, isSure)
        #else
        return ([], true)
        #endif
    }

    /// Whether a process without an environment may yet get one: it is younger than we are, no zombie and no thread of the
    /// kernel, and was not given an empty one, which ends where it begins. One that ends elsewhere has come since we looked
    /// (proc_pid_stat(5): state, flags with PF_KTHREAD, start time, env_start, env_end).
    private static func isBeingStarted(_ number: pid_t, _ bytes: inout [CChar]) -> Bool {
        guard let other = status(of: "\(number)", &bytes), let own = status(of: "self", &bytes) else { return false }
        return !["Z", "X"].contains(other.state) && other.flags & 0x20_0000 == 0 && other.start >= own.start
            && !other.hasEmptyEnvironment
    }

    private static func status(
        of process: String,
        _ bytes: inout [CChar]
    ) -> (state: String, flags: Int, start: Int, hasEmptyEnvironment: Bool)? {
        guard let count = contents(of: "/proc/\(process)/stat", &bytes) else { return nil }
        // The name may hold anything, a bracket too.
        let text = String(decoding: bytes.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self)
        let fields = text[(text.lastIndex(of: ")") ?? text.startIndex)...].split(separator: " ").dropFirst().map(
            String.init
        )
        guard fields.count > 48, let flags = Int(fields[6]), let start = Int(fields[19])
        else { return nil }
        return (fields[0], flags, start, fields[47] == fields[48] && fields[48] != "0")
    }

    /// Whether one of the variables, each of which ends with a zero byte, is ours.
    private func holdsMark(_ variables: Slice<UnsafeBufferPointer<CChar>>) -> Bool {
        guard var variable = UnsafeBufferPointer(rebasing: variables).baseAddress else { return false }
        let end = variable + variables.count
        while variable < end {
            if strcmp(variable, mark) == 0 { return true }
            variable += strlen(variable) + 1
        }
        return false
    }

    /// How many bytes of a file there are; behind them stands a zero byte. `nil`: it cannot be opened, as other people's.
    private static func contents(of file: String, _ bytes: inout [CChar]) -> Int? {
        let descriptor = open(file, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        return bytes.withUnsafeMutableBytes { buffer in
            var count = 0
            while count < buffer.count - 1, let start = buffer.baseAddress {
                let more = read(descriptor, start + count, buffer.count - 1 - count)
                guard more > 0 else { break }
                count += more
            }
            buffer[count] = 0
            return count
        }
    }
}
