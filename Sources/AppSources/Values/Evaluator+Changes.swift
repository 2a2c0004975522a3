/// Where what a name stands for is changed, in its own source and in others.
extension Evaluator {
    /// A value with what other sources put into it, or have in its place, which is not followed.
    func whole(_ value: Value, of declaration: Declaration) -> Value {
        guard isShared(declaration), !value.isPlain || !declaration.isFixed, let place = changedElsewhere(declaration)
        else { return value }
        return value.with(
            .init("'\(declaration.name)' is changed on line \(place.line) of \(place.path)", line: declaration.line)
        )
    }

    /// Where another source changes what a name stands for: by the name of its type, or by its own where it is seen.
    private func changedElsewhere(_ declaration: Declaration) -> (path: String, line: Int)? {
        var owner: String?
        var block: Int? = declaration.block
        // A companion's is its type's.
        while let current = block, case .type(let type) = tree.blocks[current].owner {
            owner = type
            guard type == "Companion" else { break }
            block = tree.blocks[current].parent
        }
        var files = module.others(mentioning: declaration.name, than: tree.path, in: tree.language)
        if let owner, files.count > 0 {
            let named = Set(module.others(mentioning: owner, than: tree.path, in: tree.language).map(\.path))
            files = files.filter { named.contains($0.path) }
        }
        for file in files.prefix(50) {
            let other = module.tree(of: file)
            let changes = other.changes[declaration.name] ?? []
            guard !changes.isEmpty else { continue }
            let isImported =
                owner == nil && tree.language == .script && other.importedNames.contains(declaration.name)
            for change in changes {
                if let owner {
                    let near = change.token..<min(change.token + 8, other.tokens.count - 2)
                    guard !near.isEmpty,
                        near.contains(where: { place in
                            other.tokens[place].isName(owner) && other.tokens[place + 1].isMark(".")
                                && other.tokens[place + 2].isName(declaration.name)
                        })
                    else { continue }
                } else {
                    guard !change.isMember, tree.language != .script || isImported,
                        other.block(declaring: declaration.name, from: change.block) == nil
                    else { continue }
                }
                return (file.path, change.line)
            }
        }
        return nil
    }

    /// Where what a name stands for is changed.
    func changes(of declaration: Declaration) -> [SyntaxTree.Change] {
        directChanges(of: declaration)
            + aliases(of: declaration).flatMap { alias in
                directChanges(of: alias).filter { tree.isFilling($0, alias.name) }
            } + fillings(of: declaration)
    }

    /// Calls of functions that fill the list or the table that they are given.
    private func fillings(of declaration: Declaration) -> [SyntaxTree.Change] {
        guard declaration.kind == .value, declaration.value?.isFillable ?? false,
            let handings = tree.handedOn[declaration.name]
        else { return [] }
        return handings.filter { handing in
            functions(handing.function, from: handing.change.block).contains { evaluator, function in
                guard let body = function.body, function.parameters.indices.contains(handing.position) else {
                    return false
                }
                let name = function.parameters[handing.position].name
                return (evaluator.tree.changes[name] ?? []).contains { change in
                    evaluator.tree.isWithin(change.block, body) && evaluator.tree.isFilling(change, name)
                }
            }
        }
        .map(\.change)
    }

    /// Other names for what a name stands for: `val same = pins`.
    private func aliases(of declaration: Declaration) -> [Declaration] {
        guard declaration.kind == .value else { return [] }
        return (tree.aliases[declaration.name] ?? []).filter { alias in
            guard alias.name != declaration.name else { return false }
            var place: Int? = alias.block
            while let current = place {
                if tree.blocks[current].declarations[declaration.name] != nil { return current == declaration.block }
                place = tree.blocks[current].parent
            }
            return false
        }
    }

    private func directChanges(of declaration: Declaration) -> [SyntaxTree.Change] {
        (tree.changes[declaration.name] ?? []).filter { change in
            if change.isMember, !change.isOwn {
                guard case .type = tree.blocks[declaration.block].owner else { return false }
                return true
            }
            // Which of the names is meant: that of the nearest block around.
            var place: Int? = change.block
            while let current = place {
                if let found = tree.blocks[current].declarations[declaration.name] {
                    guard change.isOwn, found.allSatisfy({ $0.kind == .parameter }) else {
                        return current == declaration.block
                    }
                }
                place = tree.blocks[current].parent
            }
            return true
        }
    }
}

extension Expression {
    /// Whether it is a list or a table that can be filled.
    fileprivate var isFillable: Bool {
        switch kind {
        case .list, .table: return true
        default: break
        }
        guard case .call(let callee, _) = kind, let name = callee.finalName else { return false }
        return name.hasPrefix("mutable")
            || [
                "ArrayList", "HashMap", "LinkedHashMap", "HashSet", "LinkedHashSet", "TreeMap",
                "arrayListOf", "hashMapOf", "linkedMapOf", "hashSetOf", "linkedSetOf", "List", "Dictionary",
                "toMutableList",
                "toMutableMap", "toMutableSet",
            ].contains(name)
    }
}

extension SyntaxTree {
    fileprivate func isWithin(_ block: Int, _ outer: Int) -> Bool {
        var place: Int? = block
        while let current = place {
            if current == outer { return true }
            place = blocks[current].parent
        }
        return false
    }

    /// Whether a change puts something in, and is no other value.
    fileprivate func isFilling(_ change: Change, _ name: String) -> Bool {
        guard let place = (change.token..<min(change.token + 4, tokens.count)).first(where: { tokens[$0].isName(name) })
        else { return true }
        return place + 1 < tokens.count && !tokens[place + 1].isMark("=")
    }
}
