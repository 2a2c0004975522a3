import MitmHarness
import Testing

@Suite struct `A child that lives as long as its trial` {
    private let parrot = #"while read -r line; do echo "heard $line"; done; echo bye >&2; exit 9"#

    @Test func `answers each attempt with a line`() async {
        let session = ChildSession.start(shell(parrot))

        #expect(await session.attempt("one", timeout: .seconds(20)) == .line("heard one"))
        #expect(await session.attempt("two", timeout: .seconds(20)) == .line("heard two"))

        let outcome = await session.finish()
        #expect(outcome.ending == .exited(9))
        #expect(outcome.standardOutput.text == "heard one\nheard two\n")
        #expect(outcome.standardError.text == "bye\n")
    }

    @Test func `is ended if it does not answer in time`() async {
        let session = ChildSession.start(shell("read -r line; sleep 30"))

        #expect(await session.attempt("one", timeout: .milliseconds(100)) == .timedOut)
        #expect(await session.attempt("two", timeout: .seconds(20)) == .ended(.timedOut))
        #expect(await session.finish().ending == .timedOut)
    }

    @Test func `may close its input without harming us`() async {
        let session = ChildSession.start(shell("exec <&-; sleep 30"))

        #expect(await session.attempt("one", timeout: .milliseconds(100)) == .timedOut)
        _ = await session.finish()
    }

    @Test func `is reported if it ends instead of answering`() async {
        let session = ChildSession.start(shell("read -r line; exit 3"))

        #expect(await session.attempt("one", timeout: .seconds(20)) == .ended(.exited(3)))
        #expect(await session.attempt("two", timeout: .seconds(20)) == .ended(.exited(3)))
        #expect(await session.finish().ending == .exited(3))
    }

    @Test func `is reported if it never started`() async {
        let session = ChildSession.start(command("/no/such/program"))
        let ending = ChildOutcome.Ending.notStarted(reason: "'/no/such/program' does not exist")

        #expect(await session.attempt("one", timeout: .seconds(20)) == .ended(ending))
        #expect(await session.finish().ending == ending)
    }

    @Test func `is not taken at a word that nobody asked for`() async {
        // Both lines are written at once and so arrive together, before the second attempt begins.
        let session = ChildSession.start(
            shell(#"read -r line; printf 'answer\nchatter\n'; read -r line; echo "to $line""#)
        )

        #expect(await session.attempt("one", timeout: .seconds(20)) == .line("answer"))
        #expect(await session.attempt("two", timeout: .seconds(20)) == .line("to two"))
        _ = await session.finish()
    }

    @Test func `is ended if it does not end when it is told to`() async {
        let session = ChildSession.start(
            shell("trap '' TERM; echo ready; while :; do sleep 1; done", timeout: .milliseconds(100))
        )

        #expect(await session.finish().ending == .timedOut)
    }

    @Test func `is ended when the task that waits for it is cancelled`() async {
        let session = ChildSession.start(shell("read -r line; sleep 30"))
        let attempt = Task { await session.attempt("one", timeout: .seconds(20)) }

        attempt.cancel()

        #expect(await attempt.value == .ended(.signalled(9)))
    }
}
