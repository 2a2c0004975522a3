import ArgumentParser
import Foundation

/// Measures PinDrill, and beside it the servers that happen to be installed.
@main
struct Bench: AsyncParsableCommand {
    enum Measure: String, CaseIterable, ExpressibleByArgument {
        case handshakes, instructions, idle, relays, http2, crowd, trials, memory, evaluations
    }

    static let configuration = CommandConfiguration(
        abstract: "Measures PinDrill beside nginx, sslsplit and mitmproxy, where they are installed.",
        discussion: "Needs two processors that have nothing else to do. All traffic stays on 127.0.0.1."
    )

    @Argument(help: "What to measure (default: everything).")
    var measures: [Measure] = Measure.allCases

    @Option(help: "How many rounds of each; they alternate between the servers.")
    var rounds = 5

    func validate() throws {
        guard rounds >= 1, rounds <= 100 else { throw ValidationError("--rounds must be between 1 and 100") }
    }

    func run() async throws {
        try raiseFileLimit()
        let endings = Child.endWithParent()
        defer { withExtendedLifetime(endings) {} }
        write("\(Machine.description)\nload average at the beginning: \(Machine.load)\n\n")
        let workshop = try Workshop()
        for name in Server.missing { write("not installed, so not measured: \(name)\n\n") }
        for measure in measures {
            for table in try await tables(of: measure, in: workshop) {
                Progress.clear()
                write(table.rendered + "\n")
            }
        }
    }

    private func tables(of measure: Measure, in workshop: Workshop) async throws -> [Table] {
        switch measure {
        case .handshakes: try Handshakes(workshop: workshop, rounds: rounds).measure()
        case .instructions: try Instructions(workshop: workshop).measure()
        case .idle: try IdleConnections(workshop: workshop, rounds: rounds).measure()
        case .relays: try Relays(workshop: workshop, rounds: rounds).measure()
        case .http2: try Streams(workshop: workshop, rounds: rounds).measure()
        case .crowd: try Crowd(workshop: workshop).measure()
        case .trials: try await Trials(workshop: workshop, rounds: rounds).measure()
        case .memory: try await TrialMemory().measure()
        case .evaluations: try Evaluations(rounds: rounds).measure()
        }
    }

    /// At once, for whoever watches a file grow.
    private func write(_ text: String) { FileHandle.standardOutput.write(Data(text.utf8)) }

    /// Thousands of connections need as many descriptors, here and in every child.
    private func raiseFileLimit() throws {
        var limit = rlimit()
        getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        limit.rlim_cur = min(limit.rlim_max, max(limit.rlim_cur, 12_000))
        guard limit.rlim_cur >= 4096, setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else {
            throw Failure("the limit on open files is too low: ulimit -n 8192")
        }
    }
}
