/// Comparisons of Kotlin, Java and C# of which nothing comes: their answer is told to a log, or thrown away.
extension SyntaxTree {
    /// Whether nothing that is let through or refused depends on what is taken apart at these places.
    ///
    /// Where a step is not understood, it may.
    func decideNothing(_ evidence: [Int]) -> Bool {
        guard [.kotlin, .java, .cSharp].contains(language), !evidence.isEmpty, evidence.count < 12 else { return false }
        var compares = false
        return evidence.allSatisfy { isForgotten($0, &compares) || isSwallowed($0, &compares) } && compares
    }

    /// Whether a trust manager of Kotlin or Java asks no other one about a server.
    func judgesAlone(_ group: CodeGroup) -> Bool {
        guard language == .kotlin || language == .java else { return false }
        return group.tokens.contains { tokens[$0].isName("checkServerTrusted") }
            && !tokens.indices.dropFirst().contains { place in
                tokens[place].isName("checkServerTrusted")
                    && [".", "?.", "!!", "::"].contains(where: tokens[place - 1].isMark)
            }
    }

    /// Whether Kotlin or Java looks at what a connection has shown that the ordinary checks let through before.
    func looksBehindHandshake(_ group: CodeGroup) -> Bool {
        guard language == .kotlin || language == .java else { return false }
        let shown = ["getServerCertificates", "serverCertificates", "getPeerCertificates", "peerCertificates"]
        let judging = ["checkServerTrusted", "TrustStrategy", "isTrusted", "onReceivedSslError", "HostnameVerifier"]
        func has(_ words: [String]) -> Bool {
            group.tokens.contains { place in words.contains(where: tokens[place].isName) }
        }
        return has(shown) && !has(judging)
    }

