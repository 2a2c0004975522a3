/// Something that a lint found: what is wrong, where, and the way out.
///
/// As in `scenarios.yaml:31:3: warning: policy 'leaf-only' pins one key only; pin a backup key as well [no-redundancy]`.
public struct LintFinding: Hashable, Sendable, CustomStringConvertible {
    public var rule: LintRule
    /// What an `allow` must belong to, to silence this.
    public var subject: Subject
    public var location: SourceLocation
    /// A clause that names the culprit and says what comes of it; without a full stop.
    public var message: String
    /// A clause that says what to do.
    public var fix: String

    public init(_ rule: LintRule, _ subject: Subject, at location: SourceLocation, _ message: String, fix: String) {
        self.rule = rule
        self.subject = subject
        self.location = location
        self.message = message
        self.fix = fix
    }

    public var description: String { "\(location): warning: \(message); \(fix) [\(rule.rawValue)]" }
}
