extension Parser {
    /// An expression without commas at its top; opaque where there is none.
    mutating func readExpression() -> Expression {
        depth += 1
        defer { depth -= 1 }
        guard depth < Self.deepest else { return skipExpression(from: index) }
        let start = index
        var left = readBinary(1)
        if at("?"), !isOnNewLine || language == .script, !(token(index + 1)?.isMark(".") ?? false) {
            index += 1
            let first = readExpression()
            guard take(":") else { return skipExpression(from: start) }
            let second = readExpression()
            left = expression(.conditional(left, first, second), at: start)
        }
        return left
    }

    /// Goes past what is left of an expression.
    mutating func skipExpression(from start: Int) -> Expression {
        while let token = current {
            if case .mark(let mark) = token.kind {
                if [",", ";", ")", "]", "}", ":"].contains(mark) { break }
                if ["(", "[", "{"].contains(mark) {
                    index = behind(index)
                    continue
                }
            }
            if index > start, isOnNewLine { break }
            index += 1
        }
        return opaque(start..<max(index, start + 1))
    }

    private static let precedences: [String: Int] = [
        "??": 1, "?:": 1, "||": 2, "&&": 3, "==": 4, "!=": 4, "===": 4, "!==": 4, "<": 5, ">": 5, "<=": 5, ">=": 5,
        "..": 6, "..<": 6, "...": 6, "+": 8, "-": 8, "*": 9, "/": 9, "%": 9,
    ]

    private mutating func readBinary(_ lowest: Int) -> Expression {
        let start = index
        var left = readPrefix()
        while let token = current {
            var name: String
            var precedence: Int
            switch token.kind {
            case .mark(let mark):
                guard let known = Self.precedences[mark] else { return left }
                // At the beginning of a line these are signs, and generic brackets are none of ours.
                if isOnNewLine, ["-", "*", "<"].contains(mark) || mark == "+" && language == .kotlin { return left }
                if mark == "...", self.token(index + 1).map({ $0.isMark(")") || $0.isMark("]") }) ?? true {
                    return left
                }
                (name, precedence) = (mark, known)
            case .name(let word):
                let infix: [String]
                switch language {
                case .kotlin: infix = ["to", "in", "is", "as", "until", "and", "or", "plus"]
                case .swift: infix = ["as", "is"]
                case .script: infix = ["as", "in", "instanceof", "satisfies"]
                case .dart, .cSharp: infix = ["as", "is"]
                case .java: infix = ["instanceof"]
                case .groovy: infix = ["as", "in"]
                case .objectiveC: infix = []
                }
                guard infix.contains(word), !isOnNewLine else { return left }
                (name, precedence) = (word, word == "to" ? 7 : ["as", "is"].contains(word) ? 10 : 6)
            default: return left
            }
            guard precedence >= lowest, depth < Self.deepest else { return left }
            index += 1
            if ["as", "is", "instanceof", "satisfies"].contains(name) {
                // `as?`, `as!`, and a type, which changes no value that is read here.
                while at("?") || at("!") { index += 1 }
                skipType()
                if name == "is" || name == "instanceof" { left = opaque(start..<index) }
                continue
            }
            depth += 1
            let right = readBinary(precedence + 1)
            depth -= 1
            left = expression(.binary(name, left, right), at: start)
        }
        return left
    }

    /// `[String: Any]`, `Map<String, List<String>>?`, `const`.
    mutating func skipType() {
        while let token = current {
            switch token.kind {
            case .name: index += 1
            case .mark("["), .mark("("), .mark("{"):
                if token.isMark("{"), language != .script { return }
                index = behind(index)
            case .mark("<"):
                guard skipGenerics() else { return }
            case .mark("."), .mark("?"), .mark("&"), .mark("*"):
                // The condition of a conditional ends with a question mark, too.
                if token.isMark("?"), let next = self.token(index + 1), !next.startsLine {
                    if case .text = next.kind { return }
                    if case .name = next.kind { return }
                    if case .number = next.kind { return }
                }
                index += 1
                continue
            default: return
            }
            guard let next = current, [".", "<", "?", "[", "&", "*"].contains(where: next.isMark), !isOnNewLine else {
                return
            }
        }
    }

    /// `<String, List<String>>`; `false`, and nothing gone past, where it is a comparison.
    mutating func skipGenerics() -> Bool {
        guard at("<") else { return false }
        var open = 0
        var place = index
        while let token = token(place), place < index + 60 {
            switch token.kind {
            case .mark("<"): open += 1
            case .mark(">"): open -= 1
            // The lexer takes `>=` for one; `List<X>= …` is not written.
            case .name, .mark(","), .mark("."), .mark("?"), .mark("["), .mark("]"), .mark(":"), .mark("*"), .mark("&"),
                .mark("("), .mark(")"), .mark("->"), .mark("|"), .mark("@"), .mark("{"), .mark("}"):
                break
            default: return false
            }
            place += 1
            if open == 0 {
                index = place
                return true
            }
        }
        return false
    }

