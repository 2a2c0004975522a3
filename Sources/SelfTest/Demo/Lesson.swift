package import Foundation
import MitmHarness
import Pinning
package import Scenarios
import Witness

/// One story of the demo: a scenario of the catalogue, played for real to an app that signs somebody in.
package struct Lesson: Sendable {
    package enum Name: String, CaseIterable, Sendable {
        case login, pin, rotation, backup
        case stuffedChain = "stuffed-chain"
    }

    /// Where a pinned key is in what the server sends.
    enum PinnedPlace: String { case nowhere, inPath = "in the verified path", besides = "beside the verified path" }

    package let name: Name
    let scenario: String
    let policy: String
    package var app: LoginApp
    /// What the story says of the scenario's second step; in the first the app works with its own server.
    let verdict: Verdict
    let consequence: Consequence
    let holder: Holder
    let pinned: PinnedPlace

    package init(_ name: Name) {
        self.name = name
        app = name == .stuffedChain ? .searchingWhatWasSent : .obedient
        (scenario, policy, verdict, consequence, holder, pinned) =
            switch name {
            case .login: ("attacker-installed-root", "no-pins", .pass, .intercepted, .attacker, .nowhere)
            case .pin: ("attacker-installed-root", "leaf-and-backup", .pass, .protected, .attacker, .nowhere)
            case .rotation: ("rotated-to-backup", "leaf-only", .pass, .lockedOut, .owner, .nowhere)
            case .backup: ("rotated-to-backup", "leaf-and-backup", .pass, .served, .owner, .inPath)
            case .stuffedChain: ("stuffed-chain", "leaf-and-backup", .fail, .intercepted, .attacker, .besides)
            }
    }

    /// The same file with nothing but what lessons play.
    package static func adapt(_ file: ScenarioFile) -> ScenarioFile {
        var file = file
        let played = Set(Name.allCases.map { Lesson($0).scenario })
        file.scenarios = file.scenarios.filter { played.contains($0.name) }
        return file
    }

    /// The story as it is set before anything happens.
    package func setting(in file: ScenarioFile, oracle: Oracle, at instant: Date) throws -> Setting {
        guard var scenario = file.scenarios.first(where: { $0.name == scenario }),
            let policy = file.policy(named: policy)
        else { throw Contradiction("the catalogue has no '\(scenario)' or no '\(policy)'") }
        scenario.steps = Array(scenario.steps.prefix(2))
        let explanation = try Explanation(scenario, policies: [policy], oracle: oracle, instant: instant)
        guard let view = explanation.steps.last?.views.first, explanation.steps.count == 2 else {
            throw Contradiction("'\(scenario.name)' does not have the two steps that the story is about")
        }
        let client = ClientDeclaration(name: name.rawValue, kind: .function)
        let setting = Setting(
            lesson: self,
            trial: Trial(scenario: scenario, policy: policy, client: client, shown: file.chainsOfSteps),
            view: view
        )
        let place: PinnedPlace =
            view.path.contains(where: setting.isPinned)
            ? .inPath : view.extras.contains(where: setting.isPinned) ? .besides : .nowhere
        guard place == pinned, view.holder == holder else {
            throw Contradiction(
                "'\(view.chain)' is the \(view.holder.rawValue)'s, and has a pinned key \(place.rawValue)"
            )
        }
        return setting
    }

    /// What was to be played, and what the app is to be shown.
    package struct Setting: Sendable {
        let lesson: Lesson
        let trial: Trial
        let view: Explanation.View

        /// The keys that the app pins, by name.
        var pins: [String] {
            trial.policy.requirements.flatMap(\.pins).compactMap {
                if case .key(of: let name) = $0 { name } else { nil }
            }
        }

        func isPinned(_ link: Explanation.Link) -> Bool { pins.contains(link.key) }

        /// Plays it over real connections.
        ///
        /// - Throws: where that went another way than the story, or was cancelled.
        package func play(in file: ScenarioFile, oracle: Oracle) async throws -> Outcome {
            let app = lesson.app
            // A slow machine is no contradiction.
            let options = RunnerOptions(jobs: 1, timeout: .seconds(60), patience: .milliseconds(500))
            let runner = Runner(file, oracle: oracle, options: options) { _ in app }
            guard let result = await runner.run([trial]).first else { throw CancellationError() }
            return try Outcome(result, of: lesson)
        }
    }

    /// What happened, and is what the story says.
    package struct Outcome: Sendable {
        let control: StepResult
        let step: StepResult
        /// What the attacker read; empty where that is nothing.
        let stolen: String

        fileprivate init(_ result: TrialResult, of lesson: Lesson) throws {
            guard result.steps.count == 2, let control = result.steps.first, let step = result.steps.last else {
                throw Contradiction("\(result.steps.count) steps were played in place of 2")
            }
            self.control = control
            self.step = step
            stolen = step.stolen.map { String(decoding: $0.bytes, as: UTF8.self) }.joined()
            try Self.check(control, .pass, .served, nil)
            let isRejected = [.protected, .lockedOut].contains(lesson.consequence)
            try Self.check(step, lesson.verdict, lesson.consequence, isRejected ? .pin : nil)
            guard let wire = step.decisive?.wire, isRejected ? wire.isRejected : wire == .accepted else {
                throw Contradiction("the wire shows otherwise: \(step.judgement.grounds)")
            }
            let isStolen = stolen.contains("password=\(LoginApp.password)")
            guard isStolen == (lesson.consequence == .intercepted), isStolen || stolen.isEmpty else {
                throw Contradiction("the attacker read \(isStolen ? "the password" : "no password")")
            }
        }

        private static func check(
            _ step: StepResult,
            _ verdict: Verdict,
            _ consequence: Consequence,
            _ attribution: Attribution?
        ) throws {
            let isAttributed = attribution == nil || step.attribution == attribution
            guard step.judgement.verdict != verdict || step.consequence != consequence || !isAttributed else { return }
            let cause = step.attribution.map { " (\($0.rawValue))" } ?? ""
            throw Contradiction(
                "'\(step.planned.step.present[0])' should have ended with \(verdict.rawValue), \(consequence.rawValue), and "
                    + "ended with \(step.judgement.verdict.rawValue), \(step.consequence.rawValue)\(cause): "
                    + "\(step.judgement.grounds)"
            )
        }
    }

    /// What happened is not what the story says.
    package struct Contradiction: Error, CustomStringConvertible {
        package let description: String

        fileprivate init(_ description: String) {
            self.description = description
        }
    }
}
