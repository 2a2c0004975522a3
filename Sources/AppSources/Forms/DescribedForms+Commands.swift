/// curl and wget as scripts start them: `spawn('curl', ['--pinnedpubkey', pin, url])`, `exec(`curl --pinnedpubkey "${pin}" …`)`.
extension DescribedForms {
    private static let starters: Set<String> = [
        "exec", "execSync", "execFile", "execFileSync", "execAsync", "execFileAsync", "execPromise", "spawn",
        "spawnSync", "execa", "execaSync", "execaCommand", "execaCommandSync", "runCommand", "shell", "run", "$",
    ]

    static func commands(_ tree: SyntaxTree) -> [SourceReader.Site] {
        guard tree.tokens.contains(where: { $0.speaksOfCurl }) else { return [] }
        return tree.calls(starters).compactMap { call, name, arguments in
            guard let first = arguments.first?.value else { return nil }
            let list = arguments.count > 1 && name != "exec" && name != "execSync" ? arguments[1].value : nil
            let started = CommandLine(program: first, words: list)
            guard started.isOfPins(tree) else { return nil }
            return SourceReader.Site(form: .curl, line: call.line, token: call.token) { evaluator in
                let all = CommandLines.read(started.text(evaluator), fileName: "command.sh")
                guard let found = all.first(where: { $0.tool.what == nil }) else {
                    evaluator.choices.isAbsent = true
                    return .described(hosts: [], pins: [], what: "")
                }
                let hosts = all.filter { $0.value == found.value }.compactMap(\.host).uniqued
                let known = (hosts.isEmpty ? [nil] : hosts.map(Optional.some)).map { host in
                    FoundPins.Part(host: host, pins: found.pins, line: call.line)
                }
                if let gap = found.gap {
                    let isUntold = gap.contains("__untold__")
                    let reason = isUntold ? "the pinned key is known only when the script runs" : gap
                    return .gaps(
                        [.init(line: call.line, reason: reason)],
                        hosts: hosts,
                        known: found.pins.isEmpty ? [] : known
                    )
                }
                if let plain = all.compactMap(\.plain).first {
                    return .described(hosts: hosts, pins: found.pins, what: plain, known: known)
                }
                guard found.value.hasPrefix("sha256//") else {
                    let reason = "the pinned key is in the file '\(found.value)'"
                    return .gaps([.init(line: call.line, reason: reason)], hosts: hosts)
                }
                return .library(
                    LibraryPins(
                        dialect: "curl",
                        hosts: hosts,
                        pins: [found.value],
                        what: "keys that \(found.tool.rawValue) takes from its server",
                        key: "pinnedpubkey",
                        settings: ["tool: \(found.tool.rawValue)", "insecure: \(found.isInsecure)"],
                        separator: ";"
                    )
                )
            }
        }
    }
}

/// A command that a script starts: one text, or a program and its words.
private struct CommandLine {
    var program: Expression
    var words: Expression?

    /// What stands for a part that only the running script tells; no shell's variable has such a name.
    private static let unknown = "${__untold__}"

    /// Whether an option with pins is in it, or in a constant that it names.
    func isOfPins(_ tree: SyntaxTree) -> Bool {
        tree.literals(in: program).contains(where: \.speaksOfCurl)
            || (words.map { tree.literals(in: $0).contains(where: \.speaksOfCurl) } ?? false)
            || pieces(of: program, tree).contains(where: \.speaksOfCurl)
    }

    /// The plain parts of a text with values in it.
    private func pieces(of expression: Expression, _ tree: SyntaxTree, depth: Int = 0) -> [String] {
        var found: [String] = []
        expression.visit { part in
            switch part.kind {
            case .text(let pieces):
                for case .plain(let text) in pieces { found.append(text) }
            case .name where depth < 3:
                if let value = tree.constant(part) { found += pieces(of: value, tree, depth: depth + 1) }
            default: break
            }
            return true
        }
        return found
    }

    /// As a shell is given it.
    func text(_ evaluator: Evaluator) -> String {
        guard let words else { return part(program, evaluator) }
        var all = [part(program, evaluator)]
        let list = evaluator.tree.constant(words) ?? words
        if case .list(let elements) = list.kind {
            for element in elements {
                if case .prefix("...", let spread) = element.kind {
                    all += evaluator.value(of: spread).texts
                } else {
                    all.append(part(element, evaluator))
                }
            }
        } else {
            all += evaluator.value(of: words).texts
        }
        return all.map { "\"\($0.replacing("\"", with: "\\\""))\"" }.joined(separator: " ")
    }

    /// What of a text is known.
    private func part(_ expression: Expression, _ evaluator: Evaluator, depth: Int = 0) -> String {
        if let text = evaluator.value(of: expression).text { return text }
        guard depth < 8 else { return Self.unknown }
        switch expression.kind {
        case .text(let pieces):
            return pieces.map { piece in
                switch piece {
                case .plain(let text): text
                case .value(let value): part(value, evaluator, depth: depth + 1)
                }
            }
            .joined()
        case .binary("+", let left, let right):
            return part(left, evaluator, depth: depth + 1) + part(right, evaluator, depth: depth + 1)
        case .name:
            return evaluator.tree.constant(expression).map { part($0, evaluator, depth: depth + 1) } ?? Self.unknown
        default: return Self.unknown
        }
    }
}

extension SyntaxTree {
    /// What the only constant by a name is.
    fileprivate func constant(_ expression: Expression) -> Expression? {
        guard case .name(let name) = expression.kind, let block = block(declaring: name, from: expression.block),
            let found = blocks[block].declarations[name], found.count == 1, found[0].kind == .value,
            changes[name] == nil
        else { return nil }
        return found[0].value
    }
}

extension Token {
    fileprivate var speaksOfCurl: Bool {
        guard case .text(let pieces) = kind else { return false }
        return pieces.contains { if case .plain(let text) = $0 { text.speaksOfCurl } else { false } }
    }
}

extension String {
    fileprivate var speaksOfCurl: Bool { contains("--pinnedpubkey") }
}
