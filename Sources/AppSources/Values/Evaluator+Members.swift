extension Evaluator {
    /// The names of `a.b.c`, the outermost first; `nil` where it begins with something else.
    func path(of expression: Expression) -> [String]? {
        switch expression.kind {
        case .name(let name): return [name]
        case .member(let base, let name): return path(of: base).map { $0 + [name] }
        default: return nil
        }
    }

    func member(_ expression: Expression) -> Value {
        guard case .member(let base, let name) = expression.kind else { return value(of: expression) }
        // Swift's `.case`, whose type the place tells.
        if case .name("") = base.kind {
            return .made(.init(name: name, path: ".\(name)", arguments: [], line: expression.line))
        }
        if let path = path(of: expression) {
            if let value = outerValue(path, expression.line, expression) { return value }
            if ["this", "self", "Self", "super"].contains(path[0]), path.count == 2 {
                if path[0] == "super", let type = superType(of: name, from: expression.block) {
                    return type.value(of: name, expression.line) ?? unknown("'\(name)' is no value", expression.line)
                }
                return ownMember(name, expression)
            }
            if let value = typeMember(path, expression) { return value }
            if ["Bundle.main", "Bundle.module"].contains(path.joined(separator: ".")) {
                return .made(.init(name: name, path: path.joined(separator: "."), arguments: [], line: expression.line))
            }
        }
        let count = choices.taken.count
        let result = property(name, of: value(of: base), expression)
        if case .unknown = result, choices.taken.count == count, let value = member(name, ofObject: base, expression) {
            return value
        }
        return result
    }

    /// What the build or the machine gives: known by `--define` alone, or by Gradle's file.
    func outerValue(_ path: [String], _ line: Int, _ expression: Expression? = nil) -> Value? {
        let whole = path.joined(separator: ".")
        if let text = module.definitions[whole] { return .text(text) }
        guard let name = path.last, path.count > 1 else { return nil }
        let owner = path[path.count - 2]
        let isOfBuild = path[0] == SourceModule.buildVariables
        let shown = isOfBuild ? "$(\(name))" : whole
        func named(_ what: String) -> Value {
            module.definitions[name].map(Value.text)
                ?? unknown("'\(shown)' is \(what): give it with --define \(name)=VALUE", line)
        }
        if path.contains("BuildConfig") || owner == "BuildKonfig" {
            if let text = module.definitions[name] { return .text(text) }
            if let values = module.buildFields[name], values.count == 1 { return buildValue(values[0], line) }
            if let value = variantValue(name, line) { return value }
            // What the build wrote may lie among the sources.
            if let expression, let value = member(name, ofType: owner, expression) { return value }
            let count = module.buildFields[name]?.count ?? 0
            return named("set when the app is built" + (count > 1 ? ", to one of \(count) values" : ""))
        }
        if owner == "env", path.count > 2 || tree.language == .script && !isOfApp(path[0], expression) {
            return named(isOfBuild ? "set when the app is built" : "a variable of the environment")
        }
        if path.count >= 3, path[path.count - 3] == "R" { return resource(name, kind: owner, line) }
        return nil
    }

    /// Whether the app gives a name its value.
    private func isOfApp(_ name: String, _ expression: Expression?) -> Bool {
        guard let expression else { return false }
        return isLocal(name, expression.block) || imported(name) != nil
    }

    /// Of a field with a value for each build type, or for each flavour.
    private func variantValue(_ name: String, _ line: Int) -> Value? {
        guard let field = module.variants.fields[name], let options = module.variants.names[field.dimension],
            1...8 ~= options.count
        else { return nil }
        let chosen = choices.choose(field.dimension, options.map { "\(field.dimension) \($0)" })
        // A condition of a field's is one of the build types that set it so.
        for (other, field) in module.variants.fields {
            guard let holds = choices.known("BuildConfig.\(other)") else { continue }
            if let given = field.values[options[chosen]] ?? field.usual, given == "\(!holds)" {
                choices.isImpossible = true
            }
        }
        if let isDebug = choices.known("BuildConfig.DEBUG"), ["debug", "release"].contains(options[chosen]),
            isDebug != (options[chosen] == "debug")
        {
            choices.isImpossible = true
        }
        return (field.values[options[chosen]] ?? field.usual).map { buildValue($0, line) }
    }

    /// The text of a field as Gradle's file gives it, which is Java's.
    private func buildValue(_ text: String, _ line: Int) -> Value {
        let isArray = text.drop(while: \.isWhitespace).hasPrefix("{")
        let tokens = Lexer.tokens(of: isArray ? "new String[] \(text)" : text, in: .java)
        let tree = Parser.parse(
            tokens + [Token(kind: .mark(";"), line: line, startsLine: false)],
            path: "",
            language: .java
        )
        guard case .expression(let value)? = tree.blocks[0].statements.first?.kind else {
            return unknown("the value of the field is not understood", line)
        }
        return Evaluator(SourceModule([]), tree, choices).value(of: value)
    }

    func resource(_ name: String, kind: String, _ line: Int) -> Value {
        guard kind == "string" || kind == "array" else {
            return .made(
                .init(name: kind, path: "R.\(kind).\(name)", arguments: [.init(value: .text(name))], line: line)
            )
        }
        if let text = module.definitions[name] { return .text(text) }
        let values = module.strings["\(kind)/\(name)"] ?? []
        if values.count == 1 {
            guard kind == "array" else { return .text(values[0]) }
            return .list(values[0].split(separator: "\n").map { .text(String($0)) })
        }
        let what = values.isEmpty ? "in no resource that was found" : "given \(values.count) values by resources"
        return unknown("'R.\(kind).\(name)' is \(what)", line)
    }

    private func ownMember(_ name: String, _ expression: Expression) -> Value {
        var place: Int? = expression.block
        while let current = place {
            if let value = bindings[current]?["this.\(name)"] { return value }
            if case .type = tree.blocks[current].owner {
                return lookUp(name, block: current, line: expression.line, before: expression.token)
            }
            place = tree.blocks[current].parent
        }
        return lookUp(name, block: 0, line: expression.line)
    }

    /// `Pins.HOST`, `Config.Pins.HOST`, `Pins.Companion.HOST`.
    private func typeMember(_ path: [String], _ expression: Expression) -> Value? {
        guard path.count > 1, path[0].first?.isUppercase ?? false || path.count > 2 else { return nil }
        // A value by that name goes first.
        if isLocal(path[0], expression.block) { return nil }
        var owners = path.dropLast().filter { $0 != "Companion" }
        guard let owner = owners.popLast(), owner.first?.isUppercase ?? false else { return nil }
        if ["entries", "allCases"].contains(path[path.count - 1]), let all = entries(ofType: owner, expression) {
            return all
        }
        return member(path[path.count - 1], ofType: owner, expression)
    }

    private func isLocal(_ name: String, _ block: Int) -> Bool {
        var place: Int? = block
        while let current = place {
            if bindings[current]?[name] != nil { return true }
            if tree.blocks[current].declarations[name]?.contains(where: { $0.kind == .value || $0.kind == .parameter })
                ?? false
            {
                return true
            }
            place = tree.blocks[current].parent
        }
        return false
    }

    func property(_ name: String, of base: Value, _ expression: Expression) -> Value {
        switch (base, name) {
        case (.made(let made), _) where made.name == "require" && tree.language == .script:
            let value = made.arguments.first?.value.text.flatMap { exported(name, by: $0) }
            return value ?? unknown("'\(expression.words)' is declared nowhere in what was read", expression.line)
        case (.object(let type, let fields), _):
            if let change = tree.changes[name]?.first(where: { $0.isMember && !$0.isOwn }) {
                return unknown("'\(name)' of '\(expression.words)' is changed on line \(change.line)", expression.line)
            }
            return fields[name] ?? computed(name, of: base, type, expression)
                ?? (fields.isEmpty || tree.language == .dart ? member(name, ofType: type, expression) : nil)
                ?? unknown("'\(name)' of '\(expression.words)' is not known", expression.line)
        // An object's own fields: `keys` is one as any other.
        case (.table, _) where tree.language == .script: return element(of: base, at: .text(name), expression.line)
        case (.table(let entries), "entries"), (.table(let entries), "entrySet"):
            return .list(entries.map { .list([$0.key, $0.value]) })
        case (.table(let entries), "keys"): return .list(entries.map(\.key))
        case (.table(let entries), "values"), (.table(let entries), "allValues"): return .list(entries.map(\.value))
        case (.table(let entries), "allKeys"): return .list(entries.map(\.key))
        case (.list(let values), "size"), (.list(let values), "length"), (.list(let values), "count"),
            (.list(let values), "Length"), (.list(let values), "Count"):
            return .number(values.count)
        case (.table(let entries), "count"), (.table(let entries), "Count"), (.table(let entries), "size"):
            return .number(entries.count)
        case (.list(let values), "indices"): return .list(values.indices.map(Value.number))
        case (.list(let values), "key"), (.list(let values), "first"):
            return values.first ?? unknown("the list is empty", expression.line)
        // What a map is taken apart into, in loops.
        case (.list(let values), "value"), (.list(let values), "second"), (.list(let values), "last"):
            return values.last ?? unknown("the list is empty", expression.line)
        case (.text(let text), "host"), (.text(let text), "Host"), (.text(let text), "hostname"):
            return host(of: text) ?? unknown("'\(text)' is no URL", expression.line)
        case (.text(let text), "origin"):
            guard let host = host(of: text)?.text, let scheme = text.firstRange(of: "://") else {
                return unknown("'\(text)' is no URL", expression.line)
            }
            return .text(text[..<scheme.upperBound] + host)
        case (.text, "rawValue"), (.text, "value"): return base
        case (_, "isEmpty"), (_, "isNotEmpty"): return emptiness(of: base, name, expression.line)
        case (.unknown(let unknown), _): return .unknown(unknown)
        case (.made(let made), _):
            if made.path == made.name, let value = member(name, ofType: made.name, expression) { return value }
            return .made(
                .init(name: name, path: "\(made.path).\(name)", arguments: made.arguments, line: expression.line)
            )
        default: return unknown("'\(expression.words)' is not understood", expression.line)
        }
    }

    /// What a value's type computes of it: `var pins: [String] { switch self {…} }`.
    private func computed(_ name: String, of object: Value, _ type: String, _ expression: Expression) -> Value? {
        guard tree.language == .swift, case .object(_, let fields) = object else { return nil }
        let found = bodies(ofType: type, from: expression.block).flatMap { evaluator, body in
            (evaluator.tree.blocks[body].declarations[name] ?? []).filter { $0.kind == .value && $0.body != nil }
                .map { (evaluator: evaluator, body: body, declaration: $0) }
        }
        guard found.count == 1, var inner = found.first?.evaluator, let body = found.first?.body,
            let declaration = found.first?.declaration
        else { return nil }
        inner.depth = depth + 1
        inner.bindings[body] = fields.merging(["self": object]) { $1 }
        return inner.value(of: declaration)
    }

    /// A text as far as it is known. A path begins behind the host, with the slash of its own.
    func beginning(_ text: String, before rest: Expression) -> String {
        let name = rest.finalName?.lowercased() ?? ""
        guard ["path", "endpoint", "route", "resource", "query"].contains(where: name.hasSuffix),
            let scheme = text.firstRange(of: "://"), PinText.isHost(String(text[scheme.upperBound...]))
        else { return text + Self.cut }
        return "\(text)/\(Self.cut)"
    }

    func host(of text: String) -> Value? {
        guard let scheme = text.firstRange(of: "://") else { return nil }
        let rest = text[scheme.upperBound...].prefix { !"/?#".contains($0) }
        let host = rest.split(separator: "@").last?.prefix { $0 != ":" } ?? ""
        return host.isEmpty || host.contains(Self.cut) ? nil : .text(String(host))
    }
}
