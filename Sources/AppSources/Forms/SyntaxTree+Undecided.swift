/// Comparisons of Kotlin, Java and C# of which nothing comes: their answer is told to a log, or thrown away.
extension SyntaxTree {
    /// Whether nothing that is let through or refused depends on what is taken apart at these places.
    ///
    /// Where a step is not understood, it may.
    func decideNothing(_ evidence: [Int], _ module: SourceModule) -> Bool {
        guard [.kotlin, .java, .cSharp].contains(language), !evidence.isEmpty, evidence.count < 12 else { return false }
        var compares = false
        func isOfOthers(_ name: String) -> Bool { !module.others(mentioning: name, than: path, in: language).isEmpty }
        return evidence.allSatisfy { place in
            isForgotten(place, &compares, isOfOthers) || isSwallowed(place, &compares, isOfOthers)
        } && compares
    }

    /// Whether all that is made of what stands at a place goes to logs.
    private func isForgotten(
        _ place: Int,
        _ compares: inout Bool,
        _ isOfOthers: (String) -> Bool,
        depth: Int = 0
    ) -> Bool {
        guard depth < 4, let body = judging(place) else { return false }
        let own = blocks.indices.filter { $0 == body || isInside($0, body) }
        let inner = Set(own.flatMap { blocks[$0].declarations.keys })
        var names: Set<String> = []
        var isReturned = false
        var isDone = false
        while !isDone {
            isDone = true
            for number in own {
                for (index, statement) in blocks[number].statements.enumerated()
                where touches(head(of: statement), place, names) {
                    let head = head(of: statement)
                    // `val leaf = chain.firstOrNull() ?: throw CertificateException()`
                    if head.contains(where: { tokens[$0].isName("throw") }) { return false }
                    compares = compares || isComparison(head)
                    // What the last expression of a closure of Kotlin, or the only one of a function, is for.
                    let isAnswer =
                        language == .kotlin && number == body && index + 1 == blocks[number].statements.count
                        && (blocks[body].owner == .closure || !isInBraces(body))
                    switch statement.kind {
                    case .declaration(let declaration) where declaration.kind == .value:
                        if names.insert(declaration.name).inserted { isDone = false }
                    case .assignment(let target, "=", _):
                        guard case .name(let name) = target.kind, inner.contains(name) else { return false }
                        if names.insert(name).inserted { isDone = false }
                    case .loop(let elements, _, _):
                        if !names.isSuperset(of: elements) {
                            names.formUnion(elements)
                            isDone = false
                        }
                    case .branches(let branches, _):
                        for branch in branches {
                            guard let set = setAndTold(in: branch.block, inner, &isReturned, &compares, isOfOthers)
                            else {
                                return false
                            }
                            if !names.isSuperset(of: set) {
                                names.formUnion(set)
                                isDone = false
                            }
                        }
                    case .returning: isReturned = true
                    case .expression(let value):
                        if onlyLogs(statement) { continue }
                        if let name = fed(value, inner) {
                            if names.insert(name).inserted { isDone = false }
                            continue
                        }
                        if isAnswer {
                            isReturned = true
                            continue
                        }
                        // What a call answers that is a statement by itself is thrown away.
                        guard depth > 0, case .call(let callee, _) = value.kind,
                            callee.finalName == tokens[place].name
                        else { return false }
                    case .block: continue
                    case .declaration, .assignment, .count, .repeated: return false
                    }
                }
            }
        }
        guard isReturned else { return true }
        guard case .function = blocks[body].owner, let (name, range) = namedFunction(around: [place]),
            !tokens[range.clamped(to: 0..<tokens.count)].contains(where: { $0.isName("throw") || $0.isName("override") }
            )
        else { return false }
        let calls = callPlaces(of: name, outside: range)
        let mentions = tokens.indices.count { tokens[$0].names.contains(name) && !range.contains($0) }
        return !calls.isEmpty && calls.count == mentions && calls.count < 6 && !isOfOthers(name)
            && calls.allSatisfy { isForgotten($0, &compares, isOfOthers, depth: depth + 1) }
    }

