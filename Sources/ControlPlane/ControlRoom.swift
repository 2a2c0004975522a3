import Foundation
import HTTPTypes
package import MitmHarness
import Pinning
import Scenarios
import Synchronization
import Witness

/// All that is going on: drills, runs and presentations, by the names that were given to them.
package actor ControlRoom {
    package nonisolated let setting: ControlSetting
    nonisolated let events = EventLog()
    nonisolated let seen = SeenConnections()
    private var drills: [Drill] = []
    private var runs: [RunSession] = []
    private var presentations: [String: PresentationSession] = [:]
    private var last = 0
    /// How many trials were begun, also those that have no result.
    package private(set) var begun = 0
    private var isClosed = false

    /// So many may be at work at the same time, and so many that are over are remembered.
    static let (mostDrills, mostRuns, mostPresentations, mostKept) = (8, 2, 16, 100)
    /// Of all runs together: each trial holds its certificates.
    static let mostTrialsKept = 5000

    struct Drill {
        var id: String
        var started: Date
        var session: DrillSession
        /// Whether it has the place where devices are told to go.
        var isFirst = false
        var tasks: [Task<Void, Never>] = []
    }

    package init(_ setting: ControlSetting) { self.setting = setting }

    // MARK: Drills

    func drill(_ id: String) throws(ControlError) -> Drill {
        guard let drill = drills.first(where: { $0.id == id }) else {
            throw .unknown("drill", id, among: drills.map(\.id))
        }
        return drill
    }

    func allDrills() -> [Drill] { drills }

    func begin(_ wanted: NewDrill) async throws(ControlError) -> Drill {
        await untilPlaceIsLeft()
        let trial = try trial(wanted)
        let active = drills.filter { !$0.session.state.phase.isOver }
        try checkRoom(active.count, Self.mostDrills, "drills")
        try checkHosts(trial.scenario.hosts)
        let isExample = wanted.example ?? false
        if isExample, setting.example == nil { throw .senseless("this server has no app of its own") }
        let session = DrillSession(trial, pauses: wanted.pauses ?? false, app: isExample ? setting.example : nil)
        let isFirst = isPlaceFree
        var options = setting.options(isFirst: isFirst)
        options.jobs = 1
        setting.equip(trial, &options)
        let runner = Runner(setting.file, oracle: setting.oracle, options: options) {
            try Runner.client($0, attendant: session)
        }
        let play = Task { [setting] in
            let results = await runner.run([trial])
            session.take(results.first)
            // What our own app does is no finding.
            if !isExample { results.forEach(setting.onResult) }
        }
        if !isExample { begun += 1 }
        return add(session, isFirst: isFirst, [play])
    }

    /// A drill that somebody else plays, and everybody may follow.
    package func join(_ session: DrillSession) { add(session, isFirst: true, []) }

    @discardableResult
    private func add(_ session: DrillSession, isFirst: Bool, _ tasks: [Task<Void, Never>]) -> Drill {
        last += 1
        let id = "drill-\(last)"
        var drill = Drill(id: id, started: Date(), session: session, isFirst: isFirst, tasks: tasks)
        let follow = Task { [setting, events, seen, drill] in
            var turn = -1
            for await state in session.states() {
                if let scene = state.scene {
                    let connections = setting.connections(of: session, state)
                    for connection in seen.note(connections, from: id, attempt: state.attempt, scene.planned.step.host)
                    {
                        events.emit("connection", connection)
                    }
                }
                if state.turn != turn { events.emit("drill", DrillDocument(drill, state, in: setting)) }
                turn = state.turn
                if state.phase.isOver { break }
            }
        }
        drill.tasks.append(follow)
        drills.append(drill)
        if drills.count > Self.mostKept, let old = drills.firstIndex(where: { $0.session.state.phase.isOver }) {
            drills.remove(at: old)
        }
        return drill
    }

    /// The one trial that some names mean.
    private func trial(_ wanted: NewDrill) throws(ControlError) -> Trial {
        let file = setting.file
        guard file.playable.contains(where: { $0.name == wanted.scenario }) else {
            throw .unknown("scenario", wanted.scenario, among: file.playable.map(\.name))
        }
        if let name = wanted.policy, file.policy(named: name) == nil {
            throw .unknown("policy", name, among: file.policies.map(\.name))
        }
        if let name = wanted.client {
            guard let client = file.client(named: name) else {
                throw .unknown("client", name, among: file.clients.map(\.name))
            }
            guard client.isAttended else { throw .senseless("nobody attends client '\(name)': /v1/runs plays it") }
        }
        let fitting = setting.attended.filter { trial in
            trial.scenario.name == wanted.scenario && wanted.policy.map { $0 == trial.policy.name } ?? true
                && wanted.client.map { $0 == trial.client.name } ?? true
        }
        guard let first = fitting.first else {
            throw .senseless("scenario '\(wanted.scenario)' is not played with that policy and client")
        }
        guard fitting.count == 1 else {
            let (policies, clients) = (fitting.map(\.policy.name).uniqued, fitting.map(\.client.name).uniqued)
            let lacking = policies.count > 1 ? ("policy", policies) : ("client", clients)
            throw .senseless("say which '\(lacking.0)': \(lacking.1.joined(separator: ", "))")
        }
        return first
    }

    private func checkRoom(_ count: Int, _ most: Int, _ kind: String) throws(ControlError) {
        if setting.onlyFollows {
            throw .conflict("here is one drill, which its terminal began; 'pindrill serve' begins others")
        }
        if isClosed { throw ControlError(.serviceUnavailable, "ending", "PinDrill is about to end") }
        guard count < most else {
            throw ControlError(.tooManyRequests, "too-many", "\(most) \(kind) are at work; end one of them first")
        }
    }

    /// - Throws: where somebody else shows something to one of these hosts.
    private func checkHosts(_ hosts: [String], besides own: String? = nil) throws(ControlError) {
        for drill in drills where !drill.session.state.phase.isOver {
            if let host = drill.session.trial.scenario.hosts.first(where: hosts.contains) {
                throw .conflict("\(drill.id) is about \(host): stop it first, or wait until it is over")
            }
        }
        if let host = hosts.first(where: { $0 != own && presentations[$0] != nil }) {
            throw .conflict("something is presented to \(host): delete /v1/presentations/\(host) first")
        }
    }

    /// Whether nobody is where devices are told to go.
    private var isPlaceFree: Bool {
        !drills.contains { $0.isFirst && !$0.session.state.phase.isOver }
            && !presentations.values.contains(where: \.isFirst)
    }

    /// Who is over listens there for another moment.
    private func untilPlaceIsLeft() async {
        for drill in drills where drill.isFirst && drill.session.state.phase.isOver {
            for task in drill.tasks { await task.value }
        }
    }

    // MARK: Runs

    func run(_ id: String) throws(ControlError) -> RunSession {
        guard let run = runs.first(where: { $0.id == id }) else { throw .unknown("run", id, among: runs.map(\.id)) }
        return run
    }

    func allRuns() -> [RunSession] { runs }

    func begin(_ wanted: NewRun) throws(ControlError) -> RunSession {
        let trials = try trials(wanted)
        try checkRoom(runs.count { !$0.isOver }, Self.mostRuns, "runs")
        last += 1
        let options = setting.options(isFirst: false)
        let runner = Runner(setting.file, oracle: setting.oracle, options: options)
        let run = RunSession("run-\(last)", trials, in: setting, events)
        begun += trials.count
        run.play(by: runner)
        runs.append(run)
        while runs.count > Self.mostKept || runs.map(\.count).reduce(0, +) > Self.mostTrialsKept,
            let old = runs.dropLast().firstIndex(where: \.isOver)
        {
            runs.remove(at: old)
        }
        return run
    }

    private func trials(_ wanted: NewRun) throws(ControlError) -> [Trial] {
        let file = setting.file
        let chosen = try Self.choose(wanted.scenarios, "scenario", among: file.playable.map(\.name))
        let tags = try Self.choose(wanted.tags, "tag", among: file.scenarios.flatMap(\.tags).map(\.name).uniqued)
        let policies = try Self.choose(wanted.policies, "policy", among: file.policies.map(\.name))
        let clients = try Self.choose(wanted.clients, "client", among: file.clients.map(\.name))
        let trials = file.trials.filter { trial in
            let scenario = trial.scenario
            let isUsual =
                chosen != nil || tags != nil || wanted.all == true
                || scenario.variant == nil && file.play.map(scenario.tags.contains) ?? true
            return !trial.client.isAttended && isUsual && chosen?.contains(scenario.name) ?? true
                && tags.map { tags in scenario.tags.contains { tags.contains($0.name) } } ?? true
                && policies?.contains(trial.policy.name) ?? true && clients?.contains(trial.client.name) ?? true
        }
        guard !trials.isEmpty else { throw .senseless("no trial fits: what was chosen excludes each other") }
        return trials
    }

    /// - Returns: `nil` where all are meant.
    private static func choose(
        _ patterns: [String]?,
        _ kind: String,
        among names: [String]
    ) throws(ControlError) -> Set<String>? {
        guard let patterns, !patterns.isEmpty else { return nil }
        guard patterns.count <= 1000 else { throw .invalid("1000 patterns are enough") }
        var chosen: Set<String> = []
        for pattern in patterns {
            let found = pattern.count > 1000 ? [] : names.filter(Glob(pattern).matches)
            guard !found.isEmpty else { throw .unknown(kind, pattern, among: names) }
            chosen.formUnion(found)
        }
        return chosen
    }

    /// Of what is over, the oldest first.
    func reports() -> [(id: String, report: Report)] {
        let played = drills.compactMap { drill in
            drill.session.state.result.map {
                (id: drill.id, report: setting.report([$0], planned: 1, started: drill.started))
            }
        }
        let reports = played + runs.compactMap { run in run.report.map { (run.id, $0) } }
        return reports.sorted { $0.report.started < $1.report.started }
    }

    // MARK: Presentations

    func presentation(_ host: String) throws(ControlError) -> PresentationSession {
        guard let presentation = presentations[host] else {
            throw ControlError(.notFound, "not-found", "nothing is presented to '\(host.prefix(60))'")
        }
        return presentation
    }

    func allPresentations() -> [PresentationSession] { presentations.sorted { $0.key < $1.key }.map(\.value) }

    func present(_ wanted: NewPresentation, to host: String) async throws -> PresentationSession {
        await untilPlaceIsLeft()
        let file = setting.file
        guard let scenario = file.playable.first(where: { $0.name == wanted.scenario }) else {
            throw ControlError.unknown("scenario", wanted.scenario, among: file.playable.map(\.name))
        }
        let known = file.scenarios.flatMap(\.hosts).uniqued
        guard known.contains(host) else { throw ControlError.unknown("host", host, among: known) }
        let number = wanted.step ?? 1
        guard scenario.steps.indices.contains(number - 1) else {
            throw ControlError.senseless(
                "scenario '\(scenario.name)' has \(scenario.steps.count) steps, and no step \(number)"
            )
        }
        guard scenario.steps[number - 1].host == host else {
            throw ControlError.senseless("step \(number) is about \(scenario.steps[number - 1].host)")
        }
        try checkHosts([host], besides: host)
        if presentations[host] == nil { try checkRoom(presentations.count, Self.mostPresentations, "presentations") }
        let session = presentations[host] ?? PresentationSession(host, isFirst: isPlaceFree, in: setting, events, seen)
        presentations[host] = session
        do {
            try await session.show(scenario, step: number)
        } catch {
            presentations[host] = nil
            await session.close()
            throw ControlError.senseless("it cannot be shown: \(error)")
        }
        return session
    }

    func deletePresentation(_ host: String) async {
        guard let session = presentations.removeValue(forKey: host) else { return }
        await session.close()
    }

    // MARK: The end

    /// Ends all that is going on, and waits for it.
    package func close() async {
        isClosed = true
        for drill in drills { drill.session.stop() }
        for run in runs { run.stop() }
        for drill in drills { for task in drill.tasks { await task.value } }
        for run in runs { await run.end() }
        for presentation in allPresentations() { await presentation.close() }
        presentations = [:]
        events.close()
    }
}

