/// Where a library is given what a variable holds, or a function returns.
extension SyntaxTree {
    /// One step from what makes a pinner to the client that is given it.
    struct Use: Sendable {
        /// What must hold wherever it is used.
        var conditions: [Condition]
        /// Names by which other sources may use it as well: where one of them does, none of this counts.
        var sharedNames: [String] = []
        /// Where it is.
        var places: [Int] = []
    }

    struct Holder {
        var name: String
        /// The block that declares it.
        var block: Int
        var isShared: Bool
        var isProvided = false
        /// Of its declaration.
        var tokens: Range<Int>
        /// Of the statement that gives a field what it holds.
        var filling: Range<Int> = 0..<0
    }

    /// Where a library is given what is made at a token: by the variable that holds it, or by the function that returns it.
    /// Where none is, by which place of the source it is chosen, and by which that one.
    func uses(ofWhatHolds token: Int, in takers: Set<String>, steps: Int = 3) -> [Use] {
        if isReplaced(token, takers) { return [Use(conditions: [.replaced], sharedNames: [])] }
        let replacing = conditions(replacing: token, takers)
        return (replacing.isEmpty ? [] : [Use(conditions: replacing, sharedNames: [])])
            + ways(ofWhatHolds: token, in: takers, steps: steps)
    }

    func ways(ofWhatHolds token: Int, in takers: Set<String>, steps: Int) -> [Use] {
        let arguments = calls(takers).flatMap(\.arguments).map(\.value)
        var shared: [String] = []
        let got = gets(ofWhatIsMadeAt: token, in: arguments)
        if !got.isEmpty { return [Use(conditions: common(got), sharedNames: ["certificatePinner"], places: got)] }
        let holders = holders(of: token)
        for holder in holders {
            if holder.isShared { shared.append(holder.name) }
            var found = uses(of: holder, in: arguments)
            if found.isEmpty, holder.isProvided {
                if isInjectedInVain(takers) { return [Use(conditions: [.unused], sharedNames: ["CertificatePinner"])] }
                found = injections(in: arguments)
                shared = ["CertificatePinner"]
            }
            if !found.isEmpty {
                if found.allSatisfy(isDiscarded) { return [Use(conditions: [.unused], sharedNames: shared)] }
                let areReplaced = found.count <= Self.mostPlaces && found.allSatisfy { isReplaced($0, takers) }
                if areReplaced { return [Use(conditions: [.replaced], sharedNames: shared)] }
                let replacing = found.count == 1 ? conditions(replacing: found[0], takers) : []
                let use = Use(conditions: common(found) + replacing, sharedNames: shared, places: found)
                return [use] + client(madeAt: found)
            }
        }
        // A variable of a function that nothing else is known of is what the function returns.
        guard steps > 0 else { return [] }
        shared = []
        for holder in holders {
            if holder.isShared { shared.append(holder.name) }
            let found = mentions(of: holder)
            guard !found.isEmpty else { continue }
            // Whatever is made of this client is given another pinner.
            if found.allSatisfy(isGivenAnother) { return [Use(conditions: [.replaced], sharedNames: shared)] }
            let step = Use(conditions: common(found), sharedNames: shared, places: found)
            guard found.count == 1, !isAsked(at: found[0]) else { return [step] }
            return [step] + uses(ofWhatHolds: found[0], in: takers, steps: steps - 1)
        }
        return []
    }

    /// Where the function in which something stands is called, and where that one is.
    func uses(ofFunctionAround token: Int, steps: Int = 2) -> [Use] {
        guard let holder = functions(around: token).last else { return [] }
        let found = mentions(of: holder)
        guard !found.isEmpty else { return [] }
        let step = Use(conditions: common(found), sharedNames: holder.isShared ? [holder.name] : [])
        guard found.count == 1, steps > 0 else { return [step] }
        return [step] + uses(ofFunctionAround: found[0], steps: steps - 1)
    }

