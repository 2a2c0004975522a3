import TestSupport
import Testing

@testable import Scenarios

@Suite struct `A shard` {
    @Test(arguments: [1, 2, 3, 4, 7, 16, 100])
    func `has each trial that no other has, and as much to do`(count: Int) throws {
        let trials = try Self.trials()

        let parts = try (1...count).map { try #require(Shard($0, of: count)).part(of: trials) }

        let names = parts.joined().map(\.name)
        #expect(names.count == trials.count)
        #expect(Set(names) == Set(trials.map(\.name)))
        let sizes = parts.map(\.count)
        #expect(count > trials.count || (sizes.min() ?? 0) > 0)
        for part in parts { #expect(Self.isInOrder(part, of: trials)) }
    }

    @Test func `is nearly as dear as the others`() throws {
        // Those of processes, and those that wait, are weighed in another way.
        let waiting: Set = ["slow-answer", "slow-handshake", "hanging-handshake", "hanging-handshake-and-an-attacker"]
        let trials = try Self.trials().filter { trial in
            trial.client.name == "reference" && !waiting.contains(trial.scenario.name)
        }

        let loads = (1...4).map { index in
            (Shard(index, of: 4)?.part(of: trials) ?? []).flatMap(\.scenario.steps).map {
                max($0.attempts, $0.present.count)
            }.reduce(0, +)
        }

        // No more than one scenario apart.
        let longest =
            trials.map { $0.scenario.steps.map { max($0.attempts, $0.present.count) }.reduce(0, +) }.max() ?? 0
        #expect((loads.max() ?? 0) - (loads.min() ?? 0) <= longest)
    }

    @Test func `keeps together what shares keys that take long to make`() throws {
        let trials = try Self.trials().filter { $0.client.name == "reference" }

        let parts = (1...16).map { Shard($0, of: 16)?.part(of: trials) ?? [] }

        let variants = Set(trials.compactMap { $0.scenario.variant?.description })
        #expect(variants.contains("rsa2048"))
        for variant in variants {
            let count = parts.count { part in part.contains { $0.scenario.variant?.description == variant } }
            #expect(count <= 4, "\(variant)")
        }
        #expect(parts.allSatisfy { !$0.isEmpty })
    }

    @Test func `has its share of the waiting`() throws {
        let trials = try Self.trials().filter { $0.client.name == "reference" }

        let counts = (1...4).map { index in
            (Shard(index, of: 4)?.part(of: trials) ?? []).count { $0.scenario.name.hasPrefix("hanging-handshake") }
        }

        #expect(counts.reduce(0, +) == 4)
        #expect((counts.max() ?? 0) - (counts.min() ?? 0) <= 1, "\(counts)")
    }

    @Test func `is as long as the others by what an earlier run took, and by what is new as well`() throws {
        let trials = try Self.trials().filter { $0.client.name == "reference" }
        var random = SplitMix64(seed: 7)
        let took = trials.dropLast(9).map { ($0.name, Int64.random(in: 1...500, using: &random)) }
        let durations = Dictionary(took) { $1 }

        let parts = (1...4).map { index in
            var shard = Shard(index, of: 4)
            shard?.durations = durations
            return shard?.part(of: trials) ?? []
        }

        let loads = parts.map { part in part.map { durations[$0.name] ?? 0 }.reduce(0, +) }
        #expect(parts.joined().count == trials.count)
        #expect(Set(parts.joined().map(\.name)) == Set(trials.map(\.name)))
        // No more than one trial apart, but for those that nobody knows.
        #expect((loads.max() ?? 0) - (loads.min() ?? 0) <= 1000, "\(loads)")
    }

    @Test(
        arguments: [
            ("2/4", [:], (2, 4)), ("1/1", [:], (1, 1)), ("2/4", ["CI_NODE_INDEX": "1", "CI_NODE_TOTAL": "9"], (2, 4)),
            ("auto", ["CI_NODE_INDEX": "3", "CI_NODE_TOTAL": "8"], (3, 8)), ("auto", ["CI_NODE_TOTAL": "1"], (1, 1)),
            ("auto/8", ["CI_NODE_INDEX": "3", "CI_NODE_TOTAL": "8"], (3, 8)),
            ("auto/16", ["JOB_COMPLETION_INDEX": "0"], (1, 16)), ("auto/16", ["JOB_COMPLETION_INDEX": "15"], (16, 16)),
        ] as [(String, [String: String], (Int, Int))]
    )
    func `is named, or found in the environment`(text: String, environment: [String: String], expected: (Int, Int))
        throws
    {
        let shard = try Shard.parse(text, environment: environment)

        #expect((shard.index, shard.count) == expected)
    }

    @Test(
        arguments: [
            ("5/4", [:], "'5/4' is no part of a run; write INDEX/COUNT such as 1/4, auto, or auto/4"),
            ("0/4", [:], "'0/4' is no part of a run; write INDEX/COUNT such as 1/4, auto, or auto/4"),
            ("4", [:], "'4' is no part of a run; write INDEX/COUNT such as 1/4, auto, or auto/4"),
            ("-1/4", [:], "'-1/4' is no part of a run; write INDEX/COUNT such as 1/4, auto, or auto/4"),
            ("auto/x", [:], "'auto/x' is no part of a run; write INDEX/COUNT such as 1/4, auto, or auto/4"),
            ("auto", [:], "neither CI_NODE_INDEX nor JOB_COMPLETION_INDEX is set; write INDEX/COUNT"),
            ("auto/4", [:], "neither CI_NODE_INDEX nor JOB_COMPLETION_INDEX is set; write INDEX/COUNT"),
            (
                "auto", ["CI_NODE_TOTAL": "4"],
                "neither CI_NODE_INDEX nor JOB_COMPLETION_INDEX is set; write INDEX/COUNT"
            ),
            ("auto", ["CI_NODE_INDEX": "1"], "CI_NODE_INDEX is set, and CI_NODE_TOTAL is not"),
            ("auto", ["CI_NODE_INDEX": "x", "CI_NODE_TOTAL": "4"], "CI_NODE_INDEX is 'x', expected a number"),
            (
                "auto/4", ["CI_NODE_INDEX": "1", "CI_NODE_TOTAL": "8"],
                "'auto/4' says 4 parts, and CI_NODE_TOTAL says 8"
            ),
            (
                "auto", ["JOB_COMPLETION_INDEX": "1"],
                "JOB_COMPLETION_INDEX does not tell how many parts there are; write auto/COUNT"
            ),
            ("auto/4", ["JOB_COMPLETION_INDEX": "4"], "the environment says part 5 of 4, and there is none"),
        ] as [(String, [String: String], String)]
    )
    func `that is none is said to be`(text: String, environment: [String: String], complaint: String) {
        #expect(throws: Shard.Mistake(description: complaint)) {
            try Shard.parse(text, environment: environment)
        }
    }

    // MARK: Trials

    private static let shipped = Result { try ScenarioFile.shipped().trials }

    private static func trials() throws -> [Trial] { try shipped.get() }

    private static func isInOrder(_ part: [Trial], of trials: [Trial]) -> Bool {
        var rest = trials.map(\.name)[...]
        return part.allSatisfy { trial in
            guard let place = rest.firstIndex(of: trial.name) else { return false }
            rest = rest[(place + 1)...]
            return true
        }
    }
}
