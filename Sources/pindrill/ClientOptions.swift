import ArgumentParser
import Foundation
import MitmHarness
import Pinning
import Scenarios
import TLSCore
import Witness

/// A client of one's own, as a command line tells of it: what a scenario file's entry would say.
struct ClientOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "How it says that the server is not acceptable: exit:60,90 or text:REGEX. May be given repeatedly: then it is "
                + "one of the statuses, with one of the texts.",
            valueName: "rule"
        ),
        transform: RuleTerm.init(parsing:)
    )
    var refused: [RuleTerm] = []

    @Option(
        help: ArgumentHelp("How it says that the pin is why, in the same form.", valueName: "rule"),
        transform: RuleTerm.init(parsing:)
    )
    var refusedPin: [RuleTerm] = []

    @Option(
        help: ArgumentHelp(
            "How it says that all went well, in the same form (default: exit status 0).",
            valueName: "rule"
        ),
        transform: RuleTerm.init(parsing:)
    )
    var succeeded: [RuleTerm] = []

    @Option(
        help: ArgumentHelp(
            "A variable of its environment; placeholders are filled. May be given repeatedly.",
            valueName: "name=value"
        ),
        transform: Variable.init(parsing:)
    )
    var env: [Variable] = []

    @Flag(help: "It takes a proxy from HTTPS_PROXY, which then leads it here.")
    var proxy = false

    @Option(
        help: ArgumentHelp(
            "What the server answers: json=TEXT, text=TEXT or file=PATH, to every request or behind a route, as in "
                + "'GET /v1/* json={}'. May be given repeatedly.",
            valueName: "answer"
        ),
        transform: StarterFile.Answer.init(parsing:)
    )
    var answer: [StarterFile.Answer] = []

    @Option(
        help: ArgumentHelp(
            "The protocol that it speaks, in which TLS begins after some talk in the clear: smtp, imap, pop3 or postgres.",
            valueName: "protocol"
        )
    )
    var starttls: StartTLSDialect?

    @Argument(
        parsing: .postTerminator,
        help: ArgumentHelp(
            "Behind --, the client's command line. {url}, {trust}, {pins} and the other placeholders of docs/scenarios.md "
                + "become what each step needs; words in [ ] are left out where a placeholder in them is empty.",
            valueName: "command"
        )
    )
    var command: [String] = []

    /// The variables that were named, and those that lead it here.
    var environment: [(name: String, value: String)] {
        env.map { ($0.name, $0.value) } + (proxy ? ["HTTPS_PROXY", "https_proxy"].map { ($0, "{proxy}") } : [])
    }
}

/// One part of a rule for a client's words: `exit:60,90` or `text:pin mismatch`.
enum RuleTerm: Sendable {
    case exit([Int])
    case text(String)

    init(parsing argument: String) throws {
        let parts = argument.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 2, !parts[1].isEmpty else {
            throw ValidationError("write exit:60,90 or text:'pin mismatch'")
        }
        switch parts[0] {
        case "exit":
            let statuses = parts[1].split(separator: ",", omittingEmptySubsequences: false).map { Int($0) }
            guard statuses.allSatisfy({ $0.map((0...255).contains) ?? false }) else {
                throw ValidationError("'\(parts[1])' is not a list of exit statuses, as 60,90 is")
            }
            self = .exit(statuses.compactMap { $0 })
        case "text": self = .text(parts[1])
        default: throw ValidationError("there is no '\(parts[0])'; write exit:60,90 or text:'pin mismatch'")
        }
    }
}

extension OutcomeRule {
    /// `nil` where nothing was said.
    init?(_ terms: [RuleTerm]) {
        guard !terms.isEmpty else { return nil }
        self.init()
        for term in terms {
            switch term {
            case .exit(let statuses): exit += statuses
            case .text(let pattern): text.append(pattern)
            }
        }
    }
}

/// A variable of a client's environment: `NAME=value`.
struct Variable: Sendable {
    let name: String
    let value: String

    init(parsing argument: String) throws {
        let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 2, !parts[0].isEmpty else { throw ValidationError("write NAME=value") }
        (name, value) = (parts[0], parts[1])
    }
}

extension StarterFile.Answer {
    /// `json={"ok":true}`, or with a route before it.
    init(parsing argument: String) throws {
        var route = "* /*"
        var content = argument
        if let match = argument.prefixMatch(of: /([A-Z]+|\*) +(\/[^ ]*) +/) {
            route = "\(match.output.1) \(match.output.2)"
            content = String(argument[match.range.upperBound...])
        }
        let parts = content.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 2 else { throw ValidationError("write json={}, text=ok or file=answer.json") }
        switch parts[0] {
        case "json":
            guard (try? JSONSerialization.jsonObject(with: Data(parts[1].utf8), options: .fragmentsAllowed)) != nil
            else {
                throw ValidationError("'\(parts[1])' is not JSON")
            }
            self.init(route: route, key: "body", value: parts[1], contentType: "application/json")
        case "text": self.init(route: route, key: "body", value: parts[1], contentType: "text/plain; charset=utf-8")
        case "file": self.init(route: route, key: "file", value: parts[1])
        default: throw ValidationError("there is no '\(parts[0])'; write json={}, text=ok or file=answer.json")
        }
    }
}
