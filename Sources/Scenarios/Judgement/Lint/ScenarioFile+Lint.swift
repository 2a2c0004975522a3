package import Foundation

extension ScenarioFile {
    /// What is likely to be a mistake although it loads: in file order, without what the file allows.
    ///
    /// A finding never stops a run. It says why the run would prove less than its author believes.
    ///
    /// - Parameter instant: the real one, at which the chains would be shown.
    package func lint(_ oracle: Oracle, instant: Date) throws -> [LintFinding] {
        let lint = try Lint(self, oracle, instant: instant)
        let policies = lint.laxPolicies() + lint.redundancy()
        let uses =
            try lint.movingTargets() + lint.unusedDeclarations() + lint.unansweredRoutes() + lint.unshownPins()
            + lint.sharedKeys()
        let found = policies + lint.wordsOfClients() + uses + lint.missingControls() + lint.idlePins()
        let allowed = Set(allowances.map { Silence(rule: $0.rule, subject: $0.subject) })
        let silenced = Set(found.map { Silence(rule: $0.rule, subject: $0.subject) }).intersection(allowed)
        return
            (found.filter { !silenced.contains(Silence(rule: $0.rule, subject: $0.subject)) }
            + allowances.filter { !silenced.contains(Silence(rule: $0.rule, subject: $0.subject)) }.map(needless))
            // What is not put to use of the shipped catalogue is no mistake of who includes it.
            .filter { !borrows($0.location) }.sorted {
                ($0.location, $0.rule.rawValue) < ($1.location, $1.rule.rawValue)
            }
    }

    private struct Silence: Hashable {
        var rule: LintRule
        var subject: Subject
    }

    private func needless(_ allowance: Allowance) -> LintFinding {
        let subject = allowance.subject
        return LintFinding(
            .needlessAllow,
            subject,
            at: allowance.location,
            "\(subject.kind.rawValue) '\(subject.name)' allows '\(allowance.rule.rawValue)', which does not happen here",
            fix: "take it out"
        )
    }
}
