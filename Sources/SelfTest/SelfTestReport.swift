import Scenarios

/// What a self-test amounts to, for people.
package struct SelfTestReport: Sendable {
    package enum Format: String, CaseIterable, Sendable { case text, markdown }

    package let results: [SelfTest.Result]

    package init(results: [SelfTest.Result]) {
        self.results = results
    }

    package var isRight: Bool { results.allSatisfy(\.isRight) }

    private var bad: [SelfTest.Result] { results.filter { !$0.client.isCorrect } }
    private var correct: [SelfTest.Result] { results.filter(\.client.isCorrect) }

    package func render(_ format: Format, isVerbose: Bool) -> String {
        switch format {
        case .text: text(isVerbose: isVerbose)
        case .markdown: markdown
        }
    }

    private func text(isVerbose: Bool) -> String {
        let lines = results.flatMap { result -> [String] in
            if result.isRight, !isVerbose { return [] }
            let client = result.client
            let head = "\(result.isRight ? "ok   " : "WRONG") \(client.name): \(client.about)"
            return ["\(head)\(client.foundBy.map { "; by \($0)" } ?? "")"] + (result.isRight ? [] : complaints(result))
        }
        return (lines + summary).map { "\($0)\n" }.joined()
    }

    private func complaints(_ result: SelfTest.Result) -> [String] {
        guard !result.trials.isEmpty else { return ["      no such scenario is played with its policies"] }
        let surprises = result.surprises
        return surprises.prefix(5).map { trial in
            let step = trial.steps.enumerated().max { $0.element.judgement.verdict < $1.element.judgement.verdict }
            let reason = step.map { ", step \($0.offset + 1): \($0.element.judgement.grounds)" } ?? ""
            return "      \(trial.scenario), \(trial.policy), \(trial.client): \(trial.verdict.rawValue)\(reason)"
        } + (surprises.count > 5 ? ["      (+\(surprises.count - 5) more)"] : [])
    }

    private var summary: [String] {
        let (found, quiet) = (bad.count(where: \.isRight), correct.count(where: \.isRight))
        let doubted = correct.map(\.doubts.count).reduce(0, +)
        return [
            "\(found) of \(bad.count) clients with a known bug found, each by the scenario that is about it",
            "\(correct.count - quiet) of \(correct.count) clients without a bug accused, and \(doubted) of their "
                + "\(correct.map(\.trials.count).reduce(0, +)) trials inconclusive",
        ]
    }

    private var markdown: String {
        """
        ## Clients with one known bug

        | client | what it does | policies | found by | found |
        |---|---|---|---|---|
        \(bad.map(row).joined(separator: "\n"))

        ## Clients without a bug

        Each plays the whole catalogue, variants aside, and the quick set once more without a rule that tells a refusal from
        any other failure.

        | client | what it does | trials | accused | inconclusive |
        |---|---|---|---|---|
        \(correct.map(row).joined(separator: "\n"))

        \(summary.map { "\($0).\n" }.joined())
        """
    }

    private func row(_ result: SelfTest.Result) -> String {
        let client = result.client
        guard let scenario = client.foundBy else {
            return "| \(client.name) | \(client.about) | \(result.trials.count) | \(result.surprises.count) | "
                + "\(result.doubts.count) |"
        }
        return "| \(client.name) | \(client.about) | \(client.policies.joined(separator: ", ")) | \(scenario) | "
            + "\(result.isRight ? "yes" : "**no**") |"
    }
}
