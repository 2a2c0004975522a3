/// A program to be judged.
package struct ClientDeclaration: Hashable, Sendable {
    package enum Kind: Hashable, Sendable {
        /// The embedded client, which obeys any policy.
        case reference
        case command(CommandDeclaration)
        /// Swift code of the caller's: no file declares it.
        case function
    }

    package var name: String
    package var kind: Kind
    /// The policies that this client can be made to apply; `nil`: all.
    package var policies: [String]?
    /// What it is known to do otherwise than its policies demand.
    package var deviations: [Deviation]
    package var location: SourceLocation

    /// The client's own time limit, where it has one.
    package var timeout: Duration { if case .command(let command) = kind { command.timeout ?? .zero } else { .zero } }

    package init(
        name: String,
        kind: Kind,
        policies: [String]? = nil,
        deviations: [Deviation] = [],
        location: SourceLocation = .code
    ) {
        self.name = name
        self.kind = kind
        self.policies = policies
        self.deviations = deviations
        self.location = location
    }
}
