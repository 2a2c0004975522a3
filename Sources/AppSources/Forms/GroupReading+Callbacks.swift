/// What Apple's and .NET's callbacks say beside the pins that they name.
extension GroupReading {
    /// Each host with the pins that a table gives it; `nil` where no table tells hosts apart.
    var byHost: [FoundPins.Part]? {
        var own: [String: [String]] = [:]
        for table in tables {
            guard let host = table.host else { continue }
            own[host] = ((own[host] ?? []) + table.pins.map(\.trimmedPin)).uniqued
        }
        if own.count == 1, let rest = ofNoTable(own) { return rest }
        guard own.count > 1, Set(own.values).count > 1 || own.count < hosts.count else { return nil }
        let lines = Dictionary(tables.map { ($0.host ?? "", $0.line) }) { first, _ in first }
        return hosts.filter { own[$0] != nil }.map { .init(host: $0, pins: own[$0] ?? [], line: lines[$0] ?? 0) }
    }

    /// The only host of a table with its pins, and those beside it that are any host's in Dart and scripts.
    private func ofNoTable(_ own: [String: [String]]) -> [FoundPins.Part]? {
        let language = evaluator.tree.language
        guard language == .dart || language == .script, let (host, pins) = own.first, hosts == [host],
            case let rest = self.pins.map(\.trimmedPin).filter({ !pins.contains($0) }), !rest.isEmpty, !pins.isEmpty
        else { return nil }
        let line = tables.first { $0.host == host }?.line ?? 0
        return [.init(host: host, pins: pins, line: line), .init(host: nil, pins: rest, line: line)]
    }

    /// `if host == "a.acme.example" { pin = "…" }`, `switch host { case "a.acme.example": … }`: pins of a branch are its host's.
    mutating func takeBranches(of group: CodeGroup) {
        let tree = evaluator.tree
        var left = 30
        for block in tree.blocks {
            for statement in block.statements where group.holds(statement.tokens.lowerBound) {
                guard case .branches(let branches, _) = statement.kind, left > 0 else { continue }
                for branch in branches where !branch.isRest {
                    let names = branch.condition.hostsOfCases
                    guard !names.isEmpty, let first = tree.blocks[branch.block].statements.first,
                        let last = tree.blocks[branch.block].statements.last
                    else { continue }
                    left -= 1
                    let own = first.tokens.lowerBound..<max(last.tokens.upperBound, first.tokens.lowerBound + 1)
                    // What a name is given elsewhere is none of this branch's.
                    let targets = tree.blocks[branch.block].statements.compactMap { statement -> Range<Int>? in
                        guard case .assignment(let target, "=", _) = statement.kind, case .name = target.kind else {
                            return nil
                        }
                        return target.token..<target.token + 1
                    }
                    let found = GroupReading(CodeGroup(only: own).without(targets), evaluator, depth: 2).pins
                    if !found.isEmpty {
                        tables += names.map { .init(host: $0, pins: found, line: first.line) }
                    }
                }
            }
        }
        tree.visit { expression, _ in
            guard case .conditional(let condition, let value, _) = expression.kind, group.holds(expression.token),
                left > 0
            else { return true }
            let names = condition.words.hostsOfCases
            let found = names.isEmpty ? [] : evaluator.value(of: value).texts.filter(PinText.isDigest)
            if !found.isEmpty {
                left -= 1
                hosts += names
                tables += names.map { .init(host: $0, pins: found.map(\.trimmedPin), line: value.line) }
            }
            return true
        }
    }

    /// Functions of types in other sources, as `Pins.of(host)` and `Pins.shared.of(host)`.
    mutating func takeFunctions(_ places: [Int], _ depth: Int) {
        let (module, tree) = (evaluator.module, evaluator.tree)
        guard [.swift, .cSharp].contains(tree.language) else { return }
        var calls: Set<[String]> = []
        for place in places where place > 1 && place + 1 < tree.tokens.count && tree.tokens[place + 1].isMark("(") {
            guard let name = tree.tokens[place].name, tree.tokens[place - 1].isMark(".") else { continue }
            let owners = [place - 2, place - 4].filter { $0 >= 0 }.compactMap { tree.tokens[$0].name }
            guard let type = owners.first(where: { $0.first?.isUppercase ?? false }),
                owners[0] == type || tree.tokens[place - 3].isMark("."), calls.count < 50
            else { continue }
            calls.insert([type, name])
        }
        for call in calls.sorted(by: { ($0[0], $0[1]) < ($1[0], $1[1]) }) {
            var found: [(tokens: Range<Int>, tree: SyntaxTree)] = []
            for file in module.others(mentioning: call[0], than: tree.path, in: tree.language).prefix(20) {
                let other = module.tree(of: file)
                for block in other.blocks where block.owner == .type(call[0]) {
                    for statement in block.statements {
                        guard case .declaration(let declaration) = statement.kind, declaration.kind == .function,
                            declaration.name == call[1]
                        else { continue }
                        found.append((statement.tokens, other))
                    }
                }
            }
            // Of several by one name it is not known which is called.
            guard found.count == 1, let (tokens, other) = found.first else { continue }
            let reading = GroupReading(
                CodeGroup.group(of: tokens, in: other),
                evaluator.within(other),
                depth: depth + 1
            )
            pins += reading.pins
            hosts += reading.hosts
            files += reading.files
            tables += reading.tables
        }
    }

