/// A declaration's word that something a lint would warn of is meant: `allow: [no-redundancy]`.
public struct Allowance: Hashable, Sendable {
    public var rule: LintRule
    public var subject: Subject
    public var location: SourceLocation

    public init(_ rule: LintRule, for subject: Subject, location: SourceLocation = .code) {
        self.rule = rule
        self.subject = subject
        self.location = location
    }
}
