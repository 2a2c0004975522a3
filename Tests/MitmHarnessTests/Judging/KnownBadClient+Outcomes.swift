import Scenarios
import TLSCore
import TestSupport
import Witness

/// What the judge must say of each known-bad client: worked out from the table of verdicts, and from what the client
/// does, without running it.
extension KnownBadClient {
    func outcome(at place: Place, _ right: Right) -> Outcome {
        if let exception = exceptions.first(where: { $0.covers(place) }) { return exception.outcome }
        return byRight[right] ?? right.outcome
    }

    private static let pinned = ["leaf-only", "leaf-and-backup", "issuing-ca", "root-ca"]
    private static let leaves = ["leaf-only", "leaf-and-backup"]

    /// Everything that it does wrong everywhere.
    private var byRight: [Right: Outcome] {
        switch self {
        case .ignoresPins, .pinsOnPresentedChain, .skipsHostOncePinMatches: [:]
        case .sendsRequestThenChecks:
            [
                // It says "refused", and the owner's row of the consequences believes it.
                .lockedOut: Outcome(.fail, .refusedTooLate, .lockedOut),
                .protected: Outcome(.fail, .leaked, .intercepted),
            ]
        case .failsOpenOnError, .checksOnlyItsFirstConnection:
            [
                .lockedOut: Outcome(.fail, .acceptedWhatItsPolicyForbids, .served),
                .protected: Outcome(.fail, .talkedToTheWrongServer, .intercepted),
            ]
        case .exitsZeroAlways:
            [
                .lockedOut: Outcome(.fail, .succeededByAnotherRoute, .served),
                .protected: Outcome(.fail, .succeededByAnotherRoute, .protected),
            ]
        case .exitsOneAlways:
            [
                .served: Outcome(.inconclusive, .failedAfterAccepting, .unknown),
                .intercepted: Outcome(.inconclusive, .failedAfterAccepting, .intercepted),
                .lockedOut: Outcome(.inconclusive, .noControl, .unknown),
                .protected: Outcome(.inconclusive, .noControl, .protected),
            ]
        case .staysSilent:
            // It compares its pins after the handshake, so all that the wire sees is a request that does not come.
            [
                .lockedOut: Outcome(.inconclusive, .turnedAwayInSilence, .lockedOut),
                .protected: Outcome(.inconclusive, .turnedAwayInSilence, .protected),
            ]
        case .neverConnects:
            // It says "succeeded", and was nowhere to be seen.
            everywhere(.nobodyConnected)
        case .connectsAndSaysNothing: everywhere(.connection(.nothingPresented))
        case .shakesHandsAndStays: everywhere(.connection(.stillOpen))
        case .retriesInTheClear:
            // The clear answers, so it says "succeeded".
            [
                .lockedOut: Outcome(.fail, .spokeInTheClear, .served),
                .protected: Outcome(.fail, .spokeInTheClear, .intercepted),
            ]
        }
    }

    private func everywhere(_ doubt: Wire.Doubt) -> [Right: Outcome] {
        let outcome = Outcome(.inconclusive, .wireProvesNothing(doubt), .unknown)
        return [.served: outcome, .lockedOut: outcome, .intercepted: outcome, .protected: outcome]
    }

