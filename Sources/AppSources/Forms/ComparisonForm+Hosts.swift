/// The host that Apple's code compares for, where the source does not tell it.
extension ComparisonForm {
    struct UntoldHost {
        var expression: String
        var reason: String

        func gap(_ line: Int) -> FoundPins.Gap { .init(line: line, reason: "a host: \(reason)") }

        func part(_ pins: [String], _ line: Int) -> FoundPins.Part {
            .init(host: nil, pins: pins, line: line, expression: expression)
        }
    }

    /// `guard challenge.protectionSpace.host == Config.host`: what stands for the host, and why it is not known.
    static func untoldHost(in group: CodeGroup, _ evaluator: Evaluator) -> UntoldHost? {
        for (name, value) in comparedWithHost(in: group, evaluator) {
            if value.texts.isEmpty, let unknown = value.firstUnknown {
                return .init(expression: name.words, reason: unknown.reason)
            }
            // What is to be filled in before the app is built.
            if let text = value.text, text.hasPrefix("<"), text.hasSuffix(">") {
                return .init(expression: name.words, reason: "'\(text)' stands for one")
            }
        }
        return nil
    }

    /// The hosts that names stand for which the host must equal, whatever they are called.
    static func comparedHosts(in group: CodeGroup, _ evaluator: Evaluator) -> [String] {
        let compared = comparedWithHost(in: group, evaluator).flatMap(\.value.texts) + listed(in: group, evaluator)
        return compared.filter(PinText.isHostOrEnd).uniqued
    }

    /// What stands in lists of Swift that must have the host, whatever they are called: `guard endpoints.contains(host)`.
    private static func listed(in group: CodeGroup, _ evaluator: Evaluator) -> [String] {
        let tree = evaluator.tree
        guard tree.language == .swift else { return [] }
        let hosts = tree.namesOfHosts
        return group.tokens.flatMap { place -> [String] in
            guard let word = tree.tokens[place].name,
                ["host", "hostname"].contains(word.lowercased()) || hosts.contains(word),
                let call = tree.listAsked(at: place), let list = tree.list(askedAt: call)
            else { return [] }
            let texts = evaluator.value(of: list).texts
            return texts.allSatisfy(PinText.isHostOrEnd) ? texts : []
        }
    }

    private static func comparedWithHost(in group: CodeGroup, _ evaluator: Evaluator)
        -> [(name: Expression, value: Value)]
    {
        let tree = evaluator.tree
        guard tree.language == .swift || tree.language == .objectiveC else { return [] }
        let evidence = evidence(in: group, tree)
        let hosts = tree.namesOfHosts
        return group.tokens.compactMap { place in
            guard let (name, isEqual) = tree.comparedWithHost(at: place, hosts),
                !isEqual || !tree.exempts(place, evidence)
            else { return nil }
            return (name, evaluator.value(of: name))
        }
    }

    /// Where some code takes certificates apart.
    static func evidence(in group: CodeGroup, _ tree: SyntaxTree) -> [Int] {
        let clues = clues(tree)
        return group.tokens.filter { place in clues.contains { $0.isEvidence(tree.tokens, place) } }
    }
}

extension SyntaxTree {
    /// Where a list is asked for the host at a place: `hosts.contains(host)`, `hosts.contains { host.hasSuffix($0) }`.
    fileprivate func listAsked(at place: Int) -> Int? {
        let start = start(ofMemberAt: place)
        guard start > 5, place + 2 < tokens.count else { return nil }
        if tokens[start - 1].isMark("("), tokens[place + 1].isMark(")"), tokens[start - 2].isName("contains") {
            return start - 2
        }
        let asks =
            tokens[place + 1].isMark("==") || tokens[place + 1].isMark(".") && tokens[place + 2].isName("hasSuffix")
        guard tokens[start - 1].isMark("{"), asks else { return nil }
        let call = tokens[start - 2].isMark(":") ? start - 5 : start - 2
        return tokens[call].isName("contains") ? call : nil
    }

    /// The name of a list that is asked, where it must have what it is asked for.
    fileprivate func list(askedAt call: Int) -> Expression? {
        let start = start(ofMemberAt: call)
        guard start < call, start > 0, !tokens[start - 1].isMark("!"), let first = tokens[start].name,
            let last = tokens[call - 2].name, asksForPinned(at: call, of: last),
            let block = innermost(around: call)?.block
        else { return nil }
        let line = tokens[start].line
        var name = Expression(kind: .name(first), token: start, line: line, block: block)
        for place in stride(from: start + 2, to: call, by: 2) {
            name = Expression(kind: .member(name, tokens[place].name ?? ""), token: start, line: line, block: block)
        }
        return name
    }

    /// What a host is compared with behind the host's name at a token, and whether they must be equal.
    fileprivate func comparedWithHost(at place: Int, _ hosts: Set<String>) -> (name: Expression, isEqual: Bool)? {
        guard let word = tokens[place].name, ["host", "hostname"].contains(word.lowercased()) || hosts.contains(word),
            place + 2 < tokens.count
        else { return nil }
        let start: Int
        var isEqual = true
        if tokens[place + 1].isMark("==") || tokens[place + 1].isMark("!=") {
            start = place + 2
            isEqual = tokens[place + 1].isMark("==")
        } else if tokens[place + 1].isName("isEqualToString"), tokens[place + 2].isMark(":") {
            start = place + 3
            isEqual = !tokens[max(0, place - 8)..<place].contains { $0.isMark("!") }
        } else {
            return nil
        }
        guard start < tokens.count, let first = tokens[start].name, !["nil", "NULL"].contains(first),
            let block = innermost(around: place)?.block
        else { return nil }
        let line = tokens[start].line
        var name = Expression(kind: .name(first), token: start, line: line, block: block)
        var next = start + 1
        while next + 1 < tokens.count, tokens[next].isMark(".") || tokens[next].isMark("?."),
            let member = tokens[next + 1].name
        {
            name = Expression(kind: .member(name, member), token: start, line: line, block: block)
            next += 2
        }
        // A function's answer is not looked at.
        return next < tokens.count && (tokens[next].isMark("(") || tokens[next].isMark("[")) ? nil : (name, isEqual)
    }

    /// Whether a token stands in the condition of an `if` whose branch compares nothing.
    func exempts(_ place: Int, _ evidence: [Int]) -> Bool {
        guard let statement = innermost(around: place)?.statement, case .branches(let branches, _) = statement.kind,
            guards[statement.tokens.lowerBound] == nil, let branch = branches.first,
            let first = blocks[branch.block].statements.first, let last = blocks[branch.block].statements.last,
            place < first.tokens.lowerBound
        else { return false }
        let body = first.tokens.lowerBound..<max(first.tokens.upperBound, last.tokens.upperBound)
        let words = Set(tokens[body.clamped(to: 0..<tokens.count)].compactMap(\.name))
        return !evidence.contains(where: body.contains)
            && !words.contains { name in
                ["pin", "valid", "verif", "evaluat", "match", "ertificate"].contains(where: name.lowercased().contains)
            }
    }
}
