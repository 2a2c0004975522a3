/// What a variable comes to hold by statements: those between its declaration and its use, or those of an initialiser.
struct AssignmentTrace {
    private var evaluator: Evaluator
    private let name: String
    /// Where statements change it.
    private let changes: [Int]
    private(set) var value: Value?

    /// Of a name that begins with a value.
    init(_ evaluator: Evaluator, _ name: String, _ value: Value?, _ changes: [SyntaxTree.Change]) {
        self.evaluator = evaluator
        self.name = name
        self.changes = changes.map(\.token)
        self.value = value
    }

    private var tree: SyntaxTree { evaluator.tree }

    /// - Parameter limit: the token where it is used.
    /// - Returns: whether all was understood.
    mutating func run(_ statements: some Sequence<Statement>, before limit: Int) -> Bool {
        for statement in statements {
            if statement.tokens.lowerBound >= limit { return true }
            let holdsUse = statement.tokens.contains(limit)
            guard changes.contains(where: statement.tokens.contains) else {
                if holdsUse { return true }
                continue
            }
            guard evaluator.choices.step(), run(statement, holdsUse ? limit : nil) else { return false }
            if holdsUse { return true }
        }
        return true
    }

    /// - Parameter limit: the token of its use, where that is in this statement.
    private mutating func run(_ statement: Statement, _ limit: Int?) -> Bool {
        switch statement.kind {
        case .assignment(let target, let mark, let right):
            // On the right it is what it was before.
            return limit != nil || assign(target, mark, right)
        case .expression(let expression): return limit != nil || call(expression)
        case .branches(let branches, let isExhaustive):
            if let limit {
                let branch = branches.first { branch in
                    tree.blocks[branch.block].statements.contains { $0.tokens.contains(limit) }
                }
                return branch.map { run(tree.blocks[$0.block].statements, before: limit) } ?? true
            }
            switch evaluator.way(through: branches, isExhaustive) {
            case .block(let block): return run(tree.blocks[block].statements, before: .max)
            case .none: return true
            case .undecided, .onward: return false
            }
        case .block(let block): return run(tree.blocks[block].statements, before: limit ?? .max)
        case .loop(let names, let list, let body):
            return limit == nil && loop(over: evaluator.value(of: list), names, body)
        case .count(let counter, let bound, let body):
            guard limit == nil, case .number(let count) = evaluator.value(of: bound),
                0...Evaluator.mostElements ~= count
            else { return false }
            return loop(over: .list((0..<count).map(Value.number)), [counter], body)
        case .declaration, .returning:
            guard let limit else { return false }
            return !changes.contains { $0 < limit && statement.tokens.contains($0) }
        case .repeated: return false
        }
    }

    private mutating func loop(over value: Value, _ names: [String], _ body: Int) -> Bool {
        let values: [Value]
        switch value {
        case .list(let list): values = list
        case .table(let entries): values = entries.map { .list([$0.key, $0.value]) }
        default: return false
        }
        guard !tree.isLeftEarly(body) else { return false }
        for value in values {
            guard evaluator.choices.step() else { return false }
            evaluator.bind(value, to: names, in: body)
            guard run(tree.blocks[body].statements, before: .max) else { return false }
        }
        evaluator.bindings[body] = nil
        return true
    }

    // MARK: Changes

    private func isIt(_ expression: Expression) -> Bool {
        switch expression.kind {
        case .name(name): true
        case .member(let base, name):
            if case .name(let owner) = base.kind { ["this", "self"].contains(owner) } else { false }
        default: false
        }
    }

    private mutating func assign(_ target: Expression, _ mark: String, _ right: Expression) -> Bool {
        if isIt(target) {
            let new = evaluator.value(of: right)
            if mark == "=" {
                value = new
                return true
            }
            guard mark == "+=", let value else { return false }
            switch (value, new) {
            case (.text(let a), .text(let b)): self.value = .text(a + b)
            case (.list(let a), .list(let b)): self.value = .list(a + b)
            case (.list(let a), .text): self.value = .list(a + [new])
            default: return false
            }
            return isSmall
        }
        guard mark == "=", case .index(let base, let key) = target.kind, isIt(base) else { return false }
        return put(evaluator.value(of: key), evaluator.value(of: right), target.line)
    }

    private var isSmall: Bool { value?.isSmall ?? true }

    private mutating func put(_ key: Value, _ new: Value, _ line: Int) -> Bool {
        var entries: [Value.Entry]
        switch value {
        case .table(let known): entries = known
        // What was made without elements may be either.
        case .list(let known) where known.isEmpty: entries = []
        default: return false
        }
        guard key.firstUnknown == nil, entries.count < Evaluator.mostElements else { return false }
        entries.removeAll { $0.key == key }
        value = .table(entries + [.init(key: key, value: new, line: line)])
        return isSmall
    }

