/// What code of Kotlin, Java and C# throws where a certificate is another one, and catches again.
extension SyntaxTree {
    /// Whether what a comparison throws is caught around it, or around each call of the function that it stands in, and told to a
    /// log at most.
    func isSwallowed(
        _ place: Int,
        _ compares: inout Bool,
        _ isOfOthers: (String) -> Bool,
        thrown: [String] = [],
        depth: Int = 0
    ) -> Bool {
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
            }), !holdsReturn(body), !isOfOthers(name), !isCalledByOthers(name, range)
        else { return false }
        let types = thrown + thrownTypes(in: range)
        let own = blocks.indices.filter { $0 == body || isInside($0, body) }
        let inner = Set(own.flatMap { blocks[$0].declarations.keys })
        guard blocks[body].statements.allSatisfy({ isWithoutEffect($0, place, inner) }) else { return false }
        let calls = callPlaces(of: name, outside: range)
        let mentions = tokens.indices.count { tokens[$0].names.contains(name) && !range.contains($0) }
        guard !types.isEmpty, !calls.isEmpty, calls.count == mentions, calls.count < 6 else { return false }
        compares = compares || isComparison(Array(range.clamped(to: 0..<tokens.count)))
        return calls.allSatisfy { isSwallowed($0, &compares, isOfOthers, thrown: types, depth: depth + 1) }
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
            let tried = calls(["runCatching"]).first { own.contains($0.call.token) }
            guard isTold(statement), case .closure(let closure)? = tried?.arguments.first?.value.kind else {
                return false
            }
            return isThrownLast(place, types, in: closure.block)
        }
        guard starts(statement, with: "try"), case .block(let tried) = statement.kind,
            !holdsReturn(tried)
        else { return false }
        guard isThrownLast(place, types, in: tried) else { return false }
        let caught = rest.prefix { starts($0, with: "catch") }
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

    /// Whether nothing takes what came of `runCatching { … }` but a log.
    func isTold(_ tried: Statement) -> Bool {
        let own = tried.tokens.clamped(to: 0..<tokens.count)
        let passing = [
            "getOrThrow", "getOrElse", "getOrDefault", "isSuccess", "isFailure", "fold", "recover", "onSuccess",
            "recoverCatching", "map", "mapCatching",
        ]
        let isUsed = own.contains { tokens[$0].name.map(passing.contains) ?? false || tokens[$0].isMark("::") }
        return !isUsed
            && calls(["onFailure"]).filter { own.contains($0.call.token) }.allSatisfy { _, _, arguments in
                guard case .closure(let closure)? = arguments.first?.value.kind else { return false }
                return blocks[closure.block].statements.allSatisfy(onlyLogs)
            }
    }

    /// Whether a block does nothing behind what throws in it but to tell a log.
    private func isThrownLast(_ place: Int, _ types: [String], in block: Int) -> Bool {
        let throwing = blocks[block].statements.lastIndex { one in
            one.tokens.contains(place) && !types.isEmpty || !thrownTypes(in: one.tokens).isEmpty
        }
        let own = blocks.indices.filter { $0 == block || isInside($0, block) }
        let inner = Set(own.flatMap { blocks[$0].declarations.keys })
        guard let throwing,
            // What it sets or fills before, others may ask for.
            blocks[block].statements[...throwing].allSatisfy({ isWithoutEffect($0, place, inner) })
        else { return false }
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

    /// Whether a function is one that a library or another type calls: it replaces one, or has the name of one.
    private func isCalledByOthers(_ name: String, _ range: Range<Int>) -> Bool {
        let names = [
            "checkServerTrusted", "checkClientTrusted", "isTrusted", "verify", "intercept", "onReceivedSslError",
            "validate",
        ]
        let head = (max(0, range.lowerBound - 4)..<range.upperBound).prefix {
            $0 < tokens.count && !tokens[$0].isMark("{")
        }
        return names.contains(name)
            || head.contains { ["override", "Override", "open", "abstract"].contains(where: tokens[$0].isName) }
    }

    /// Whether one of some types is that of what is thrown, or one that it is of.
    private static func catches(_ types: Set<String>, _ thrown: String) -> Bool {
        if types.contains("Throwable") || types.contains(thrown) { return true }
        // `AssertionError` is none.
        if types.contains("Exception") { return !thrown.hasSuffix("Error") }
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
