/// How to run a client that is a program of its own, and how to understand what it says.
///
/// Whether the program exists is found out when it is about to run.
package struct CommandDeclaration: Hashable, Sendable {
    /// How long one process of the client lives.
    package enum Lifetime: String, CaseIterable, Sendable {
        /// One process for each attempt.
        case attempt
        /// One process for the whole trial, told of each attempt on its standard input.
        case trial
    }

    /// The command line, with `{placeholders}`.
    package var run: String
    /// What the program reads, with `{placeholders}`; `nil`: nothing.
    package var stdin: String?
    /// Variables beside PATH, LANG and PinDrill's own, with `{placeholders}` in their values.
    package var env: [String: String]
    package var lifetime: Lifetime
    /// When the program said that the server was not acceptable; `nil`: it has no way to.
    package var refused: OutcomeRule?
    /// When the program said that the pin was the reason; `nil`: it has no way to.
    package var refusedPin: OutcomeRule?
    /// The program cannot tell how it went: its word is always `nothing`.
    package var isSilent: Bool
    /// After which it is ended; `nil`: the runner's own limit.
    package var timeout: Duration?

    package init(
        run: String,
        stdin: String? = nil,
        env: [String: String] = [:],
        lifetime: Lifetime = .attempt,
        refused: OutcomeRule? = nil,
        refusedPin: OutcomeRule? = nil,
        isSilent: Bool = false,
        timeout: Duration? = nil
    ) {
        self.run = run
        self.stdin = stdin
        self.env = env
        self.lifetime = lifetime
        self.refused = refused
        self.refusedPin = refusedPin
        self.isSilent = isSilent
        self.timeout = timeout
    }
}
