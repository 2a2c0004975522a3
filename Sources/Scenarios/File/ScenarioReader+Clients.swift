import Foundation
import Pinning
import Witness

/// `clients`.
extension ScenarioReader {
    private enum KindName: String, CaseIterable {
        case reference, command, attended
    }

    func client(_ declaration: Declaration) -> ClientDeclaration? {
        let name = "client '\(declaration.name)'"
        let commandKeys = [
            "run", "stdin", "env", "lifetime", "succeeded", "refused", "refused-pin", "silent", "timeout", "version",
            "isolate", "starttls",
        ]
        let known = ["kind", "policies", "deviates", "allow", "ask", "alpn"] + commandKeys
        guard let fields = fields(of: declaration.value, called: name, known: known) else { return nil }
        allow(fields["allow"], for: Subject(.client, declaration.name))

        let named: KindName? = fields["kind"].flatMap { choice($0, "a kind of client") }
        let kind: ClientDeclaration.Kind
        switch named ?? (fields["run"] == nil ? nil : .command) {
        case .reference:
            refuse(commandKeys + ["ask"], in: fields, of: "a reference client")
            kind = .reference
        case .attended:
            refuse(commandKeys, in: fields, of: "an attended client")
            let ask = fields["ask"].flatMap { prose($0, "what to do") }
            kind = .attended(ask.map { AttendedDeclaration(ask: $0) } ?? AttendedDeclaration())
        case .command:
            refuse(["ask"], in: fields, of: "a command")
            if fields["run"] == nil { report("\(name) has no 'run'", at: declaration.value.location) }
            kind = .command(command(fields))
        case nil:
            if fields["kind"] == nil {
                let message = "\(name) has no 'run'; the embedded client is 'kind: reference'"
                report(message, at: declaration.value.location)
            }
            kind = .reference
        }
        return ClientDeclaration(
            name: declaration.name,
            kind: kind,
            policies: fields["policies"].flatMap { selection($0, of: .policy) },
            deviations: fields["deviates"].flatMap { list($0, of: "deviations") }?.compactMap(deviation) ?? [],
            applicationProtocols: fields["alpn"].flatMap(protocols),
            location: declaration.location
        )
    }

    private func refuse(_ keys: [String], in fields: [String: YAMLNode], of kind: String) {
        for key in keys {
            if let node = fields[key] { report("'\(key)' means nothing for \(kind)", at: node) }
        }
    }

    private static let deviatingVerdicts: [(String, Verdict)] = [("fail", .fail), ("inconclusive", .inconclusive)]

    private func deviation(_ node: YAMLNode) -> Deviation? {
        let known = ["scenarios", "policies", "verdict", "sometimes", "because"]
        guard
            let fields = fields(of: node, called: "the deviation", known: known, required: ["scenarios", "because"])
        else { return nil }
        if fields["scenarios"]?.isEmptyList == true { report("an empty list concerns no scenario", at: node) }
        return Deviation(
            scenarios: fields["scenarios"].flatMap { list($0, of: "scenarios") }?.compactMap(deviatingScenario) ?? [],
            policies: fields["policies"].flatMap { selection($0, of: .policy) },
            verdict: fields["verdict"].flatMap { choice($0, "a deviation", among: Self.deviatingVerdicts) } ?? .fail,
            isOccasional: fields["sometimes"].flatMap(boolean) ?? false,
            because: fields["because"].flatMap { prose($0, "a reason") } ?? ""
        )
    }

    /// Scenarios are read after clients, so what a pattern fits is looked up at the end.
    private func deviatingScenario(_ node: YAMLNode) -> String? {
        guard let pattern = text(node, "the name of a scenario") else { return nil }
        deviatingScenarios.append((pattern, node))
        return pattern
    }

    /// Reports what no scenario fits; a variant may stand behind a scenario's name, in brackets.
    func checkDeviations(_ scenarios: [Scenario]) {
        guard !names.unreadable.contains(.scenario) else { return }
        let known = scenarios.map(\.name)
        for (pattern, node) in deviatingScenarios {
            let base = Glob(pattern.split(separator: " [", maxSplits: 1).first.map(String.init) ?? pattern)
            guard !known.contains(where: base.matches) else { continue }
            report("no scenario is called '\(pattern.prefix(80))'\(suggestion(for: pattern, among: known))", at: node)
        }
    }

