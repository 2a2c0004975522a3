/// A program to be judged.
public struct ClientDeclaration: Hashable, Sendable {
    public enum Kind: Hashable, Sendable {
        /// The embedded client, which obeys any policy.
        case reference
        case command(CommandDeclaration)
        /// Swift code of the caller's: no file declares it.
        case function
    }

    public var name: String
    public var kind: Kind
    /// The policies that this client can be made to apply; `nil`: all.
    public var policies: [String]?
    public var location: SourceLocation

    /// The client's own time limit, where it has one.
    public var timeout: Duration { if case .command(let command) = kind { command.timeout ?? .zero } else { .zero } }

    public init(name: String, kind: Kind, policies: [String]? = nil, location: SourceLocation = .code) {
        self.name = name
        self.kind = kind
        self.policies = policies
        self.location = location
    }
}