    /// Where that does not hold; the first that covers a place counts.
    private var exceptions: [Exception] {
        switch self {
        case .ignoresPins:
            // Where only the pins forbid it. It talks to the owner's server, or to the attacker's.
            [
                Exception("rotated-unknown-key", 2, Self.leaves, .fail, .acceptedWhatItsPolicyForbids, .served),
                Exception("rotated-to-backup", 2, ["leaf-only"], .fail, .acceptedWhatItsPolicyForbids, .served),
                Exception(
                    "new-trusted-ca",
                    2,
                    ["leaf-only", "issuing-ca", "root-ca"],
                    .fail,
                    .acceptedWhatItsPolicyForbids,
                    .served
                ),
                Exception("two-edges", 2, ["leaf-only"], .fail, .acceptedWhatItsPolicyForbids, .served),
                Exception("a-quarter-in-production", 5, ["leaf-only"], .fail, .acceptedWhatItsPolicyForbids, .served),
            ]
                + Self.trustedAttacks.map { scenario, step in
                    Exception(scenario, step, Self.pinned, .fail, .talkedToTheWrongServer, .intercepted)
                }
        case .pinsOnPresentedChain:
            [("stuffed-chain", 2), ("only-a-stuffed-chain", 1)].map { scenario, step in
                Exception(
                    scenario,
                    step,
                    Self.leaves + ["issuing-ca"],
                    .fail,
                    .talkedToTheWrongServer,
                    .intercepted
                )
            } + servesNobodyWithRootPin
        case .skipsHostOncePinMatches:
            // The key and its authorities are the pinned ones; the owner's server is another one.
            ["misnamed-certificate", "pinned-key-under-a-foreign-name"].map { scenario in
                Exception(scenario, 2, Self.pinned, .fail, .acceptedWhatItsPolicyForbids, .served)
            }
                + ["pinned-ca-for-another-host", "pinned-ca-under-a-foreign-name"].map { scenario in
                    Exception(scenario, 2, ["issuing-ca", "root-ca"], .fail, .talkedToTheWrongServer, .intercepted)
                }
        case .sendsRequestThenChecks, .staysSilent:
            // Nobody trusts the chain, or its name, or its dates: the handshake fails before any request, with an alert
            // that speaks for itself.
            Self.refusedInTheHandshake.map { scenario, step, consequence in
                Exception(scenario, step, nil, .pass, .obeyed, consequence)
            }
        case .exitsOneAlways:
            // The good chain comes first, and its doubt is worse than the refusal of the other.
            [
                Exception("two-edges", 2, ["leaf-only"], .inconclusive, .failedAfterAccepting, .unknown),
                Exception("good-then-bad", 1, Self.pinned, .inconclusive, .failedAfterAccepting, .unknown),
            ]
        case .neverConnects, .failsOpenOnError, .checksOnlyItsFirstConnection, .exitsZeroAlways,
            .connectsAndSaysNothing, .shakesHandsAndStays, .retriesInTheClear:
            []
        }
    }

    /// Where an attacker's chain leads to an anchor of the device, and has the right name.
    private static let trustedAttacks = [
        ("attacker-installed-root", 2), ("stuffed-chain", 2), ("a-quarter-in-production", 4),
        ("only-a-stuffed-chain", 1), ("good-then-bad", 1),
    ]

    private static let refusedInTheHandshake: [(String, Int, Consequence)] = [
        ("attacker-unknown-root", 2, .protected), ("self-signed-lookalike", 2, .protected),
        ("expired-certificate", 2, .lockedOut), ("misnamed-certificate", 2, .lockedOut),
        ("stuffed-chain", 4, .protected), ("pinned-ca-for-another-host", 2, .protected),
        ("a-quarter-in-production", 3, .lockedOut),
        ("pinned-key-under-a-foreign-name", 2, .lockedOut), ("pinned-ca-under-a-foreign-name", 2, .protected),
    ]

    /// Servers do not send their root, so a client that looks for it among what was sent talks to nobody: its refusals
    /// prove nothing.
    private var servesNobodyWithRootPin: [Exception] {
        Right.table.filter { $0.key.policy == "root-ca" }.map { place, right in
            let outcome =
                switch right {
                // Of the sequence, the good chain is refused, and that is worse than the refusal of the bad one.
                case _ where place.scenario == "good-then-bad" && place.step == 1:
                    Outcome(.fail, .refusedWhatItsPolicyAccepts, .lockedOut)
                case .served: Outcome(.fail, .refusedWhatItsPolicyAccepts, .lockedOut)
                case .lockedOut: Outcome(.inconclusive, .noControl, .lockedOut)
                case .protected, .intercepted: Outcome(.inconclusive, .noControl, .protected)
                }
            return Exception(place, outcome)
        }
    }
}

private struct Exception {
    private let scenario: String
    private let step: Int
    /// `nil`: all.
    private let policies: [String]?
    let outcome: Outcome

    init(
        _ scenario: String,
        _ step: Int,
        _ policies: [String]?,
        _ verdict: Verdict,
        _ grounds: Grounds,
        _ consequence: Consequence
    ) {
        self.scenario = scenario
        self.step = step
        self.policies = policies
        outcome = Outcome(verdict, grounds, consequence)
    }

    init(_ place: Place, _ outcome: Outcome) {
        scenario = place.scenario
        step = place.step
        policies = [place.policy]
        self.outcome = outcome
    }

    func covers(_ place: Place) -> Bool {
        place.scenario == scenario && place.step == step && (policies?.contains(place.policy) ?? true)
    }
}
