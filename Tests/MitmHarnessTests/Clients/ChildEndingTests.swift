import MitmHarness
import Testing

#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

@Suite struct `A child that does not end by itself` {
    @Test func `is ended when its time is up`() async throws {
        let outcome = try await shell("sleep 300", timeout: .milliseconds(100)).run()

        #expect(outcome.ending == .timedOut)
        #expect(outcome.duration < .seconds(120))
    }

    @Test func `is made to end if it does not listen`() async throws {
        let outcome = try await shell("trap '' TERM; echo deaf; sleep 300; sleep 300", timeout: .milliseconds(200))
            .run()

        #expect(outcome.ending == .timedOut)
        #expect(outcome.duration < .seconds(120))
        #expect(outcome.standardOutput.text == "deaf\n")
    }

    @Test func `may say good-bye when its time is up`() async throws {
        let outcome = try await shell(
            "trap 'echo bye; exit 5' TERM; sleep 300 & wait",
            timeout: .milliseconds(300),
            grace: .seconds(20)
        ).run()

        #expect(outcome.ending == .timedOut)
        #expect(outcome.standardOutput.text == "bye\n")
        #expect(outcome.duration < .seconds(120))
    }

    @Test func `takes its own children with it`() async throws {
        let outcome = try await shell("sleep 300 & echo $!; wait", timeout: .milliseconds(300)).run()

        #expect(outcome.ending == .timedOut)
        #expect(await isGone(try process(in: outcome)))
    }

    @Test func `is ended even if it has closed its output`() async throws {
        let outcome = try await shell("exec >&- 2>&-; sleep 300", timeout: .milliseconds(200)).run()

        #expect(outcome.ending == .timedOut)
        #expect(outcome.duration < .seconds(120))
    }

    @Test func `is let run if it has closed its output and ends in time`() async throws {
        let outcome = try await shell("exec >&- 2>&-; sleep 0.1; exit 4").run()

        #expect(outcome.ending == .exited(4))
    }

    @Test func `is ended even if it was stopped`() async throws {
        let outcome = try await shell("kill -STOP $$; sleep 300", timeout: .milliseconds(200)).run()

        #expect(outcome.ending == .timedOut)
        #expect(outcome.duration < .seconds(120))
    }
}

@Suite struct `What a child leaves behind` {
    @Test func `is ended with it, although it holds the output open`() async throws {
        let outcome = try await shell("sleep 300 & echo $!; exit 6").run()

        #expect(outcome.ending == .exited(6))
        #expect(outcome.duration < .seconds(120))
        #expect(await isGone(try process(in: outcome)))
    }

    @Test func `is not waited for if it has moved to a session of its own`() async throws {
        let outcome = try await withTemporaryFolder { folder in
            try await shell(escaping("sleep 300"), in: folder).run()
        }
        let escaped = try process(in: outcome)
        defer { kill(escaped, SIGKILL) }

        #expect(outcome.ending == .exited(0))
        #expect(outcome.duration < .seconds(120))
        #expect(kill(escaped, 0) == 0)
    }

    @Test func `is not listened to without end`() async throws {
        let outcome = try await withTemporaryFolder { folder in
            try await shell(escaping("yes"), in: folder).run()
        }
        let escaped = try process(in: outcome)
        defer { kill(escaped, SIGKILL) }

        #expect(outcome.ending == .exited(0))
        #expect(outcome.duration < .seconds(120))
    }

    /// Starts a program in a session of its own, where our signals do not reach it, and prints its process identifier.
    private func escaping(_ program: String) -> String {
        #if os(Linux)
        let setsid = "setsid"
        #else
        let setsid = "perl -MPOSIX -e 'POSIX::setsid(); exec @ARGV'"
        #endif
        return "mkfifo ready; \(setsid) sh -c 'echo $$; echo > ready; exec \(program)' & read -r go < ready"
    }
}

@Suite struct `Cancelling the task that runs a child` {
    @Test func `ends it and everything it started`() async throws {
        try await withTemporaryFolder { folder in
            let running = Task {
                try await shell("trap '' TERM; sleep 300 & echo $! > pid; mv pid ready; wait", in: folder).run()
            }
            let started = try await contents(of: "\(folder)/ready")

            let start = ContinuousClock.now
            running.cancel()

            await #expect(throws: CancellationError.self) { try await running.value }
            #expect(ContinuousClock.now - start < .seconds(120))
            #expect(await isGone(try #require(pid_t(started.trimmed))))
        }
    }

    @Test func `starts nothing if it came first`() async throws {
        try await withTemporaryFolder { folder in
            let running = Task {
                withUnsafeCurrentTask { $0?.cancel() }
                return try await shell("echo > started", in: folder).run()
            }

            await #expect(throws: CancellationError.self) { try await running.value }
            #expect(access("\(folder)/started", F_OK) != 0)
        }
    }
}