    /// Where a client is used that a variable holds, or a function returns.
    private func client(madeAt places: [Int]) -> [Use] {
        places.count == 1 ? ways(ofWhatHolds: places[0], in: [], steps: 2) : []
    }

    /// Whether a client is asked there: what comes of that is an answer, and holds no client.
    private func isAsked(at place: Int) -> Bool {
        place + 2 < tokens.count && (tokens[place + 1].isMark(".") || tokens[place + 1].isMark("?."))
            && (tokens[place + 2].isName("newCall") || tokens[place + 2].isName("newWebSocket"))
    }

    /// Whether a client is given another one behind it, in the same chain of calls.
    private func isReplaced(_ token: Int, _ takers: Set<String>) -> Bool {
        calls(takers).contains { call, name, _ in
            guard name != "CertificatePinner", case .call(let callee, _) = call.kind else { return false }
            var next: Expression? = callee
            while let current = next {
                switch current.kind {
                case .member(let base, _): next = base
                case .call(let inner, let arguments):
                    if case .member(_, name) = inner.kind, arguments.contains(where: { $0.value.mentions(token) }) {
                        return true
                    }
                    next = inner
                default: next = nil
                }
            }
            return false
        }
    }

    /// More are looked at for nothing: each means to go through the whole source.
    private static let mostPlaces = 30

    /// Those that hold at each of several places, and what else holds at one or another.
    func common(_ places: [Int]) -> [Condition] {
        guard places.count <= Self.mostPlaces else { return [] }
        let ways = places.map { tested(around: $0) }.filter { way in !way.contains { $0.choice.isNever } }
        guard let first = ways.first else { return places.isEmpty ? [] : [Condition(choice: Choices.never)] }
        let all = first.filter { one in ways.allSatisfy { way in way.contains { $0.choice == one.choice } } }
        let others = ways.map { way in way.map(\.choice).filter { one in !all.contains { $0.choice == one } } }
        // Two that are opposites are no condition.
        guard others.count <= 3, others.allSatisfy({ !$0.isEmpty }),
            !others.contains(where: { way in
                way.count == 1
                    && others.contains {
                        $0.contains { $0.condition == way[0].condition && $0.option != way[0].option }
                    }
            })
        else { return all }
        let words = others.map { $0.map(\.words).joined(separator: " and ") }.uniqued
        guard words.count > 1 else { return all }
        return all + [.told(words.joined(separator: " or "))]
    }

    /// Wherever a holder is named but where it is declared.
    func mentions(of holder: Holder) -> [Int] {
        var found: [Int] = []
        visit { part, _ in
            if !holder.tokens.contains(part.token), !holder.filling.contains(part.token), names(part, holder),
                !isOfAnother(part, holder)
            {
                found.append(part.token)
            }
            return true
        }
        return found
    }

    /// `Env.boot`, where `boot()` is a function of another type.
    private func isOfAnother(_ part: Expression, _ holder: Holder) -> Bool {
        guard case .member(let base, _) = part.kind, case .name(let name) = base.kind, name.first?.isUppercase ?? false
        else { return false }
        // `HttpCertificatePinning.check` is none of the app's own `check`.
        if language == .dart || language == .script { return blocks[holder.block].owner != .type(name) }
        guard case .type(let own) = blocks[holder.block].owner else { return false }
        return name != own && blocks.contains { $0.owner == .type(name) }
    }

    /// Whether nothing mentions the variable that holds what is made at a token.
    func isIdle(whatHolds token: Int) -> Bool {
        holders(of: token).contains { holder in tokens.count(where: { $0.isName(holder.name) }) == 1 }
    }

