/// What an author says a step does to people: the policies whose users it locks out, or intercepts.
///
/// A claim is exhaustive: it names every such policy, and an empty one names nobody. The oracle must agree.
package struct Claim: Hashable, Sendable {
    /// Whom a claim names.
    package enum Extent: Hashable, Sendable {
        case all
        case policies([String])
    }

    package var extent: Extent
    package var location: SourceLocation

    package init(_ extent: Extent, location: SourceLocation = .code) {
        self.extent = extent
        self.location = location
    }

    /// Whether the claim names this policy.
    package func covers(policy name: String) -> Bool {
        switch extent {
        case .all: true
        case .policies(let names): names.contains(name)
        }
    }
}
