/// What is asked of a value.
extension Evaluator {
    func method(
        _ name: String,
        of base: Expression,
        _ arguments: [Expression.Argument],
        _ expression: Expression
    ) -> Value {
        let line = expression.line
        if ["getOrDefault", "getOrElse"].contains(name), arguments.count == 1,
            case .call(let callee, let tried) = base.kind, callee.finalName == "runCatching",
            case .closure(let closure)? = tried.last?.value.kind
        {
            return attempted(closure, else: arguments[0].value, line)
        }
        let path = path(of: base)
        // Whichever context is asked.
        if ["getString", "getStringArray", "getText"].contains(name), arguments.count == 1,
            let resource = self.path(of: arguments[0].value), resource.contains("R")
        {
            return value(of: arguments[0].value)
        }
        if let path {
            // Whatever package it is named with.
            let own =
                ["java", "javax", "android", "kotlin", "okhttp3"].contains(path[0])
                ? Array(path.drop { $0.first?.isLowercase ?? false }) : path
            if own.isEmpty, Self.libraryNames.contains(name) { return libraryFunction(name, arguments, expression) }
            if let value = staticMethod(own.joined(separator: "."), name, arguments, line) { return value }
            if path == ["super"] {
                guard let type = superType(of: name, from: expression.block),
                    let function = type.declarations(of: name).first(where: { $0.kind == .function && $0.body != nil })
                else { return unknown("'super.\(name)()' is computed when the app runs", line) }
                return type.evaluator.run(function, self, arguments, receiver: nil, expression)
            }
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
            // `Pinning.On("host", pins)`, a type within another one.
            if tree.language == .kotlin, let type = path.last, type.first?.isUppercase ?? false,
                !bodies(ofType: type, from: expression.block).isEmpty,
                let value = construct(name, arguments, expression)
            {
                return value
            }
        }
        if name == "init", case .call(let callee, _) = base.kind, case .member(let type, "alloc") = callee.kind,
            case .name(let type) = type.kind
        {
            if type.hasSuffix("Dictionary") { return .table([]) }
            if type.hasSuffix("Array") || type.hasSuffix("Set") { return .list([]) }
        }
        let count = choices.taken.count
        let receiver = value(of: base)
        if let value = objectCall(receiver, name, arguments, expression) { return value }
        if let value = convert(receiver, name, arguments, line) { return value }
        if let value = ownCall(name, receiver: receiver, arguments, expression), receiver.firstUnknown == nil {
            return value
        }
        if case .unknown = receiver, choices.taken.count == count, let found = function(name, ofObject: base) {
            return found.evaluator.run(found.declaration, self, arguments, receiver: nil, expression)
        }
        if case .unknown(let unknown) = receiver,
            path.map({ $0.count == 1 && $0[0].first?.isLowercase ?? false }) ?? true
        {
            return .unknown(unknown)
        }
        let whole = (path ?? []).filter { !$0.isEmpty } + [name]
        return made(name, whole.joined(separator: "."), arguments, line)
    }

    /// A method of an object of a type of the app's own, in Java: a getter, or what makes something of its fields.
    private func objectCall(
        _ receiver: Value,
        _ name: String,
        _ arguments: [Expression.Argument],
        _ expression: Expression
    ) -> Value? {
        guard case .object(let type, let fields) = receiver, tree.language == .java || tree.language == .kotlin else {
            return nil
        }
        let found = functions(name, ofType: type, from: expression.block)
        guard found.count == 1,
            let parent = found[0].declaration.body.flatMap({ found[0].evaluator.tree.blocks[$0].parent })
        else {
            // That of a record.
            return found.isEmpty && arguments.isEmpty ? fields[name] : nil
        }
        var evaluator = found[0].evaluator
        evaluator.bindings[parent] = fields.merging(fields.map { ("this.\($0)", $1) }) { $1 }
        return evaluator.run(found[0].declaration, self, arguments, receiver: nil, expression)
    }