/// The latest connections of everybody, each as it was last seen.
final class SeenConnections: Sendable {
    private struct Key: Hashable {
        var source: String
        var attempt: Int?
        var number: Int
    }

    private struct State {
        var order: [Key] = []
        var known: [Key: (seen: SeenDocument, host: String)] = [:]
    }

    private let state = Mutex(State())
    static let most = 1000

    /// - Returns: those of them that are new or have changed.
    func note(
        _ connections: [ConnectionDocument],
        from source: String,
        attempt: Int? = nil,
        _ host: String
    ) -> [SeenDocument] {
        state.withLock { state in
            connections.compactMap { connection in
                let key = Key(source: source, attempt: attempt, number: connection.number)
                if let known = state.known[key] {
                    guard known.seen.connection != connection else { return nil }
                } else {
                    state.order.append(key)
                }
                let seen = SeenDocument(source: source, attempt: attempt, connection: connection)
                state.known[key] = (seen, host)
                if state.order.count > Self.most { state.known[state.order.removeFirst()] = nil }
                return seen
            }
        }
    }

    struct Document: Encodable {
        struct Host: Encodable {
            struct Chain: Encodable {
                var chain: String
                var holder: String
                var accepted = 0
                var rejected = 0
                var other = 0
            }

            var host: String
            var chains: [Chain]
        }

        var hosts: [Host] = []
        var connections: [SeenDocument] = []
    }

    func document(for host: String?) -> Document {
        let all = state.withLock { state in state.order.compactMap { state.known[$0] } }
        var document = Document()
        for (seen, tested) in all {
            let connection = seen.connection
            // Who named nobody was after the host under test.
            let name = connection.target ?? tested
            guard host.map({ Observation.isSame($0, name) }) ?? true else { continue }
            document.connections.append(seen)
            let place = document.hosts.firstIndex { $0.host == name } ?? document.hosts.endIndex
            if place == document.hosts.endIndex { document.hosts.append(.init(host: name, chains: [])) }
            guard let shown = connection.shown else { continue }
            let chains = document.hosts[place].chains
            let index = chains.firstIndex { $0.chain == shown } ?? chains.endIndex
            if index == chains.endIndex {
                document.hosts[place].chains.append(.init(chain: shown, holder: connection.holder ?? "attacker"))
            }
            switch connection.outcome {
            case "accepted": document.hosts[place].chains[index].accepted += 1
            case "rejected": document.hosts[place].chains[index].rejected += 1
            default: document.hosts[place].chains[index].other += 1
            }
        }
        return document
    }
}