    private mutating func readPrefix() -> Expression {
        let start = index
        guard let token = current, depth < Self.deepest else { return skipExpression(from: start) }
        switch token.kind {
        case .mark(let mark) where ["!", "-", "+", "*", "&", "...", "~"].contains(mark):
            index += 1
            depth += 1
            let value = readPrefix()
            depth -= 1
            return expression(.prefix(mark, value), at: start)
        case .name(let name) where ["await", "try", "new", "const", "final", "yield", "throw", "typeof"].contains(name):
            // `const [..]` of Dart, `new` of Java: none changes the value. `try` of Kotlin has a body.
            guard let next = self.token(index + 1), !next.isMark(":"), !next.isMark(")"), !next.isMark(","),
                !next.isMark("="), !next.isMark(".")
            else { break }
            if name == "try", next.isMark("{") { break }
            index += 1
            if name == "try" { _ = take("!") || take("?") }
            if name == "throw" || name == "typeof" || name == "yield" { return skipExpression(from: start) }
            return name == "new" ? readNew(start) : readPrefix()
        // `(Type) value`
        case .mark("(") where [.java, .cSharp, .objectiveC].contains(language) && isCast():
            index = behind(index)
            return readPrefix()
        default: break
        }
        return readPostfix(readPrimary(), from: start)
    }

    private func isCast() -> Bool {
        guard let end = partners[index], end - index <= 8, end > index + 1, let next = token(end + 1), !next.startsLine
        else { return false }
        let isType = tokens[(index + 1)..<end].allSatisfy { token in
            if case .name = token.kind { return true }
            return ["*", "<", ">", "[", "]", ".", ",", "?"].contains(where: token.isMark)
        }
        guard isType else { return false }
        switch next.kind {
        case .name(let name): return !["instanceof", "as", "is"].contains(name)
        case .text: return true
        case .mark(let mark):
            return mark == "(" && end - index == 2 || mark == "@" || mark == "[" && language == .objectiveC
        default: return false
        }
    }

