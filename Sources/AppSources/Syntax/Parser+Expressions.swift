extension Parser {
    /// An expression without commas at its top; opaque where there is none.
    mutating func readExpression() -> Expression {
        let start = index
        let target = readConditional()
        // `return client ??= make()`: what it has already, or else what it is given.
        guard let token = current, Self.fillingMarks.contains(token.description) else { return target }
        index += 1
        let value = readExpression()
        note(change: target, at: start, line: token.line)
        return expression(.binary("??", target, value), at: start)
    }

    /// Marks that give a variable a value where it has none.
    static let fillingMarks: Set<String> = ["??=", "||="]

    /// An expression that assigns nothing.
    mutating func readConditional() -> Expression {
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
            // `throw one else throw other`
            if index > start, isOnNewLine || token.isName("else") { break }
            index += 1
        }
        return opaque(start..<max(index, start + 1))
    }

    static let precedences: [String: Int] = [
        "??": 1, "?:": 1, "||": 2, "&&": 3, "==": 4, "!=": 4, "===": 4, "!==": 4, "<": 5, ">": 5, "<=": 5, ">=": 5,
        "..": 6, "..<": 6, "...": 6, "+": 8, "-": 8, "*": 9, "/": 9, "%": 9,
    ]

    mutating func readBinary(_ lowest: Int) -> Expression {
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
                if name == "is", let comparison = readNullPattern(left, start) ?? readPattern(left, start) {
                    left = comparison
                    continue
                }
                skipType()
                // `as 'GET' | 'POST'`
                while language == .script, at("|") {
                    index += 1
                    skipType()
                }
                // C#'s name for what is of that type.
                if name == "is", language == .cSharp, let word = current?.name, !isOnNewLine,
                    !["and", "or", "as", "is", "when"].contains(word)
                {
                    index += 1
                }
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

    /// C#'s `is null` and `is not null`.
    private mutating func readNullPattern(_ left: Expression, _ start: Int) -> Expression? {
        guard language == .cSharp else { return nil }
        let isNegated = atName("not")
        guard token(index + (isNegated ? 1 : 0))?.isName("null") ?? false else { return nil }
        if isNegated { index += 1 }
        let null = readPrefix()
        return expression(.binary(isNegated ? "!=" : "==", left, null), at: start)
    }

    /// C#'s patterns of constants, as comparisons: `host is "a.acme.example" or "b.acme.example"`, `errors is not
    /// SslPolicyErrors.None`, `address is { IsLoopback: true }`. Of others nothing is read.
    private mutating func readPattern(_ left: Expression, _ start: Int) -> Expression? {
        guard language == .cSharp else { return nil }
        let before = index
        if at("{"), case .name(let property)? = token(index + 1)?.kind, token(index + 2)?.isMark(":") ?? false,
            token(index + 4)?.isMark("}") ?? false
        {
            index += 3
            if let constant = readConstant() {
                index += 1
                return expression(.binary("==", expression(.member(left, property), at: start), constant), at: start)
            }
            index = before
            return nil
        }
        let isNegated = atName("not")
        if isNegated { index += 1 }
        var whole: Expression?
        repeat {
            guard let constant = readConstant() else {
                index = before
                return nil
            }
            let one = expression(.binary(isNegated ? "!=" : "==", left, constant), at: start)
            whole = whole.map { expression(.binary("||", $0, one), at: start) } ?? one
        } while !isNegated && takeName("or")
        guard !atName("and"), !atName("or"), !at("{") else {
            index = before
            return nil
        }
        return whole
    }

    /// A text, a truth, or one of the system's answers: a name alone may be a type's.
    private mutating func readConstant() -> Expression? {
        switch current?.kind {
        case .text: return readPrefix()
        case .name("true"), .name("false"): return readPrefix()
        case .name("SslPolicyErrors"):
            guard token(index + 1)?.isMark(".") ?? false, let name = token(index + 2)?.name else { return nil }
            let start = index
            index += 3
            return expression(.member(expression(.name("SslPolicyErrors"), at: start), name), at: start)
        default: return nil
        }
    }

    /// `[String: Any]`, `Map<String, List<String>>?`, `const`.
    mutating func skipType() {
        while let token = current {
            switch token.kind {
            case .name(let name):
                index += 1
                // `readonly string[]`, `typeof hosts`
                if language == .script, ["readonly", "typeof", "keyof", "unique"].contains(name),
                    self.token(index)?.name != nil
                {
                    continue
                }
            // `'live' | 'test'` of TypeScript.
            case .text where language == .script: index += 1
            case .mark("["), .mark("("), .mark("{"):
                if token.isMark("{"), language != .script { return }
                index = behind(index)
                // `(host: string) => boolean`
                if language == .script, token.isMark("("), at("=>") {
                    index += 1
                    continue
                }
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
                // `var a: A?` ends with its line.
                if token.isMark("?"), isOnNewLine { return }
                continue
            default: return
            }
            // `var session: URLSession!`
            if language == .swift, at("!"), !isOnNewLine {
                index += 1
                return
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
        // The fields of a type of TypeScript stand between.
        let longest = language == .script ? 200 : 60
        while let token = token(place), place < index + longest {
            switch token.kind {
            case .mark("{") where language == .script && open > 0: place = max(place, behind(place) - 1)
            case .text where language == .script, .mark("=>") where language == .script: break
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

    mutating func readPrefix() -> Expression {
        let start = index
        guard let token = current, depth < Self.deepest else { return skipExpression(from: start) }
        switch token.kind {
        case .mark(let mark) where ["!", "-", "+", "*", "&", "...", "~"].contains(mark):
            index += 1
            depth += 1
            let value = readPrefix()
            depth -= 1
            // Whoever is handed the place of a variable may write to it.
            if mark == "&", language == .swift { note(change: value, at: start, line: token.line) }
            return expression(.prefix(mark, value), at: start)
        case .name(let name) where ["await", "try", "new", "const", "final", "yield", "throw", "typeof"].contains(name):
            // `const [..]` of Dart, `new` of Java: none changes the value. `try` of Kotlin has a body.
            guard let next = self.token(index + 1), !next.isMark(":"), !next.isMark(")"), !next.isMark(","),
                !next.isMark("="), !next.isMark(".")
            else { break }
            if name == "try", next.isMark("{") { break }
            index += 1
            if name == "try" { _ = take("!") || take("?") }
            if name == "typeof" {
                _ = readPrefix()
                return opaque(start..<index)
            }
            if name == "throw" || name == "yield" { return skipExpression(from: start) }
            return name == "new" ? readNew(start) : readPrefix()
        // `void f()`: what is called is called.
        case .name("void") where language == .script:
            guard let next = self.token(index + 1) else { break }
            if case .number = next.kind {
                // `void 0`, as compilers write it.
                index += 2
                return expression(.name("undefined"), at: start)
            }
            guard next.name != nil || next.isMark("(") else { break }
            index += 1
            return readPrefix()
        case .name("delete") where language == .script:
            guard case .name? = self.token(index + 1)?.kind else { break }
            index += 1
            let value = readPrefix()
            switch value.kind {
            case .index(let base, _), .member(let base, _): note(change: base, at: start, line: token.line)
            default: break
            }
            return opaque(start..<index)
        // `(Type) value`
        case .mark("(") where [.java, .cSharp, .objectiveC].contains(language) && isCast():
            index = behind(index)
            return readPrefix()
        default: break
        }
        return readPostfix(readPrimary(), from: start)
    }

    func isCast() -> Bool {
        guard let end = partners[index], end - index <= 8, end > index + 1, let next = token(end + 1), !next.startsLine
        else { return false }
        let isType = tokens[(index + 1)..<end].allSatisfy { token in
            if case .name = token.kind { return true }
            return ["*", "<", ">", "[", "]", ".", ",", "?"].contains(where: token.isMark)
        }
        guard isType else { return false }
        switch next.kind {
        case .name(let name): return !["instanceof", "as", "is"].contains(name)
        case .text, .number: return true
        case .mark(let mark):
            // `(byte) -12`; of a name that is no type, this is a difference.
            let primitives = ["byte", "sbyte", "char", "short", "int", "long"]
            let isPrimitive = primitives.contains { tokens[index + 1].isName($0) }
            if mark == "-" { return isPrimitive && end - index == 2 }
            return mark == "(" && end - index == 2 || mark == "@" || mark == "[" && language == .objectiveC
        default: return false
        }
    }
}