    /// `return thumbprint != "…"`: all others are let through.
    func isUnequal(_ tokens: [Token], _ place: Int) -> Bool {
        let beside = [place - 1, place + 1].filter(tokens.indices.contains)
        guard beside.contains(where: { tokens[$0].isMark("!=") }),
            !(place + 1 < tokens.count && tokens[place + 1].isMark("?"))
        else { return false }
        // The beginning of its statement: one that returns what is compared.
        let start = tokens[..<place].lastIndex { token in
            token.isName("return") || [";", "{", "}", "=>", "?", "||"].contains(where: token.isMark)
                || token.isName("if")
        }
        return start.map { tokens[$0].isName("return") || tokens[$0].isMark("=>") } ?? false
    }

    /// `if (Blocked.Contains(thumbprint)) return false`
    func refusesThose(_ tokens: [Token], _ place: Int) -> Bool {
        guard place > 0, place + 3 < tokens.count, tokens[place + 1].isMark("."), tokens[place + 3].isMark("("),
            tokens[place + 2].isName("Contains") || tokens[place + 2].isName("contains")
        else { return false }
        let isCondition =
            tokens[place - 1].isName("if")
            || place > 1 && tokens[place - 1].isMark("(") && tokens[place - 2].isName("if")
        guard isCondition else { return false }
        let end = Self.closing(tokens, place + 3)
        // Nothing else is asked, and what follows is its one statement or the beginning of its block.
        guard end + 1 < tokens.count, tokens[end + 1].isMark("{") || tokens[end + 1].isMark(")") else { return false }
        let behind = tokens[(end + 1)..<min(end + 12, tokens.count)].prefix { !$0.isMark("}") && !$0.isMark(";") }
        if behind.contains(where: { $0.isName("cancelAuthenticationChallenge") }) { return true }
        guard let word = behind.firstIndex(where: { $0.isName("return") }), word + 1 < tokens.count else {
            return false
        }
        return tokens[word + 1].isName("false")
    }

    /// Whether a text is held against a certificate of the app's own in .NET: one from a file, or of the user's store.
    func isOfAnother(_ tokens: [Token], _ place: Int) -> Bool {
        guard evaluator.tree.language == .cSharp else { return false }
        let near = max(2, place - 8)..<min(place + 6, tokens.count)
        let digests: Set<String> = ["Thumbprint", "GetCertHashString", "GetPublicKeyString", "GetSerialNumberString"]
        guard
            let digest = near.last(where: { next in
                guard let name = tokens[next].name, digests.contains(name) else { return false }
                return !tokens[min(next, place)..<max(next, place)].contains { token in
                    [";", "{", "}", "&&", "||"].contains(where: token.isMark)
                }
            }), let name = tokens[digest - 2].name,
            // What a callback is given may have the same name.
            !evaluator.tree.blocks.contains(where: { block in
                block.owner != .inner && block.declarations[name]?.contains { $0.kind == .parameter } ?? false
                    && block.statements.contains { $0.tokens.contains(place) }
            })
        else { return false }
        return (2..<tokens.count).contains { next in
            guard tokens[next - 2].isName(name) else { return false }
            // `name = new X509Certificate2(path)`, `foreach (var name in store.Certificates)`
            let behind = tokens[(next - 1)..<min(next + 10, tokens.count)].prefix { !$0.isMark(";") && !$0.isMark("{") }
            if tokens[next - 1].isMark("=") {
                guard tokens[next].isName("new"),
                    behind.contains(where: { $0.name?.hasPrefix("X509Certificate") ?? false })
                else { return false }
                return behind.contains { token in
                    let word = token.name?.lowercased() ?? ""
                    if case .text = token.kind { return true }
                    return word.hasSuffix("path") || word.hasSuffix("file") || word.hasSuffix("filename")
                }
            }
            return tokens[next - 1].isName("in") && behind.contains { $0.isName("Certificates") }
        }
    }
}

extension String {
    /// Of a condition that holds for these hosts alone: `host == "a"`, `host: "a" or "b"`.
    fileprivate var hostsOfCases: [String] {
        let parts: [Substring] = split(omittingEmptySubsequences: false) { $0 == "\"" || $0 == "'" }
        guard parts.count > 2, lowercased().contains("host"), !contains("!"), !contains("&&") else { return [] }
        let plain = stride(from: 0, to: parts.count, by: 2).map { parts[$0] }.joined()
        guard plain.contains(": ") || plain.contains("==") || plain.contains("qual") else { return [] }
        return stride(from: 1, to: parts.count, by: 2).map { String(parts[$0]) }.filter(PinText.isHostOrEnd)
    }

    /// Without the blanks that someone typed before it.
    var trimmedPin: String { String(drop(while: \.isWhitespace)) }
}
