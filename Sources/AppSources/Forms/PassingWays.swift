/// On which ways a callback of .NET says yes, whatever certificate the server shows.
struct PassingWays {
    typealias Condition = SyntaxTree.Condition
    private typealias Way = [Condition]

    let tree: SyntaxTree
    let body: SyntaxTree.CallbackBody
    /// Where a certificate is taken apart, or what does that is called.
    let evidence: [Int]
    /// What holds wherever it is.
    let own: [Condition]
    /// Names that stand for something of the certificate, or may.
    private var taken: Set<String>

    private static let mostWays = 8
    private static let mostAnswers = 64

    init(_ body: SyntaxTree.CallbackBody, _ evidence: [Int], _ tree: SyntaxTree) {
        self.tree = tree
        self.body = body
        self.evidence = evidence
        let all = evidence.map { tree.tested(around: $0, areAll: true) }
        own = (all.first ?? []).filter { condition in all.allSatisfy { $0.contains(condition) } }
        taken = body.certificates
        for _ in 0..<4 where takeNames() {}
    }

    /// What must hold for the comparison to decide; nothing where no yes is due to it.
    var conditions: [SyntaxTree.Condition] {
        let answers = answers
        guard answers.count <= Self.mostAnswers else {
            return [.told("none of its other answers, more than can be told apart, lets the server through")]
        }
        guard answers.contains(where: isOfPin) || goesOn else { return [] }
        var found: [Condition] = []
        for place in answers {
            for way in ways(place.value) {
                guard let asked = asked(tree.tested(around: place.token, areAll: true) + way) else { continue }
                // Where the comparison is not come to, all the rest is for others.
                let others = own.filter { one in asked.contains(one.opposite) }
                if !others.isEmpty {
                    found += others.filter { !isOfOtherHosts($0.opposite) }
                } else if !asked.isEmpty, !asked.contains(where: isOfOtherHosts) {
                    found.append(SyntaxTree.negation(of: asked))
                }
            }
        }
        // Where others are let through, a switch of the app's own decides for whom the pins are.
        if !found.isEmpty { found += switches(of: answers) }
        var told: [Condition] = []
        for condition in found where !told.contains(condition) { told.append(condition) }
        return told
    }

    /// Whether it says yes for hosts that have no pins, and asks nothing else of them.
    var letsOtherHostsThrough: Bool {
        let answers = answers
        return answers.count <= Self.mostAnswers
            && answers.contains { place in
                ways(place.value).contains { way in
                    let asked = asked(tree.tested(around: place.token, areAll: true) + way) ?? []
                    return !asked.isEmpty && asked.allSatisfy(isOfOtherHosts)
                }
            }
    }

    /// Whether the comparison is come to only where the system found nothing: `if (errors != SslPolicyErrors.None) return false`.
    var isBehindSystem: Bool {
        own.contains { condition in
            let words = condition.choice.condition
            guard words.contains("SslPolicyErrors.None"), !words.contains("&&"), !words.contains("||"),
                words.contains("==") || words.contains("!=")
            else { return false }
            return words.contains("!=") == (condition.choice.option != 0)
        }
    }

    // MARK: Answers

    /// What it answers, and where.
    private var answers: [(token: Int, value: Expression)] {
        if let value = body.value { return [(body.tokens.lowerBound, value)] }
        var found: [(token: Int, value: Expression)] = []
        for (number, block) in tree.blocks.enumerated() where isOwn(number) {
            for statement in block.statements {
                switch statement.kind {
                case .returning(let value?): found.append((statement.tokens.lowerBound, value))
                case .expression(let value) where number == body.block && block.statements.count == 1:
                    found.append((statement.tokens.lowerBound, value))
                default: break
                }
            }
        }
        return found
    }

    /// Whether a block is the body's own, and of no function within it.
    func isOwn(_ number: Int) -> Bool {
        body.block.map { tree.isInside(number, $0) } ?? false
    }

    /// Under which conditions an answer is yes, whatever the certificate is.
    private func ways(_ answer: Expression, _ depth: Int = 0) -> [Way] {
        guard depth < 12 else { return [] }
        switch answer.kind {
        case .name("true"): return [[]]
        case .name("false"): return []
        case .tested(_, let value): return ways(value, depth + 1)
        case .binary("||", let left, let right):
            return Array((ways(left, depth + 1) + ways(right, depth + 1)).prefix(Self.mostWays))
        case .binary("&&", let left, let right):
            let behind = ways(right, depth + 1)
            let both = ways(left, depth + 1).flatMap { way in behind.map { way + $0 } }
            return Array(both.prefix(Self.mostWays))
        case .conditional(let condition, let first, let second):
            let both = [(first, true), (second, false)].flatMap { value, holds in
                ways(value, depth + 1).map { SyntaxTree.parts(condition.words, condition, holds: holds) + $0 }
            }
            return Array(both.prefix(Self.mostWays))
        case .name(let name):
            if let value = fixed(name, answer) { return ways(value, depth + 1) }
            let given = tree.lastValues(of: name, in: tree.blocks.indices.filter(isOwn)).flatMap { place in
                ways(place.value, depth + 1).map { tree.tested(around: place.token, areAll: true) + $0 }
            }
            if !given.isEmpty { return Array(given.prefix(Self.mostWays)) }
            if isYesAtFirst(name, answer) { return [[]] }
        default: break
        }
        return mentionsTaken(answer) ? [] : [SyntaxTree.parts(answer.words, answer, holds: true)]
    }

