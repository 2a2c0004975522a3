import MitmHarness
import Pinning
import TestSupport
import Testing

@testable import Scenarios

/// Pins that decode to none, as they reach a client, and what it may do with them.
@Suite struct `A damaged pin` {
    /// Obeys, but where a pin is damaged.
    private struct Touchy: ClientUnderTest {
        var isTouchyAtOnce = false
        var onDamage: @Sendable (Endpoint) async -> ClientReport

        var takesPins: Bool { true }

        func attempt(
            _ endpoint: Endpoint,
            beforeEnding: @escaping BeforeEnding
        ) async throws(CancellationError) -> ClientReport {
            guard isTouchyAtOnce || !endpoint.damage.isEmpty else {
                return try await ReferenceClient().attempt(endpoint, beforeEnding: beforeEnding)
            }
            return await onDamage(endpoint)
        }
    }

    private static let damages = ["too-short", "stray-character"]

    private static func play(_ damage: String, _ client: any ClientUnderTest) async throws -> StepResult {
        let steps = "- { present: today }\n- { present: today, near-miss: \(damage) }"
        return try await #require(playSteps(steps, client).steps.last)
    }

    private static func ending(_ word: ClientReport.Word, _ ending: ClientReport.Ending?) -> ClientReport {
        var report = ClientReport(word)
        report.ending = ending
        return report
    }

    @Test(arguments: damages)
    func `is no reason to accept: who goes on without it fails, and who obeys passes`(damage: String) async throws {
        let loose = Touchy { endpoint in
            var exchange = TLSExchange(obeying: endpoint)
            exchange.judge = { _ in Decision(.accept, .trusted) }
            return ClientReport(await exchange.run(endpoint), duration: .zero)
        }
        let failed = try await Self.play(damage, loose)
        let obeyed = try await Self.play(damage, Touchy { try! await ReferenceClient().attempt($0) })

        #expect(failed.judgement == Judgement(.fail, .acceptedWhatItsPolicyForbids))
        #expect(obeyed.judgement == Judgement(.pass, .obeyed))
        #expect(obeyed.attribution == .pin)
        #expect(obeyed.consequence == .lockedOut)
    }

    @Test(arguments: [
        ending(.failed, .exited(2)), ending(.refused, .exited(1)), ending(.failed, nil),
        ending(.nothing, .signalled(6)),
    ])
    func `may keep a client from starting`(report: ClientReport) async throws {
        let result = try await Self.play("too-short", Touchy { _ in report })

        #expect(result.judgement == Judgement(.pass, .refusedItsPins))
        #expect(result.attribution == .configuration)
        #expect(result.consequence == .lockedOut)
    }

    @Test(arguments: [
        ending(.succeeded, .exited(0)), ending(.nothing, .timedOut), ending(.nothing, .notStarted),
        ending(.nothing, .signalled(9)), ending(.nothing, .exited(0)),
    ])
    func `says nothing of a client that did not end by itself, or not badly`(report: ClientReport) async throws {
        let result = try await Self.play("too-short", Touchy { _ in report })

        #expect(result.judgement == Judgement(.inconclusive, .wireProvesNothing(.nobodyConnected)))
    }

    @Test func `needs a control: who never starts has refused nothing`() async throws {
        let result = try await Self.play("too-short", Touchy(isTouchyAtOnce: true) { _ in ClientReport(.failed) })

        #expect(result.judgement == Judgement(.inconclusive, .noControl))
    }

    /// It comes to see the chain, finds that it cannot read its pins, and says so.
    @Test func `may be called another failure than a rejection`() async throws {
        let late = Touchy { endpoint in
            var exchange = TLSExchange(obeying: endpoint)
            exchange.judge = { _ in Decision(.reject, .trusted) }
            _ = await exchange.run(endpoint)
            var report = ClientReport(.failed, blamesPin: false)
            report.canTellRefusal = true
            return report
        }
        let result = try await Self.play("stray-character", late)

        #expect(result.judgement == Judgement(.pass, .obeyed))
        #expect(result.attribution == .configuration)
    }

    @Test(arguments: [
        ("too-short", "${#1}.${#2}", "52.62"), ("stray-character", "${1%%!*}", "sha256//"),
    ])
    func `reaches a command as it is damaged`(damage: String, words: String, expected: String) async throws {
        let command = CommandDeclaration(run: "sh -c 'echo \"\(words)\"; exit 9' sh {pins} {pins.hex}")
        let result = try await Self.play(damage, CommandClient(command))

        let output = try #require(result.attempts.first?.report.output)
        #expect(output.hasPrefix(expected))
        #expect(damage == "too-short" || output.count < 40)
    }
}
