/// Something that a lint found: what is wrong, where, and the way out.
///
/// As in `scenarios.yaml:31:3: warning: policy 'leaf-only' pins one key only; pin a backup key as well [no-redundancy]`.
package struct LintFinding: Hashable, Sendable, CustomStringConvertible {
    package var rule: LintRule
    /// What an `allow` must belong to, to silence this.
    package var subject: Subject
    package var location: SourceLocation
    /// A clause that names the culprit and says what comes of it; without a full stop.
    package var message: String
    /// A clause that says what to do.
    package var fix: String

    package init(_ rule: LintRule, _ subject: Subject, at location: SourceLocation, _ message: String, fix: String) {
        self.rule = rule
        self.subject = subject
        self.location = location
        self.message = message
        self.fix = fix
    }

    package var description: String { "\(location): warning: \(message); \(fix) [\(rule.rawValue)]" }
}