    /// What a name of the body stands for, where nothing changes it.
    private func fixed(_ name: String, _ expression: Expression) -> Expression? {
        guard let block = tree.block(declaring: name, from: expression.block),
            let declared = tree.blocks[block].declarations[name], declared.count == 1, declared[0].kind == .value,
            tree.changes[name] == nil, let value = declared[0].value, body.tokens.contains(value.token)
        else { return nil }
        return value
    }

    /// Whether an answer may be a yes because the certificate is one of the pins.
    func isOfPin(_ answer: (token: Int, value: Expression)) -> Bool {
        if mentionsDigest(answer.value) { return true }
        if answer.value.names("false") { return false }
        let asked = tree.tested(around: answer.token, areAll: true).filter { condition in
            mentionsDigest(condition.choice.condition) || condition.test.map(mentionsDigest) ?? false
        }
        return !asked.isEmpty
            && asked.allSatisfy { condition in
                guard case .known(let value)? = condition.test.flatMap({ rest(of: $0, isPin: true) }) else {
                    return true
                }
                return value == condition.holds
            }
    }

    /// `if (certificate.Thumbprint == PIN) { continue; }`
    var goesOn: Bool {
        tree.blocks.flatMap(\.statements).contains { statement in
            guard case .branches(let branches, _) = statement.kind, body.tokens.contains(statement.tokens.lowerBound)
            else { return false }
            return branches.contains { branch in
                guard case .expression(let last)? = tree.blocks[branch.block].statements.last?.kind else {
                    return false
                }
                return last.names("continue") && mentionsDigest(branch.condition)
            }
        }
    }

    // MARK: What is asked

    /// What an answer asks beside the certificate; `nil` where the certificate decides, or that is not known.
    private func asked(_ conditions: [Condition]) -> [Condition]? {
        var found: [Condition] = []
        for condition in conditions where !own.contains(condition) {
            let words = condition.choice.condition
            let holds = condition.choice.option == 0
            if condition.choice.isNever || words.utf8.count >= 120 || words.hasPrefix("what is tried") { return nil }
            if words.hasPrefix("the loop on line ") {
                // In it, it has one.
                if holds { continue }
                guard isOfStatuses(words) else { return nil }
                found.append(SyntaxTree.Condition.told("the system refuses the certificate").opposite)
            } else if let test = condition.test, mentionsDigest(test) {
                switch rest(of: test, isPin: false) {
                case .known(condition.holds): continue
                case .asks(let other, let isSame):
                    let parts = SyntaxTree.parts(other.words, other, holds: condition.holds == isSame)
                    guard let more = asked(parts) else { return nil }
                    found += more.filter { !found.contains($0) }
                case .known, nil: return nil
                }
            } else if words.words.contains("null") || words.contains("IsNullOr") {
                let isThere = words.contains("!=") || words.contains(" not ")
                guard !mentionsDigest(words), !words.contains("&&"), !words.contains("||") else { return nil }
                if isThere == holds { continue }
                guard isMissingOfApp(words) else { return nil }
                if !found.contains(condition) { found.append(condition) }
            } else if mentionsDigest(words) || words.asksForContents || words.contains(" is ")
                || mentionsTaken(words) && !Self.ofCertificates.contains(where: words.contains)
            {
                return nil
            } else if !found.contains(condition) {
                found.append(condition)
            }
        }
        return found
    }

    /// What a certificate says of itself, and what the system says of it.
    private static let ofCertificates = [".Subject", ".Issuer", ".ChainStatus", ".Build(", ".Verify()"]

    /// `foreach (var status in element.ChainElementStatus)`
    private func isOfStatuses(_ words: String) -> Bool {
        tree.blocks.contains { block in
            block.statements.contains { statement in
                guard case .loop(_, let value, _) = statement.kind, body.tokens.contains(statement.tokens.lowerBound),
                    words == "the loop on line \(statement.line) has a round"
                else { return false }
                return value.finalName?.hasSuffix("Status") ?? false
            }
        }
    }

    /// What is left of a condition where the certificate is one of the pins, or none.
    private enum Rest {
        case known(Bool)
        /// Whether it holds as another does, or does not.
        case asks(Expression, Bool)
    }