    /// The variable, and then the function, around a place, and the variables that have what the function returns.
    func holders(of token: Int) -> [Holder] {
        var variables: [Holder] = []
        var functions: [Holder] = []
        for (number, block) in blocks.enumerated() {
            guard let statement = block.statements.first(where: { $0.tokens.contains(token) }) else { continue }
            guard case .declaration(let declaration) = statement.kind else { continue }
            let holder = Holder(
                name: declaration.name,
                block: number,
                isShared: block.owner.isShared && !isPrivate(statement),
                isProvided: declaration.kind == .function && isProvided(statement.tokens.lowerBound + 1),
                tokens: statement.tokens
            )
            switch declaration.kind {
            case .value: variables.append(holder)
            case .function: functions.append(holder)
            case .type, .parameter, .entry: continue
            }
        }
        var results: [Holder] = []
        for (number, block) in blocks.enumerated() {
            for statement in block.statements {
                guard case .declaration(let declaration) = statement.kind, declaration.kind == .value,
                    let value = declaration.value, case .call(let callee, _) = value.kind,
                    functions.contains(where: { callee.finalName == $0.name && declares($0, from: value.block) })
                else { continue }
                let isShared = block.owner.isShared && !isPrivate(statement)
                results.append(
                    Holder(name: declaration.name, block: number, isShared: isShared, tokens: statement.tokens)
                )
            }
        }
        return variables + fields(filledAt: token) + functions + results
    }

    /// Functions with a name, the outer ones first.
    func functions(around token: Int) -> [Holder] {
        blocks.indices.compactMap { number -> Holder? in
            guard let statement = blocks[number].statements.first(where: { $0.tokens.contains(token) }),
                case .declaration(let declaration) = statement.kind, declaration.function(in: language) != nil
            else { return nil }
            return Holder(
                name: declaration.name,
                block: number,
                isShared: blocks[number].owner.isShared && !isPrivate(statement),
                tokens: statement.tokens
            )
        }
        .sorted { $0.tokens.count > $1.tokens.count }
    }

    func isPrivate(_ statement: Statement) -> Bool {
        tokens[statement.tokens.clamped(to: 0..<tokens.count)].prefix(6).contains {
            $0.isName("private") || $0.isName("fileprivate")
        }
    }

    private func uses(of holder: Holder, in arguments: [Expression]) -> [Int] {
        var found: [Int] = []
        for argument in arguments {
            argument.visit { part in
                if names(part, holder) { found.append(part.token) }
                return true
            }
        }
        return found
    }

    private func names(_ part: Expression, _ holder: Holder) -> Bool {
        switch part.kind {
        case .name(holder.name): declares(holder, from: part.block)
        case .member(_, holder.name): true
        default: false
        }
    }

    /// Whether a holder is what its name stands for in a block.
    private func declares(_ holder: Holder, from place: Int) -> Bool {
        block(declaring: holder.name, from: place) == holder.block
    }

    /// Whether a function or a type by a name is one of this source.
    func declaresItself(_ name: String) -> Bool {
        blocks.contains { block in
            (block.declarations[name] ?? []).contains { $0.kind == .type || $0.function(in: language) != nil }
        }
    }

    /// The innermost block around a place that declares a name, or the place's own.
    func block(declaring name: String, from place: Int) -> Int? {
        var next: Int? = place
        while let current = next {
            if blocks[current].declarations[name] != nil { return current }
            next = blocks[current].parent
        }
        return nil
    }
}

extension SyntaxTree.Condition {
    /// Of what its client is not given in the end.
    static let replaced: Self = {
        var never = Choices.never
        never.words = "in whose place its client is given another one"
        return Self(choice: never)
    }()
}

extension Expression {
    /// Whether what stands at a token is a part of it, and of no closure in it.
    func mentions(_ token: Int) -> Bool {
        var isFound = false
        visit { part in
            isFound = isFound || part.token == token
            return !isFound
        }
        return isFound
    }
}

extension Block.Owner {
    /// Whether what it declares may be named elsewhere.
    var isShared: Bool {
        switch self {
        case .file, .type: true
        case .function, .closure, .inner: false
        }
    }
}
