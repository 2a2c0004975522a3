package import Witness

/// A program to be judged.
package struct ClientDeclaration: Hashable, Sendable {
    package enum Kind: Hashable, Sendable {
        /// The embedded client, which obeys any policy.
        case reference
        case command(CommandDeclaration)
        /// Swift code of the caller's: no file declares it.
        case function
        /// An app whose attempts somebody else makes, and gives its word: a person, or another program.
        case attended(AttendedDeclaration)
    }

    package var name: String
    package var kind: Kind
    /// The policies that this client can be made to apply; `nil`: all.
    package var policies: [String]?
    /// What it is known to do otherwise than its policies demand.
    package var deviations: [Deviation]
    /// What the server speaks with it, in order of preference; `nil`: what the file says.
    package var applicationProtocols: [String]?
    package var location: SourceLocation

    /// The client's own time limit, where it has one. A person may think for a day.
    package var timeout: Duration {
        switch kind {
        case .command(let command): command.timeout ?? .zero
        case .attended: .seconds(86_400)
        case .reference, .function: .zero
        }
    }

    package var isAttended: Bool { if case .attended = kind { true } else { false } }

    /// The protocol that it speaks, in which TLS begins later.
    package var startTLS: StartTLSDialect? { if case .command(let command) = kind { command.startTLS } else { nil } }

    /// Whether it has a network of its own.
    package var isIsolated: Bool { if case .command(let command) = kind { command.isIsolated } else { false } }

    package init(
        name: String,
        kind: Kind,
        policies: [String]? = nil,
        deviations: [Deviation] = [],
        applicationProtocols: [String]? = nil,
        location: SourceLocation = .code
    ) {
        self.name = name
        self.kind = kind
        self.policies = policies
        self.deviations = deviations
        self.applicationProtocols = applicationProtocols
        self.location = location
    }
}

/// What a file says of an attended client.
package struct AttendedDeclaration: Hashable, Sendable {
    /// What whoever attends it is to do, as in "Open the app and pull to refresh".
    package var ask: String

    package init(ask: String = AttendedDeclaration.usualAsk) { self.ask = ask }

    /// Where the file does not say.
    package static let usualAsk = "Make the app talk to its server."
}
