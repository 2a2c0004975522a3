/// Files that a bundle is asked for by names that loops, closures and callers give.
enum ResourceNames {
    /// What stands behind a name in one round of a loop, one element or one call.
    private typealias Round = (inout Evaluator) -> Void

    private static let names: Set<String> = ["forResource", "pathForResource", "URLForResource"]
    private static let ends: Set<String> = ["ofType", "withExtension"]
    private static let mostRounds = 50

    /// The name of a certificate file; `nil` for a file of another kind.
    ///
    /// - Parameter isCertificate: whether what stands in it is taken for a certificate, whatever its name ends with.
    static func file(_ name: String, _ end: String?, isCertificate: @autoclosure () -> Bool) -> String? {
        guard !name.isEmpty else { return nil }
        // A bundle passes over a dot that the end has already: `ofType: ".cer"`.
        let end = end.map { $0.hasPrefix(".") ? String($0.dropFirst()) : $0 }
        if let end, !end.isEmpty {
            let file = "\(name).\(end)"
            return PinText.isCertificateFile("a.\(end)") || !PinText.isOfValues(file) && isCertificate() ? file : nil
        }
        guard PinText.isKnownFile(name), !PinText.isCertificateFile(name) else { return name }
        return !PinText.isOfValues(name) && isCertificate() ? name : nil
    }

    /// - Parameter looked: the names that the group uses: what they stand for belongs to it.
    /// - Parameter called: functions of others that give it what it compares.
    static func files(
        _ evaluator: Evaluator,
        within group: CodeGroup,
        and looked: Set<String>,
        calling called: Set<String> = []
    ) -> [String] {
        let tree = evaluator.tree
        let beside = ranges(of: looked, calling: called, in: tree)
        var calls: [(name: Expression, end: Expression?, block: Int)] = []
        var seen: Set<Int> = []
        func take(_ expression: Expression) {
            guard case .call(let callee, let arguments) = expression.kind,
                group.holds(expression.token) || beside.contains(where: { $0.contains(expression.token) }),
                let name = arguments.first(where: {
                    // Swift 2 wrote the label with the function's name.
                    $0.label.map(names.contains) ?? callee.finalName.map(names.contains) ?? false
                })?.value,
                calls.count < mostRounds, seen.insert(name.token).inserted, !tree.isOfUnreadFile(at: name.token)
            else { return }
            let end = arguments.first { $0.label.map(ends.contains) ?? false }?.value
            calls.append((name, end, expression.block))
        }
        tree.visit { expression, _ in
            take(expression)
            return true
        }
        // What a condition gives a name stands in no statement.
        for declaration in tree.blocks.flatMap({ $0.declarations.values.joined() }) {
            declaration.value?.visit {
                take($0)
                return true
            }
        }
        guard !calls.isEmpty else { return [] }
        let rounds = rounds(evaluator)
        return calls.sorted { $0.name.token < $1.name.token }.flatMap { name, end, block in
            var blocks: [Int] = []
            var place: Int? = block
            while let current = place {
                if rounds[current] != nil { blocks.append(current) }
                place = tree.blocks[current].parent
            }
            var files: [String] = []
            go(through: blocks.reversed().prefix(3), rounds, evaluator) { evaluator in
                guard let text = evaluator.value(of: name).text,
                    let file = file(
                        text,
                        end.flatMap { evaluator.value(of: $0).text },
                        isCertificate: tree.isOfCertificate(at: name.token)
                    )
                else { return }
                files.append(file)
            }
            return files
        }
    }

    /// Where values by these names are declared, and the functions that they call.
    ///
    /// - Parameter called: functions that count themselves.
    private static func ranges(of names: Set<String>, calling called: Set<String>, in tree: SyntaxTree) -> [Range<Int>]
    {
        var found: [Range<Int>] = []
        var functions: [String: Range<Int>] = [:]
        for block in tree.blocks {
            switch block.owner {
            case .function, .closure, .inner: continue
            case .file, .type: break
            }
            for statement in block.statements {
                guard case .declaration(let declaration) = statement.kind else { continue }
                switch declaration.kind {
                case .value where names.contains(declaration.name): found.append(statement.tokens)
                case .function:
                    functions[declaration.name] = statement.tokens
                    if called.contains(declaration.name) { found.append(statement.tokens) }
                default: break
                }
            }
        }
        let inside = Set(found.flatMap { range in tree.tokens[range].compactMap(\.name) })
        return found + inside.compactMap { functions[$0] }
    }

    private static func go(
        through blocks: some Collection<Int>,
        _ rounds: [Int: (Evaluator) -> [Round]],
        _ evaluator: Evaluator,
        _ body: (Evaluator) -> Void
    ) {
        guard let block = blocks.first else { return body(evaluator) }
        for round in (rounds[block]?(evaluator) ?? []).prefix(mostRounds) where evaluator.choices.step() {
            var inner = evaluator
            round(&inner)
            go(through: blocks.dropFirst(), rounds, inner, body)
        }
    }

    /// By block: what its names stand for, each time that it is run.
    private static func rounds(_ evaluator: Evaluator) -> [Int: (Evaluator) -> [Round]] {
        let tree = evaluator.tree
        var found: [Int: (Evaluator) -> [Round]] = [:]
        func add(_ names: [String], _ list: Expression, _ block: Int) {
            found[block] = { evaluator in
                elements(of: evaluator.value(of: list)).map { element in { $0.bind(element, to: names, in: block) } }
            }
        }
        var functions: [String: [Declaration]] = [:]
        for block in tree.blocks {
            for statement in block.statements {
                switch statement.kind {
                case .loop(let names, let list, let body): add(names, list, body)
                case .declaration(let declaration) where declaration.kind == .function:
                    if !declaration.parameters.isEmpty { functions[declaration.name, default: []].append(declaration) }
                default: break
                }
            }
        }
        tree.visit { expression, _ in
            guard case .call(let callee, let arguments) = expression.kind else { return true }
            if case .member(let base, let name) = callee.kind, each.contains(name),
                case .closure(let closure)? = arguments.last?.value.kind
            {
                add(closure.parameters.isEmpty ? ["it"] : closure.parameters, base, closure.block)
            }
            guard let name = callee.finalName, let declaration = functions[name]?.first, functions[name]?.count == 1,
                let body = declaration.body
            else { return true }
            let earlier = found[body]
            found[body] = { evaluator in
                let bound = evaluator.bind(arguments, to: declaration.parameters, expression.line)
                return (earlier?(evaluator) ?? []) + [{ $0.bindings[body] = bound }]
            }
            return true
        }
        return found
    }

    private static let each: Set<String> = ["map", "compactMap", "flatMap", "forEach", "filter"]

    private static func elements(of value: Value) -> [Value] {
        switch value {
        case .list(let values): values
        case .table(let entries): entries.map { .list([$0.key, $0.value]) }
        default: []
        }
    }
}