    private mutating func call(_ expression: Expression) -> Bool {
        guard case .call(let callee, let arguments) = expression.kind else { return false }
        if case .name("dispatch_once") = callee.kind, case .closure(let closure)? = arguments.last?.value.kind {
            return run(tree.blocks[closure.block].statements, before: .max)
        }
        guard case .member(let base, let method) = callee.kind else { return false }
        if method == "assign", case .name("Object") = base.kind, let first = arguments.first, isIt(first.value) {
            for more in arguments.dropFirst() where !extend(more.value) { return false }
            return true
        }
        if method == "addAll", base.finalName == "Collections", let first = arguments.first, isIt(first.value) {
            return arguments.dropFirst().allSatisfy { add($0.value) }
        }
        if ["forEach", "onEach"].contains(method), arguments.count == 1,
            case .closure(let closure) = arguments[0].value.kind
        {
            let names = closure.parameters.isEmpty ? ["it"] : closure.parameters
            return loop(over: evaluator.value(of: base), names, closure.block)
        }
        guard isIt(base) else { return isIt(base.base) && chain(of: expression) }
        if case .text? = value {
            guard ["append", "write", "Append"].contains(method) else { return false }
            value = evaluator.appended(value, arguments)
            return value != nil && isSmall
        }
        switch (method, arguments.count) {
        case ("add", 1), ("append", 1), ("push", _), ("Add", 1), ("addObject:", 1), ("insert", 1), ("plusAssign", 1):
            if arguments[0].label == "contentsOf" { return extend(arguments[0].value) }
            guard case .list(let known)? = value, known.count < Evaluator.mostElements else { return false }
            value = .list(known + evaluator.values(of: arguments))
            return isSmall
        case ("addAll", 1), ("AddRange", 1), ("putAll", 1), ("addObjectsFromArray:", 1), ("addEntries", 1),
            ("addEntriesFromDictionary:", 1):
            return extend(arguments[0].value)
        case ("put", 2), ("set", 2), ("Add", 2), ("putIfAbsent", 2):
            let key = evaluator.value(of: arguments[0].value)
            if method == "putIfAbsent", case .table(let known)? = value, known.contains(where: { $0.key == key }) {
                return true
            }
            return put(key, evaluator.value(of: arguments[1].value), expression.line)
        case ("setObject:forKey:", 2), ("setValue:forKey:", 2), ("setObject:forKeyedSubscript:", 2):
            return put(
                evaluator.value(of: arguments[1].value),
                evaluator.value(of: arguments[0].value),
                expression.line
            )
        default: return false
        }
    }

    /// `builder.append("a").append("b")`
    private mutating func chain(of expression: Expression) -> Bool {
        let trace = self
        guard case .text? = value, let calls = expression.calls(behind: { trace.isIt($0) }) else { return false }
        for call in calls {
            guard ["append", "write", "Append"].contains(call.name) else { return false }
            value = evaluator.appended(value, call.arguments)
        }
        return value != nil && isSmall
    }

    /// One more element, or all those of an array.
    private mutating func add(_ more: Expression) -> Bool {
        let new = evaluator.value(of: more)
        if case .list = new { return extend(more) }
        guard case .list(let known)? = value, new.firstUnknown == nil, known.count < Evaluator.mostElements else {
            return false
        }
        value = .list(known + [new])
        return isSmall
    }

    private mutating func extend(_ more: Expression) -> Bool {
        switch (value, evaluator.value(of: more)) {
        case (.list(let known)?, .list(let more)) where known.count + more.count <= Evaluator.mostElements:
            value = .list(known + more)
            return isSmall
        case (.table?, .table(let more)), (.list([])?, .table(let more)):
            return more.allSatisfy { put($0.key, $0.value, $0.line) }
        default: return false
        }
    }
}

