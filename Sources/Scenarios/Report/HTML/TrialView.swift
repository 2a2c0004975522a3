import Pinning
import TLSCore

/// One trial, as the templates of the page name its parts. Each value is text, and each is escaped where it is put in.
struct TrialView {
    private let report: RecordedReport
    private let trial: RecordedTrial
    private let number: Int
    private let mark: ResultMatrix.Mark
    private let place: ReportPlace
    /// Whether everything is told, chains included.
    private let isFull: Bool

    init(
        _ report: RecordedReport,
        _ trial: RecordedTrial,
        _ number: Int,
        _ mark: ResultMatrix.Mark,
        place: ReportPlace,
        isFull: Bool
    ) {
        self.place = place
        self.report = report
        self.trial = trial
        self.number = number
        self.mark = mark
        self.isFull = isFull
    }

    /// - Parameter draw: makes a chain a tree.
    func view(_ trees: inout Trees, draw: (RecordedScenario.Chain) -> String) -> [String: Any] {
        var view: [String: Any] = [
            "trialNumber": number,
            "trialName": trial.name.printable,
            "markClass": mark.classes,
            "markMeaning": mark.meaning,
            "isBad": isFull,
            "findings": (trial.findings ?? []).map(\.printable),
        ]
        if let deviation = trial.deviation {
            let words =
                deviation.seen
                ? "Deviates as declared" : "Was declared to be “\(deviation.verdict.rawValue)”, and is not"
            view["deviation"] = "\(words): \(deviation.because)".printable
        }
        if isFull {
            let story = trees.story(of: trial.scenario)
            view["isModel"] = trial.model
            view["about"] = story?.about?.asParagraph
            view["hurts"] = story?.hurts?.asParagraph
            view["again"] = report.replay(trial, at: place)?.printable
        }
        var own = 0
        view["steps"] = trial.steps.map { step in
            if !step.control { own += 1 }
            return self.view(of: step, step.control ? own + 1 : own, &trees, draw: draw)
        }
        return view
    }

    private func view(
        of step: RecordedStep,
        _ place: Int,
        _ trees: inout Trees,
        draw: (RecordedScenario.Chain) -> String
    ) -> [String: Any] {
        let chains = step.shown.map { $0.host == nil ? trees.chain($0.chain, of: trial.scenario, in: step) : nil }
        let isTold = step.verdict != .pass || step.consequence.isHarm
        var view: [String: Any] = [
            "stepName":
                "\(step.control ? "Control for step" : "Step") \(place): \(step.title)\(step.at == "0d" ? "" : " at \(step.at)")"
                .printable,
            "stepClass": step.look,
            "stepVerdict": step.outcome,
            "grounds": step.grounds.asClause,
            "people": "For its users: \(step.meaning).",
            "leaks": (step.leaks ?? []).map(\.printable),
            "missing": step.missing.map(\.printable).uniqued.prefix(10).map { $0 },
            "shown": zip(step.shown, chains).map { shown, chain in
                let whose = "\(shown.chain) (\(shown.holder.rawValue)'s \(shown.key))"
                var told: [String: Any] = [
                    "what": (isFull ? "\(whose), to \(shown.host ?? step.host), store \(step.store)" : whose).printable,
                    "demand": "\(shown.demand.phrase): \(shown.reason)".printable,
                ]
                told["treeNumber"] = chain?.number
                return told
            },
            "attempts": step.attempts.enumerated().map { index, attempt in
                self.view(of: attempt, step.attempts.count > 1 ? " \(index + 1)" : "", isTold: isFull && isTold)
            },
            "ownTrees": isFull && isTold ? chains.compactMap { $0?.chain }.map(draw).joined() : "",
        ]
        if let next = step.advice ?? step.nextStep { view["next"] = next.printable }
        if step.verdict != .pass { view["remark"] = step.grounds.asClause + "." }
        if let note = step.note { view["note"] = note.asParagraph }
        if let file = step.file, let line = step.line { view["place"] = "\(file):\(line)".printable }
        return view
    }

