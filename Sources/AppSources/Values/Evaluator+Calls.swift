extension Evaluator {
    func call(_ callee: Expression, _ arguments: [Expression.Argument], _ expression: Expression) -> Value {
        switch callee.kind {
        case .name(let name):
            if let value = ownCall(name, receiver: nil, arguments, expression) { return value }
            return libraryFunction(name, arguments, expression)
        case .member(let base, let name):
            return method(name, of: base, arguments, expression)
        case .closure(let closure) where arguments.isEmpty:
            return result(of: closure.block, line: expression.line)
        case .call:
            // A closure behind a call that has its brackets already.
            return unknown("'\(words(of: callee))' is computed when the app runs", expression.line)
        default: return unknown("'\(words(of: callee))' is computed when the app runs", expression.line)
        }
    }

    func values(of arguments: [Expression.Argument]) -> [Value] {
        arguments.flatMap { argument -> [Value] in
            let value = value(of: argument.value)
            guard argument.isSpread else { return [value] }
            if case .list(let values) = value { return values }
            return [.unknown(value.firstUnknown ?? .init("what is spread is no list", line: argument.value.line))]
        }
    }

    private func made(_ name: String, _ path: String, _ arguments: [Expression.Argument], _ line: Int) -> Value {
        .made(
            .init(
                name: name,
                path: path,
                arguments: arguments.map { .init(label: $0.label, value: value(of: $0.value)) },
                line: line
            )
        )
    }

    // MARK: Functions of the app's own

    /// `nil` where the app declares no such function or type.
    private func ownCall(
        _ name: String,
        receiver: Value?,
        _ arguments: [Expression.Argument],
        _ expression: Expression
    ) -> Value? {
        // A method of a value is none of the enclosing type's: it must be declared for such values.
        let found = functions(name, from: expression.block)
            .filter { receiver == nil || $0.declaration.receiver != nil }
        if found.count == 1 || found.count > 1 && found.allSatisfy({ $0.declaration.parameters.isEmpty }) {
            let (evaluator, declaration) = found[0]
            return evaluator.run(declaration, self, arguments, receiver: receiver, expression)
        }
        if found.count > 1 { return unknown("\(name)() is declared \(found.count) times", expression.line) }
        return receiver == nil ? construct(name, arguments, expression) : nil
    }

    /// The only function by a name in this source.
    func ownFunction(_ name: String, from block: Int) -> Declaration? {
        let found = tree.blocks.flatMap {
            $0.declarations[name]?.filter { $0.kind == .function && $0.body != nil } ?? []
        }
        return found.count == 1 ? found[0] : nil
    }

    private func functions(_ name: String, from block: Int) -> [(evaluator: Evaluator, declaration: Declaration)] {
        var place: Int? = block
        while let current = place {
            let own = tree.blocks[current].declarations[name]?.filter { $0.kind == .function && $0.body != nil } ?? []
            if !own.isEmpty { return own.map { (self, $0) } }
            for companion in tree.blocks[current].declarations.values.joined() where companion.typeName == "companion" {
                let own =
                    companion.body.flatMap { tree.blocks[$0].declarations[name] }?.filter { $0.kind == .function } ?? []
                if !own.isEmpty { return own.map { (self, $0) } }
            }
            place = tree.blocks[current].parent
        }
        guard name.count > 1, !Self.libraryNames.contains(name) else { return [] }
        return module.others(mentioning: name, than: tree.path, in: tree.language).prefix(50).flatMap { file in
            let other = module.tree(of: file)
            var evaluator = Evaluator(module, other, choices)
            evaluator.depth = depth
            return (other.blocks.first?.declarations[name] ?? []).filter { $0.kind == .function && $0.body != nil }
                .map { (evaluator, $0) }
        }
    }

    private func run(
        _ declaration: Declaration,
        _ caller: Evaluator,
        _ arguments: [Expression.Argument],
        receiver: Value?,
        _ expression: Expression
    ) -> Value {
        guard let body = declaration.body, depth < 16 else {
            return unknown("\(declaration.name)() leads too far", expression.line)
        }
        var inner = self
        inner.depth = depth + 1
        inner.bindings[body] = caller.bind(arguments, to: declaration.parameters, expression.line)
        if let receiver { inner.bindings[body]?["this"] = receiver }
        return inner.result(of: body, line: expression.line)
    }

    func bind(_ arguments: [Expression.Argument], to parameters: [Parameter], _ line: Int) -> [String: Value] {
        var bound: [String: Value] = [:]
        var rest = arguments[...]
        for parameter in parameters {
            if let index = rest.firstIndex(where: {
                $0.label != nil && ($0.label == parameter.name || $0.label == parameter.label)
            }) {
                bound[parameter.name] = value(of: rest[index].value)
                rest.remove(at: index)
                rest = ArraySlice(Array(rest))
            } else if parameter.isVariadic {
                bound[parameter.name] = .list(values(of: Array(rest.prefix { $0.label == nil })))
                rest = rest.drop { $0.label == nil }
            } else if let next = rest.first, next.label == nil || tree.language == .objectiveC {
                bound[parameter.name] = value(of: next.value)
                rest = rest.dropFirst()
            } else if let usual = parameter.usual {
                bound[parameter.name] = value(of: usual)
            } else {
                bound[parameter.name] = unknown("'\(parameter.name)' is not given on line \(line)", line)
            }
        }
        return bound
    }

    /// `HostPins("host", listOf(…))`: an object with the fields that its type declares in brackets.
    private func construct(_ name: String, _ arguments: [Expression.Argument], _ expression: Expression) -> Value? {
        guard name.first?.isUppercase ?? false else { return nil }
        let types = bodies(ofType: name, from: expression.block)
        guard types.count == 1, let type = types.first else { return nil }
        let declarations = type.evaluator.tree.blocks.flatMap { $0.declarations[name] ?? [] }
        guard let declaration = declarations.first(where: { $0.kind == .type && $0.body == type.body }) else {
            return nil
        }
        if !declaration.parameters.isEmpty {
            return .object(name, bind(arguments, to: declaration.parameters, expression.line))
        }
        // A struct of Swift is made with the names of its values.
        guard tree.language == .swift, arguments.allSatisfy({ $0.label != nil }),
            type.evaluator.tree.blocks[type.body].declarations["init"] == nil
        else { return nil }
        return .object(
            name,
            Dictionary(arguments.map { ($0.label ?? "", value(of: $0.value)) }) { $1 }
        )
    }

    /// What a body returns.
    func result(of block: Int, line: Int) -> Value {
        if let value = returned(by: block) { return value }
        return unknown("what is returned is computed when the app runs", line)
    }

    /// `nil` where the block is left without a value.
    private func returned(by block: Int) -> Value? {
        guard depth < 20 else { return unknown("its value leads too far", 0) }
        var inner = self
        inner.depth += 1
        let statements = tree.blocks[block].statements
        for (index, statement) in statements.enumerated() {
            switch statement.kind {
            case .returning(let value): return value.map { inner.value(of: $0) } ?? .nothing
            case .expression(let value) where index == statements.count - 1 && implicitReturn(block):
                return inner.value(of: value)
            case .branches(let branches, let isExhaustive):
                let isLast = index == statements.count - 1
                if let branch = branches.first(where: { inner.mentionsBinding($0.condition) }) {
                    return unknown("'\(branch.condition)' is decided for each element or call", statement.line)
                }
                guard branches.contains(where: { inner.returns($0.block) }) || isLast else { continue }
                if let chosen = inner.choose(branches, isExhaustive), let value = inner.returned(by: chosen) {
                    return value
                }
            case .block(let body):
                if inner.returns(body), let value = inner.returned(by: body) { return value }
            case .loop(_, _, let body), .count(_, _, let body), .repeated(let body):
                if inner.returns(body) {
                    return unknown("what is returned is decided in a loop or a guard", statement.line)
                }
            case .declaration, .expression, .assignment: continue
            }
        }
        return nil
    }

    private func implicitReturn(_ block: Int) -> Bool {
        switch tree.language {
        case .kotlin, .swift, .groovy: true
        case .script, .dart, .java, .cSharp, .objectiveC:
            tree.blocks[block].owner == .closure && tree.blocks[block].statements.count == 1
        }
    }

    private func returns(_ block: Int) -> Bool {
        tree.blocks[block].statements.contains { statement in
            switch statement.kind {
            case .returning: true
            case .branches(let branches, _): branches.contains { returns($0.block) }
            case .block(let body), .loop(_, _, let body), .count(_, _, let body), .repeated(let body): returns(body)
            case .declaration, .expression, .assignment: false
            }
        }
    }

    /// The branch that is taken; `nil` where none is.
    func choose(_ branches: [Statement.Branch], _ isExhaustive: Bool) -> Int? {
        for (index, branch) in branches.enumerated() {
            if index == branches.count - 1, isExhaustive || branch.condition.isEmpty { return branch.block }
            if branch.condition.hasSuffix(": else") || branch.condition.hasSuffix(": default") { continue }
            if choices.holds(branch.condition) { return branch.block }
        }
        return branches.first { $0.condition.hasSuffix(": else") || $0.condition.hasSuffix(": default") }?.block
    }

    // MARK: Functions of libraries

    private static let lists: Set<String> = [
        "listOf", "arrayOf", "setOf", "mutableListOf", "arrayListOf", "mutableSetOf", "hashSetOf", "linkedSetOf",
        "listOfNotNull", "NSArray", "immutableListOf", "persistentListOf",
    ]
    private static let tables: Set<String> = ["mapOf", "mutableMapOf", "hashMapOf", "linkedMapOf", "sortedMapOf"]
    private static let copies: Set<String> = [
        "Set", "Array", "ArrayList", "HashSet", "List", "LinkedHashSet", "NSSet", "String", "Uri", "URI", "URL",
        "NSURL", "URLComponents", "Map", "HashMap", "LinkedHashMap", "TreeMap", "requireNotNull", "checkNotNull",
        "NSString",
    ]
    static let libraryNames: Set<String> = lists.union(tables).union(copies).union([
        "listOf", "emptyList", "emptyMap", "emptySet", "getString", "stringResource", "Pair", "require", "add", "build",
        "String", "format",
    ])

    private func libraryFunction(_ name: String, _ arguments: [Expression.Argument], _ expression: Expression) -> Value
    {
        let line = expression.line
        if Self.lists.contains(name) { return .list(values(of: arguments)) }
        if name == "emptyList" || name == "emptySet" || name == "emptyArray" { return .list([]) }
        if name == "emptyMap" { return .table([]) }
        if name == "Pair" || name == "Triple" { return .list(values(of: arguments)) }
        if Self.tables.contains(name) { return table(values(of: arguments), line) }
        if name == "String", let format = arguments.first, format.label == "format" {
            return formatted(values(of: arguments), line)
        }
        if Self.copies.contains(name) {
            if arguments.isEmpty {
                return ["Map", "HashMap", "LinkedHashMap", "TreeMap"].contains(name) ? .table([]) : .list([])
            }
            if arguments.count == 1
                || arguments.dropFirst().allSatisfy({ $0.label == "encoding" || $0.label == "relativeTo" })
            {
                let value = value(of: arguments[0].value)
                if case .number = value, name.hasSuffix("List") || name.hasSuffix("Map") || name.hasSuffix("Set") {
                    return .list([])
                }
                return value
            }
        }
        if name == "getString" || name == "stringResource" || name == "getStringArray", arguments.count == 1 {
            return value(of: arguments[0].value)
        }
        if name == "require", arguments.count == 1 { return made(name, name, arguments, line) }
        return made(name, name, arguments, line)
    }

    private func table(_ pairs: [Value], _ line: Int) -> Value {
        var entries: [Value.Entry] = []
        for pair in pairs {
            guard case .list(let parts) = pair, parts.count == 2 else {
                return .unknown(pair.firstUnknown ?? .init("the map is not understood", line: line))
            }
            entries.append(.init(key: parts[0], value: parts[1], line: line))
        }
        return .table(entries)
    }

    /// `%s`, `%@`, `%1$s` and `{0}`, each by an argument.
    func formatted(_ values: [Value], _ line: Int) -> Value {
        if let unknown = values.lazy.compactMap(\.firstUnknown).first { return .unknown(unknown) }
        guard let format = values.first?.text else { return unknown("the format is no text", line) }
        var parts: [String] = []
        for value in values.dropFirst() {
            switch value {
            case .text(let text): parts.append(text)
            case .number(let number): parts.append("\(number)")
            default: return unknown("what is formatted is no text", line)
            }
        }
        var text = ""
        var rest = format[...]
        var next = 0
        while let percent = rest.firstIndex(of: "%") {
            text += rest[..<percent]
            rest = rest[rest.index(after: percent)...]
            if rest.first == "%" {
                text += "%"
                rest = rest.dropFirst()
                continue
            }
            let digits = rest.prefix(while: \.isNumber)
            var index = next
            if !digits.isEmpty, rest.dropFirst(digits.count).first == "$", let position = Int(digits) {
                index = position - 1
                rest = rest.dropFirst(digits.count + 1)
            } else {
                next += 1
            }
            guard let kind = rest.first, "s@d".contains(kind), parts.indices.contains(index) else {
                return unknown("the format '\(format)' is not understood", line)
            }
            text += parts[index]
            rest = rest.dropFirst()
        }
        return .text(text + rest)
    }

    private func method(
        _ name: String,
        of base: Expression,
        _ arguments: [Expression.Argument],
        _ expression: Expression
    ) -> Value {
        let line = expression.line
        let path = path(of: base)
        // Whichever context is asked.
        if ["getString", "getStringArray", "getText"].contains(name), arguments.count == 1,
            let resource = self.path(of: arguments[0].value), resource.contains("R")
        {
            return value(of: arguments[0].value)
        }
        if let path {
            if let value = staticMethod(path.joined(separator: "."), name, arguments, line) { return value }
            if ["this", "self", "Self", "super"].contains(path[0]), path.count == 1,
                let value = ownCall(name, receiver: nil, arguments, expression)
            {
                return value
            }
            // A function of a type of the app's own, which needs no object.
            if let type = path.last, type.first?.isUppercase ?? false,
                let value = typeFunction(type, name, arguments, expression)
            {
                return value
            }
        }
        let receiver = value(of: base)
        if let value = convert(receiver, name, arguments, line) { return value }
        if let value = ownCall(name, receiver: receiver, arguments, expression), receiver.firstUnknown == nil {
            return value
        }
        if case .unknown(let unknown) = receiver,
            path.map({ $0.count == 1 && $0[0].first?.isLowercase ?? false }) ?? true
        {
            return .unknown(unknown)
        }
        let whole = (path ?? []).filter { !$0.isEmpty } + [name]
        return made(name, whole.joined(separator: "."), arguments, line)
    }

    private func typeFunction(
        _ type: String,
        _ name: String,
        _ arguments: [Expression.Argument],
        _ expression: Expression
    ) -> Value? {
        let found = bodies(ofType: type, from: expression.block).flatMap {
            evaluator,
            body -> [(Evaluator, Declaration)] in
            var blocks = [body]
            for declaration in evaluator.tree.blocks[body].declarations.values.joined()
            where declaration.typeName == "companion" {
                if let body = declaration.body { blocks.append(body) }
            }
            return blocks.flatMap { evaluator.tree.blocks[$0].declarations[name] ?? [] }
                .filter { $0.kind == .function && $0.body != nil }.map { (evaluator, $0) }
        }
        if ["values", "entries"].contains(name), found.isEmpty { return entries(ofType: type, expression) }
        guard found.count == 1 else { return nil }
        return found[0].0.run(found[0].1, self, arguments, receiver: nil, expression)
    }

    /// All cases of an enum.
    func entries(ofType type: String, _ expression: Expression) -> Value? {
        let found = bodies(ofType: type, from: expression.block)
        guard found.count == 1, let (evaluator, body) = found.first else { return nil }
        let block = evaluator.tree.blocks[body]
        guard !block.entries.isEmpty else { return nil }
        return .list(
            block.entries.compactMap { name in block.declarations[name]?.first.map { evaluator.value(of: $0) } }
        )
    }

    /// Functions that need no object.
    private func staticMethod(_ path: String, _ name: String, _ arguments: [Expression.Argument], _ line: Int) -> Value?
    {
        switch "\(path).\(name)" {
        case "Arrays.asList", "List.of", "Set.of", "Stream.of", "Arrays.stream", "Collections.singletonList",
            "Collections.singleton", "ImmutableList.of", "ImmutableSet.of", "Collections.unmodifiableList",
            "Collections.unmodifiableSet":
            let values = values(of: arguments)
            if values.count == 1, case .list = values[0] { return values[0] }
            return .list(values)
        case "Collections.emptyList": return .list([])
        case "Map.of", "ImmutableMap.of":
            let values = values(of: arguments)
            guard values.count.isMultiple(of: 2) else { return unknown("the map is not understood", line) }
            return .table(
                stride(from: 0, to: values.count, by: 2).map {
                    .init(key: values[$0], value: values[$0 + 1], line: line)
                }
            )
        case "Map.entry", "Pair.create": return .list(values(of: arguments))
        case "Collections.singletonMap":
            let values = values(of: arguments)
            return values.count == 2 ? .table([.init(key: values[0], value: values[1], line: line)]) : nil
        case "String.format", "NSString.stringWithFormat:", "string.Format":
            return formatted(values(of: arguments), line)
        case "String.join": return nil
        case "System.getenv", "Platform.environment", "Environment.GetEnvironmentVariable":
            guard let variable = arguments.first.flatMap({ value(of: $0.value).text }) else { return nil }
            return module.definitions[variable].map(Value.text)
                ?? unknown(
                    "'\(variable)' is a variable of the environment: give it with --define \(variable)=VALUE",
                    line
                )
        case "String.fromEnvironment":
            guard let variable = arguments.first.flatMap({ value(of: $0.value).text }) else { return nil }
            return module.definitions[variable].map(Value.text)
                ?? unknown("'\(variable)' is set when the app is built: give it with --define \(variable)=VALUE", line)
        case "NSArray.arrayWithObjects:": return .list(values(of: arguments).filter { $0 != .nothing })
        case "NSArray.arrayWithObject:", "NSSet.setWithObject:", "NSSet.setWithArray:", "NSArray.arrayWithArray:",
            "NSDictionary.dictionaryWithDictionary:", "NSString.stringWithString:", "NSNumber.numberWithBool:",
            "NSURL.URLWithString:":
            let values = values(of: arguments)
            guard let first = values.first else { return nil }
            return "\(path).\(name)".hasSuffix("WithObject:") ? .list([first]) : first
        case "NSSet.setWithObjects:": return .list(values(of: arguments).filter { $0 != .nothing })
        case "NSDictionary.dictionaryWithObjectsAndKeys:":
            let values = values(of: arguments).filter { $0 != .nothing }
            guard values.count.isMultiple(of: 2) else { return unknown("the dictionary is not understood", line) }
            return .table(
                stride(from: 0, to: values.count, by: 2).map {
                    .init(key: values[$0 + 1], value: values[$0], line: line)
                }
            )
        case "Uri.parse", "URI.create", "URL.parse", "HttpUrl.get", "HttpUrl.parse", "Objects.requireNonNull",
            "Uri.tryParse",
            "Array.from", "Object.freeze", "List.from", "Set.from", "Map.from", "List.unmodifiable":
            return arguments.first.map { value(of: $0.value) }
        case "Object.entries":
            guard let first = arguments.first, case .table(let entries) = value(of: first.value) else { return nil }
            return .list(entries.map { .list([$0.key, $0.value]) })
        case "Object.keys":
            guard let first = arguments.first, case .table(let entries) = value(of: first.value) else { return nil }
            return .list(entries.map(\.key))
        default: return nil
        }
    }

    /// Methods of texts, lists and tables; `nil` for any other.
    private func convert(_ value: Value, _ name: String, _ arguments: [Expression.Argument], _ line: Int) -> Value? {
        switch (value, name) {
        case (.list, "toTypedArray"), (.list, "toList"), (.list, "toArray"), (.list, "asList"),
            (.list, "toMutableList"),
            (.list, "toSet"), (.list, "stream"), (.list, "asSequence"), (.list, "filterNotNull"), (.list, "asIterable"),
            (.list, "ToArray"), (.list, "ToList"), (.list, "iterator"), (.list, "copy"), (.list, "toImmutableList"),
            (.table, "toMap"), (.table, "copy"), (.table, "toMutableMap"):
            return value
        case (.text, "toString"), (.text, "orEmpty"), (.list, "orEmpty"), (.text, "toHttpUrl"), (.text, "toUri"),
            (.text, "toHttpUrlOrNull"), (.text, "ToString"):
            return value
        case (.text(let text), "toLowerCase"), (.text(let text), "lowercase"), (.text(let text), "lowercased"):
            return .text(text.lowercased())
        case (.text(let text), "trim"), (.text(let text), "trimIndent"), (.text(let text), "strip"),
            (.text(let text), "Trim"):
            guard arguments.isEmpty, !text.contains("\n") || name == "trim" else { return nil }
            let start = text.drop(while: \.isWhitespace)
            return .text(String(String(start.reversed()).drop(while: \.isWhitespace).reversed()))
        case (.text(let text), "concat"):
            guard arguments.count == 1 else { return nil }
            switch self.value(of: arguments[0].value) {
            case .text(let other): return .text(text + other)
            case let other: return .unknown(other.firstUnknown ?? .init("what is added is no text", line: line))
            }
        case (.text, "format"): return formatted([value] + values(of: arguments), line)
        case (.text(let text), "getHost"), (.text(let text), "host"):
            return host(of: text) ?? unknown("'\(text)' is no URL", line)
        case (.text(let text), "removePrefix"), (.text(let text), "removeSuffix"):
            guard let part = values(of: arguments).first?.text else { return nil }
            if name == "removePrefix" { return .text(text.hasPrefix(part) ? String(text.dropFirst(part.count)) : text) }
            return .text(text.hasSuffix(part) ? String(text.dropLast(part.count)) : text)
        case (.text(let text), "split"), (.text(let text), "Split"):
            guard let part = values(of: arguments).first?.text, part.count == 1, arguments.count == 1 else {
                return nil
            }
            return .list(
                text.split(separator: Character(part), omittingEmptySubsequences: false).map { .text(String($0)) }
            )
        case (.text(let text), "stringByAppendingString:"):
            guard let part = values(of: arguments).first?.text else { return nil }
            return .text(text + part)
        case (.list(let values), "size"), (.list(let values), "count"):
            return arguments.isEmpty ? .number(values.count) : nil
        case (.list(let values), "get"), (.list(let values), "objectAtIndex:"), (.list(let values), "elementAt"):
            guard arguments.count == 1 else { return nil }
            return element(of: .list(values), at: self.value(of: arguments[0].value), line)
        case (.list(let values), "first"), (.list(let values), "getKey"): return arguments.isEmpty ? values.first : nil
        case (.list(let values), "last"), (.list(let values), "getValue"): return arguments.isEmpty ? values.last : nil
        case (.table, "get"), (.table, "getValue"), (.table, "objectForKey:"):
            guard arguments.count == 1 else { return nil }
            return element(of: value, at: self.value(of: arguments[0].value), line)
        case (.table(let entries), "entrySet"), (.table(let entries), "toList"):
            return .list(entries.map { .list([$0.key, $0.value]) })
        case (.table(let entries), "keySet"): return .list(entries.map(\.key))
        case (.table(let entries), "values"): return .list(entries.map(\.value))
        case (.list(let values), "plus"), (.list(let values), "concat"):
            guard arguments.count == 1 else { return nil }
            switch self.value(of: arguments[0].value) {
            case .list(let more): return .list(values + more)
            case .unknown(let unknown): return .unknown(unknown)
            case let single: return .list(values + [single])
            }
        case (.list(let values), "map"), (.list(let values), "flatMap"), (.list(let values), "compactMap"),
            (.list(let values), "Select"):
            return mapped(values, arguments, isFlat: name == "flatMap", line)
        case (.table(let entries), "map"), (.table(let entries), "flatMap"):
            return mapped(entries.map { .list([$0.key, $0.value]) }, arguments, isFlat: name == "flatMap", line)
        case (.object, let getter) where getter.hasPrefix("get") && arguments.isEmpty:
            guard case .object(_, let fields) = value else { return nil }
            let field = getter.dropFirst(3)
            return fields[field.prefix(1).lowercased() + field.dropFirst()]
        default: return nil
        }
    }

    private func mapped(_ values: [Value], _ arguments: [Expression.Argument], isFlat: Bool, _ line: Int) -> Value? {
        guard arguments.count == 1, values.count <= Self.mostElements,
            case .closure(let closure) = arguments[0].value.kind
        else {
            return nil
        }
        var found: [Value] = []
        for value in values {
            var inner = self
            inner.bind(value, to: closure.parameters, in: closure.block)
            let result = inner.result(of: closure.block, line: line)
            if isFlat, case .list(let more) = result { found += more } else { found.append(result) }
        }
        return found.count > Self.mostElements ? unknown("the list is too long", line) : .list(found)
    }

    /// One name stands for the value; several take it apart.
    mutating func bind(_ value: Value, to names: [String], in block: Int) {
        var bound: [String: Value] = [:]
        if names.count <= 1 || names == ["$0", "$1"] {
            let name = names.first ?? "it"
            bound[name] = value
            if names == ["$0", "$1"], case .list(let parts) = value, parts.count == 2 {
                // `$0` is the first of two where both are used.
                bound["$0.0"] = parts[0]
            }
        } else if case .list(let parts) = value {
            for (index, name) in names.enumerated() {
                bound[name] = parts.indices.contains(index) ? parts[index] : unknown("'\(name)' is not known", 0)
            }
        } else {
            for name in names { bound[name] = .unknown(value.firstUnknown ?? .init("'\(name)' is not known", line: 0)) }
        }
        bindings[block] = bound
    }
}
