/// Where a function, a closure or a round of a loop is left before its end.
extension SyntaxTree {
    /// What holds together where something is left.
    private typealias Way = [Condition]

    /// What stands between a statement and a place behind it.
    private struct Scope {
        var isInLoop = false
        var isInSwitch = false
        var isInClosure = false
        /// Whether what is thrown is caught.
        var isTried = false
        var depth = 0

        var inner: Scope {
            var scope = self
            scope.depth += 1
            return scope
        }
    }

    /// What must hold for the statements behind one: `if (BuildConfig.DEBUG) return client`.
    func conditions(behind statement: Statement) -> [Condition] {
        let ways = ways(leaving: statement, Scope())
        if ways.contains(where: \.isEmpty) { return [Condition(choice: Choices.never)] }
        return ways.flatMap(Self.none)
    }

    /// That not all of some conditions hold.
    private static func none(of way: Way) -> [Condition] {
        if way.count == 1 { return [way[0].opposite] }
        // Whether there is anything to do says nothing of a build.
        let conditions = way.filter { !$0.choice.condition.asksForContents }
        guard conditions.count > 1 else { return conditions.map(\.opposite) }
        return [negation(of: conditions)]
    }

    /// That not all of several conditions hold.
    static func negation(of conditions: [Condition]) -> Condition {
        if conditions.count == 1 { return conditions[0].opposite }
        if conditions.allSatisfy({ $0.choice.option != 0 }) {
            return Condition(choice: Choices.choice(Choices.either(conditions.map(\.choice.condition)), holds: true))
        }
        let words = conditions.map { condition in
            let text = condition.choice.condition
            let part = text.contains("||") || condition.choice.option != 0 && text.contains(" ") ? "(\(text))" : text
            return condition.choice.option == 0 ? part : "!\(part)"
        }
        return Condition(choice: Choices.choice(words.joined(separator: " && "), holds: false), holds: false)
    }

    // MARK: Ways

    private static let mostWays = 12

    private func ways(leaving statement: Statement, _ scope: Scope) -> [Way] {
        guard scope.depth < 8 else { return [] }
        if let condition = guards[statement.tokens.lowerBound] { return ways(leaving: condition, statement, scope) }
        switch statement.kind {
        case .returning(let value):
            // `return@let` leaves a closure alone.
            let next = statement.tokens.lowerBound + 1
            let isOfClosure = language == .kotlin && tokens.indices.contains(next) && tokens[next].isMark("@")
            if isOfClosure, scope.isInClosure { return value.map { ways(leaving: $0, scope) } ?? [] }
            return [[]]
        case .expression(let value):
            if value.isThrow { return scope.isTried ? [] : [[]] }
            if endsAll(value) { return [[]] }
            switch value.kind {
            case .name("continue"): return scope.isInLoop || scope.isInClosure ? [] : [[]]
            case .name("break"): return scope.isInLoop || scope.isInSwitch || scope.isInClosure ? [] : [[]]
            default: return ways(leaving: value, scope)
            }
        case .declaration(let declaration):
            guard declaration.kind == .value, declaration.body == nil, let value = declaration.value else { return [] }
            return ways(leaving: value, scope)
        case .assignment(_, _, let value): return ways(leaving: value, scope)
        case .branches(let branches, let isExhaustive):
            return ways(through: branches, isExhaustive, isSwitch(statement), scope.inner)
        case .loop(_, _, let body), .count(_, _, let body):
            var inner = scope.inner
            inner.isInLoop = true
            let ways = ways(leaving: body, inner)
            return ways.contains([]) ? [[.told("the loop on line \(statement.line) has a round")]] : ways
        case .block(let body):
            let isCaught =
                tokens.indices.contains(statement.tokens.upperBound)
                && tokens[statement.tokens.upperBound].isName("catch")
            var inner = scope.inner
            if isCaught { inner.isTried = true }
            // Kotlin's is a closure, to which a `return` may name the way.
            if language == .kotlin, tokens[statement.tokens.lowerBound].isName("synchronized") {
                inner.isInClosure = true
            }
            let ways = ways(leaving: body, inner)
            guard isCaught, ways.contains([]) else { return ways }
            return [[Condition.told("what is tried on line \(statement.line) fails").opposite]]
        case .repeated(let body):
            // That something fails says nothing of a build, and what is deferred leaves nothing.
            let first = tokens[statement.tokens.lowerBound]
            guard first.isName("while") || first.isName("for") || first.isName("do") || first.isName("foreach") else {
                return []
            }
            var inner = scope.inner
            inner.isInLoop = true
            return ways(leaving: body, inner).filter { !$0.isEmpty }
        }
    }

    /// `fatalError()`
    private func endsAll(_ expression: Expression) -> Bool {
        guard case .call(let callee, _) = expression.kind, case .name(let name) = callee.kind else { return false }
        return language.endings.contains(name)
    }

