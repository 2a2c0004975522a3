import TestSupport
import Testing

@testable import MitmHarness
@testable import Pinning
@testable import Scenarios
@testable import TLSCore

@Suite struct `An attack in an old version of TLS` {
    private static let steps = """
        - { present: today, store: attacked }
        - { present: forged, store: attacked, tls: 1.1 }
        """

    @Test func `H8: is not applicable to a client that lacks the version`() async throws {
        let result = try await playSteps(Self.steps, FaultyClient { await TLSExchange(obeying: $0).report($0) })

        // A control in that version comes before the attack.
        #expect(result.steps.map(\.judgement.verdict) == [.pass, .notApplicable, .notApplicable])
        #expect(result.steps.map(\.consequence) == [.served, .unknown, .unknown])
        #expect(result.verdict == .notApplicable)
        #expect("\(result.steps[2].judgement.grounds)".contains("it offers TLS 1.2, TLS 1.3"))
    }

    @Test func `H8: is refused by a client that speaks it`() async throws {
        let client = FaultyClient { endpoint in
            var exchange = TLSExchange(obeying: endpoint)
            exchange.settings.versions = .tls1_0 ... .tls1_3
            return await exchange.report(endpoint)
        }

        let result = try await playSteps(Self.steps, client)

        #expect(result.steps.map(\.judgement.verdict) == [.pass, .pass, .pass])
        #expect(result.steps.map(\.consequence) == [.served, .served, .protected])
    }

    @Test func `H8: is seen where the pins are checked in newer versions only`() async throws {
        let client = FaultyClient { endpoint in
            var exchange = TLSExchange(obeying: endpoint)
            exchange.settings.versions = .tls1_0 ... .tls1_3
            let judge = exchange.judge
            exchange.judge = { $0.version < .tls1_2 ? Decision(.accept, .trusted) : judge($0) }
            return await exchange.report(endpoint)
        }

        let result = try await playSteps(Self.steps, client)

        #expect(result.steps.last?.judgement == Judgement(.fail, .talkedToTheWrongServer))
    }

    @Test func `H8: needs a client that was seen to accept in that version`() async throws {
        let client = FaultyClient { endpoint in
            var exchange = TLSExchange(obeying: endpoint)
            exchange.settings.versions = .tls1_0 ... .tls1_3
            let judge = exchange.judge
            exchange.judge = { $0.version < .tls1_2 ? Decision(.reject, .trusted) : judge($0) }
            var report = await exchange.report(endpoint)
            report.blamesPin = nil
            return report
        }

        let result = try await playSteps(Self.steps, client)

        #expect(result.steps.last?.judgement == Judgement(.inconclusive, .noControl))
    }
}