    /// `new Type(…)`, `new Type[] {…}`, `new Type {…}`.
    private mutating func readNew(_ start: Int) -> Expression {
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
            _ = readArguments()
            return at("{") ? readPostfix(readBraced(start), from: start) : opaque(start..<index)
        }
        guard let type else { return skipExpression(from: start) }
        if at("[") {
            index = behind(index)
            while at("[") { index = behind(index) }
            return at("{") ? readPostfix(readBraced(start), from: start) : opaque(start..<index)
        }
        var made = expression(.call(type, []), at: start)
        if at("(") { made = expression(.call(type, readArguments()), at: start) }
        if at("{"), language == .cSharp || language == .java {
            // An initialiser of C# is a list, a table or fields; a body of Java overrides something.
            guard language == .cSharp else {
                return readPostfix(readFilledBody(start), from: start)
            }
            made = readBraced(start)
        }
        return readPostfix(made, from: start)
    }

    /// `{{ put("a", "b"); }}` of Java, and what `add` is given; a body of any other kind is opaque.
    private mutating func readFilledBody(_ start: Int) -> Expression {
        let place = index
        let end = partners[index] ?? tokens.count
        defer { index = min(end + 1, tokens.count) }
        guard token(index + 1)?.isMark("{") ?? false, let inner = partners[index + 1], inner + 1 == end else {
            return opaque(place..<min(end + 1, tokens.count))
        }
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
    private mutating func readBraced(_ start: Int) -> Expression {
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

    // MARK: Behind an expression

    private mutating func readPostfix(_ first: Expression, from start: Int) -> Expression {
        var value = first
        var count = 0
        while let token = current, count < 10_000 {
            count += 1
            switch token.kind {
            case .mark("."), .mark("?."), .mark("::"):
                // A cascade of Dart speaks to the same value again.
                if token.isMark("."), self.token(index + 1)?.isMark(".") ?? false { return value }
                guard case .name(let name)? = self.token(index + 1)?.kind else {
                    if self.token(index + 1)?.isMark("[") ?? false, token.isMark("?.") {
                        index += 1
                        continue
                    }
                    index += 1
                    return skipExpression(from: start)
                }
                index += 2
                value = expression(.member(value, name), at: start)
                if at("<") {
                    let before = index
                    if !skipGenerics() || !(at("(") || at(".") || at("::")) { index = before }
                }
            case .mark("!!"): index += 1
            case .mark("..") where language == .dart: readCascade(value, start)
            case .mark("!") where [.swift, .script, .dart, .cSharp].contains(language) && !token.startsLine:
                index += 1
            case .mark("?") where language == .swift && (self.token(index + 1)?.isMark(".") ?? false): index += 1
            case .mark("("):
                if isOnNewLine { return value }
                if case .member(let receiver, let name) = value.kind, Self.fillers.contains(name) {
                    note(change: receiver, line: token.line)
                }
                value = expression(.call(value, readArguments()), at: start)
            case .mark("["):
                if isOnNewLine || language == .objectiveC && !isSubscriptOfObjectiveC { return value }
                let end = partners[index] ?? tokens.count
                index += 1
                let key = readExpression()
                if index != end { return skipBracket(to: end, start) }
                index = end + 1
                value = expression(.index(value, key), at: start)
            case .mark("{"):
                guard language.hasTrailingClosures, !bodiesFollow,
                    !token.startsLine || language == .kotlin && isCallee(value),
                    mayHaveClosure(value)
                else { return value }
                if token.startsLine { return value }
                value = addClosure(to: value, start)
            case .mark("<"):
                let before = index
                guard skipGenerics(), at("(") || at(".") || at("{") && language.hasTrailingClosures, !isOnNewLine else {
                    index = before
                    return value
                }
            case .text where isText(value) && joinsTexts: value = joined(value, start)
            case .name(let label)
            where language == .swift && (self.token(index + 1)?.isMark(":") ?? false)
                && (self.token(index + 2)?.isMark("{") ?? false) && isCallWithClosure(value):
                index += 2
                value = addClosure(to: value, start, label: label)
            default: return value
            }
        }
        return value
    }

    /// `..name = value` and `..name(…)` of Dart: statements of their own, and the receiver stays what it is.
    private mutating func readCascade(_ receiver: Expression, _ start: Int) {
        let place = index
        index += 1
        guard case .name(let name)? = current?.kind else { return }
        index += 1
        let member = expression(.member(receiver, name), at: start)
        if take("=") {
            let value = readExpression()
            add(.assignment(member, "=", value), from: place)
        } else if at("(") {
            if Self.fillers.contains(name) { note(change: receiver, line: tokens[place].line) }
            let call = expression(.call(member, readArguments()), at: start)
            add(.expression(call), from: place)
        }
    }

    /// Methods after which their receiver is not what it was.
    static let fillers: Set<String> = [
        "add", "addAll", "append", "put", "putAll", "putIfAbsent", "push", "pop", "insert", "remove", "removeAll",
        "clear",
        "set", "setValue", "updateValue", "unshift", "splice", "removeFirst", "removeLast", "removeAt", "Add",
        "AddRange",
        "Insert", "Remove", "merge", "extend", "plusAssign", "computeIfAbsent", "setdefault",
    ]

    private var isSubscriptOfObjectiveC: Bool {
        guard let before = token(index - 1) else { return false }
        if case .name(let name) = before.kind { return !["return", "in", "case"].contains(name) }
        return before.isMark("]") || before.isMark(")")
    }

    private mutating func skipBracket(to end: Int, _ start: Int) -> Expression {
        index = min(end + 1, tokens.count)
        return opaque(start..<index)
    }

    /// Dart and Objective-C put texts together that stand beside each other.
    private var joinsTexts: Bool { language == .dart || language == .objectiveC }

    private func isText(_ value: Expression) -> Bool { if case .text = value.kind { true } else { false } }

    private mutating func joined(_ value: Expression, _ start: Int) -> Expression {
        let next = readPrimary()
        return expression(.binary("+", value, next), at: start)
    }

    private func isCallee(_ value: Expression) -> Bool {
        switch value.kind {
        case .call, .name, .member: true
        default: false
        }
    }

    private func isCallWithClosure(_ value: Expression) -> Bool {
        guard case .call(_, let arguments) = value.kind, case .closure? = arguments.last?.value.kind else {
            return false
        }
        return true
    }

    private func mayHaveClosure(_ value: Expression) -> Bool {
        switch value.kind {
        case .call, .member: true
        case .name(let name): !["else", "do", "try", "finally", "return"].contains(name)
        default: false
        }
    }

    private mutating func addClosure(to value: Expression, _ start: Int, label: String? = nil) -> Expression {
        let closure = Expression.Argument(label: label, value: readClosure())
        if case .call(let callee, let arguments) = value.kind, !isClosureOnly(arguments) || label != nil {
            return expression(.call(callee, arguments + [closure]), at: start)
        }
        return expression(.call(value, [closure]), at: start)
    }

    private func isClosureOnly(_ arguments: [Expression.Argument]) -> Bool {
        if case .closure? = arguments.last?.value.kind { true } else { false }
    }

    /// From the opening bracket to behind the closing one.
    mutating func readArguments() -> [Expression.Argument] {
        guard let end = partners[index] else {
            let rest = opaque(index..<tokens.count)
            index = tokens.count
            return [.init(value: rest)]
        }
        let outer = bodiesFollow
        bodiesFollow = false
        defer { bodiesFollow = outer }
        index += 1
        var arguments: [Expression.Argument] = []
        while index < end {
            let start = index
            var label: String?
            if case .name(let name)? = current?.kind, let next = token(index + 1) {
                if next.isMark(":") && language != .kotlin && language != .java
                    || next.isMark("=") && (language == .kotlin || language == .groovy)
                {
                    label = name
                    index += 2
                }
            }
            let isSpread = at("*") && language == .kotlin || at("...") && language == .script
            if isSpread { index += 1 }
            let value = readExpression()
            arguments.append(.init(label: label, isSpread: isSpread, value: value))
            if index < end, !take(",") {
                index = end
                arguments[arguments.count - 1].value = opaque(start..<end)
            }
        }
        index = end + 1
        return arguments
    }
}