    private func endsAll(in block: Int) -> Bool {
        guard case .expression(let value)? = blocks[block].statements.last?.kind else { return false }
        return endsAll(value)
    }

    private func ways(leaving block: Int, _ scope: Scope) -> [Way] {
        var ways: [Way] = []
        for statement in blocks[block].statements {
            ways += self.ways(leaving: statement, scope)
            if ways.contains([]) { return [[]] }
            if ways.count > Self.mostWays { break }
        }
        return Array(ways.prefix(Self.mostWays))
    }

    private func ways(
        through branches: [Statement.Branch],
        _ isExhaustive: Bool,
        _ isSwitch: Bool,
        _ scope: Scope
    ) -> [Way] {
        var inner = scope
        if isSwitch { inner.isInSwitch = true }
        var ways: [Way] = []
        // What does not hold where a branch is asked for.
        var others: [Condition] = []
        var areAll = !branches.isEmpty && isExhaustive
        for branch in branches {
            var own = self.ways(leaving: branch.block, inner)
            if branch.fallsThrough { own = [] }
            let isLeft = own.contains([])
            // Where the app ends, nothing is configured; a build may be meant.
            if isLeft, endsAll(in: branch.block), !self.isSwitch(Choices.choice(branch.condition, holds: true)) {
                own = []
            }
            areAll = areAll && isLeft
            // Any of several, or all of several.
            let not = branch.isRest ? [] : Self.parts(of: branch, holds: false)
            let alternatives =
                not.count > 1 ? not.map { [$0.opposite] } : [branch.isRest ? [] : Self.parts(of: branch, holds: true)]
            // Cases exclude one another anyway.
            let before = isSwitch && !branch.isRest ? [] : others
            ways += own.flatMap { way in alternatives.map { before + $0 + way } }
            // Behind one that leaves, the others are asked for alone.
            if !isLeft { others += not }
        }
        if areAll { return [[]] }
        // A condition that says nothing of a build leaves no trace.
        return ways.filter { way in !way.allSatisfy { $0.choice.condition.asksForContents } || way.isEmpty }
    }

    private static func parts(of branch: Statement.Branch, holds: Bool) -> [Condition] {
        parts(branch.condition, branch.test, holds: holds)
    }

    private func isSwitch(_ statement: Statement) -> Bool {
        language != .kotlin && tokens[statement.tokens.lowerBound].isName("switch")
    }

    /// `guard let name, isLive else { return }`
    private func ways(leaving condition: String, _ statement: Statement, _ scope: Scope) -> [Way] {
        if scope.isInLoop {
            let words = tokens[statement.tokens.clamped(to: 0..<tokens.count)]
            if words.contains(where: { $0.isName("continue") || $0.isName("break") }) { return [] }
        }
        return condition.atCommas.flatMap { part -> [Way] in
            // What it binds, and which question a delegate is asked, say nothing of a build.
            let isOfBuild = !["let ", "var ", "case ", "authenticationMethod"].contains { part.contains($0) }
            guard isOfBuild, !part.asksForContents else { return [] }
            return Self.parts(part, nil, holds: true).map { [$0.opposite] }
        }
    }

    /// What Kotlin's closures leave: the function around them.
    private func ways(leaving expression: Expression, _ scope: Scope) -> [Way] {
        guard language == .kotlin else { return [] }
        var inner = scope.inner
        inner.isInClosure = true
        var ways: [Way] = []
        expression.visit { part in
            if case .closure(let closure) = part.kind, tokens.indices.contains(part.token),
                tokens[part.token].isMark("{")
            {
                // Whether it is run at all is another question.
                ways += self.ways(leaving: closure.block, inner).filter { !$0.isEmpty }
            }
            return ways.count < Self.mostWays
        }
        return ways
    }
}

extension SourceLanguage {
    /// The functions of the language's own that end the app.
    var endings: Set<String> {
        switch self {
        case .swift: ["fatalError", "preconditionFailure", "exit", "abort"]
        case .objectiveC: ["exit", "abort"]
        case .kotlin, .dart: ["exitProcess", "exit"]
        default: []
        }
    }
}

extension SyntaxTree.Condition: Equatable {
    static func == (one: Self, other: Self) -> Bool { one.choice == other.choice && one.holds == other.holds }

    /// One that is no expression of the source.
    static func told(_ words: String) -> Self {
        Self(choice: Choices.choice(words, holds: true))
    }

    var opposite: Self {
        Self(
            choice: Choices.choice(choice.condition, holds: choice.option != 0),
            test: test,
            holds: !holds
        )
    }
}

extension String {
    /// The parts between its commas, but those within brackets.
    fileprivate var atCommas: [String] {
        var depth = 0
        let parts = split { character in
            if "([{".contains(character) { depth += 1 }
            if ")]}".contains(character) { depth -= 1 }
            return depth == 0 && character == ","
        }
        return parts.map { part in
            String(part.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
        }
    }
}
