package import Pinning
package import TLSCore

/// A pin policy by the names of a file: `PinRules` once the keys and certificates exist.
package struct PolicyDeclaration: Hashable, Sendable {
    /// Where it comes from. Only who resolves it, and who speaks about its file, has to ask.
    package enum Source: Hashable, Sendable {
        /// The scenario file says it.
        case declared(PolicyRules)
        /// An app's own configuration decides alone.
        case imported(ImportedPolicy)
    }

    package var name: String
    package var source: Source
    /// The claims of steps say nothing of it: it came later than they did.
    package var isUnclaimed: Bool
    package var location: SourceLocation

    package init(name: String, _ source: Source, location: SourceLocation = .code) {
        self.name = name
        self.source = source
        isUnclaimed = if case .imported = source { true } else { false }
        self.location = location
    }

    package init(
        name: String,
        requirements: [RequirementDeclaration] = [],
        checks: PinPolicy.Checks = .all,
        failure: PinPolicy.Failure = .block,
        exempt: Set<TrustAnchor.Origin> = [],
        stack: TrustStack = .unknown,
        location: SourceLocation = .code
    ) {
        let rules = PolicyRules(
            requirements: requirements,
            checks: checks,
            failure: failure,
            exempt: exempt,
            stack: stack
        )
        self.init(name: name, .declared(rules), location: location)
    }

    /// What the scenario file says; `nil` where the app's own configuration does.
    package var rules: PolicyRules? { if case .declared(let rules) = source { rules } else { nil } }

    /// What the scenario file demands by names of its own.
    package var requirements: [RequirementDeclaration] { rules?.requirements ?? [] }
}

/// What a scenario file says that a policy demands.
package struct PolicyRules: Hashable, Sendable {
    /// All must hold; none: the client does not pin.
    package var requirements: [RequirementDeclaration] = []
    package var checks = PinPolicy.Checks.all
    package var failure = PinPolicy.Failure.block
    package var exempt: Set<TrustAnchor.Origin> = []
    /// The TLS library of the clients that have it.
    package var stack = TrustStack.unknown
    /// The hosts that the pins are for, in lower case; empty: all. Others are left to ordinary trust.
    package var hosts: [String] = []
    /// Whether the pins are for every host below those as well, however deep.
    package var includesSubdomains = false

    /// Whether the pins are for a host.
    package func covers(_ host: String) -> Bool {
        let host = SubjectName.relative(host.lowercased())
        return hosts.isEmpty
            || hosts.contains { name in
                let name = SubjectName.relative(name.lowercased())
                return host == name || includesSubdomains && host.hasSuffix(".\(name)")
            }
    }
}
