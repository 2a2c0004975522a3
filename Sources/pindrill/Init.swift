import ArgumentParser
import Foundation
import MitmHarness
import Scenarios

#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

struct Init: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Writes a scenario file to begin with, for one client.",
        discussion: """
            The file plays the shipped catalogue to the command behind --, as `try` does at once, and has comments on what \
            else can be said. Without a command, and on a terminal, it asks for what it needs.

            Exit status: 0 the file is written; 64 usage, or the file is there already; 65 it would be a bad one.
            """
    )

    @OptionGroup
    var starter: StarterOptions

    func run() throws {
        var options = starter
        let path = starter.save ?? "scenarios.yaml"
        var draft: StarterDraft
        do {
            try starter.checkPlace(path)
            if options.client.command.isEmpty, isatty(STDIN_FILENO) == 1 { try options.client.ask() }
            draft = try options.draft(timeout: nil)
        } catch {
            throw usageError(["\(error)"])
        }
        draft.file.explain()
        _ = try options.load(draft, now: Date())
        try starter.write(draft.file.text, to: path)
        Terminal.write("\(path) is written. Play it: \(draft.file.command)\n")
        try Terminal.finish()
    }
}

extension ClientOptions {
    /// Asks for what was not said.
    fileprivate mutating func ask() throws(InputError) {
        command = try Self.ask(
            "The command that starts the client, with {url}, {trust} and {pins} where it takes them:",
            as: { line in
                let words = CommandTemplate.words(of: line)
                return words.isEmpty ? nil : words
            }
        )
        let rule = { (line: String) in line.isEmpty ? [] : try? [RuleTerm(parsing: line)] }
        if refused.isEmpty {
            refused = try Self.ask(
                "How does it say that the server is not acceptable? exit:60,90 or text:REGEX, or nothing:",
                as: rule
            )
        }
        if refusedPin.isEmpty, !refused.isEmpty {
            refusedPin = try Self.ask("And that the pin is why? In the same form, or nothing:", as: rule)
        }
        if !proxy,
            CommandPlaceholder.leading.allSatisfy({ way in !command.contains { $0.contains("{\(way.rawValue)}") } })
        {
            proxy = try Self.ask(
                "Does it take a proxy from HTTPS_PROXY? y or n:",
                as: { ["y": true, "n": false, "": false][$0] }
            )
        }
        if answer.isEmpty {
            answer = try Self.ask(
                "What must the server answer? json={}, text=ok or file=answer.json, or nothing for any answer:",
                as: { line in line.isEmpty ? [] : try? [StarterFile.Answer(parsing: line)] }
            )
        }
    }

    /// Asks until the answer can be read.
    private static func ask<Value>(_ question: String, as read: (String) -> Value?) throws(InputError) -> Value {
        while true {
            Terminal.write("\(question) ")
            guard let line = readLine() else { throw InputError("the answers ended before the questions") }
            if let value = read(line.trimmingCharacters(in: .whitespaces)) { return value }
        }
    }
}