    /// What a client printed may be long: of what went well its end is enough.
    private func view(of attempt: RecordedAttempt, _ ordinal: String, isTold: Bool) -> [String: Any] {
        let account = attempt.account.isEmpty ? "" : " (\(attempt.account))"
        var view: [String: Any] = [
            "ordinal": ordinal,
            "wire": attempt.wire.printable,
            "word": (attempt.word.rawValue + account).printable,
            "connections": attempt.connections.prefix(isTold ? 20 : 4).map { connection in
                ["timeline": (connection.timeline ?? [connection.reaction]).map(\.printable)]
            },
        ]
        let output = attempt.output.suffix(isTold ? 8000 : 200).asLines
        if !output.isEmpty { view["output"] = output }
        return view
    }
}

extension RecordedStep {
    /// Colour follows the people.
    fileprivate var look: String {
        switch verdict {
        case .pass: consequence.isHarm ? "bad" : "good"
        case .fail: "bad"
        case .inconclusive: "doubt"
        case .skipped, .notApplicable: "calm"
        }
    }
}

/// The chains that a page draws, each of them once.
struct Trees {
    private let stories: [String: RecordedScenario]
    private var numbers: [RecordedScenario.Chain: Int] = [:]
    /// In the order of their numbers, which begin with 1.
    private(set) var used: [RecordedScenario.Chain] = []

    init(_ report: RecordedReport) {
        stories = Dictionary((report.scenarios ?? []).map { ($0.name, $0) }) { first, _ in first }
    }

    func story(of scenario: String) -> RecordedScenario? { stories[scenario] }

    /// A chain of a step, and its number; `nil`: it is not known.
    mutating func chain(
        _ name: String,
        of scenario: String,
        in step: RecordedStep
    ) -> (chain: RecordedScenario.Chain, number: Int)? {
        guard let chain = stories[scenario]?.chain(name, in: step) else { return nil }
        if let number = numbers[chain] { return (chain, number) }
        used.append(chain)
        numbers[chain] = used.count
        return (chain, used.count)
    }

    /// As the template names its parts.
    static func view(of chain: RecordedScenario.Chain, number: Int?) -> [String: Any] {
        func links(_ links: [RecordedScenario.Link]) -> [[String: Any]] {
            links.map { link in
                var view: [String: Any] = [
                    "name": link.name.printable, "facts": link.remarks.joined(separator: " · ").printable,
                ]
                if let names = link.pinnedBy { view["pinned"] = names.joined(separator: ", ").printable }
                view["pin"] = link.pin?.printable
                return view
            }
        }
        var view: [String: Any] = [
            "treeTitle": "\(chain.chain): \(chain.holder == .owner ? "the owner's" : "an attacker's")".printable,
            "links": links(chain.path),
            "hasExtras": chain.extras != nil,
            "extras": links(chain.extras ?? []),
        ]
        view["treeNumber"] = number
        return view
    }
}

extension String {
    /// A sentence's words without its full stop.
    fileprivate var asClause: String {
        let text = printable.hasSuffix(".") ? String(printable.dropLast()) : printable
        return text.prefix(1).uppercased() + text.dropFirst()
    }

    /// An author's lines, flowing.
    fileprivate var asParagraph: String { split(whereSeparator: \.isNewline).joined(separator: " ").printable }
}

extension Substring {
    /// What a client printed, line by line, without what could steer a terminal or turn the direction of writing.
    fileprivate var asLines: String {
        let lines = split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).map { String($0).printable }
        return lines.joined(separator: "\n").trimmingSuffix(while: \.isWhitespace)
    }
}

extension String {
    fileprivate func trimmingSuffix(while isUnwanted: (Character) -> Bool) -> String {
        var text = self
        while let last = text.last, isUnwanted(last) { text.removeLast() }
        return text
    }
}
