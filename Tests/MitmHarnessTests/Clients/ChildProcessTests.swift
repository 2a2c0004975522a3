import Foundation
import Testing

@testable import MitmHarness

#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

@Suite struct `A child process` {
    @Test(arguments: [0, 1, 60, 255] as [Int32])
    func `is reported with its exit status`(status: Int32) async throws {
        let outcome = try await shell("exit \(status)").run()

        #expect(outcome.ending == .exited(status))
    }

    @Test func `is reported with the signal that ended it`() async throws {
        let outcome = try await shell("kill -KILL $$").run()

        #expect(outcome.ending == .signalled(SIGKILL))
    }

    /// It ends while we take our last look at the wire, so nothing of ours ended it.
    @Test(arguments: [("exit 7", ChildOutcome.Ending.exited(7)), ("sleep 60", .timedOut)])
    func `is not late when it ends in the last moment`(rest: String, ending: ChildOutcome.Ending) async throws {
        try await withTemporaryFolder { folder in
            let command = shell(
                "until [ -e \"$1/ready\" ]; do :; done; \(rest)",
                folder,
                timeout: .milliseconds(20)
            )

            let outcome = try await command.run { hasTimedOut in
                guard hasTimedOut else { return }
                close(open(folder + "/ready", O_CREAT | O_WRONLY, 0o600))
                // Called off as soon as the program has ended.
                if rest == "exit 7" { while !Task.isCancelled { await Task.yield() } }
            }

            #expect(outcome.ending == ending)
        }
    }

    @Test func `keeps its two output streams apart`() async throws {
        let outcome = try await shell("echo good; echo bad >&2").run()

        #expect(outcome.standardOutput.text == "good\n")
        #expect(outcome.standardError.text == "bad\n")
    }

    @Test func `starts in its working directory`() async throws {
        let outcome = try await shell("pwd", in: "/usr").run()

        #expect(outcome.standardOutput.text == "/usr\n")
    }

    @Test func `sees its own environment and nothing of ours`() async throws {
        let command = ChildCommand(
            arguments: ["env"],
            environment: ["PATH": searchPath, "PINDRILL_STEP": "rotated"],
            workingDirectory: "/",
            timeout: .seconds(20)
        )

        let outcome = try await command.run()

        #expect(
            Set(outcome.standardOutput.text.split(separator: "\n")) == ["PATH=\(searchPath)", "PINDRILL_STEP=rotated"]
        )
    }

    @Test func `sees no variable at all if it is given none`() async throws {
        let command = ChildCommand(
            arguments: ["/usr/bin/env"],
            environment: [:],
            workingDirectory: "/",
            timeout: .seconds(20)
        )

        let outcome = try await command.run()

        #expect(outcome.ending == .exited(0))
        #expect(outcome.standardOutput.text == "")
    }

    @Test(arguments: [["folder", "text", "program"], ["text", "program"], ["program", "folder"]])
    func `is found where PATH has it first`(places: [String]) async throws {
        try await withTemporaryFolder { folder in
            for place in places {
                let path = "\(folder)/\(place)/ready"
                let parent = place == "folder" ? path : "\(folder)/\(place)"
                try FileManager.default.createDirectory(atPath: parent, withIntermediateDirectories: true)
                guard place != "folder" else { continue }
                #expect(FileManager.default.createFile(atPath: path, contents: Data("#!/bin/sh\nexit 7\n".utf8)))
                let mode = place == "program" ? 0o755 : 0o644
                try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
            }
            var command = command("ready")
            command.environment["PATH"] = places.map { "\(folder)/\($0)" }.joined(separator: ":")

            let outcome = try await command.run()

            #expect(outcome.ending == .exited(7))
        }
    }

    @Test func `gets its arguments as they are`() async throws {
        let outcome = try await shell(#"printf '<%s>' "$@""#, "two words", "", "$HOME *").run()

        #expect(outcome.standardOutput.text == "<two words><><$HOME *>")
    }

    @Test func `leads its own process group`() async throws {
        // Signal 0 only asks whether there is such a group.
        let outcome = try await shell("kill -s 0 -- -$$ && echo leads").run()

        #expect(outcome.standardOutput.text == "leads\n")
    }

    @Test func `is one of many at a time`() async throws {
        let endings = try await withThrowingTaskGroup(of: (Int, ChildOutcome).self) { group in
            for number in 0..<50 {
                group.addTask { (number, try await shell("echo \(number); exit \(number)").run()) }
            }
            return try await group.reduce(into: [Int: ChildOutcome]()) { $0[$1.0] = $1.1 }
        }

        for number in 0..<50 {
            #expect(endings[number]?.ending == .exited(Int32(number)))
            #expect(endings[number]?.standardOutput.text == "\(number)\n")
        }
    }
}

@Suite struct `A child process that cannot start` {
    @Test func `is named if PATH does not have it`() async throws {
        let outcome = try await command("pindrill-no-such-program").run()

        #expect(
            outcome.ending
                == .notStarted(reason: "no program 'pindrill-no-such-program' in its PATH (\(searchPath))")
        )
    }

    @Test(arguments: [
        ("/no/such/program", "'/no/such/program' does not exist"),
        ("./no-such-program", "'./no-such-program' does not exist"),
        ("/etc", "'/etc' is a folder"),
        ("cd", "'cd' is a word of the shell, which does not read this line; write sh -c 'cd …'"),
    ])
    func `F4: is named if there is nothing to execute at its path`(path: String, reason: String) async throws {
        let outcome = try await command(path).run()

        #expect(outcome.ending == .notStarted(reason: reason))
    }

    @Test(arguments: [
        ("#!/bin/sh\n", 0o644, "may not be executed; chmod +x makes it a program"),
        ("#!/no/such/sh -e\n", 0o755, "is for '/no/such/sh', which does not exist"),
        ("#!/bin/sh\r\n", 0o755, "ends its lines as Windows does, which its interpreter does not take"),
        ("exit 0\n", 0o755, "is no program, and its first line names none, as #!/bin/sh does"),
    ])
    func `F4: says what is wrong with a script`(text: String, mode: Int, reason: String) async throws {
        try await withTemporaryFolder { folder in
            let script = "\(folder)/ready"
            #expect(FileManager.default.createFile(atPath: script, contents: Data(text.utf8)))
            try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: script)

            let outcome = try await command(script).run()

            #expect(outcome.ending == .notStarted(reason: "'\(script)' \(reason)"))
        }
    }

    @Test func `starts from a path relative to its working directory`() async throws {
        let outcome = try await command("./sh", "-c", "exit 7", in: "/bin").run()

        #expect(outcome.ending == .exited(7))
    }

    @Test func `is not looked for in our own PATH`() async throws {
        var command = command("sh", "-c", "exit 0")
        command.environment = [:]

        let outcome = try await command.run()

        #expect(outcome.ending == .notStarted(reason: "cannot look for 'sh': its environment has no PATH"))
    }

    @Test func `is told to us if its working directory is missing`() async throws {
        let outcome = try await shell("exit 0", in: "/no/such/folder").run()

        guard case .notStarted(let reason) = outcome.ending else {
            Issue.record("\(outcome.ending)")
            return
        }
        #expect(reason.hasPrefix("cannot start 'sh' in '/no/such/folder': "))
    }

    @Test func `is an error if there is no program`() async throws {
        let outcome = try await ChildCommand(
            arguments: [],
            environment: [:],
            workingDirectory: "/",
            timeout: .seconds(20)
        ).run()

        #expect(outcome.ending == .notStarted(reason: "the command line is empty"))
    }
}
