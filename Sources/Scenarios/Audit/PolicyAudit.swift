package import Foundation
package import Pinning
import TLSCore

/// An app's configuration held against every event of a catalogue: what it would do to its users, host by host.
///
/// No client is asked. The answers are those of the configuration's own system, its faults included.
package struct PolicyAudit: Sendable {
    /// How the users of an app fare in an event, from best to worst.
    package enum Outcome: String, CaseIterable, Comparable, Sendable {
        /// The event is about a key that this app does not pin.
        case notApplicable = "not-applicable"
        /// Served by their own server, and kept from an attacker's.
        case survives
        /// That is up to the TLS library.
        case depends
        /// Kept from their own server for a reason that has nothing to do with pins.
        case locksOutRegardless = "locks-out-regardless"
        /// Kept from their own server by this configuration: an outage.
        case locksOut = "locks-out"
        /// At the mercy of an attacker: a breach.
        case intercepted

        package static func < (left: Outcome, right: Outcome) -> Bool {
            // `allCases` holds both.
            allCases.firstIndex(of: left)! < allCases.firstIndex(of: right)!
        }
    }

    /// A scenario of the catalogue.
    package struct Event: Hashable, Sendable {
        package var scenario: String
        package var outcome: Outcome
        /// The moment that decides: the first of the worst.
        package var at: StoryTime
        package var chain: String
        /// Why there.
        package var reason: String
    }

    package struct Host: Sendable {
        package var name: String
        /// As the configuration writes it; `nil` where it names hosts, and not this one, or none at all.
        package var domain: String?
        package var standIns: [StandIn]
        /// In the catalogue's order.
        package var events: [Event]

        /// Whether its server of today is refused, so that nothing else can be learned.
        package var refusesToday: Bool
        /// Why production's own chain is refused; `nil` where it is not, or is not known.
        package var refusal: Decision?
        /// Whether nobody named it: it stands for whatever host there is.
        package var isAny = false

        /// For people: a name that nobody gave is told as such.
        var title: String { isAny ? "any host that it asks, tried as \(name)" : name }
    }

    package let hosts: [Host]

    /// - Parameters:
    ///   - appCatalogue: of one configuration.
    ///   - instant: the real one; keys and certificates are made for it.
    ///   - keys: of the audits before this one, of which it takes what fits.
    package init(_ appCatalogue: AppCatalogue, instant: Date, keys: inout PKI.Keys) throws {
        let oracle = Oracle(PKI(appCatalogue.file.blueprint, now: instant, keys: &keys))
        let file = appCatalogue.file
        let refusals = Dictionary(appCatalogue.refusals(at: instant).map { ($0.host, $0.decision) }) { first, _ in first
        }
        // They stand host by host, as many for each.
        let count = file.scenarios.count / appCatalogue.hosts.count
        hosts = try appCatalogue.hosts.enumerated().map { index, host in
            let policy = try oracle.pki.settled(file.policies[index])
            let scenarios = file.scenarios[(index * count)..<((index + 1) * count)]
            var hostAudit = HostAudit(
                oracle: oracle,
                policy: policy,
                standIns: host.standIns,
                backups: appCatalogue.backups,
                instant: instant
            )
            let today = file.blueprint.chains.first { file.blueprint.holder(of: $0) == .owner }
            let refusesToday =
                try today.map { chain in
                    try hostAudit.moments(
                        of: Step(present: [chain.name], store: file.blueprint.stores[0].name, host: host.name)
                    )
                    .contains { $0.outcome == .locksOut || $0.outcome == .locksOutRegardless }
                } ?? false
            return Host(
                name: host.name,
                domain: host.domain,
                standIns: host.standIns,
                events: try scenarios.map { try hostAudit.event($0, of: host.name, refusesToday: refusesToday) },
                refusesToday: refusesToday || refusals[host.name] != nil,
                refusal: refusals[host.name],
                isAny: host.isAny
            )
        }
    }

    package init(_ appCatalogue: AppCatalogue, instant: Date) throws {
        var keys = PKI.Keys()
        try self.init(appCatalogue, instant: instant, keys: &keys)
    }

    /// The scenarios in which somebody is intercepted, each once, in the catalogue's order.
    package var breaches: [String] {
        hosts.flatMap(\.events).filter { $0.outcome == .intercepted }.map(\.scenario).uniqued
    }
}