    /// The body of the function or of the closure whose statements use what stands at a place. A closure of one expression is a
    /// part of what stands around it.
    private func judging(_ place: Int) -> Int? {
        guard var body = innermost(around: place)?.block else { return nil }
        while true {
            switch blocks[body].owner {
            case .function: return body
            case .closure where blocks[body].statements.count > 1: return body
            case .closure:
                // A callback answers to whom it is given.
                guard let parent = blocks[body].parent, isPassedThrough(body) else { return nil }
                body = parent
            case .inner:
                guard let parent = blocks[body].parent else { return nil }
                body = parent
            case .file, .type: return nil
            }
        }
    }

    /// Whether a closure is given to what runs it at once, and what it answers is a part of the answer: `chain.any { … }`.
    private func isPassedThrough(_ block: Int) -> Bool {
        let names: Set<String> = [
            "any", "all", "none", "map", "mapNotNull", "filter", "first", "firstOrNull", "find", "let", "run", "also",
            "forEach", "joinToString", "takeIf", "runCatching", "use", "Any", "All", "Select", "Where", "First",
            "FirstOrDefault", "Exists", "anyMatch", "allMatch", "noneMatch",
        ]
        return calls(names).contains { _, _, arguments in
            arguments.contains { argument in
                if case .closure(let closure) = argument.value.kind { closure.block == block } else { false }
            }
        }
    }

    private func isInBraces(_ body: Int) -> Bool {
        guard let start = range(of: body)?.lowerBound, start > 0 else { return false }
        return tokens[start - 1].isMark("{")
    }

    /// The tokens of a statement but for those of the blocks in it that are statements of their own.
    private func head(of statement: Statement) -> [Int] {
        let all = statement.tokens.clamped(to: 0..<tokens.count)
        let bodies: [Int]
        switch statement.kind {
        case .branches(let branches, _): bodies = branches.map(\.block)
        case .loop(_, _, let body), .count(_, _, let body), .block(let body), .repeated(let body): bodies = [body]
        case .declaration(let declaration) where declaration.kind != .value:
            return []
        case .declaration, .expression, .assignment, .returning: bodies = []
        }
        let inner = bodies.compactMap(range(of:))
        return all.filter { place in !inner.contains { $0.contains(place) } }
    }

    private func touches(_ places: [Int], _ place: Int, _ names: Set<String>) -> Bool {
        places.contains { $0 == place || !names.isDisjoint(with: tokens[$0].names) }
    }

    func isComparison(_ places: [Int]) -> Bool {
        places.contains { place in
            ["==", "!=", "===", "!=="].contains(where: tokens[place].isMark)
                || tokens[place].isName("in") || tokens[place].name.map(Self.comparing.contains) ?? false
        }
    }

    private static let comparing: Set<String> = [
        "equals", "Equals", "contains", "Contains", "equalsIgnoreCase", "contentEquals", "any", "none", "Any",
        "SequenceEqual", "isEqual", "anyMatch", "noneMatch", "FixedTimeEquals", "require", "check",
    ]

    /// The function's own variables that a branch sets, where all else that it does is to tell a log, to throw what is caught and
    /// told to one, or to return an answer.
    private func setAndTold(
        in block: Int,
        _ inner: Set<String>,
        _ isReturned: inout Bool,
        _ compares: inout Bool,
        _ isOfOthers: (String) -> Bool
    ) -> Set<String>? {
        var names: Set<String> = []
        for statement in blocks[block].statements where !onlyLogs(statement) {
            if starts(statement, with: "throw"),
                isSwallowed(statement.tokens.lowerBound, &compares, isOfOthers)
            {
                continue
            }
            if case .returning(.some) = statement.kind {
                isReturned = true
                continue
            }
            guard case .assignment(let target, _, _) = statement.kind, case .name(let name) = target.kind,
                inner.contains(name)
            else { return nil }
            names.insert(name)
        }
        return names
    }

    /// The variable that is given more of a digest or of its text: `digest.update(key)`, `hex.append(digit)`.
    func fed(_ value: Expression, _ inner: Set<String>) -> String? {
        guard case .call(let callee, _) = value.kind, let last = callee.finalName,
            ["update", "append", "Append", "reset"].contains(last), case .name(let name) = value.base.kind,
            inner.contains(name)
        else { return nil }
        return name
    }
}
