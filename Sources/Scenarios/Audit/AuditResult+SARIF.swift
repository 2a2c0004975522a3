import Pinning

extension SARIFLog {
    /// What an audit tells, for code scanning.
    ///
    /// - Parameter version: of pindrill.
    package init(_ results: [AuditResult], version: String, invocation: Invocation) {
        let rules = AuditRule.names.map { name in
            let help = AuditRule.help[name] ?? (summary: name, markdown: name)
            return Rule(id: name, summary: help.summary, markdown: help.markdown)
        }
        self.init(version: version, rules: rules, results: results.map(\.sarif), invocation: invocation)
    }
}

extension AuditResult {
    fileprivate var sarif: SARIFLog.Result {
        let remark = conditions.isEmpty ? "" : " (if \(conditions.joined(separator: " and ")))"
        let questions = asked.isEmpty ? nil : "It also asks: \(asked.joined(separator: ", "))."
        let words = ["\(text)\(remark).", questions, fix.map { "Fix: \($0)." }, permissionWords.map { "\($0)." }]
        return SARIFLog.Result(
            rule: rule,
            openSeverity.map { $0 == .warning ? .warning : .error } ?? .note,
            words.compactMap(\.self).joined(separator: " "),
            path: path,
            line: line,
            identity: ([rule, path, keyPath.isEmpty ? host : keyPath].compactMap(\.self) + conditions).joined(
                separator: " "
            ),
            suppression: permission == nil ? nil : permissionWords
        )
    }
}
