public import Pinning
public import TLSCore

/// A pin policy by the names of a file: `PinRules` once the keys and certificates exist.
public struct PolicyDeclaration: Hashable, Sendable {
    /// Where it comes from. Only who resolves it, and who speaks about its file, has to ask.
    public enum Source: Hashable, Sendable {
        /// The scenario file says it.
        case declared(PolicyRules)
        /// An app's own configuration decides alone.
        case imported(ImportedPolicy)
    }

    public var name: String
    public var source: Source
    public var location: SourceLocation

    public init(name: String, _ source: Source, location: SourceLocation = .code) {
        self.name = name
        self.source = source
        self.location = location
    }

    public init(
        name: String,
        requirements: [RequirementDeclaration] = [],
        checks: PinPolicy.Checks = .all,
        failure: PinPolicy.Failure = .block,
        exempt: Set<TrustAnchor.Origin> = [],
        location: SourceLocation = .code
    ) {
        let rules = PolicyRules(requirements: requirements, checks: checks, failure: failure, exempt: exempt)
        self.init(name: name, .declared(rules), location: location)
    }

    /// What the scenario file says; `nil` where the app's own configuration does.
    package var rules: PolicyRules? { if case .declared(let rules) = source { rules } else { nil } }

    /// What the scenario file demands by names of its own.
    package var requirements: [RequirementDeclaration] { rules?.requirements ?? [] }
}

/// What a scenario file says that a policy demands.
public struct PolicyRules: Hashable, Sendable {
    /// All must hold; none: the client does not pin.
    public var requirements: [RequirementDeclaration] = []
    public var checks = PinPolicy.Checks.all
    public var failure = PinPolicy.Failure.block
    public var exempt: Set<TrustAnchor.Origin> = []
}