    private func rest(of condition: Expression, isPin: Bool, _ depth: Int = 0) -> Rest? {
        guard depth < 12 else { return nil }
        guard mentionsDigest(condition) else { return .asks(condition, true) }
        switch condition.kind {
        case .tested(_, let value): return rest(of: value, isPin: isPin, depth + 1)
        case .prefix("!", let value):
            switch rest(of: value, isPin: isPin, depth + 1) {
            case .known(let value): return .known(!value)
            case .asks(let other, let isSame): return .asks(other, !isSame)
            case nil: return nil
            }
        case .binary(let mark, let left, let right) where mark == "&&" || mark == "||":
            guard let first = rest(of: left, isPin: isPin, depth + 1),
                let second = rest(of: right, isPin: isPin, depth + 1)
            else { return nil }
            switch (first, second) {
            case (.known(let value), let other), (let other, .known(let value)):
                return value == (mark == "||") ? .known(value) : other
            case (.asks, .asks): return nil
            }
        case .binary(let mark, let left, let right):
            if let flag = [("true", true), ("false", false)].first(where: { right.names($0.0) })?.1,
                mark == "==" || mark == "!=", case .known(let value)? = rest(of: left, isPin: isPin, depth + 1)
            {
                return .known((value == flag) == (mark == "=="))
            }
            return isTrueOfPins(mark, left, right).map { .known($0 == isPin) }
        case .call(let callee, _):
            guard let name = callee.finalName else { return nil }
            let asking = ["Equals", "Contains", "SequenceEqual", "Any", "Exists", "FixedTimeEquals"]
            return asking.contains(name) || tree.isAnswerAboutPins(name, evidence) ? .known(isPin) : nil
        case .name(let name): return fixed(name, condition).flatMap { rest(of: $0, isPin: isPin, depth + 1) }
        default: return nil
        }
    }

    /// Whether a comparison is true of a pin: `pins.IndexOf(digest) >= 0`, `string.Compare(digest, PIN) == 0`.
    private func isTrueOfPins(_ mark: String, _ left: Expression, _ right: Expression) -> Bool? {
        switch (right.words, mark) {
        case ("0", ">="), ("-1", "!="): left.words.contains("IndexOf") ? true : nil
        case ("0", "<"), ("-1", "=="): left.words.contains("IndexOf") ? false : nil
        case ("0", "=="), ("0", "!="): left.words.contains("Compare") ? mark == "==" : nil
        case ("null", _): nil
        case (_, "=="), (_, "!="): mark == "=="
        default: nil
        }
    }

    // MARK: Names

    /// Names that a statement gives something of the certificate, or changes; whether there are more than before.
    private mutating func takeNames() -> Bool {
        let before = taken.count
        for block in tree.blocks {
            for statement in block.statements where body.tokens.contains(statement.tokens.lowerBound) {
                switch statement.kind {
                case .declaration(let declaration) where declaration.kind == .value:
                    if mentionsTaken(statement.tokens) { taken.insert(declaration.name) }
                case .assignment(let target, _, _):
                    if case .name(let name) = target.kind { taken.insert(name) }
                case .loop(let names, _, _): taken.formUnion(names)
                default: break
                }
            }
        }
        // `out var pins`
        for place in body.tokens where tree.tokens[place].isName("out") {
            let next = tree.tokens[(place + 1)..<min(place + 4, tree.tokens.count)].prefix { $0.name != nil }
            if let name = next.last?.name { taken.insert(name) }
        }
        return taken.count > before
    }

    private func mentionsTaken(_ range: Range<Int>) -> Bool {
        range.contains { place in evidence.contains(place) || tree.tokens[place].name.map(taken.contains) ?? false }
    }

    private func mentionsTaken(_ expression: Expression) -> Bool {
        mentionsDigest(expression) || mentionsTaken(expression.words)
    }

    func mentionsTaken(_ words: String) -> Bool { words.words.contains { taken.contains(String($0)) } }

    /// Whether a digest stands in an expression, or what was made of one.
    func mentionsDigest(_ expression: Expression) -> Bool {
        var found = false
        expression.visit { part in
            switch part.kind {
            case .closure(let closure): found = found || holdsEvidence(closure.block)
            case .name(let name), .member(_, let name): found = found || isOfDigest(name)
            case .opaque(let text): found = found || mentionsDigest(text)
            default: break
            }
            return !found
        }
        return found
    }

    private func mentionsDigest(_ words: String) -> Bool { words.words.contains { isOfDigest(String($0)) } }

    private func isOfDigest(_ name: String) -> Bool {
        taken.contains(name) && !body.certificates.contains(name)
            || evidence.contains { tree.tokens[$0].isName(name) }
    }

    private func holdsEvidence(_ block: Int) -> Bool {
        tree.blocks[block].statements.contains { statement in evidence.contains(where: statement.tokens.contains) }
    }

    // MARK: Hosts

    /// Whether a condition is that of a host that is told with its pins.
    private func isOfHost(_ condition: Condition) -> Bool {
        let words = condition.choice.condition
        if ["TryGetValue(", "ContainsKey("].contains(where: words.contains) { return true }
        guard words.lowercased().contains("host"), words.contains("\"") else { return false }
        return words.contains("==") || words.contains("!=") || words.contains("quals(") || condition.choice.isOfHosts
    }

    /// Whether it holds for other hosts than one that is told.
    private func isOfOtherHosts(_ condition: Condition) -> Bool {
        guard isOfHost(condition) else { return false }
        return condition.choice.condition.contains("!=") == (condition.choice.option == 0)
    }
}
