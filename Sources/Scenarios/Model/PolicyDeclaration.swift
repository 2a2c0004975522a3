public import Pinning
public import TLSCore

/// A pin policy by the names of a file: a `PinPolicy` once the keys and certificates exist.
public struct PolicyDeclaration: Hashable, Sendable {
    public var name: String
    /// All must hold; none: the client does not pin.
    public var requirements: [RequirementDeclaration]
    public var checks: PinPolicy.Checks
    public var failure: PinPolicy.Failure
    public var exempt: Set<TrustAnchor.Origin>
    /// The app's own configuration, which then decides alone; `nil` for a policy that the file declares.
    public var imported: ImportedPolicy?
    public var location: SourceLocation

    public init(
        name: String,
        requirements: [RequirementDeclaration] = [],
        checks: PinPolicy.Checks = .all,
        failure: PinPolicy.Failure = .block,
        exempt: Set<TrustAnchor.Origin> = [],
        imported: ImportedPolicy? = nil,
        location: SourceLocation = .code
    ) {
        self.name = name
        self.requirements = requirements
        self.checks = checks
        self.failure = failure
        self.exempt = exempt
        self.imported = imported
        self.location = location
    }
}
