import ArgumentParser
import Foundation
import Pinning

/// The command line. Only here does PinDrill print, read files by name, and exit.
@main
struct PinDrill: AsyncParsableCommand {
    static let version = "0.1.0"

    static let configuration = CommandConfiguration(
        commandName: "pindrill",
        abstract: "Shows a pinned TLS client one certificate chain after another, and says whether it did right.",
        discussion: """
            A client that pins keys can fail in two ways: it accepts an attacker (a breach), or it rejects its own \
            server after a rotation (an outage). PinDrill rehearses both on this machine: it mints the certificates, \
            shows them to the real client, watches the wire and the client's own word, and judges.

            To begin with:
              pindrill demo                       see what it is about, in three minutes
              pindrill try -- curl -sS --cacert {trust} --pinnedpubkey {pins} {url}
              pindrill drill                      an app on a phone, with you beside it
              pindrill serve                      the same in a browser, and from UI tests
            """,
        version: "pindrill \(version)",
        subcommands: [
            Try.self, Init.self, Run.self, Drill.self, Serve.self, Replay.self, ReportCommand.self, List.self,
            Explain.self, Lint.self,
            Audit.self,
            Check.self, ForecastCommand.self, Monitor.self,
            Pins.self, Certs.self, Demo.self,
            SelfTestCommand.self,
            Version.self,
        ],
        defaultSubcommand: nil
    )

    static func main() async {
        Terminal.occupyStandardStreams()
        if let option = Manual.repeatedOption(in: CommandLine.arguments.dropFirst()) {
            Terminal.complain("Error: \(option) is given more than once, and takes one value")
            exit(withError: ExitCode(64))
        }
        let words = CommandLine.arguments.dropFirst()
        if let unknown = Manual.unknownCommand(in: words) {
            let advice = nearest(to: unknown, among: Manual.commands).map { "did you mean '\($0)'?" }
            Terminal.complain(
                "Error: there is no command '\(unknown)'; \(advice ?? "'pindrill --help' lists them")"
            )
            exit(withError: ExitCode(64))
        }
        if let command = words.first, ["try", "init"].contains(command), !words.contains("--"),
            words.contains(where: { $0.contains("{") })
        {
            Terminal.complain(
                "Error: put -- before the client's command, as in: pindrill \(command) -- my-client {url}"
            )
            exit(withError: ExitCode(64))
        }
        await main(nil)
    }
}

/// What the parser knows of the command line, in its own words (`--experimental-dump-help`).
private struct Manual: Decodable {
    struct Command: Decodable {
        var commandName: String
        var arguments: [Argument]?
        var subcommands: [Command]?
    }

    struct Argument: Decodable {
        struct Name: Decodable {
            var kind: String
            var name: String
        }

        var kind: String
        var isRepeating: Bool
        var names: [Name]?

        var spellings: [String] { (names ?? []).map { ($0.kind == "long" ? "--" : "-") + $0.name } }
    }

    var command: Command

    static var commands: [String] { PinDrill.configuration.subcommands.map { $0._commandName } + ["help"] }

    /// What stands where a command's name belongs, and is none.
    static func unknownCommand(in words: some Sequence<String>) -> String? {
        let names = words.prefix(2).drop { $0 == "help" }.prefix(1)
        return names.first { !$0.hasPrefix("-") && !commands.contains($0) }
    }

    /// An option for one value that has several: the parser would take the last without a word.
    static func repeatedOption(in arguments: some Sequence<String>) -> String? {
        // A value that begins with a hyphen has to stand behind an equals sign.
        let words = arguments.prefix { $0 != "--" }
        let given = words.filter { $0.hasPrefix("-") }.map { String($0.prefix { $0 != "=" }) }
        guard Set(given).count < given.count, let name = words.first(where: { !$0.hasPrefix("-") }),
            // Of one command alone: that of all takes half a second in a debug build.
            let own = PinDrill.configuration.subcommands.first(where: { $0._commandName == name }),
            let command = try? JSONDecoder().decode(Manual.self, from: Data(own._dumpHelp().utf8)).command
        else { return nil }
        let inner = command.subcommands?.first { inner in words.contains(inner.commandName) }
        let options = (inner ?? command).arguments ?? []
        return options.filter { $0.kind == "option" && !$0.isRepeating }.map(\.spellings).first { spellings in
            given.count(where: spellings.contains) > 1
        }?.first
    }
}
