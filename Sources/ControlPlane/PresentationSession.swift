import Foundation
import MitmHarness
import Scenarios
import Synchronization
import Witness

/// What is shown to one host, as everybody sees it who follows it.
actor PresentationSession {
    nonisolated let host: String
    /// Whether it has the place where devices are told to go.
    nonisolated let isFirst: Bool
    private let setting: ControlSetting
    private let events: EventLog
    private let seen: SeenConnections
    private var scenario: Scenario?
    private var number = 1
    private var revision = 0
    private var showCase: ShowCase?
    private var watch: Task<Void, Never>?

    init(_ host: String, isFirst: Bool, in setting: ControlSetting, _ events: EventLog, _ seen: SeenConnections) {
        self.host = host
        self.isFirst = isFirst
        self.setting = setting
        self.events = events
        self.seen = seen
    }

    func show(_ scenario: Scenario, step: Int) async throws {
        watch?.cancel()
        // Whoever was sent there stays there.
        let port = showCase?.port
        await showCase?.close()
        var options = setting.options(isFirst: isFirst)
        options.port = port ?? options.port
        let runner = Runner(setting.file, oracle: setting.oracle, options: options)
        showCase = try await runner.show(scenario.steps[step - 1], of: scenario)
        (self.scenario, number) = (scenario, step)
        revision += 1
        events.emit("presentation", document)
        let source = "presentation:\(host)#\(revision)"
        watch = Task { [weak self] in
            while (try? await Task.sleep(for: .milliseconds(50))) != nil {
                guard let self else { return }
                await look(source)
            }
        }
    }

    private func look(_ source: String) {
        for connection in seen.note(connections, from: source, host) { events.emit("connection", connection) }
    }

    private var connections: [ConnectionDocument] { setting.connections(showCase?.observations ?? [], for: host) }

    func close() async {
        watch?.cancel()
        await showCase?.close()
        showCase = nil
        struct Deleted: Encodable {
            var host: String
            var deleted = true
        }
        events.emit("presentation", Deleted(host: host))
    }

    var document: PresentationDocument {
        let step = scenario?.steps[number - 1] ?? Step(present: [], store: "", host: host)
        var single = scenario
        single?.steps = [step]
        let (shown, text) = single.map { setting.explain($0, setting.file.policies, at: Date()) } ?? ([], "")
        return PresentationDocument(
            host: host,
            revision: revision,
            scenario: scenario?.name ?? "",
            step: DeclaredStepDocument(step, number: number),
            shown: shown,
            explanation: text,
            proxy: setting.place(port: showCase?.port ?? 0, isFirst: isFirst, hasPage: false),
            connections: connections
        )
    }
}
