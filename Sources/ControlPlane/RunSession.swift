import Foundation
import MitmHarness
import Scenarios
import Synchronization

/// An ordinary run, as everybody sees it who follows it.
final class RunSession: Sendable {
    let id: String
    let started = Date()
    private let trials: [Trial]
    private let setting: ControlSetting
    private let events: EventLog

    private struct State {
        var results: [TrialResult] = []
        var revision = 0
        var isOver = false
        var task: Task<Void, Never>?
        /// Whether listeners are going to be told soon.
        var isDue = false
    }

    /// Each event has all of the run, and there may be many trials and many listeners: a state that is over in a moment is not worth
    /// it to any of them.
    private static let pause = Duration.milliseconds(100)

    private let state = Mutex(State())

    init(_ id: String, _ trials: [Trial], in setting: ControlSetting, _ events: EventLog) {
        self.id = id
        self.trials = trials
        self.setting = setting
        self.events = events
    }

    func play(by runner: Runner) {
        let task = Task {
            _ = await runner.run(trials) { result in
                setting.onResult(result)
                change { $0.results.append(result) }
                tellSoon()
            }
            change { $0.isOver = true }
            events.emit("run", document)
        }
        state.withLock { $0.task = task }
        events.emit("run", document)
    }

    /// How many trials it is to have.
    var count: Int { trials.count }

    func stop() { state.withLock(\.task)?.cancel() }

    func end() async { await state.withLock(\.task)?.value }

    /// Returns when it is over, or the task is cancelled.
    func rest() async { while !isOver, (try? await Task.sleep(for: .milliseconds(20))) != nil {} }

    var isOver: Bool { state.withLock(\.isOver) }

    /// What it reports; `nil` while it runs.
    var report: Report? {
        let (results, isOver) = state.withLock { ($0.results, $0.isOver) }
        return isOver ? setting.report(results, planned: trials.count, started: started) : nil
    }

    var document: RunDocument {
        let (results, revision, isOver) = state.withLock { ($0.results, $0.revision, $0.isOver) }
        return RunDocument(
            id: id,
            revision: revision,
            state: !isOver ? "running" : results.count < trials.count ? "stopped" : "finished",
            started: started,
            planned: trials.count,
            trials: results.map(TrialDocument.init),
            exitStatus: report.map { Int($0.exitStatus(failingOn: setting.conditions)) }
        )
    }

    private func change(_ body: (inout State) -> Void) {
        state.withLock { state in
            body(&state)
            state.revision += 1
        }
    }

    /// Tells of what has changed, unless the end does.
    private func tellSoon() {
        let isFirst = state.withLock { state in
            defer { state.isDue = true }
            return !state.isDue
        }
        guard isFirst else { return }
        Task {
            try? await Task.sleep(for: Self.pause)
            let isOver = state.withLock { state in
                state.isDue = false
                return state.isOver
            }
            if !isOver { events.emit("run", document) }
        }
    }
}
