import MitmHarness
import Pinning
import TestSupport
import Testing

@testable import Scenarios

/// Hosts that are written with a dot at their end. RFC 6066 section 3 takes it off, and not every client does.
@Suite struct `A host with a dot at its end` {
    /// Obeys, but where the host is written so.
    private struct Literal: ClientUnderTest {
        var onDot: @Sendable (Endpoint) async -> ClientReport

        func attempt(
            _ endpoint: Endpoint,
            beforeEnding: @escaping BeforeEnding
        ) async throws(CancellationError) -> ClientReport {
            guard endpoint.host.hasSuffix(".") else {
                return try await ReferenceClient().attempt(endpoint, beforeEnding: beforeEnding)
            }
            return await onDot(endpoint)
        }
    }

    private static func play(_ client: any ClientUnderTest, usual: String = "- { present: today, store: attacked }\n")
        async throws -> [Judgement]
    {
        let dotted = "store: attacked, host: api.acme.example."
        let steps = usual + "- { present: today, \(dotted) }\n- { present: forged, \(dotted) }"
        return try await playSteps(steps, client).steps.map(\.judgement)
    }

    private static func exchange(_ demand: Decision.Demand, blamesPin: Bool?) -> Literal {
        Literal { endpoint in
            var exchange = TLSExchange(obeying: endpoint)
            exchange.judge = { _ in Decision(demand, .trusted) }
            var report = ClientReport(await exchange.run(endpoint), duration: .zero)
            report.blamesPin = blamesPin
            return report
        }
    }

    private static let passed = Judgement(.pass, .obeyed)
    private static let spared = Judgement(.notApplicable, .takesNoDot)

    @Test func `is judged like any other by a client that takes it`() async throws {
        #expect(try await Self.play(ReferenceClient()) == [Self.passed, Self.passed, Self.passed])
    }

    @Test(arguments: [false, nil])
    func `is judged by nobody who takes no such name`(blamesPin: Bool?) async throws {
        let rejecting = try await Self.play(Self.exchange(.reject, blamesPin: blamesPin))
        let staying = try await Self.play(Literal { _ in ClientReport(.failed) })

        #expect(rejecting == [Self.passed, Self.spared, Self.spared])
        #expect(staying == [Self.passed, Self.spared, Self.spared])
    }

    @Test func `is no excuse: who finds no pins for it fails`() async throws {
        let judgements = try await Self.play(Self.exchange(.accept, blamesPin: nil))

        #expect(judgements == [Self.passed, Self.passed, Judgement(.fail, .talkedToTheWrongServer)])
    }

    @Test func `is no excuse for a client that accepts its own server under no name`() async throws {
        let judgements = try await Self.play(Self.exchange(.reject, blamesPin: nil), usual: "")

        #expect(!judgements.map(\.verdict).contains { [.pass, .notApplicable].contains($0) })
    }
}