    /// Whether all that is made of what stands at a place goes to logs.
    private func isForgotten(_ place: Int, _ compares: inout Bool, depth: Int = 0) -> Bool {
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
                            guard let set = setAndTold(in: branch.block, inner, &isReturned, &compares) else {
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
        return !calls.isEmpty && calls.count == mentions && calls.count < 6
            && calls.allSatisfy { isForgotten($0, &compares, depth: depth + 1) }
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

    private func isComparison(_ places: [Int]) -> Bool {
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
        _ compares: inout Bool
    ) -> Set<String>? {
        var names: Set<String> = []
        for statement in blocks[block].statements where !onlyLogs(statement) {
            if tokens[statement.tokens.lowerBound].isName("throw"),
                isSwallowed(statement.tokens.lowerBound, &compares)
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
    private func fed(_ value: Expression, _ inner: Set<String>) -> String? {
        guard case .call(let callee, _) = value.kind, let last = callee.finalName,
            ["update", "append", "Append", "reset"].contains(last), case .name(let name) = value.base.kind,
            inner.contains(name)
        else { return nil }
        return name
    }

    /// Whether what a comparison throws is caught around it, or around each call of the function that it stands in, and told to a
    /// log at most.
    private func isSwallowed(_ place: Int, _ compares: inout Bool, thrown: [String] = [], depth: Int = 0) -> Bool {
        for block in blocks {
            for (index, statement) in block.statements.enumerated() where statement.tokens.contains(place) {
                guard isTold(statement, block.statements[(index + 1)...], place, thrown),
                    refusesNothing(outside: statement, place)
                else { continue }
                compares = compares || isComparison(Array(statement.tokens.clamped(to: 0..<tokens.count)))
                return true
            }
        }
        // A function that refuses by what it throws alone.
        guard depth < 3, let (name, range) = namedFunction(around: [place]),
            let body = blocks.indices.first(where: { number in
                if case .function = blocks[number].owner {
                    blocks[number].statements.first.map { range.contains($0.tokens.lowerBound) } ?? false
                        && blocks[number].statements.contains { $0.tokens.contains(place) }
                } else {
                    false
                }
            }), !holdsReturn(body)
        else { return false }
        let types = thrown + thrownTypes(in: range)
        let own = blocks.indices.filter { $0 == body || isInside($0, body) }
        let inner = Set(own.flatMap { blocks[$0].declarations.keys })
        guard blocks[body].statements.allSatisfy({ isWithoutEffect($0, place, inner) }) else { return false }
        let calls = callPlaces(of: name, outside: range)
        let mentions = tokens.indices.count { tokens[$0].names.contains(name) && !range.contains($0) }
        guard !types.isEmpty, !calls.isEmpty, calls.count == mentions, calls.count < 6 else { return false }
        compares = compares || isComparison(Array(range.clamped(to: 0..<tokens.count)))
        return calls.allSatisfy { isSwallowed($0, &compares, thrown: types, depth: depth + 1) }
    }

    /// `runCatching { … }.onFailure { Log.w(TAG, it) }`, or a `try` whose `catch` does the same, where what is thrown keeps nothing
    /// from being done but what tells a log.
    ///
    /// - Parameters:
    ///   - place: where it is thrown, or where the function is called that does.
    ///   - types: what that function throws.
    private func isTold(_ statement: Statement, _ rest: ArraySlice<Statement>, _ place: Int, _ types: [String]) -> Bool
    {
        if case .expression(let value) = statement.kind {
            guard language == .kotlin, value.base.names("runCatching") else { return false }
            let own = statement.tokens.clamped(to: 0..<tokens.count)
            let passing = ["getOrThrow", "getOrElse", "getOrDefault", "isSuccess", "isFailure", "fold", "recover"]
            let failing = own.first { tokens[$0].isName("onFailure") } ?? own.upperBound
            let refuses = own.contains { place in
                tokens[place].name.map(passing.contains) ?? false || place > failing && tokens[place].isName("throw")
            }
            let tried = calls(["runCatching"]).first {
                $0.call.token == value.base.token || own.contains($0.call.token)
            }
            guard !refuses, case .closure(let closure)? = tried?.arguments.first?.value.kind else { return false }
            return rest.isEmpty || isThrownLast(place, types, in: closure.block)
        }
        guard tokens[statement.tokens.lowerBound].isName("try"), case .block(let tried) = statement.kind,
            !holdsReturn(tried)
        else { return false }
        guard isThrownLast(place, types, in: tried) else { return false }
        let caught = rest.prefix { tokens[$0.tokens.lowerBound].isName("catch") }
        let thrown = Set(types + thrownTypes(in: statement.tokens))
        return !thrown.isEmpty
            && caught.contains { one in
                let head = tokens[one.tokens.clamped(to: 0..<tokens.count)].prefix { !$0.isMark("{") }
                let types = Set(head.compactMap(\.name))
                // `catch { … }` of C#
                return types == ["catch"] || thrown.allSatisfy { Self.catches(types, $0) }
            }
            && caught.allSatisfy { one in
                if case .repeated(let body) = one.kind { blocks[body].statements.allSatisfy(onlyLogs) } else { false }
            }
    }

    /// Whether a block does nothing behind what throws in it but to tell a log.
    private func isThrownLast(_ place: Int, _ types: [String], in block: Int) -> Bool {
        let throwing = blocks[block].statements.lastIndex { one in
            one.tokens.contains(place) && !types.isEmpty || !thrownTypes(in: one.tokens).isEmpty
        }
        guard let throwing, isWithoutEffect(blocks[block].statements[throwing], place, []) else { return false }
        return blocks[block].statements[(throwing + 1)...].allSatisfy(onlyLogs)
    }

    /// Whether a statement computes, tells a log or throws, and does nothing that is left out where something is thrown.
    ///
    /// - Parameters:
    ///   - place: where a function is called that throws, or something is thrown.
    ///   - inner: the variables that nothing outside can ask for.
    private func isWithoutEffect(_ statement: Statement, _ place: Int, _ inner: Set<String>) -> Bool {
        func areAll(_ block: Int) -> Bool {
            blocks[block].statements.allSatisfy { isWithoutEffect($0, place, inner) }
        }
        switch statement.kind {
        case .declaration: return true
        case .returning(let value): return value == nil
        case .assignment(let target, _, _):
            if case .name(let name) = target.kind { return inner.contains(name) }
            return false
        case .expression(let value):
            return onlyLogs(statement) || statement.tokens.contains(place) || fed(value, inner) != nil
                || !thrownTypes(in: statement.tokens).isEmpty
        case .branches(let branches, _): return branches.allSatisfy { areAll($0.block) }
        case .loop(_, _, let body), .count(_, _, let body), .block(let body), .repeated(let body): return areAll(body)
        }
    }

    /// Whether one of some types is that of what is thrown, or one that it is of.
    private static func catches(_ types: Set<String>, _ thrown: String) -> Bool {
        guard types.isDisjoint(with: ["Exception", "Throwable"]), !types.contains(thrown) else { return true }
        let isOfTLS = thrown.hasPrefix("SSL")
        if types.contains("SSLException"), isOfTLS { return true }
        if types.contains("IOException"), isOfTLS { return true }
        if types.contains("GeneralSecurityException") { return thrown.hasPrefix("Certificate") }
        return false
    }

    /// Whether the function around a place refuses nothing but in one of its statements.
    private func refusesNothing(outside statement: Statement, _ place: Int) -> Bool {
        guard let function = function(around: place) else { return false }
        return function.allSatisfy { next in
            statement.tokens.contains(next) || !["throw", "false"].contains(where: tokens[next].isName)
        }
    }

    /// Whether a function is left in a block with an answer, by which a caller may know.
    private func holdsReturn(_ block: Int) -> Bool {
        blocks.indices.contains { number in
            (number == block || isInside(number, block))
                && blocks[number].statements.contains { statement in
                    if case .returning(.some) = statement.kind { true } else { false }
                }
        }
    }

    private func thrownTypes(in range: Range<Int>) -> [String] {
        range.clamped(to: 0..<max(0, tokens.count - 2)).compactMap { place in
            // Of Kotlin's library, where the source has none of its own.
            if language == .kotlin, let name = tokens[place].name, ["require", "check", "error"].contains(name),
                !blocks.contains(where: { $0.declarations[name]?.contains { $0.kind == .function } ?? false })
            {
                return "Exception"
            }
            guard tokens[place].isName("throw") else { return nil }
            return tokens[place + 1].isName("new") ? tokens[place + 2].name : tokens[place + 1].name
        }
    }
}
