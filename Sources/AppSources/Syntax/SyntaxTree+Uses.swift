/// Where a library is given what a variable holds, or a function returns.
extension SyntaxTree {
    struct Use: Sendable {
        /// Where it is named.
        var token: Int
        /// Names by which other sources may use it as well.
        var sharedNames: [String]
    }

    private struct Holder {
        var name: String
        /// The block that declares it.
        var block: Int
        var isShared: Bool
    }

    /// The one place where a library is given what is made at a token: by the variable that holds it, or by the function that
    /// returns it; `nil` where there are none or several.
    func use(ofWhatHolds token: Int, in takers: Set<String>) -> Use? {
        let arguments = calls(takers).flatMap(\.arguments)
        var shared: [String] = []
        for holder in holders(of: token) {
            if holder.isShared { shared.append(holder.name) }
            let found = uses(of: holder, in: arguments)
            if !found.isEmpty { return found.count == 1 ? Use(token: found[0], sharedNames: shared) : nil }
        }
        return nil
    }

    /// The variable, and then the function, around a place, and the variables that have what the function returns.
    private func holders(of token: Int) -> [Holder] {
        var variables: [Holder] = []
        var functions: [Holder] = []
        for (number, block) in blocks.enumerated() {
            guard let statement = block.statements.first(where: { $0.tokens.contains(token) }) else { continue }
            guard case .declaration(let declaration) = statement.kind else { continue }
            let holder = Holder(
                name: declaration.name,
                block: number,
                isShared: block.owner.isShared && !isPrivate(statement)
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
                results.append(Holder(name: declaration.name, block: number, isShared: isShared))
            }
        }
        return variables + functions + results
    }

    private func isPrivate(_ statement: Statement) -> Bool {
        tokens[statement.tokens.clamped(to: 0..<tokens.count)].prefix(6).contains {
            $0.isName("private") || $0.isName("fileprivate")
        }
    }

    private func uses(of holder: Holder, in arguments: [Expression.Argument]) -> [Int] {
        var found: [Int] = []
        for argument in arguments {
            argument.value.visit { part in
                switch part.kind {
                case .name(holder.name) where declares(holder, from: part.block): found.append(part.token)
                case .member(_, holder.name): found.append(part.token)
                default: break
                }
                return true
            }
        }
        return found
    }

    /// Whether a holder is what its name stands for in a block.
    private func declares(_ holder: Holder, from place: Int) -> Bool {
        block(declaring: holder.name, from: place) == holder.block
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

extension Block.Owner {
    /// Whether what it declares may be named elsewhere.
    fileprivate var isShared: Bool {
        switch self {
        case .file, .type: true
        case .function, .closure, .inner: false
        }
    }
}
