import Testing

@testable import MitmHarness

#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

let searchPath = "/usr/bin:/bin"

func command(
    _ arguments: String...,
    in folder: String = "/",
    timeout: Duration = .seconds(60),
    grace: Duration = .milliseconds(50)
) -> ChildCommand {
    ChildCommand(
        arguments: arguments,
        environment: ["PATH": searchPath],
        workingDirectory: folder,
        timeout: timeout,
        grace: grace
    )
}

/// A command that has `sh` run a script, with these as `$1`, `$2` ...
func shell(
    _ script: String,
    _ arguments: String...,
    in folder: String = "/",
    timeout: Duration = .seconds(60),
    grace: Duration = .milliseconds(50)
) -> ChildCommand {
    var command = command("sh", "-c", script, "sh", in: folder, timeout: timeout, grace: grace)
    command.arguments += arguments
    return command
}

/// The process identifier that a child printed.
func process(in outcome: ChildOutcome) throws -> pid_t {
    let line = try #require(outcome.standardOutput.text.split(separator: "\n").first)
    return try #require(pid_t(line))
}

/// Waits, within bounds, until a process has ended and was reaped by its parent, whoever that is by now.
func isGone(_ process: pid_t) async -> Bool {
    await eventually { kill(process, 0) != 0 || isDead(process) }
}

/// Waits, within bounds, for a file to appear, and reads it.
func contents(of path: String) async throws -> String {
    try #require(await eventually { access(path, R_OK) == 0 }, "\(path) does not appear")
    return try #require(read(path))
}

func withTemporaryFolder<Result>(_ body: (String) async throws -> Result) async throws -> Result {
    var template = Array("/tmp/pindrill-test-XXXXXX".utf8CString)
    try #require(mkdtemp(&template) != nil)
    let folder = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    defer { for name in ["/ready", ""] { remove(folder + name) } }
    return try await body(folder)
}

extension String {
    var trimmed: String { String(split { $0.isWhitespace }.first ?? "") }
}

private func eventually(_ condition: () -> Bool) async -> Bool {
    let deadline = ContinuousClock.now + .seconds(180)
    while ContinuousClock.now < deadline {
        if condition() { return true }
        try? await Task.sleep(for: .milliseconds(2))
    }
    return false
}

/// Where nobody reaps orphans (a container without an init) they stay as zombies; they have ended nevertheless.
private func isDead(_ process: pid_t) -> Bool {
    read("/proc/\(process)/stat")?.split(separator: ")").last?.hasPrefix(" Z") == true
}

private func read(_ path: String) -> String? {
    guard let file = fopen(path, "r") else { return nil }
    defer { fclose(file) }
    var bytes = [UInt8](repeating: 0, count: 4096)
    let count = fread(&bytes, 1, bytes.count, file)
    return String(decoding: bytes.prefix(count), as: UTF8.self)
}
