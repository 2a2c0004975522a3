import Foundation
import TestSupport
import Testing

/// The shipped `scenarios.yaml` without its packs, variants and deviations, and what becomes of it when somebody edits it.
enum Shipped {
    static let text: String = {
        // The checkout has it, or there is nothing to test.
        let text = (try? String(contentsOf: Places.package.appending(path: "scenarios.yaml"), encoding: .utf8)) ?? ""
        return text.replacing(/\nplay: [^\n]*\ninclude:[^\n]*(\n  - [^\n]*)*/, with: "")
            .replacing(/\n    variants: [^\n]*/, with: "").replacing(/\n    deviates:(\n      - [^\n]*)*/, with: "")
    }()

    /// Its own curl client, as it is declared: without its name.
    static let curl = """
            policies: [no-pins, leaf-only, leaf-and-backup]
            run: curl --silent --show-error --fail --max-time 5 --cacert {trust} [--pinnedpubkey {pins}] --connect-to ::{endpoint} {url}
            refused: { exit: [60, 90] }
            refused-pin: { exit: 90 }
        """

    /// With other clients.
    static func with(clients: String) throws -> String {
        let start = try #require(text.range(of: "\nclients:\n"))
        let end = try #require(text.range(of: "\nscenarios:\n"))
        // Some scenarios are for some of its own clients only.
        let scenarios = text[end.lowerBound...].replacing(/\n    clients: \[[^\]]*\]/, with: "")
        return text[..<start.upperBound] + clients + "\n" + scenarios
    }

    /// With one client, called `app`.
    static func with(app declaration: String) throws -> String { try with(clients: "  app:\n\(declaration)") }

    /// With one client, called `app`, that is the shipped curl but for a change to its command line.
    static func withCurl(_ change: (String) -> String) throws -> String { try with(app: change(curl)) }

    /// Runs a file with these contents.
    static func run(_ text: String, _ arguments: String...) async throws -> Program.Ending {
        try await run(text, arguments)
    }

    static func run(_ text: String, _ arguments: [String]) async throws -> Program.Ending {
        try await withTemporaryFolder { folder in
            try text.write(to: folder.appending(path: "file.yaml"), atomically: false, encoding: .utf8)
            return try await Program.run(["run", "file.yaml"] + arguments, in: folder)
        }
    }

    /// What `run` prints at the end where a client is led to a port.
    static func note(of client: String) -> String {
        "note: only the port was watched of \(client); a client that takes {proxy} is seen with every host that it asks for\n"
    }

    /// curl is Debian's, Ubuntu's and macOS's, but a machine may be without it.
    static let hasCurl = Tool("curl") != nil
}
