import ArgumentParser

/// The command line. Only here does PinDrill print, read files by name, and exit.
@main
struct PinDrill: AsyncParsableCommand {
    static let version = "0.1.0"

    static let configuration = CommandConfiguration(
        commandName: "pindrill",
        abstract: "Shows a pinned TLS client one certificate chain after another, and says whether it did right.",
        discussion: """
            A client that pins keys can fail in two ways: it accepts an attacker (a breach), or it refuses its own \
            server after a rotation (an outage). PinDrill rehearses both on this machine: it mints the certificates, \
            shows them to the real client, watches the wire and the client's own word, and judges.
            """,
        version: "pindrill \(version)",
        subcommands: [Run.self, List.self, Explain.self, Lint.self, Audit.self, Check.self, Pins.self, Version.self],
        defaultSubcommand: nil
    )

    static func main() async {
        Terminal.occupyStandardStreams()
        await main(nil)
    }
}