    private func command(_ fields: [String: YAMLNode]) -> CommandDeclaration {
        let isSilent = fields["silent"].flatMap(boolean) ?? false
        for key in ["succeeded", "refused", "refused-pin"] where isSilent {
            if let node = fields[key] { report("'\(key)' means nothing for a silent client", at: node) }
        }
        return CommandDeclaration(
            run: fields["run"].flatMap { commandLine($0) } ?? "",
            stdin: fields["stdin"].flatMap { template($0, "what the program reads") },
            env: fields["env"].flatMap(environment) ?? [:],
            lifetime: fields["lifetime"].flatMap { choice($0, "a lifetime") } ?? .attempt,
            succeeded: fields["succeeded"].flatMap { outcomeRule($0, called: "'succeeded'", statuses: 0...255) },
            refused: fields["refused"].flatMap { outcomeRule($0, called: "'refused'") },
            refusedPin: fields["refused-pin"].flatMap { outcomeRule($0, called: "'refused-pin'") },
            isSilent: isSilent,
            version: fields["version"].flatMap { commandLine($0, knowing: [.here]) },
            timeout: fields["timeout"].flatMap(timeLimit),
            morePlaceholders: listeners.flatMap(\.placeholders),
            isIsolated: fields["isolate"].flatMap(boolean) ?? false,
            startTLS: fields["starttls"].flatMap { choice($0, "a protocol in which TLS begins later") }
        )
    }

    private func checkCollector(_ names: Set<String>, at node: YAMLNode) {
        let own = [CommandPlaceholder.collector, .secureCollector].map(\.rawValue)
        guard !hasCollector, let name = own.first(where: names.contains) else { return }
        report("there is no {\(name)}; write 'collector: trustkit' at the top", at: node)
    }

    private func commandLine(_ node: YAMLNode, knowing: [CommandPlaceholder] = CommandPlaceholder.allCases) -> String? {
        guard let text = prose(node, "a command line") else { return nil }
        do {
            let more = knowing.count > 1 ? listeners.flatMap(\.placeholders) : []
            let template = try CommandTemplate(parsing: text, knownPlaceholders: knowing.map(\.rawValue) + more)
            checkCollector(template.placeholders, at: node)
        } catch {
            report(error, at: node)
        }
        return text
    }

    /// Text in which placeholders are filled.
    private func template(_ node: YAMLNode, _ expected: String) -> String? {
        guard let text = prose(node, expected) else { return nil }
        let single =
            CommandPlaceholder.allCases.filter { !$0.isRepeated }.map(\.rawValue) + listeners.flatMap(\.placeholders)
        do {
            checkCollector(try TextTemplate(parsing: text, knownPlaceholders: single).placeholders, at: node)
        } catch {
            report(error, at: node)
        }
        return text
    }

    /// YAML may quote or fold a text, so the place within it is said in words.
    private func report(_ error: TemplateError, at node: YAMLNode) {
        let place = error.column.map { $0 > 1 ? " (character \($0))" : "" } ?? ""
        report("\(error)\(place)", at: node)
    }

    private func environment(_ node: YAMLNode) -> [String: String]? {
        guard let entries = entries(of: node, "variables by name") else { return nil }
        var variables: [String: String] = [:]
        for entry in entries {
            guard let name = text(entry.key, "the name of a variable") else { continue }
            guard Self.isVariableName(name) else {
                report("'\(name.prefix(80))' is not the name of a variable", at: entry.key)
                continue
            }
            variables[name] = template(entry.value, "the value of a variable")
        }
        return variables
    }

    private static func isVariableName(_ text: String) -> Bool {
        !text.isEmpty && text.first?.isNumber == false
            && text.unicodeScalars.allSatisfy { scalar in
                switch scalar {
                case "a"..."z", "A"..."Z", "0"..."9", "_": true
                default: false
                }
            }
    }

    private func outcomeRule(
        _ node: YAMLNode,
        called name: String,
        statuses: ClosedRange<Int> = 1...255
    ) -> OutcomeRule? {
        guard let fields = fields(of: node, called: name, known: ["exit", "text"]) else { return nil }
        if node.isEmptyMapping { report("\(name) needs 'exit' or 'text'", at: node) }
        return OutcomeRule(
            exit: fields["exit"].map(oneOrMore)?.compactMap { integer($0, in: statuses, "an exit status") } ?? [],
            text: fields["text"].map(oneOrMore)?.compactMap(regularExpression) ?? []
        )
    }

    private func oneOrMore(_ node: YAMLNode) -> [YAMLNode] {
        guard case .list(let values) = node.content else { return [node] }
        if values.isEmpty { report("an empty list matches nothing", at: node) }
        return values
    }

    /// Compiled only to find its mistakes: Swift says which, and what searches (`OutcomeRule`) must know it, too.
    private func regularExpression(_ node: YAMLNode) -> String? {
        guard let text = prose(node, "a regular expression") else { return nil }
        // The compiler of regular expressions recurses.
        guard text.utf8.count <= 500 else {
            report("a regular expression has at most 500 characters", at: node)
            return nil
        }
        do {
            _ = try Regex(text)
            guard (try? NSRegularExpression(pattern: text)) != nil else {
                report("'\(text)' is not a regular expression that ICU knows", at: node)
                return nil
            }
            if try OutcomeRule.finds(text, in: "") {
                report("'\(text)' matches every text, and so every end of the client", at: node)
            }
            return text
        } catch let error as CostlyPattern {
            report("\(error)", at: node)
            return nil
        } catch {
            report("'\(text)' is not a regular expression: \(error)", at: node)
            return nil
        }
    }
}
