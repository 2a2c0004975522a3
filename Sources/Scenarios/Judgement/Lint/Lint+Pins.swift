import Foundation
import Pinning

/// `pin-not-exercised` and `moving-target`.
extension Lint {
    /// Policies that might as well pin nothing, and clients that might as well ignore theirs.
    func idlePins() -> [LintFinding] {
        // One that only reports never decides by its pins; `report-only` says so.
        file.policies.filter { $0.rules.map { !$0.requirements.isEmpty && $0.failure == .block } ?? false }
            .flatMap(idlePins)
    }

    private func idlePins(of policy: PolicyDeclaration) -> [LintFinding] {
        let players = Dictionary(grouping: trials.filter { $0.policy.name == policy.name }, by: \.scenario.name)
            .mapValues { Set($0.map(\.client.name)) }
        let everybody = Set(players.values.joined())
        var idle = everybody
        for play in plays where play.policy.name == policy.name {
            let players = players[play.scenario.name] ?? []
            // Whoever has met the pins once need not be asked for again.
            if !idle.isDisjoint(with: players), pinsDecide(play) { idle.subtract(players) }
        }
        let example = "an attacker's chain from a root in the store"
        guard idle != everybody || idle.isEmpty else {
            return [
                LintFinding(
                    .pinNotExercised,
                    Subject(.policy, policy.name),
                    at: policy.location,
                    "the pins of policy '\(policy.name)' decide nothing: every step in this file would end the same "
                        + "without them, so a client that ignores its pins passes",
                    fix: "add a step that only these pins reject, such as \(example)"
                )
            ]
        }
        return file.clients.filter { idle.contains($0.name) }.map { client in
            LintFinding(
                .pinNotExercised,
                Subject(.client, client.name),
                at: client.location,
                "client '\(client.name)' plays no step that the pins of policy '\(policy.name)' decide, so it passes even "
                    + "if it ignores them",
                fix: "let it play a scenario that shows \(example)"
            )
        }
    }

    private func pinsDecide(_ play: Play) -> Bool {
        play.steps.contains { !$0.isControl && $0.shownChains.contains(where: \.decision.isRefusalByPin) }
    }

    /// What stands still while certificates are made anew for each run and step.
    func movingTargets() throws -> [LintFinding] {
        try writtenPins() + endingPins() + file.clients.flatMap(writtenValues) + followingPins()
    }

    /// Imported pins with an end of their own: a story moves its certificates, and not the client's clock.
    private func endingPins() throws -> [LintFinding] {
        try file.policies.compactMap { policy in
            let scopes = try oracle.pki.configuration(of: policy, at: .zero, host: file.host).scopes
            let ends = scopes.filter { !$0.lists.isEmpty }.compactMap(\.expires)
            let stories = plays.filter { $0.policy.name == policy.name }.compactMap { play in
                play.steps.map(\.step).filter { !$0.movesClock }.map(\.at.seconds).max().map {
                    (name: play.scenario.name, last: $0)
                }
            }
            guard let end = ends.filter({ $0 > instant }).min(),
                let story = stories.first(where: { end < instant + TimeInterval($0.last) })
            else { return nil }
            let day = end.formatted(.iso8601.year().month().day())
            return LintFinding(
                .movingTarget,
                Subject(.policy, policy.name),
                at: policy.location,
                "the pins of policy '\(policy.name)' end on \(day), within scenario '\(story.name)': its steps are shown "
                    + "at the real time of the run, so they are judged as if the pins still held",
                fix: "end the scenario before that day"
            )
        }
    }

    private var hasGenuineChain: Bool { blueprint.chains.contains(where: \.isGenuine) }

    private func writtenPins() -> [LintFinding] {
        // The genuine server's keys stay.
        guard !hasGenuineChain else { return [] }
        return file.policies.compactMap { policy in
            let literals = policy.requirements.flatMap(\.pins).compactMap { source in
                if case .literal(let pin) = source { "\(pin)" } else { nil }
            }
            guard let first = literals.first else { return nil }
            return LintFinding(
                .movingTarget,
                Subject(.policy, policy.name),
                at: policy.location,
                "policy '\(policy.name)' writes out the pin \(first), and no key of this file can have it: "
                    + "all keys are made anew for each run",
                fix: "declare a key and pin it by its name"
            )
        }
    }

    private func writtenValues(of client: ClientDeclaration) -> [LintFinding] {
        guard case .command(let command) = client.kind else { return [] }
        let environment = command.env.sorted { $0.key < $1.key }.map { ("'env' \($0.key)", $0.value) }
        let texts = [("'run'", command.run), ("'stdin'", command.stdin ?? "")] + environment
        return texts.compactMap { place, text in
            if !hasGenuineChain, let pin = text.firstMatch(of: /sha256\/{1,2}[A-Za-z0-9+\/]{43}=/) {
                return LintFinding(
                    .movingTarget,
                    Subject(.client, client.name),
                    at: client.location,
                    "client '\(client.name)' has the pin \(pin.output) written out in \(place), and no chain of this "
                        + "file can match it: all keys are made anew for each run",
                    fix: "use {pins} and name the policy, or have the client read its pins from a file"
                )
            }
            let words = text.split { " \t\n='\",;".contains($0) }
            guard let date = words.first(where: { $0.wholeMatch(of: /20\d\d-[01]\d-[0-3]\d([T ][\d:.+Z-]*)?/) != nil })
            else { return nil }
            return LintFinding(
                .movingTarget,
                Subject(.client, client.name),
                at: client.location,
                "client '\(client.name)' has the date \(date) written out in \(place): steps are shown at the real time "
                    + "of the run, with certificates moved to it, so a fixed date means something else every day",
                fix: "leave the date out"
            )
        }
    }

    /// Pins on a certificate that is made anew for each time of a story: they follow it, as no real pin does.
    private func followingPins() -> [LintFinding] {
        file.policies.flatMap { policy in
            policy.requirements.flatMap(\.pins).compactMap { source -> LintFinding? in
                guard case .leafCertificate(let name) = source, let chain = blueprint.chain(named: name),
                    chain.valid == nil
                else { return nil }
                let story = plays.first { play in
                    guard play.policy.name == policy.name else { return false }
                    let steps = play.steps.filter { !$0.isControl && $0.step.present.contains(name) }
                    return Set(steps.map(\.step.at)).count > 1
                }
                guard let story else { return nil }
                return LintFinding(
                    .movingTarget,
                    Subject(.policy, policy.name),
                    at: policy.location,
                    "policy '\(policy.name)' pins the certificate of '\(name)', which scenario "
                        + "'\(story.scenario.name)' shows at several times and which is made anew for each: "
                        + "the pin follows it, so nobody is ever locked out by a renewal",
                    fix: "give '\(name)' a 'valid', and declare each renewal as a chain of its own"
                )
            }
        }
    }
}
