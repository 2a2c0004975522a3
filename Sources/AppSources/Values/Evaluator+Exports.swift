/// What one script gives another: `require`, `import` and what is exported.
extension Evaluator {
    /// Where an imported name comes from, and what it is there: `default`, `*` for all, or its own name.
    private struct Import {
        var path: String
        var name: String
    }

    /// What an imported name stands for, where the source that it comes from is told; `nil` where it is not.
    func imported(_ name: String) -> Value? {
        guard tree.language == .script, depth < Self.deepest, let found = origin(of: name) else { return nil }
        guard found.name == "*" else {
            let value = exported(found.name, by: found.path)
            guard let value,
                let change = (tree.changes[name] ?? []).first(where: { change in
                    !change.isMember && tree.block(declaring: name, from: change.block) == nil
                })
            else { return value }
            return value.with(.init("'\(name)' is changed on line \(change.line)", line: change.line))
        }
        return .made(.init(name: "require", path: "require", arguments: [.init(value: .text(found.path))], line: 0))
    }

    /// What another source exports by a name; `default` for all that it assigns to `module.exports`.
    ///
    /// - Returns: `nil` where no such source was read, or where it does not tell.
    func exported(_ name: String, by path: String) -> Value? {
        guard let file = file(at: path) else { return nil }
        var other = within(module.tree(of: file))
        other.depth = depth + 1
        return other.export(name)
    }

    /// Whether another source of the app's own declares the function that is imported by a name.
    func isOwnFunction(_ name: String) -> Bool {
        guard let found = origin(of: name), let file = file(at: found.path) else { return false }
        return module.tree(of: file).declaresItself(name)
    }

    private func export(_ name: String) -> Value? {
        let whole = assigned(to: ["module", "exports"])
        if name == "default" {
            return whole.map { value(of: $0) } ?? tree.blocks[0].declarations["default"]?.first.map { value(of: $0) }
        }
        if let value = assigned(to: ["exports", name]) ?? assigned(to: ["module", "exports", name]) {
            return self.value(of: value)
        }
        if case .table(let pairs)? = whole?.kind, let pair = pairs.last(where: { $0.key.names(name) }) {
            return value(of: pair.value)
        }
        if let found = tree.blocks[0].declarations[name]?.filter({ $0.kind == .value }), !found.isEmpty {
            return value(of: found, found[0].line, before: .max)
        }
        return reexported(name) ?? local(name).map { lookUp($0, block: 0, line: 0) }
    }

    /// `export { own as name }`
    private func local(_ name: String) -> String? {
        for place in tree.tokens.indices.dropLast(4) where tree.tokens[place].isName("export") {
            guard tree.tokens[place + 1].isMark("{") else { continue }
            for next in tree.tokens.indices[(place + 2)...].prefix(400) {
                if tree.tokens[next].isMark("}") { break }
                guard tree.tokens[next].isName(name), tree.tokens[next - 1].isName("as") else { continue }
                return tree.tokens[next - 2].name
            }
        }
        return nil
    }

    /// What is assigned to a path of names, once.
    private func assigned(to path: [String]) -> Expression? {
        var found: [Expression] = []
        for statement in tree.blocks[0].statements {
            guard case .assignment(let target, "=", let value) = statement.kind, self.path(of: target) == path else {
                continue
            }
            found.append(value)
        }
        return found.count == 1 ? found[0] : nil
    }

    /// `export { a, b as c } from "./b"` and `export * from "./b"`.
    private func reexported(_ name: String) -> Value? {
        for place in tree.tokens.indices where tree.tokens[place].isName("export") {
            guard let found = origin(in: place + 1, of: name) ?? starred(behind: place, name) else { continue }
            if let value = exported(found.name, by: found.path) { return value }
        }
        return nil
    }

    private func starred(behind place: Int, _ name: String) -> Import? {
        guard place + 3 < tree.tokens.count, tree.tokens[place + 1].isMark("*"), tree.tokens[place + 2].isName("from"),
            let path = tree.tokens[place + 3].plainText
        else { return nil }
        return Import(path: path, name: name)
    }

    private func origin(of name: String) -> Import? {
        for place in tree.tokens.indices where tree.tokens[place].isName("import") {
            if let found = origin(in: place + 1, of: name) { return found }
        }
        return nil
    }

    /// From behind `import` or `export` to the path.
    private func origin(in start: Int, of name: String) -> Import? {
        var (found, isInBraces): (String?, Bool) = (nil, false)
        var last: String?
        var place = start
        while place < min(start + 400, tree.tokens.count) {
            let token = tree.tokens[place]
            if let path = token.plainText {
                guard let found, tree.tokens[place - 1].isName("from") else { return nil }
                return Import(path: path, name: found)
            }
            switch token.kind {
            case .mark("{"): isInBraces = true
            case .mark("}"): isInBraces = false
            case .mark(","), .mark("*"), .name("type"): break
            case .name("from") where !isInBraces: break
            case .name("as"):
                // `a as b`, `* as b`
                guard place + 1 < tree.tokens.count, let other = tree.tokens[place + 1].name else { return nil }
                if other == name { found = tree.tokens[place - 1].isMark("*") ? "*" : last }
                if found == last, last == name, other != name { found = nil }
                place += 1
            case .name(let own):
                last = own
                if own == name, found == nil { found = isInBraces ? name : "default" }
            default: return nil
            }
            place += 1
        }
        return nil
    }

    /// The source that a path names, from where this one lies.
    private func file(at path: String) -> SourceModule.File? {
        guard path.hasPrefix(".") || path.hasPrefix("@/") || path.hasPrefix("~/") || path.hasPrefix("src/") else {
            return nil
        }
        var parts = path.hasPrefix(".") ? tree.path.split(separator: "/").dropLast().map(String.init) : []
        for part in path.split(separator: "/") where part != "." && part != "@" && part != "~" {
            if part == ".." {
                guard parts.popLast() != nil else { return nil }
            } else {
                parts.append(String(part))
            }
        }
        return module.script(at: parts.joined(separator: "/"), isWhole: path.hasPrefix("."), than: tree.path)
    }
}

extension Token {
    /// A text without anything put into it.
    var plainText: String? {
        guard case .text(let pieces) = kind, pieces.count == 1, case .plain(let text) = pieces[0] else { return nil }
        return text
    }
}