    func typeFunction(
        _ type: String,
        _ name: String,
        _ arguments: [Expression.Argument],
        _ expression: Expression
    ) -> Value? {
        let found = functions(name, ofType: type, from: expression.block)
        if ["values", "entries"].contains(name), found.isEmpty { return entries(ofType: type, expression) }
        guard found.count == 1 else { return nil }
        return found[0].evaluator.run(found[0].declaration, self, arguments, receiver: nil, expression)
    }

    /// The functions of a type by a name.
    func functions(_ name: String, ofType type: String, from block: Int) -> [(
        evaluator: Evaluator, declaration: Declaration
    )] {
        bodies(ofType: type, from: block).flatMap { evaluator, body in
            var blocks = [body]
            for declaration in evaluator.tree.blocks[body].declarations.values.joined()
            where declaration.typeName == "companion" {
                if let body = declaration.body { blocks.append(body) }
            }
            return blocks.flatMap { evaluator.tree.blocks[$0].declarations[name] ?? [] }
                .filter { $0.kind == .function && $0.body != nil }.map { (evaluator, $0) }
        }
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

    /// Methods of texts, lists and tables; `nil` for any other.
    func convert(_ value: Value, _ name: String, _ arguments: [Expression.Argument], _ line: Int) -> Value? {
        switch (value, name) {
        case (.list, "toTypedArray"), (.list, "toList"), (.list, "toArray"), (.list, "asList"),
            (.list, "toMutableList"),
            (.list, "toSet"), (.list, "stream"), (.list, "asSequence"), (.list, "filterNotNull"), (.list, "asIterable"),
            (.list, "ToArray"), (.list, "ToList"), (.list, "iterator"), (.list, "copy"), (.list, "toImmutableList"),
            (.table, "toMap"), (.table, "copy"), (.table, "toMutableMap"):
            return value
        // Of an iterator, that stands for the element of its round.
        case (.text, "next"), (.list, "next"), (.object, "next"): return arguments.isEmpty ? value : nil
        case (.text, "toString"), (.text, "orEmpty"), (.list, "orEmpty"), (.text, "toHttpUrl"), (.text, "toUri"),
            (.text, "toHttpUrlOrNull"), (.text, "ToString"), (.text, "decodeCertificatePem"):
            return value
        case (.text(let text), "toLowerCase"), (.text(let text), "lowercase"), (.text(let text), "lowercased"):
            return .text(text.lowercased())
        case (.text(let text), "trimIndent") where text.contains("\n") && arguments.isEmpty:
            return .text(Self.unindented(text))
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
        case (.text(let text), "startsWith"), (.text(let text), "StartsWith"), (.text(let text), "hasPrefix"),
            (.text(let text), "hasPrefix:"):
            guard let part = values(of: arguments).first?.text, arguments.count == 1 else { return nil }
            return .flag(text.hasPrefix(part))
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
            return element(of: value, at: self.value(of: arguments[0].value), line, arguments[0].value)
        case (.table(let entries), "entrySet"), (.table(let entries), "toList"):
            return .list(entries.map { .list([$0.key, $0.value]) })
        case (.table(let entries), "keySet"): return .list(entries.map(\.key))
        case (.table(let entries), "values"): return .list(entries.map(\.value))
        case (.list(let values), "plus"), (.list(let values), "concat"), (.list(let values), "union"):
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
        // Swift's is given the value, and Kotlin's the entry.
        case (.table(let entries), "mapValues") where tree.language == .swift:
            guard case .list(let found)? = mapped(entries.map(\.value), arguments, isFlat: false, line) else {
                return nil
            }
            return .table(zip(entries, found).map { .init(key: $0.key, value: $1, line: $0.line) })
        case (.list(let values), "reduce"), (.list(let values), "fold"): return reduced(values, arguments, line)
        case (.table(let entries), "reduce"):
            return reduced(entries.map { .list([$0.key, $0.value]) }, arguments, line)
        // What is made of a file that a bundle has.
        case (.made, "flatMap"), (.made, "map"): return value.assetNames.isEmpty ? nil : value
        case (.list(let values), "associateWith"), (.list(let values), "associate"), (.list(let values), "associateBy"):
            guard case .list(let made)? = mapped(values, arguments, isFlat: false, line) else { return nil }
            guard name != "associate" else { return table(made, line) }
            let pairs = zip(values, made).map { name == "associateBy" ? [$1, $0] : [$0, $1] }
            return table(pairs.map(Value.list), line)
        case (.table(let entries), "mapValues"), (.table(let entries), "mapKeys"):
            let pairs = entries.map { Value.list([$0.key, $0.value]) }
            guard case .list(let made)? = mapped(pairs, arguments, isFlat: false, line) else { return nil }
            return .table(
                zip(entries, made).map { entry, new in
                    let isKey = name == "mapKeys"
                    return .init(key: isKey ? new : entry.key, value: isKey ? entry.value : new, line: entry.line)
                }
            )
        case (.list(let values), "groupBy"):
            guard let key = arguments.first, case .list(let keys)? = mapped(values, [key], isFlat: false, line),
                case .list(let made)? = arguments.count == 1
                    ? .list(values) : mapped(values, [arguments[1]], isFlat: false, line)
            else { return nil }
            return .table(
                keys.uniqued.map { key in
                    let group = zip(keys, made).filter { $0.0 == key }.map(\.1)
                    return .init(key: key, value: .list(group), line: line)
                }
            )
        case (.list(let values), "zip"):
            guard arguments.count == 1, case .list(let others) = self.value(of: arguments[0].value) else { return nil }
            return .list(zip(values, others).map { .list([$0, $1]) })
        case (.object, let getter) where getter.hasPrefix("get") && arguments.isEmpty:
            guard case .object(_, let fields) = value else { return nil }
            let field = getter.dropFirst(3)
            return fields[field.prefix(1).lowercased() + field.dropFirst()]
        default: return compare(value, name, arguments, line) ?? reshape(value, name, arguments, line)
        }
    }

    func mapped(_ values: [Value], _ arguments: [Expression.Argument], isFlat: Bool, _ line: Int) -> Value? {
        guard arguments.count == 1, values.count <= Self.mostElements else { return nil }
        var found: [Value] = []
        for (index, value) in values.enumerated() {
            guard let result = applied(arguments[0].value, to: value, at: index) else { return nil }
            if isFlat, case .list(let more) = result { found += more } else { found.append(result) }
        }
        return found.count > Self.mostElements ? unknown("the list is too long", line) : .list(found)
    }

    /// What a closure, or a method by its name as `String::trim`, makes of an element; `nil` for anything else.
    func applied(_ function: Expression, to value: Value, at index: Int) -> Value? {
        switch function.kind {
        case .closure(let closure):
            var inner = self
            inner.bind(value, to: closure.parameters, at: index, in: closure.block)
            return inner.result(of: closure.block, line: function.line)
        case .member(let type, let name) where tree.language == .kotlin || tree.language == .java:
            guard case .name("String") = type.kind else { return nil }
            return convert(value, name, [], function.line)
        default: return nil
        }
    }

    /// In scripts the second name may be that of the element's number.
    mutating func bind(_ value: Value, to names: [String], at index: Int, in block: Int) {
        let isTaken = if case .list = value { true } else { false }
        guard tree.language == .script, names.count == 2, !isTaken else { return bind(value, to: names, in: block) }
        bindings[block] = [names[0]: value, names[1]: .number(index)]
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
        } else if case .object(let type, let fields) = value, tree.language == .kotlin,
            let parameters = types(named: type, from: block).first?.declaration.parameters,
            parameters.count >= names.count
        {
            // A data class has its fields in this order.
            for (name, parameter) in zip(names, parameters) { bound[name] = fields[parameter.name] }
        } else {
            for name in names { bound[name] = .unknown(value.firstUnknown ?? .init("'\(name)' is not known", line: 0)) }
        }
        bindings[block] = bound
    }
}
