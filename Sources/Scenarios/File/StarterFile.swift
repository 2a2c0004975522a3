import Pinning
import Witness

/// The scenario file of somebody who has a command and nothing else: one client against the shipped catalogue, as a text
/// to go on with.
package struct StarterFile: Sendable {
    /// What the server answers to some requests.
    package struct Answer: Sendable {
        /// As in `GET /v1/*`.
        package var route: String
        /// `body` or `file`, and what stands there.
        package var key: String
        package var value: String
        package var contentType: String?

        package init(route: String, key: String, value: String, contentType: String? = nil) {
            self.route = route
            self.key = key
            self.value = value
            self.contentType = contentType
        }
    }

    /// The file's own name, for the command that plays it.
    package var file: String
    /// What that command needs besides.
    package var options: [String] = []
    package var host: String
    package var name: String
    /// `nil`: all that there are.
    package var policies: [String]?
    package var run: String
    package var env: [(name: String, value: String)] = []
    package var timeout: Duration?
    package var isIsolated = false
    package var startTLS: String?
    package var succeeded: OutcomeRule?
    package var refused: OutcomeRule?
    package var refusedPin: OutcomeRule?
    package var answers: [Answer] = []
    /// Lines that its author may want to put to use, as comments below the client.
    package var proposals: [String] = []

    package init(file: String, host: String, name: String, run: String) {
        self.file = file
        self.host = host
        self.name = name
        self.run = run
    }

    /// How the file is played.
    package var command: String {
        (["pindrill run", file] + options).joined(separator: " ")
    }

    package var text: String {
        var lines = [
            "# One client, against the catalogue that pindrill carries along:",
            "#",
            "#   \(command)",
            "#",
            "# `pindrill lint \(file)` says what it fails to prove. docs/scenarios.md has every key.",
            "version: 1",
            "host: \(host)  # the name it asks for; {endpoint} or {proxy} leads it here by any name, localhost needs neither",
            "play: quick  # --all plays the rest",
            "include: [shipped]  # keys, chains, policies and scenarios: `pindrill list` shows them",
            "",
        ]
        if !answers.isEmpty {
            lines.append("origin:  # what the server answers; whatever is not named here is missing")
            lines += answers.map { answer in
                let type = answer.contentType.map { "headers: { content-type: \(quoted($0)) }, " } ?? ""
                return "  \(quoted(answer.route)): { \(type)\(answer.key): \(quoted(answer.value)) }"
            }
            lines.append("")
        }
        lines += ["clients:", "  \(quoted(name)):"]
        if let policies {
            lines.append("    policies: [\(policies.joined(separator: ", "))]  # what it pins, or can be told to")
        }
        lines.append("    run: \(quoted(run))")
        if !env.isEmpty {
            lines.append("    env:")
            lines += env.map { "      \($0.name): \(quoted($0.value))" }
        }
        if let timeout { lines.append("    timeout: \(timeout.written)") }
        if let startTLS { lines.append("    starttls: \(startTLS)  # its TLS begins after some talk in the clear") }
        if isIsolated { lines.append("    isolate: true  # all that it sends ends here") }
        let rules = [
            ("succeeded", succeeded, "how it says that all went well"),
            ("refused", refused, "how it says that the server is not acceptable"),
            ("refused-pin", refusedPin, "how it says that the pin is why"),
        ]
        for (key, rule, meaning) in rules {
            if let rule { lines.append("    \(key): \(rule.declaration)  # \(meaning)") }
        }
        lines += proposals.map { "    # \($0)" }
        return lines.joined(separator: "\n") + "\n"
    }
}

extension StarterFile {
    /// Shows what its author may want to say besides.
    package mutating func explain() {
        proposals = [
            "Placeholders: {url}, {host}, {port}, {endpoint}, {proxy}, {trust}, {pins}, {pin}, {pins.hex}, {fingerprint}, …",
            "Words in [ ] are left out where a placeholder in them is empty.",
        ]
        if refused == nil {
            proposals += [
                "How it says that the server is not acceptable, by exit status or by what it prints:",
                "refused: { exit: [60, 90], text: certificate }",
            ]
        }
        if refusedPin == nil { proposals += ["And that its pin is why:", "refused-pin: { exit: 90 }"] }
        if env.isEmpty { proposals += ["Its environment, which has little more than PATH:", "env: { NAME: value }"] }
        if timeout == nil { proposals += ["How long one attempt may take:", "timeout: 10s"] }
    }

    /// Proposes rules for a refusal, by how the client ended where it was seen to refuse as it must. They stay proposals:
    /// nobody has said that it ends so for nothing else.
    package mutating func propose(from results: [TrialResult]) {
        guard refused == nil, refusedPin == nil else { return }
        var statuses: [(status: Int, isByPin: Bool)] = []
        for step in results.flatMap(\.steps)
        where step.judgement.verdict == .pass && step.planned.shownChains.allSatisfy({ $0.decision.demand == .reject })
        {
            for attempt in step.attempts where attempt.wire.isRejected {
                guard case .exited(let status)? = attempt.report.ending, status != 0 else { continue }
                statuses.append((Int(status), step.planned.shownChains.allSatisfy(\.decision.isRefusalByPin)))
            }
        }
        let all = Set(statuses.map(\.status))
        let byPin = all.subtracting(statuses.filter { !$0.isByPin }.map(\.status))
        guard !all.isEmpty else { return }
        proposals = [
            "Where it was seen to reject, it ended so. If it ends so for nothing else, that is how it says it:",
            "refused: \(OutcomeRule(exit: all.sorted()).declaration)",
        ]
        if !byPin.isEmpty, byPin != all {
            proposals += [
                "And so where the pins alone forbade the certificate:",
                "refused-pin: \(OutcomeRule(exit: byPin.sorted()).declaration)",
            ]
        }
    }
}

extension OutcomeRule {
    /// As a scenario file has it.
    package var declaration: String {
        let exits = exit.count == 1 ? "\(exit[0])" : "[\(exit.map(String.init).joined(separator: ", "))]"
        let texts = text.count == 1 ? quoted(text[0]) : "[\(text.map(quoted).joined(separator: ", "))]"
        let parts = (exit.isEmpty ? [] : ["exit: \(exits)"]) + (text.isEmpty ? [] : ["text: \(texts)"])
        return "{ \(parts.joined(separator: ", ")) }"
    }
}

/// A text as YAML has it, in block or flow style.
private func quoted(_ text: String) -> String { DeclarationWriter.quoted(text) }
