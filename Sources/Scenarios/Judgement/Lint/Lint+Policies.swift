import Pinning

/// `presented-chain`, `skipped-check` and `report-only`: policies that let an attacker in.
extension Lint {
    func laxPolicies() -> [LintFinding] {
        file.policies.flatMap { policy in
            guard let rules = policy.rules else { return [LintFinding]() }
            return presentedChain(policy, rules) + skippedChecks(policy, rules) + reportOnly(policy, rules)
        }
    }

    private func presentedChain(_ policy: PolicyDeclaration, _ rules: PolicyRules) -> [LintFinding] {
        // The first certificate sent is the one whose key the server proves to have: it may be looked at as it comes.
        guard rules.requirements.contains(where: { $0.search == .presentedChain && $0.position != .leaf })
        else { return [] }
        return [
            finding(
                .presentedChain,
                policy,
                "policy '\(policy.name)' looks for its pins in what the server sends, which an attacker chooses: a "
                    + "forged chain from any trusted root passes with a copy of the owner's certificates behind it",
                fix: "use 'search: verified-path'"
            )
        ]
    }

    private func skippedChecks(_ policy: PolicyDeclaration, _ rules: PolicyRules) -> [LintFinding] {
        var findings: [LintFinding] = []
        if !rules.checks.contains(.path), !isBoundToLeaf(rules) {
            findings.append(
                finding(
                    .skippedCheck,
                    policy,
                    "policy '\(policy.name)' does not check 'path': anybody can make a certificate for the host"
                        + (rules.requirements.isEmpty ? "" : ", send a copy of a pinned one behind it,")
                        + " and be believed",
                    fix: "add 'path' to 'checks'"
                )
            )
        }
        if !rules.checks.contains(.host), !isBoundToLeaf(rules) {
            findings.append(
                finding(
                    .skippedCheck,
                    policy,
                    "policy '\(policy.name)' does not check 'host': anybody with a certificate for a host of their own "
                        + "from the same authority is believed",
                    fix: "add 'host' to 'checks'"
                )
            )
        }
        if !rules.checks.contains(.notAfter) {
            findings.append(
                finding(
                    .skippedCheck,
                    policy,
                    "policy '\(policy.name)' does not check 'not-after': whoever steals a key is believed for ever, "
                        + "long after its certificate has expired",
                    fix: "add 'not-after' or 'validity' to 'checks'"
                )
            )
        }
        return findings
    }

    /// Whether nobody passes without a pinned key or certificate at the end of the chain that TLS proves.
    private func isBoundToLeaf(_ rules: PolicyRules) -> Bool {
        rules.failure == .block && rules.exempt.isEmpty && rules.requirements.contains { $0.position == .leaf }
    }

    private func reportOnly(_ policy: PolicyDeclaration, _ rules: PolicyRules) -> [LintFinding] {
        guard rules.failure == .report, !rules.requirements.isEmpty else { return [] }
        return [
            finding(
                .reportOnly,
                policy,
                "policy '\(policy.name)' only reports that no pin matches and goes on: an attacker with a certificate "
                    + "from any trusted root reads everything",
                fix: "use 'failure: block'"
            )
        ]
    }

    private func finding(_ rule: LintRule, _ policy: PolicyDeclaration, _ message: String, fix: String) -> LintFinding {
        LintFinding(rule, Subject(.policy, policy.name), at: policy.location, message, fix: fix)
    }
}
