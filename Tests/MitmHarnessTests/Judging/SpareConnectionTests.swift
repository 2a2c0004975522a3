import NIOCore
import TestSupport
import Testing

@testable import MitmHarness
@testable import Pinning
@testable import Scenarios
@testable import TLSCore

/// The same over sockets, by a client that opens one connection more than it needs.
@Suite struct `A client that opens a spare connection` {
    enum Spare: CaseIterable {
        case none, neverSpeaks, leavesInTheHandshake, finishesTheHandshake
    }

    @Test(arguments: ["1.2", "1.3"], Spare.allCases)
    func `H20: is not failed for it, and proves no more by it`(version: String, spare: Spare) async throws {
        let client = FaultyClient { endpoint in
            await spare.open(endpoint)
            return await TLSExchange(obeying: endpoint).report(endpoint)
        }

        let result = try await playSteps(
            """
            - { present: today, tls: \(version), store: attacked }
            - { present: forged, tls: \(version), store: attacked }
            - { present: [today, forged], tls: \(version), store: attacked }
            """,
            client
        )

        // Who was shown no certificate has taken nobody's turn.
        let last: Judgement =
            switch spare {
            case .none, .neverSpeaks: Judgement(.inconclusive, .neverShown("forged"))
            case .leavesInTheHandshake, .finishesTheHandshake: Judgement(.inconclusive, .neverUsed("today"))
            }
        let pass = Judgement(.pass, .obeyed)
        #expect(result.steps.map(\.judgement) == [pass, pass, last])
        #expect(result.steps[1].consequence == .protected)
    }

    @Test(arguments: ["1.2", "1.3"])
    func `H20: is not believed to have refused where it only left one unused`(version: String) async throws {
        let client = FaultyClient { endpoint in
            let report = await TLSExchange(obeying: endpoint).report(endpoint)
            await Spare.finishesTheHandshake.open(endpoint)
            return report
        }

        let result = try await playSteps(
            "- { present: [today, forged], tls: \(version), store: attacked }",
            client
        )

        #expect(result.steps.last?.judgement == Judgement(.inconclusive, .neverUsed("forged")))
        #expect(result.steps.last?.consequence == .served)
    }
}

extension `A client that opens a spare connection`.Spare {
    fileprivate func open(_ endpoint: Endpoint) async {
        switch self {
        case .none: break
        case .neverSpeaks: await PlainExchange(port: endpoint.port).sayNothing(for: .zero)
        case .leavesInTheHandshake:
            await PlainExchange(port: endpoint.port).leave(after: hello(for: endpoint.host))
        case .finishesTheHandshake:
            _ = await TLSExchange(trust: nil) { _ in Decision(.reject, .trusted) }.report(endpoint)
        }
    }

    private func hello(for host: String) -> ByteBuffer {
        guard let context = try? TLSContext(client: TLSSettings(), trust: nil),
            let engine = try? TLSEngine(client: context, host: host, at: nil)
        else { return ByteBuffer() }
        return engine.start().reduce(into: ByteBuffer()) { bytes, action in
            if case .send(let more) = action { bytes.writeImmutableBuffer(more) }
        }
    }
}
