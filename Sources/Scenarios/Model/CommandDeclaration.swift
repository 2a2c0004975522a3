package import Witness

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
    package var env: [String: String] = [:]
    package var lifetime: Lifetime = .attempt
    /// When the program said that all went well; `nil`: whenever it ends with 0 and none of the other rules holds.
    package var succeeded: OutcomeRule?
    /// When the program said that the server was not acceptable; `nil`: it has no way to.
    package var refused: OutcomeRule?
    /// When the program said that the pin was the reason; `nil`: it has no way to.
    package var refusedPin: OutcomeRule?
    /// The program cannot tell how it went: its word is always `nothing`.
    package var isSilent: Bool = false
    /// The command line of a program whose first line of output is this one's version; `nil`: it is not asked.
    package var version: String?
    /// After which it is ended; `nil`: the runner's own limit.
    package var timeout: Duration?

    /// Placeholders that its file has beside the usual ones.
    package var morePlaceholders: [String] = []

    /// Whether it has a network of its own, in which all that it sends ends here.
    package var isIsolated = false

    /// The protocol that it speaks, in which TLS begins later; `nil`: HTTP, or PostgreSQL's.
    package var startTLS: StartTLSDialect?

    /// Whether the client is led to our port and nothing else of it is seen, as it would be through a proxy.
    package var isWatchedAtThePortOnly: Bool {
        let texts = [run, stdin ?? ""] + env.values
        return texts.contains { $0.contains("{endpoint}") }
            && !texts.contains { $0.contains("{proxy}") || $0.contains("{socks}") }
    }
}
