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
            if let value = overriddenSomewhere(name, in: current, line) { return value }
            if let value = overridden(name, in: current, line) ?? inherited(name, in: current, line) { return value }
            if let value = declared(name, in: current, line: line, before: token) {
                guard case .file = tree.blocks[current].owner, mayInherit(name) else { return value }
                return unknown("'\(name)' may be that of a super type", line)
            }
            place = tree.blocks[current].parent
        }
        if let text = module.definitions[name] { return .text(text) }
        if let value = imported(name) { return value }
        if name.first?.isUppercase ?? false, bodies(ofType: name, from: block).count == 1 { return .object(name, [:]) }
        return lookUpElsewhere(name, line, in: block)
    }

    /// Whether a type that others are made from has a member of this name: that counts before one of the whole file.
    private func mayInherit(_ name: String) -> Bool {
        tree.blocks.indices.contains { other in
            guard case .type(let type) = tree.blocks[other].owner,
                tree.blocks[other].declarations[name]?.contains(where: { $0.kind == .value }) ?? false
            else { return false }
            return tree.blocks.contains { block in
                block.declarations.values.joined().contains { $0.supers.contains(type) }
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
            if let key = choices.key(of: declaration.name) { return .text(key) }
            if let value = inner.given(declaration) ?? inner.handed(declaration) ?? inner.made(declaration)
                ?? inner.initialised(declaration)
            {
                return value
            }
            let function = function(around: declaration.block).map { " of \($0)()" } ?? ""
            // `const { host } = require('./pins.json')`, `const { host } = settings` in a function
            if tree.language == .script, declaration.value != nil {
                let reason = "'\(declaration.name)' is a part of what this source does not tell"
                return unknown(reason, declaration.line)
            }
            return unknown(
                "'\(declaration.name)' is a parameter\(function), whose value this source does not tell",
                declaration.line
            )
        case .entry: return inner.entry(declaration)
        case .type where declaration.value != nil: return declaration.value.map { inner.value(of: $0) } ?? .nothing
        case .type, .function: return unknown("'\(declaration.name)' is no value", declaration.line)
        case .value: break
        }
        if ownType == nil, let line = untoldOverride(of: declaration) {
            return unknown("'\(declaration.name)' is overridden on line \(line)", declaration.line)
        }
        if isDeciding, !declaration.isFixed, isShared(declaration) {
            return unknown("'\(declaration.name)' can be assigned to", declaration.line)
        }
        if let change = changes(of: declaration).first?.line {
            if let value = inner.assigned(declaration, before: token) { return whole(value, of: declaration) }
            return unknown("'\(declaration.name)' is changed on line \(change)", declaration.line)
        }
        if let body = declaration.body { return inner.result(of: body, line: declaration.line) }
        guard let value = declaration.value else {
            if let text = module.definitions[declaration.name] { return .text(text) }
            if let value = inner.made(declaration) { return value }
            return unknown("'\(declaration.name)' has no value where it is declared", declaration.line)
        }
        var first = inner.value(of: value)
        // `let environment: Environment = .live`
        if tree.language == .swift, case .made(let made) = first, made.path == ".\(made.name)", made.arguments.isEmpty,
            let type = declaration.typeName, let entry = inner.member(made.name, ofType: type, value)
        {
            first = entry
        }
        // A field that begins with nothing is there to be filled from outside.
        if !declaration.isFixed, isShared(declaration), first == .list([]) || first == .table([]) {
            return unknown("'\(declaration.name)' is empty where it is declared", declaration.line)
        }
        return whole(first, of: declaration)
    }

    func entry(_ declaration: Declaration) -> Value {
        // That of TypeScript is its value.
        if tree.language == .script, let value = declaration.value { return self.value(of: value) }
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
        if tree.language == .java || tree.language == .dart, let type = declaration.typeName,
            !declaration.arguments.isEmpty,
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
    func isShared(_ declaration: Declaration) -> Bool {
        switch tree.blocks[declaration.block].owner {
        case .type, .file: declaration.body == nil
        case .function, .closure, .inner: false
        }
    }

    /// In other sources of the module.
    ///
    /// - Parameter block: where it is used: a type of Swift may be declared there, and go on here.
    func lookUpElsewhere(_ name: String, _ line: Int, in block: Int? = nil) -> Value {
        if tree.buildImports.contains(name), let value = outerValue(["BuildConfig", name], line) { return value }
        let isImported = tree.importedNames.contains(name)
        var found: [(Value, String)] = []
        for other in module.declaring(name, for: tree, among: 200, where: isImported ? nil : sees) {
            let evaluator = within(other.tree)
            var own = other.inFile.filter { $0.kind == .value }
            if own.isEmpty, tree.language == .swift, let block {
                let types = tree.types(around: block)
                own = other.inTypes.filter { $0.kind == .value && types.contains(other.tree.blocks[$0.block].owner) }
                if let computed = own.first(where: \.isComputed) {
                    return unknown("'\(name)' is computed in \(other.tree.path):\(computed.line)", line)
                }
            }
            if own.isEmpty, isImported { own = other.inTypes.filter { $0.kind == .value || $0.kind == .entry } }
            for declaration in own {
                found.append((evaluator.value(of: declaration), "\(other.tree.path):\(declaration.line)"))
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
