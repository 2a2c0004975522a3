/// A named story: a client meets one chain after another.
public struct Scenario: Hashable, Sendable {
    public var name: String
    /// What happens in the real world, for people who do not read certificates.
    public var about: String?
    /// Whom it hurts, and by what.
    package var hurts: String?
    package var preventedBy: String?
    /// Where to read more: `CVE-2016-2402`, `RFC 8446 section 4.4.2`, or an address.
    package var references: [String] = []
    public var tags: [ScenarioTag] = []
    /// What the device trusts where a step does not say otherwise; already part of every step.
    public var store: String
    /// The policies it is played with; `nil`: all.
    public var policies: [String]?
    /// The clients it is played with; `nil`: all.
    public var clients: [String]?
    /// The clients it is not played with, whether or not the file has them.
    package var exceptClients: [String] = []
    /// At least one.
    package var steps: [Step]
    /// What the server answers where a step does not say otherwise; already part of every step.
    package var origin: OriginDeclaration?
    /// What it is played again with.
    package var variants: [Variant] = []
    /// Set where this is a variant of another scenario.
    package var variant: Variant?
    /// The name that a variant's scenario was declared by; a variant's own name says what it changes.
    package var declaredName: String?
    public var location: SourceLocation = .code

    /// The name it was declared by.
    package var base: String { declaredName ?? name }
}