extension Evaluator {
    /// What a variable holds where it is used; a field, after its type's one initialiser that assigns to it.
    ///
    /// - Parameter token: where it is used; `.max` for what it holds in the end.
    /// - Returns: `nil` where the statements are not understood.
    func assigned(_ declaration: Declaration, before token: Int) -> Value? {
        guard declaration.kind == .value, declaration.body == nil, depth < Self.deepest, choices.step() else {
            return nil
        }
        let changes = changes(of: declaration)
        let statements: ArraySlice<Statement>
        var limit = token
        var first = declaration.value
        let block = tree.blocks[declaration.block]
        switch block.owner {
        case .function, .closure, .inner:
            guard let start = block.statements.firstIndex(where: { $0.declares(declaration) }) else { return nil }
            statements = block.statements[(start + 1)...]
        case .file:
            guard tree.language == .script, let start = block.statements.firstIndex(where: { $0.declares(declaration) })
            else { return nil }
            statements = block.statements[(start + 1)...]
            limit = .max
        case .type(let type):
            if let found = initialiser(of: type, block, changes) {
                statements = found
                if !found.contains(where: { $0.tokens.contains(token) }) { limit = .max }
            } else if let found = function(of: block, around: token) {
                // It may have run before: only what it assigns itself is known.
                statements = found
                first = nil
            } else {
                return nil
            }
        }
        // Each change must be one of these statements.
        guard changes.allSatisfy({ change in statements.contains { $0.tokens.contains(change.token) } }) else {
            return nil
        }
        var inner = self
        inner.depth += 1
        let value = first.map { inner.value(of: $0) }
        var trace = AssignmentTrace(inner, declaration.name, value, changes)
        guard trace.run(statements, before: limit) else { return nil }
        return trace.value
    }

    /// The statements of the function of a type in which a token stands.
    private func function(of block: Block, around token: Int) -> ArraySlice<Statement>? {
        for statement in block.statements where statement.tokens.contains(token) {
            guard case .declaration(let function) = statement.kind, function.kind == .function, let body = function.body
            else { return nil }
            return tree.blocks[body].statements[...]
        }
        return nil
    }

    /// The statements of the only initialiser of a type that changes a field.
    private func initialiser(of type: String, _ block: Block, _ changes: [SyntaxTree.Change]) -> ArraySlice<Statement>?
    {
        var found: ArraySlice<Statement>?
        for statement in block.statements
        where changes.contains(where: { statement.tokens.contains($0.token) }) {
            guard found == nil else { return nil }
            switch statement.kind {
            case .declaration(let function) where function.kind == .function:
                let isInitialiser = ["init", "constructor", type].contains(function.name)
                guard isInitialiser, let body = function.body else { return nil }
                found = tree.blocks[body].statements[...]
            case .block(let body): found = tree.blocks[body].statements[...]
            default: return nil
            }
        }
        return found
    }
}

extension Statement {
    fileprivate func declares(_ declaration: Declaration) -> Bool {
        guard case .declaration(let own) = kind else { return false }
        return own.name == declaration.name && own.line == declaration.line
    }

    var isLoop: Bool {
        switch kind {
        case .loop, .count: true
        default: false
        }
    }
}

extension SyntaxTree {
    /// Whether a `continue` stands there.
    func goesOn(_ range: Range<Int>) -> Bool {
        tokens[range.clamped(to: 0..<tokens.count)].contains { $0.isName("continue") }
    }

    /// Whether a closure may end before its last statement, but only itself: `return@apply`.
    ///
    /// - Parameter name: of the function that it is given to.
    func leavesItself(_ block: Int, _ name: String) -> Bool {
        guard let first = blocks[block].statements.first?.tokens.lowerBound,
            let last = blocks[block].statements.map(\.tokens.upperBound).max(), first < last
        else { return false }
        return (first..<last).clamped(to: 0..<tokens.count).allSatisfy { place in
            guard let word = tokens[place].name, ["return", "break", "continue"].contains(word) else { return true }
            guard word == "return", place + 2 < tokens.count, tokens[place + 1].isMark("@"),
                tokens[place + 2].isName(name), var inner = innermost(around: place)?.block
            else { return false }
            while inner != block, blocks[inner].owner == .inner, let parent = blocks[inner].parent { inner = parent }
            return inner == block
        }
    }

    /// Whether a loop or a closure may go on with the next element, or end, before its last statement.
    ///
    /// - Parameters:
    ///   - butAtEnd: whether the last statement may return.
    ///   - butByContinue: whether the next round may come.
    func isLeftEarly(_ block: Int, butAtEnd: Bool = false, butByContinue: Bool = false) -> Bool {
        var statements = blocks[block].statements[...]
        if butAtEnd, case .returning? = statements.last?.kind { statements = statements.dropLast() }
        guard let first = statements.first?.tokens.lowerBound, let last = statements.map(\.tokens.upperBound).max(),
            first < last
        else { return false }
        let words = butByContinue ? ["return", "break"] : ["return", "break", "continue"]
        return tokens[(first..<last).clamped(to: 0..<tokens.count)].contains { $0.name.map(words.contains) ?? false }
    }
}
