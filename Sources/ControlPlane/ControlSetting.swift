import Foundation
package import MitmHarness
package import Scenarios
package import TLSCore
import Witness

/// What was loaded when the control plane began: requests select from it, and can add nothing to it.
package struct ControlSetting: Sendable {
    package let file: ScenarioFile
    package let oracle: Oracle
    /// The file, as its user named it.
    package let name: String
    package let options: RunnerOptions
    /// The trials of attended clients.
    let attended: [Trial]
    /// Where the first drill's proxy listens; 0: wherever there is room.
    package var devicePort = 0
    /// Where devices come to it that are not on this machine; `nil`: none come.
    private var elsewhere: PlaceDocument?
    /// Gives the device of a trial what it needs, as a page with its roots.
    package var equip: @Sendable (Trial, inout RunnerOptions) -> Void = { _, _ in }
    package var showsStolen = false
    /// Whether somebody else begins all that is played.
    package var onlyFollows = false
    package var version = ""
    package var conditions: Set<FailureCondition> = []
    /// Answers with a document, or throws why not.
    package var check: @Sendable (CheckRequest) throws -> String = { _ in throw Unavailable() }
    package var audit: @Sendable (AuditRequest) throws -> String = { _ in throw Unavailable() }
    /// Apple's configuration profile of some roots.
    package var profile: @Sendable ([(name: String, certificate: Certificate)]) -> String = { _ in "" }
    /// An app of our own, for drills that nobody has an app for.
    package var example: (any ClientUnderTest)?
    /// Is told of each trial that is finished.
    package var onResult: @Sendable (TrialResult) -> Void = { _ in }

    package struct Unavailable: Error, CustomStringConvertible {
        package let description = "this server does not do that"
    }

    package init(_ file: ScenarioFile, oracle: Oracle, name: String, options: RunnerOptions) {
        self.file = file
        self.oracle = oracle
        self.name = name
        self.options = options
        attended = file.trials.filter(\.client.isAttended)
    }

    /// - Parameter isFirst: whether it has the place where devices are told to go.
    func options(isFirst: Bool) -> RunnerOptions {
        var options = options
        options.port = isFirst ? devicePort : 0
        if !isFirst { options.exposure = nil }
        return options
    }

    /// Has devices come here that are not on this machine.
    package mutating func invite(to address: String, port: Int) {
        elsewhere = PlaceDocument(address: address, port: port)
        if AddressRange(address)?.isUnspecified != true { elsewhere?.drawQRCode() }
    }

    /// Where an app is to go.
    ///
    /// - Parameter hasPage: whether a device that asks there gets its page.
    func place(port: Int, isFirst: Bool, hasPage: Bool) -> PlaceDocument {
        guard isFirst, var place = elsewhere else { return PlaceDocument(address: "127.0.0.1", port: port) }
        if !hasPage { place.qr = nil }
        return place
    }

    func explain(
        _ scenario: Scenario,
        _ policies: [PolicyDeclaration],
        at instant: Date
    ) -> (shown: [ShownDocument], text: String) {
        guard let oracle = try? oracle.playing(scenario),
            let explanation = try? Explanation(scenario, policies: policies, oracle: oracle, instant: instant)
        else { return ([], "") }
        // The opinions of policies stay out: whoever is told the answer finds it.
        let bare = try? Explanation(scenario, policies: [], oracle: oracle, instant: instant)
        let text = bare.map { ExplainText().shown(in: $0).joined(separator: "\n") } ?? ""
        return (explanation.steps.flatMap(\.views).map(ShownDocument.init), text)
    }

    /// - Parameter isOurs: whether nothing is stolen but from an app of our own.
    func connections(
        _ seen: some Collection<Observation>,
        for host: String,
        isOurs: Bool = false
    ) -> [ConnectionDocument] {
        seen.suffix(DrillDocument.mostConnections).enumerated().map {
            ConnectionDocument(
                $1,
                number: 1_000_000 + $0,
                host: host,
                oracle.pki.blueprint,
                showsStolen: showsStolen || isOurs
            )
        }
    }

    func connections(of session: DrillSession, _ state: DrillSession.State) -> [ConnectionDocument] {
        connections(state.connections, for: state.scene?.planned.step.host ?? "", isOurs: session.app != nil)
    }

    func report(_ results: [TrialResult], planned: Int, started: Date) -> Report {
        Report(
            file: name,
            started: started,
            duration: results.map(\.duration).reduce(.zero, +),
            trials: results,
            planned: planned,
            scenarios: Coverage(of: file, by: results.map(\.trial))
        )
    }
}
