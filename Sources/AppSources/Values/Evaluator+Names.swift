/// What a name stands for: in this source, and in others of the module.
extension Evaluator {
    func lookUp(_ name: String, from expression: Expression) -> Value {
        lookUp(name, block: expression.block, line: expression.line, before: expression.token)
    }

    func lookUp(_ name: String, block: Int, line: Int, before token: Int = .max) -> Value {
        switch name {
        case "true", "YES", "kCFBooleanTrue": return .flag(true)
        case "false", "NO", "kCFBooleanFalse": return .flag(false)
        case "null", "nil", "undefined", "None": return .nothing
        default: break
        }
        if let prefix = Self.ownPrefixes.first(where: name.hasPrefix), declarations(of: name, block: block) == nil {
            return .text(prefix == "kTSK" ? String(name.dropFirst()) : name)
        }
        var place: Int? = block
        while let current = place {
            if let value = bindings[current]?[name] { return value }
            if let value = declared(name, in: current, line: line, before: token) {
                guard case .file = tree.blocks[current].owner, mayInherit(name) else { return value }
                return unknown("'\(name)' may be that of a super type", line)
            }
            place = tree.blocks[current].parent
        }
        if let text = module.definitions[name] { return .text(text) }
        return imported(name) ?? lookUpElsewhere(name, line)
    }

    /// Whether a type that others are made from has a member of this name: that counts before one of the whole file.
    private func mayInherit(_ name: String) -> Bool {
        tree.blocks.indices.contains { other in
            guard case .type(let type) = tree.blocks[other].owner,
                tree.blocks[other].declarations[name]?.contains(where: { $0.kind == .value }) ?? false
            else { return false }
            return tree.tokens.indices.dropFirst().contains { place in
                tree.tokens[place].isName(type)
                    && (tree.tokens[place - 1].isMark(":") || tree.tokens[place - 1].isName("extends"))
            }
        }
    }

    func declarations(of name: String, block: Int) -> [Declaration]? {
        tree.block(declaring: name, from: block).flatMap { tree.blocks[$0].declarations[name] }
    }

    /// What a name stands for in one block; `nil` where it is not declared there.
    func declared(_ name: String, in block: Int, line: Int, before token: Int) -> Value? {
        if let found = tree.blocks[block].declarations[name]?.filter({ $0.kind != .function && $0.kind != .type }),
            !found.isEmpty
        {
            return value(of: found, line, before: token)
        }
        // What a companion holds can be named without it.
        for companion in tree.blocks[block].declarations.values.joined() where companion.typeName == "companion" {
            guard let body = companion.body,
                let found = tree.blocks[body].declarations[name]?.filter({ $0.kind == .value }), !found.isEmpty
            else { continue }
            return value(of: found, line, before: .max)
        }
        return nil
    }

    func value(of declarations: [Declaration], _ line: Int, before token: Int) -> Value {
        let values = declarations.map { value(of: $0, before: token) }
        guard let first = values.first else { return unknown("it is not declared", line) }
        if values.allSatisfy({ $0 == first }) { return first }
        let lines = declarations.map { "\($0.line)" }.joined(separator: " and ")
        return unknown("'\(declarations[0].name)' is declared on lines \(lines)", line)
    }

    /// - Parameter token: where it is used.
    func value(of declaration: Declaration, before token: Int = .max) -> Value {
        guard depth < Self.deepest else { return unknown("its value leads too far", declaration.line) }
        var inner = self
        inner.depth += 1
        switch declaration.kind {
        case .parameter:
            // What an object is taken apart into.
            if let value = declaration.value {
                let value = inner.value(of: value)
                if case .unknown = value {} else { return value }
            }
            if let text = module.definitions[declaration.name] { return .text(text) }
            if let value = inner.given(declaration) ?? inner.handed(declaration) { return value }
            let function = function(around: declaration.block).map { " of \($0)()" } ?? ""
            return unknown(
                "'\(declaration.name)' is a parameter\(function), whose value this source does not tell",
                declaration.line
            )
        case .entry: return inner.entry(declaration)
        case .type where declaration.value != nil: return declaration.value.map { inner.value(of: $0) } ?? .nothing
        case .type, .function: return unknown("'\(declaration.name)' is no value", declaration.line)
        case .value: break
        }
        if let line = tree.override(of: declaration) {
            return unknown("'\(declaration.name)' is overridden on line \(line)", declaration.line)
        }
        if isDeciding, !declaration.isFixed, isShared(declaration) {
            return unknown("'\(declaration.name)' can be assigned to", declaration.line)
        }
        if let change = changes(of: declaration).first?.line {
            if let value = inner.assigned(declaration, before: token) { return value }
            return unknown("'\(declaration.name)' is changed on line \(change)", declaration.line)
        }
        if let body = declaration.body { return inner.result(of: body, line: declaration.line) }
        guard let value = declaration.value else {
            if let text = module.definitions[declaration.name] { return .text(text) }
            return unknown("'\(declaration.name)' has no value where it is declared", declaration.line)
        }
        let first = inner.value(of: value)
        // A field that begins with nothing is there to be filled from outside.
        if !declaration.isFixed, isShared(declaration), first == .list([]) || first == .table([]) {
            return unknown("'\(declaration.name)' is empty where it is declared", declaration.line)
        }
        return first
    }

