import MitmHarness
import Pinning
import TestSupport
import Testing

@testable import Scenarios

/// Servers that are slow in a handshake, or never finish it, in a whole trial. Nobody here waits for long: clients have limits of
/// their own.
@Suite struct `Where a handshake is never finished` {
    /// Connects as often as it is told, and gives up on each hanging handshake at once.
    private struct Impatient: ClientUnderTest {
        /// The pins of each connection; the last that is answered counts.
        var tries: [Bool] = [true]
        var then: @Sendable (Endpoint) async -> ClientReport? = { _ in nil }

        func attempt(
            _ endpoint: Endpoint,
            beforeEnding: @escaping BeforeEnding
        ) async throws(CancellationError) -> ClientReport {
            // The control answers at once, however slow the machine is.
            let isHanging = !endpoint.step.hasPrefix("1") && !endpoint.step.hasPrefix("control")
            var report = ClientReport(.nothing, account: "")
            for (index, isPinned) in tries.enumerated() where index == 0 || report.word == .failed {
                var exchange = TLSExchange(obeying: endpoint)
                if !isPinned { exchange.judge = { _ in Decision(.accept, .trusted) } }
                if isHanging, index == 0 { exchange.handshakeLimit = .milliseconds(200) }
                report = ClientReport(await exchange.run(endpoint, beforeEnding: beforeEnding), duration: .zero)
            }
            guard report.word == .failed else { return report }
            return await then(endpoint) ?? report
        }
    }

    private static func play(_ step: String, _ client: any ClientUnderTest) async throws -> StepResult {
        let steps = "- { present: today, store: attacked }\n- { store: attacked, \(step) }"
        return try await #require(playSteps(steps, client).steps.last)
    }

    @Test(
        arguments: ["hang", "reset", "close"].flatMap { stop in
            ["client-hello", "server-hello"].map { "\(stop): \($0)" }
        },
        ["", ", tls: 1.2"]
    )
    func `who gives up and asks no other has passed, and has shown nothing else`(fault: String, tls: String)
        async throws
    {
        let result = try await Self.play("present: today, handshake: { \(fault) }\(tls)", Impatient())
        let connection = try #require(result.attempts.first?.observations.first)

        #expect(result.judgement == Judgement(.pass, .gaveUp))
        #expect(result.consequence == .unknown)
        #expect(result.attempts.map(\.isRefusal) == [false])
        #expect(connection.reaction == .inconclusive(.unanswered))
        #expect(connection.shown == nil)
    }

    @Test(arguments: ["hang", "reset", "close"])
    func `a request in the clear is a failure, and a success that nobody saw proves nothing`(stop: String) async throws
    {
        let step = "present: today, handshake: { \(stop): client-hello }"
        let clear = try await Self.play(
            step,
            Impatient(then: { endpoint in
                _ = await PlainConnection(port: endpoint.port).request(host: endpoint.host)
                return nil
            })
        )
        let cached = try await Self.play(step, Impatient(then: { _ in ClientReport(.succeeded) }))

        #expect(clear.judgement == Judgement(.fail, .spokeInTheClear))
        #expect(cached.judgement.verdict == .inconclusive)
    }

    @Test(arguments: ["hang", "reset", "close"])
    func `the next connection is shown the chain, and judged by it`(stop: String) async throws {
        let attack = "present: forged, handshake: { \(stop): server-hello, times: 1 }"
        let good = try await Self.play(attack, Impatient(tries: [true, true]))
        let bad = try await Self.play(attack, Impatient(tries: [true, false]))
        let once = try await Self.play(attack, Impatient())
        let own = try await Self.play(
            "present: today, handshake: { \(stop): client-hello, times: 1 }",
            Impatient(tries: [true, true])
        )

        #expect(good.judgement == Judgement(.pass, .obeyed))
        #expect(good.consequence == .protected)
        #expect(bad.judgement == Judgement(.fail, .talkedToTheWrongServer))
        #expect(once.judgement == Judgement(.notApplicable, .gaveUp))
        #expect(own.judgement == Judgement(.pass, .obeyed))
    }

    /// The first connection is shown nothing, so the first chain is for the second.
    @Test(arguments: ["hang", "reset", "close"])
    func `what is never finished takes no turn of several chains`(stop: String) async throws {
        let step = "present: [today, forged], handshake: { \(stop): client-hello, times: 1 }"
        let result = try await Self.play(step, Impatient(tries: [true, true]))

        #expect(result.attempts.flatMap(\.observations).map(\.shown) == [nil, "today"])
    }

    @Test(arguments: ["hang", "close"])
    func `who waits or tries until its time is over has shown nothing`(stop: String) async throws {
        let catalogue = try Catalogue.story(
            "- { present: today }\n- { present: today, handshake: { \(stop): client-hello } }"
        )
        let ask = "curl --silent --insecure --connect-to ::{endpoint} {url}"
        let command = CommandDeclaration(
            run: "sh -c 'case {step} in 1*) exit 0;; esac; while :; do \(ask); done'",
            timeout: .seconds(1)
        )
        let client = try CommandClient(command)
        let result = try #require(await catalogue.runner { _ in client }.run(catalogue.file.trials).first?.steps.last)

        #expect(result.judgement == Judgement(.notApplicable, .neverGaveUp))
    }

    @Test func `an attacker whom nobody would see is a mistake in the file, and one whom the next would see is none`() {
        let step = "- { present: forged, store: attacked, handshake: { hang: client-hello"

        #expect(throws: ScenarioFileError.self) { try Catalogue.story("\(step) } }") }
        #expect(throws: Never.self) { try Catalogue.story("\(step), times: 1 } }") }
    }

    @Test func `a late answer changes nothing`() async throws {
        let result = try await Self.play("present: today, handshake: { delay: 1ms }", ReferenceClient())

        #expect(result.judgement == Judgement(.pass, .obeyed))
        #expect(result.planned.mayProve)
    }
}
