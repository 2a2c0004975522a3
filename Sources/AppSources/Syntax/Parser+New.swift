/// `new Type(…)`, and what stands in braces behind it.
extension Parser {
    /// `new Type(…)`, `new Type[] {…}`, `new Type {…}`.
    mutating func readNew(_ start: Int) -> Expression {
        if at("["), let end = partners[index], token(end + 1)?.isMark("{") ?? false {
            index = end + 1
            return readPostfix(readBraced(start), from: start)
        }
        let typeStart = index
        var type: Expression?
        while case .name(let name)? = current?.kind {
            type = type.map { expression(.member($0, name), at: typeStart) } ?? expression(.name(name), at: typeStart)
            index += 1
            _ = skipGenerics()
            guard at("."), case .name? = token(index + 1)?.kind else { break }
            index += 1
        }
        if type == nil, language == .cSharp, at("(") {
            // The type is that of what it is assigned to.
            let arguments = readArguments()
            let given = expression(.call(expression(.name("new"), at: start), arguments), at: start)
            // `HttpClient client = new(new HttpClientHandler { Callback = (…) => … });`
            let holdsClosure = arguments.contains { $0.value.holdsClosure }
            guard at("{") else { return holdsClosure ? readPostfix(given, from: start) : opaque(start..<index) }
            let filled = readBraced(start)
            guard holdsClosure, case .table(let pairs) = filled.kind else { return readPostfix(filled, from: start) }
            let own = Expression.Pair(key: expression(.name("new"), at: start), value: given)
            return readPostfix(expression(.table(pairs + [own]), at: start), from: start)
        }
        guard let type else { return skipExpression(from: start) }
        if at("[") {
            index = behind(index)
            while at("[") { index = behind(index) }
            return at("{") ? readPostfix(readBraced(start), from: start) : opaque(start..<index)
        }
        var made = expression(.call(type, []), at: start)
        var ignoresCase = false
        var given: Expression?
        if at("(") {
            let arguments = readArguments()
            ignoresCase = arguments.contains { $0.value.finalName?.hasSuffix("IgnoreCase") ?? false }
            made = expression(.call(type, arguments), at: start)
            if arguments.contains(where: \.value.holdsFunction) { given = made }
        }
        if at("{"), language == .cSharp || language == .java {
            // An initialiser of C# is a list, a table or fields; a body of Java overrides something.
            guard language == .cSharp else {
                return readPostfix(readFilledBody(start), from: start)
            }
            made = readBraced(start, ofOwnType: type.finalName.map(ownTypes.contains) ?? false)
            // It holds more texts than it is given; a dictionary's keys are hosts, of which that is true in any case.
            if ignoresCase, case .list = made.kind { made = opaque(start..<index) }
            // `new HttpClient(new HttpClientHandler { Callback = … }) { BaseAddress = … }`
            if let given, case .table(let pairs) = made.kind {
                made = expression(.table(pairs + [.init(key: type, value: given)]), at: start)
            }
        }
        return readPostfix(made, from: start)
    }

    /// `{{ put("a", "b"); }}` of Java, and what `add` is given; of a body of any other kind the functions are read.
    mutating func readFilledBody(_ start: Int) -> Expression {
        let place = index
        let end = partners[index] ?? tokens.count
        guard token(index + 1)?.isMark("{") ?? false, let inner = partners[index + 1], inner + 1 == end else {
            readBody(openBlock(.inner))
            return opaque(place..<index)
        }
        defer { index = min(end + 1, tokens.count) }
        index += 2
        var values: [Expression] = []
        var pairs: [Expression.Pair] = []
        while index < inner {
            let before = index
            guard case .call(let callee, let arguments) = readExpression().kind, case .name(let name) = callee.kind
            else {
                return opaque(place..<end)
            }
            switch (name, arguments.count) {
            case ("add", 1): values.append(arguments[0].value)
            case ("put", 2): pairs.append(.init(key: arguments[0].value, value: arguments[1].value))
            default: return opaque(place..<end)
            }
            _ = take(";")
            if index == before { return opaque(place..<end) }
        }
        guard values.isEmpty || pairs.isEmpty else { return opaque(place..<end) }
        return expression(pairs.isEmpty ? .list(values) : .table(pairs), at: start)
    }

    /// `{ "a", "b" }`, and `{ { "a", "b" } }` or `{ ["a"] = "b" }` for a table.
    ///
    /// - Parameter ofOwnType: whether it gives values to fields of a type that stands in this source.
    mutating func readBraced(_ start: Int, ofOwnType: Bool = false) -> Expression {
        guard let end = partners[index] else { return skipExpression(from: start) }
        index += 1
        var values: [Expression] = []
        var pairs: [Expression.Pair] = []
        while index < end {
            let place = index
            if at("{") {
                let inner = readBraced(index)
                if case .list(let parts) = inner.kind, parts.count == 2 {
                    pairs.append(.init(key: parts[0], value: parts[1]))
                }
                values.append(inner)
            } else {
                let isIndexed = at("[")
                var value = readExpression()
                if take("=") {
                    // Whatever the type begins its field with, this object has another value.
                    if ofOwnType, !isIndexed, case .name(let name) = value.kind {
                        note(change: expression(.member(value, name), at: place), at: place, line: value.line)
                    }
                    if isIndexed, case .list(let keys) = value.kind, keys.count == 1 { value = keys[0] }
                    pairs.append(.init(key: value, value: readExpression()))
                } else {
                    values.append(value)
                }
            }
            if !take(","), index < end {
                index = end
                values.append(opaque(place..<end))
            }
        }
        index = end + 1
        let isTable = !pairs.isEmpty && (values.isEmpty || values.count == pairs.count)
        if !isTable, !pairs.isEmpty { return opaque(start..<end) }
        return expression(isTable ? .table(pairs) : .list(values), at: start)
    }
}

extension Expression {
    fileprivate var holdsClosure: Bool {
        var isFound = false
        visit { part in
            if case .closure = part.kind { isFound = true }
            return !isFound
        }
        return isFound
    }

    /// Whether a closure, or the name of something that a field is given, stands in it.
    fileprivate var holdsFunction: Bool {
        var isFound = false
        visit { part in
            switch part.kind {
            case .closure, .table: isFound = true
            default: break
            }
            return !isFound
        }
        return isFound
    }
}
