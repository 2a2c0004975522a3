/// A declaration's word that something a lint would warn of is meant: `allow: [no-redundancy]`.
package struct Allowance: Hashable, Sendable {
    package var rule: LintRule
    package var subject: Subject
    package var location: SourceLocation

    package init(_ rule: LintRule, for subject: Subject, location: SourceLocation = .code) {
        self.rule = rule
        self.subject = subject
        self.location = location
    }
}