    func entry(_ declaration: Declaration) -> Value {
        var fields: [String: Value] = [:]
        if let value = declaration.value {
            let raw = value.kind.isEmptyText ? .text(declaration.name) : self.value(of: value)
            fields = ["rawValue": raw, "value": raw]
        }
        if let type = declaration.typeName, let parent = tree.blocks[declaration.block].parent,
            let parameters = tree.blocks[parent].declarations[type]?.first(where: { $0.kind == .type })?.parameters
        {
            fields.merge(bind(declaration.arguments, to: parameters, declaration.line)) { $1 }
        }
        if tree.language == .java, let type = declaration.typeName, !declaration.arguments.isEmpty,
            case .object(_, let given)? = constructed(
                type,
                declaration.arguments,
                (self, declaration.block),
                declaration.line
            )
        {
            fields.merge(given) { $1 }
        }
        fields["name"] = fields["name"] ?? .text(declaration.name)
        return .object(declaration.typeName ?? "", fields)
    }

    func function(around block: Int) -> String? {
        var place: Int? = block
        while let current = place {
            if case .function(let name) = tree.blocks[current].owner { return name }
            place = tree.blocks[current].parent
        }
        return nil
    }

    /// Whether others than its own function see it.
    private func isShared(_ declaration: Declaration) -> Bool {
        switch tree.blocks[declaration.block].owner {
        case .type, .file: declaration.body == nil
        case .function, .closure, .inner: false
        }
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

    /// In other sources of the module.
    func lookUpElsewhere(_ name: String, _ line: Int) -> Value {
        var found: [(Value, String)] = []
        if tree.importsFromBuild(name), let value = outerValue(["BuildConfig", name], line) { return value }
        let imports = importedNames
        for file in module.others(mentioning: name, than: tree.path, in: tree.language).prefix(200) {
            guard imports.contains(name) || sees(file.path) else { continue }
            let other = module.tree(of: file)
            let evaluator = within(other)
            var declarations = other.blocks.first?.declarations[name]?.filter { $0.kind == .value } ?? []
            if declarations.isEmpty, imports.contains(name) {
                declarations = other.blocks.flatMap { block -> [Declaration] in
                    guard case .type = block.owner else { return [] }
                    return block.declarations[name]?.filter { $0.kind == .value || $0.kind == .entry } ?? []
                }
            }
            for declaration in declarations {
                found.append((evaluator.value(of: declaration), "\(file.path):\(declaration.line)"))
            }
        }
        return single(found, name, line)
    }

    /// Whether the names of another source are seen without being imported one by one.
    func sees(_ path: String) -> Bool {
        switch tree.language {
        case .kotlin, .java: path.folder == tree.path.folder
        case .script: false
        case .swift, .objectiveC, .dart, .cSharp, .groovy: true
        }
    }

    /// One value, however often it is declared; unknown where there are several.
    func single(_ found: [(value: Value, place: String)], _ name: String, _ line: Int) -> Value {
        guard let first = found.first else { return unknown("'\(name)' is declared nowhere in what was read", line) }
        if found.allSatisfy({ $0.value == first.value }) { return first.value }
        // A header declares what another source gives a value.
        let known = found.filter { $0.value.firstUnknown == nil }
        if tree.language == .objectiveC, let value = known.first?.value, known.allSatisfy({ $0.value == value }) {
            return value
        }
        let places = found.map(\.place).prefix(3).joined(separator: " and ")
        return unknown("'\(name)' has more than one value: \(places)", line)
    }

    /// What is imported by name: the last words, and in scripts all of what stands in brackets.
    var importedNames: Set<String> {
        var names: Set<String> = []
        for (index, token) in tree.tokens.enumerated() where token.isName("import") {
            var last: String?
            for next in tree.tokens[(index + 1)...].prefix(24) where !next.isMark("*") {
                if next.isMark(";") || next.startsLine && tree.language != .script { break }
                if let name = next.name {
                    if name == "from" { break }
                    if tree.language == .script { names.insert(name) }
                    last = name
                }
            }
            if let last { names.insert(last) }
        }
        return names
    }
}

extension Expression {
    /// Whether it is a list or a table that can be filled.
    fileprivate var isFillable: Bool {
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

extension String {
    /// The path of what it lies in.
    fileprivate var folder: Substring { lastIndex(of: "/").map { self[..<$0] } ?? "" }
}

extension Expression.Kind {
    /// A case of an enum without a value of its own.
    fileprivate var isEmptyText: Bool {
        if case .text(let pieces) = self { pieces.isEmpty } else { false }
    }
}

extension SyntaxTree {
    /// Where another type of this source has a value of its own in the place of this one.
    fileprivate func override(of declaration: Declaration) -> Int? {
        guard let lines = overrides[declaration.name], case .type = blocks[declaration.block].owner else { return nil }
        return lines.contains(declaration.line) ? nil : lines.first
    }
}
