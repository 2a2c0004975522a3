import Pinning

/// `allow`, which any declaration may have.
extension ScenarioReader {
    private static let rules = LintRule.allCases.filter { $0 != .needlessAllow }.map { ($0.rawValue, $0) }

    func allow(_ node: YAMLNode?, for subject: Subject) {
        guard let node, let values = list(node, of: "lint rules") else { return }
        if values.isEmpty { report("an empty list allows nothing; leave it out", at: node) }
        var found: Set<LintRule> = []
        for value in values {
            guard let rule = choice(value, "a lint rule", among: Self.rules) else { continue }
            if found.insert(rule).inserted {
                allowances.append(Allowance(rule, for: subject, location: value.location))
            } else {
                report("'\(rule.rawValue)' is listed twice", at: value)
            }
        }
    }
}