/// Asks the oracle about one host.
private struct HostAudit {
    let oracle: Oracle
    let policy: PolicyDeclaration
    let standIns: [StandIn]
    /// The catalogue's backup keys.
    let backups: [String]
    let instant: Date
    /// What was asked before: many a story begins like the others.
    private var answers: [Question: Moment] = [:]

    init(oracle: Oracle, policy: PolicyDeclaration, standIns: [StandIn], backups: [String], instant: Date) {
        self.oracle = oracle
        self.policy = policy
        self.standIns = standIns
        self.backups = backups
        self.instant = instant
    }

    struct Moment {
        var outcome: PolicyAudit.Outcome
        var chain: String
        var decision: Decision
    }

    /// All of a step that a decision depends upon.
    private struct Question: Hashable {
        var chain: String
        var store: String
        var host: String
        var at: StoryTime
        var tls: TLSOffer
    }

    mutating func event(_ scenario: Scenario, of host: String, refusesToday: Bool) throws -> PolicyAudit.Event {
        let name =
            scenario.name.hasSuffix(" (\(host))") ? String(scenario.name.dropLast(host.count + 3)) : scenario.name
        var worst: (moment: Moment, at: StoryTime)?
        var foreign: (moment: Moment, at: StoryTime)?
        telling: for (index, step) in scenario.steps.enumerated() {
            for moment in try moments(of: step) {
                // A story that begins with a key this app does not know is somebody else's story.
                if index == 0, moment.outcome == .notApplicable, !refusesToday {
                    worst = (moment, step.at)
                    break telling
                }
                if moment.outcome == .notApplicable, step.present.count > 1 { foreign = (moment, step.at) }
                if worst.map({ $0.moment.outcome < moment.outcome }) ?? true { worst = (moment, step.at) }
            }
        }
        // A scenario has a step, and a step a chain.
        var (moment, at) = worst!
        // Who may be shown a key that this app does not know has not survived for knowing the one beside it.
        if let foreign, moment.outcome == .survives { (moment, at) = foreign }
        return PolicyAudit.Event(
            scenario: name,
            outcome: moment.outcome,
            at: at,
            chain: moment.chain,
            reason: "\(moment.decision)"
        )
    }

    mutating func moments(of step: Step) throws -> [Moment] {
        try step.present.flatMap { chain in
            let question = Question(chain: chain, store: step.store, host: step.host, at: step.at, tls: step.offer)
            if let known = answers[question] { return [known] }
            var single = step
            single.present = [chain]
            let shownChains = try oracle.decide(policy, step: single, instant: instant, comparesPins: false)
            let moments = try shownChains.map { shown in
                Moment(outcome: try outcome(shown, step), chain: shown.chain, decision: shown.decision)
            }
            answers[question] = moments.first
            return moments
        }
    }

    private func outcome(_ shown: ShownChain, _ step: Step) throws -> PolicyAudit.Outcome {
        switch shown.consequence {
        case .served, .protected: return .survives
        case .unknown: return .depends
        case .intercepted: return .intercepted
        case .lockedOut: break
        }
        if isFurtherBackup(shown.key) { return .notApplicable }
        if shown.decision.isRefusalByPin { return .locksOut }
        // An app may trust fewer authorities than its device does, and a system may have rules of its own.
        let ordinary = try oracle.decide(
            PolicyDeclaration(name: "unpinned"),
            shown: shown.chain,
            in: step.store,
            host: step.host,
            at: step.at,
            version: step.offer.versions?.upperBound,
            instant: instant
        )
        return ordinary.demand == .accept ? .locksOut : .locksOutRegardless
    }

    /// Whether a key is the catalogue's second or a later backup, and this app has not so many. That it has none at all
    /// is worth knowing, so the first one counts.
    private func isFurtherBackup(_ key: String) -> Bool {
        guard let position = backups.firstIndex(of: key), position > 0 else { return false }
        return !standIns.contains { $0.name == key }
    }
}
