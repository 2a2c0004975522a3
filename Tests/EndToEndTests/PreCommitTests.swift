import Foundation
import TestSupport
import Testing

/// The hook of `.pre-commit-hooks.yaml`, run by pre-commit itself in a repository of its own.
@Suite(.enabled(if: PreCommit.program != nil, "pre-commit and git are not installed"))
struct PreCommitTests {
    @Test func `stops a commit that would lock users out, and lets its twin pass`() throws {
        let pins = ["utmg5NIuXjXc321JwUBw4B1DNpJJkgnuJk88qs0RTVM=", "vduvxDt5mhyuAlZH2GyLr30NZkpTRkcQBETkiJVp1rg="]
        let one = try commit(pins.prefix(1).map(\.self), options: "[.]")
        let two = try commit(pins, options: "[--fail-on, warning, .]")

        #expect(one.status == 1, "\(one.output)")
        #expect(one.output.contains(/audit certificate pins\.+Failed/))
        #expect(one.output.contains("[single-pin]"))
        #expect(two.status == 0, "\(two.output)")
        #expect(two.output.contains(/audit certificate pins\.+Passed/))
    }

    @Test func `leaves a commit alone that changes no file that can hold pins`() throws {
        let ending = try commit([], options: "[.]")

        #expect(ending.status == 0, "\(ending.output)")
        #expect(ending.output.contains(/audit certificate pins\.+\(no files to check\)Skipped/))
    }

    /// - Parameter pins: of a source that is committed; none: another kind of file.
    private func commit(_ pins: [String], options: String) throws -> Tool.Result {
        let program = try #require(PreCommit.program)
        let shell = try #require(Tool("sh"))
        return try withTemporaryFolder { folder in
            let add =
                "CertificatePinner.Builder().add(\"a.acme.example\", \(pins.map { "\"sha256/\($0)\"" }.joined(separator: ", ")))"
            let script = """
                set -e
                alias git='git -c user.name=a -c user.email=a@example.org -c init.defaultBranch=main -c commit.gpgsign=false'
                mkdir hook app home && cp '\(Places.package.path)/.pre-commit-hooks.yaml' hook
                cd hook && git init -q . && git add -A && git commit -q -m hook && revision=$(git rev-parse HEAD)
                cd ../app && git init -q .
                printf 'repos:\\n- repo: ../hook\\n  rev: %s\\n  hooks:\\n  - {id: pindrill-audit, args: %s}\\n' \
                    $revision '\(options)' >.pre-commit-config.yaml
                \(pins.isEmpty ? "echo x >a.txt" : "echo 'val a = \(add).build()' >A.kt")
                git add \(pins.isEmpty ? "a.txt" : "A.kt")
                exec '\(program.path)' run
                """
            let path = "\(Program.url.deletingLastPathComponent().path):\(Program.bareEnvironment["PATH"] ?? "")"
            let home = folder.appending(path: "home").path
            return try shell.run(
                ["-c", "cd '\(folder.path)'; \(script)"],
                environment: ["PATH": path, "HOME": home, "PRE_COMMIT_HOME": home, "GIT_CONFIG_NOSYSTEM": "1"]
            )
        }
    }
}

private enum PreCommit {
    /// The one that `Scripts/setup test` installs in CI, or the machine's own.
    static let program: URL? = {
        guard Tool("git") != nil else { return nil }
        let own = Places.package.appending(path: ".build/python/bin/pre-commit")
        return FileManager.default.isExecutableFile(atPath: own.path) ? own : Tool("pre-commit")?.url
    }()
}
