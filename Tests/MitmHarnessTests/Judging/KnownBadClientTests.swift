import MitmHarness
import Scenarios
import TestSupport
import Testing

/// One client after the other: each keeps the machine busy, and other tests run beside them.
@Suite(.serialized) struct `The judge` {
    @Test(arguments: KnownBadClient.allCases)
    func `catches a known-bad client, where and as it must`(client: KnownBadClient) async throws {
        let outcomes = try await Self.play(client.rawValue, patience: client.patience) { client.makeClient() }

        #expect(Set(outcomes.keys) == Set(Right.table.keys))
        for (place, right) in Right.table.sorted(by: { "\($0.key)" < "\($1.key)" }) {
            #expect(outcomes[place] == client.outcome(at: place, right), "\(client) at \(place)")
        }
    }

    @Test func `lets the reference client pass everywhere`() async throws {
        let outcomes = try await Self.play("reference") { ReferenceClient() }

        #expect(Set(outcomes.keys) == Set(Right.table.keys))
        for (place, right) in Right.table { #expect(outcomes[place] == right.outcome, "\(place)") }
    }

    @Test func `lets the reference client pass the shipped quick set and what it may do either way`() async throws {
        let catalogue = try Catalogue.shipped.get()
        let played: Set = ["old-tls-version", "session-warmed-unpinned", "two-label-subdomain"]
        let trials = catalogue.file.trials.filter { trial in
            trial.client.name == "reference" && trial.scenario.variant == nil
                && (trial.scenario.tags.contains { $0.name == ScenarioTag.quick }
                    || played.contains(trial.scenario.name))
        }

        let results = await catalogue.runner().run(trials)

        #expect(results.count == trials.count)
        for result in results {
            // H8: it lacks the old version.
            let verdict: Verdict = result.scenario == "old-tls-version" ? .notApplicable : .pass
            #expect(result.verdict == verdict, "\(result.scenario), \(result.policy)")
        }
    }

    /// Which story uncovers whom: the reason for every story to be there.
    @Test(
        arguments: [
            (.ignoresPins, otherKeys + trustedAttacks),
            (
                .pinsOnPresentedChain,
                // With root pins, even the good servers are refused.
                everything
            ),
            (.sendsRequestThenChecks, otherKeys + trustedAttacks),
            (.failsOpenOnError, mustReject),
            (.skipsHostOncePinMatches, foreignNames),
            (.checksOnlyItsFirstConnection, mustReject),
            (.exitsZeroAlways, mustReject),
            (.exitsOneAlways, []),
            (.staysSilent, []),
            (.neverConnects, []),
            (.connectsAndSaysNothing, []),
            (.shakesHandsAndStays, []),
            (.retriesInTheClear, mustReject),
        ] as [(KnownBadClient, [String])]
    )
    func `is to fail a known-bad client in these stories`(client: KnownBadClient, stories: [String]) {
        let failing = Right.table.filter { client.outcome(at: $0.key, $0.value).judgement.verdict == .fail }

        #expect(Set(failing.keys.map(\.scenario)) == Set(stories))
    }

    @Test(arguments: KnownBadClient.allCases)
    func `is to let no known-bad client through`(client: KnownBadClient) {
        let verdicts = Right.table.map { client.outcome(at: $0.key, $0.value).judgement.verdict }

        #expect(verdicts.contains { $0 == .fail || $0 == .inconclusive })
    }

    private static let otherKeys = [
        "rotated-unknown-key", "rotated-to-backup", "new-trusted-ca", "two-edges", "a-quarter-in-production",
    ]
    private static let trustedAttacks = [
        "attacker-installed-root", "stuffed-chain", "only-a-stuffed-chain", "good-then-bad",
    ]
    private static let foreignNames = [
        "misnamed-certificate", "pinned-ca-for-another-host", "pinned-key-under-a-foreign-name",
        "pinned-ca-under-a-foreign-name",
    ]
    private static let mustReject = Array(Set(Right.table.filter(\.value.mustReject).keys.map(\.scenario)))
    private static let everything = Array(Set(Right.table.keys.map(\.scenario)))

    private static func play(
        _ name: String,
        patience: Duration = .seconds(10),
        makeClient: @escaping @Sendable () -> any ClientUnderTest
    ) async throws -> [Place: Outcome] {
        var outcomes: [Place: Outcome] = [:]
        var options = RunnerOptions.quick
        options.patience = patience
        for catalogue in [try Catalogue.shipped.get(), try Catalogue.trickier.get()] {
            let trials = catalogue.trials(of: name).filter { trial in
                Right.table.keys.contains { $0.scenario == trial.scenario.name && $0.policy == trial.policy.name }
            }
            let results = await catalogue.runner(options) { _ in makeClient() }.run(trials)
            for result in results {
                var number = 0
                for step in result.steps {
                    if !step.planned.isControl { number += 1 }
                    let place = Place(
                        scenario: result.scenario,
                        step: step.planned.isControl ? 0 : number,
                        policy: result.policy
                    )
                    outcomes[place] = Outcome(step)
                }
            }
        }
        return outcomes
    }
}

extension KnownBadClient {
    /// One that never hangs up is not worth waiting for.
    fileprivate var patience: Duration { self == .shakesHandsAndStays ? .milliseconds(50) : .seconds(10) }
}
