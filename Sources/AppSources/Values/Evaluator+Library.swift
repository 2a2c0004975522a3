/// Functions of libraries, and those that need no object.
extension Evaluator {
    static let lists: Set<String> = [
        "listOf", "arrayOf", "setOf", "mutableListOf", "arrayListOf", "mutableSetOf", "hashSetOf", "linkedSetOf",
        "listOfNotNull", "NSArray", "immutableListOf", "persistentListOf",
    ]
    static let tables: Set<String> = ["mapOf", "mutableMapOf", "hashMapOf", "linkedMapOf", "sortedMapOf"]
    static let copies: Set<String> = [
        "Set", "Array", "ArrayList", "HashSet", "List", "LinkedHashSet", "NSSet", "String", "Uri", "URI", "URL",
        "NSURL", "URLComponents", "Map", "HashMap", "LinkedHashMap", "TreeMap", "requireNotNull", "checkNotNull",
        "NSString",
    ]
    static let libraryNames: Set<String> = lists.union(tables).union(copies).union([
        "listOf", "emptyList", "emptyMap", "emptySet", "getString", "stringResource", "Pair", "require", "add", "build",
        "String", "format",
    ])

    func libraryFunction(_ name: String, _ arguments: [Expression.Argument], _ expression: Expression) -> Value {
        let line = expression.line
        if name == "listOfNotNull" { return .list(values(of: arguments).filter { $0 != .nothing }) }
        if Self.lists.contains(name) { return .list(values(of: arguments)) }
        if name == "emptyList" || name == "emptySet" || name == "emptyArray" { return .list([]) }
        if name == "emptyMap" { return .table([]) }
        if ["buildMap", "buildList", "buildSet"].contains(name),
            case .closure(let closure)? = arguments.last?.value.kind
        {
            return filled(name == "buildMap" ? .table([]) : .list([]), by: closure, line)
        }
        if name == "StringBuilder" || name == "StringBuffer", arguments.count < 2 {
            guard let first = arguments.first.map({ value(of: $0.value) }) else { return .text("") }
            // How much it may hold.
            if case .number = first { return .text("") }
            return first
        }
        if name == "buildString", case .closure(let closure)? = arguments.last?.value.kind {
            return filled(.text(""), by: closure, line)
        }
        if name == "MapEntry", arguments.count == 2 { return .list(values(of: arguments)) }
        if name == "Pair" || name == "Triple" { return .list(values(of: arguments)) }
        if Self.tables.contains(name) { return table(values(of: arguments), line) }
        if name == "String", let format = arguments.first, format.label == "format" {
            return formatted(values(of: arguments), line)
        }
        if name == "Dictionary", arguments.first?.label == "uniqueKeysWithValues", arguments.count == 1,
            case .list(let pairs) = value(of: arguments[0].value)
        {
            return table(pairs, line)
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
        if name == "require", arguments.count == 1, let path = value(of: arguments[0].value).text,
            tree.language == .script, let whole = exported("default", by: path)
        {
            return whole
        }
        return made(name, name, arguments, line)
    }

    /// What a closure puts into a list or a table: nothing but that.
    private func filled(_ empty: Value, by closure: Expression.Closure, _ line: Int) -> Value {
        var value = empty
        for statement in tree.blocks[closure.block].statements {
            switch (statement.kind, value) {
            case (.expression(let call), .list(let known)):
                guard case .call(let callee, let arguments) = call.kind, case .name(let name) = callee.kind,
                    arguments.count == 1
                else { return unknown("what fills it is not understood", statement.line) }
                let new = self.value(of: arguments[0].value)
                switch (name, new) {
                case ("add", _): value = .list(known + [new])
                case ("addAll", .list(let more)): value = .list(known + more)
                default: return unknown("what fills it is not understood", statement.line)
                }
            case (.expression(let call), .text):
                guard case .call(let callee, let arguments) = call.kind, case .name("append") = callee.kind,
                    let new = appended(value, arguments)
                else { return unknown("what fills it is not understood", statement.line) }
                value = new
            case (.expression(let call), .table(let known)):
                guard case .call(let callee, let arguments) = call.kind, case .name("put") = callee.kind,
                    arguments.count == 2
                else { return unknown("what fills it is not understood", statement.line) }
                let key = self.value(of: arguments[0].value)
                let entry = Value.Entry(key: key, value: self.value(of: arguments[1].value), line: call.line)
                value = .table(known.filter { $0.key != key } + [entry])
            default: return unknown("what fills it is not understood", statement.line)
            }
        }
        return value
    }

    /// A text with what a builder puts behind it.
    func appended(_ text: Value?, _ arguments: [Expression.Argument]) -> Value? {
        guard case .text(let known)? = text, arguments.count == 1 else { return nil }
        switch value(of: arguments[0].value) {
        case .text(let more): return .text(known + more)
        case .number(let number): return .text(known + "\(number)")
        case let other: return other.firstUnknown.map(Value.unknown)
        }
    }

    func table(_ pairs: [Value], _ line: Int) -> Value {
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

    /// Functions that need no object.
    func staticMethod(_ path: String, _ name: String, _ arguments: [Expression.Argument], _ line: Int) -> Value? {
        // Kotlin's `to`, by whatever name a decompiler has for it.
        if path.hasPrefix("Tuples"), name.hasSuffix("to"), arguments.count == 2 { return .list(values(of: arguments)) }
        switch "\(path).\(name)" {
        case "CollectionsKt.plus":
            guard arguments.count == 2, case .list(let first) = value(of: arguments[0].value) else { return nil }
            switch value(of: arguments[1].value) {
            case .list(let second): return .list(first + second)
            case .text(let text): return .list(first + [.text(text)])
            default: return nil
            }
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
        case "Collections.unmodifiableMap", "ImmutableMap.copyOf", "Map.copyOf", "List.copyOf", "Set.copyOf",
            "ImmutableList.copyOf", "ImmutableSet.copyOf", "Collections.unmodifiableCollection",
            "Collections.synchronizedMap", "Collections.synchronizedList":
            return arguments.count == 1 ? value(of: arguments[0].value) : nil
        case "Arrays.copyOf":
            let values = values(of: arguments)
            guard values.count == 2, case .list(let list) = values[0], values[1] == .number(list.count) else {
                return nil
            }
            return values[0]
        case "Certificates.decodeCertificatePem", "X509Certificate2.CreateFromPem",
            "X509CertificateLoader.LoadCertificate", "Encoding.UTF8.GetBytes", "Encoding.ASCII.GetBytes":
            return arguments.first.map { value(of: $0.value) }
        // Kotlin, as Java calls it.
        case "StringsKt.drop", "StringsKt.removePrefix", "StringsKt.removeSuffix", "StringsKt.substringAfter",
            "StringsKt.substringBefore", "CollectionsKt.toList", "StringsKt.trim":
            guard let first = arguments.first, first.label == nil else { return nil }
            return convert(value(of: first.value), name, Array(arguments.dropFirst()), line)
        case "CollectionsKt.listOf", "SetsKt.setOf", "CollectionsKt.arrayListOf", "CollectionsKt.mutableListOf":
            let values = values(of: arguments)
            if values.count == 1, case .list = values[0] { return values[0] }
            return .list(values)
        case "MapsKt.mapOf", "MapsKt.hashMapOf":
            var values = values(of: arguments)
            if values.count == 1, case .list(let pairs) = values[0],
                pairs.allSatisfy({ if case .list = $0 { true } else { false } })
            {
                values = pairs
            }
            return table(values, line)
        case "TuplesKt.to": return .list(values(of: arguments))
        case "TextUtils.isEmpty", "StringUtils.isEmpty", "StringUtils.isBlank", "StringUtils.isNotEmpty",
            "StringUtils.isNotBlank", "Strings.isNullOrEmpty":
            guard arguments.count == 1 else { return nil }
            return emptiness(of: value(of: arguments[0].value), name, line)
        case "System.getenv", "Platform.environment", "Environment.GetEnvironmentVariable":
            guard let variable = arguments.first.flatMap({ value(of: $0.value).text }) else { return nil }
            return module.definitions[variable].map(Value.text)
                ?? unknown(
                    "'\(variable)' is a variable of the environment: give it with --define \(variable)=VALUE",
                    line
                )
        case "String.fromEnvironment":
            guard let variable = arguments.first.flatMap({ value(of: $0.value).text }) else { return nil }
            let given =
                module.definitions[variable].map(Value.text)
                ?? unknown("'\(variable)' is set when the app is built: give it with --define \(variable)=VALUE", line)
            return arguments.first { $0.label == "defaultValue" }.flatMap { usual(given, $0.value) } ?? given
        case "NSArray.arrayWithObjects:", "NSMutableArray.arrayWithObjects:":
            return .list(values(of: arguments).filter { $0 != .nothing })
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
        case "List.generate":
            guard arguments.count > 1, case .number(let count) = value(of: arguments[0].value),
                0...Self.mostElements ~= count
            else { return nil }
            return mapped((0..<count).map(Value.number), [arguments[1]], isFlat: false, line)
        case "Map.fromIterables":
            guard arguments.count == 2, case .list(let keys) = value(of: arguments[0].value),
                case .list(let values) = value(of: arguments[1].value), keys.count == values.count
            else { return nil }
            return table(zip(keys, values).map { .list([$0, $1]) }, line)
        case "Map.fromIterable":
            guard let first = arguments.first, case .list(let elements) = value(of: first.value) else { return nil }
            func parts(_ label: String) -> [Value]? {
                guard let function = arguments.first(where: { $0.label == label }) else { return elements }
                guard case .list(let made)? = mapped(elements, [.init(value: function.value)], isFlat: false, line)
                else { return nil }
                return made
            }
            guard let keys = parts("key"), let values = parts("value") else { return nil }
            return table(zip(keys, values).map { .list([$0, $1]) }, line)
        case "Map.fromEntries", "Object.fromEntries":
            guard let first = arguments.first, case .list(let pairs) = value(of: first.value) else { return nil }
            return table(pairs, line)
        case "NSMutableDictionary.dictionary", "NSMutableDictionary.new", "NSDictionary.dictionary",
            "NSMutableDictionary.dictionaryWithCapacity:":
            return .table([])
        case "NSMutableArray.array", "NSMutableArray.new", "NSMutableArray.arrayWithCapacity:", "NSMutableSet.set",
            "NSArray.array":
            return .list([])
        case "Object.keys":
            guard let first = arguments.first, case .table(let entries) = value(of: first.value) else { return nil }
            return .list(entries.map(\.key))
        default: return nil
        }
    }
}
