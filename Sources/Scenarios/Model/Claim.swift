/// What an author says a step does to people: the policies whose users it locks out, or intercepts.
///
/// A claim is exhaustive: it names every such policy, and an empty one names nobody. The oracle must agree.
public struct Claim: Hashable, Sendable {
    /// Whom a claim names.
    public enum Extent: Hashable, Sendable {
        case all
        case policies([String])
    }

    public var extent: Extent
    public var location: SourceLocation

    public init(_ extent: Extent, location: SourceLocation = .code) {
        self.extent = extent
        self.location = location
    }

    /// Whether the claim names this policy.
    public func covers(policy name: String) -> Bool {
        switch extent {
        case .all: true
        case .policies(let names): names.contains(name)
        }
    }
}
