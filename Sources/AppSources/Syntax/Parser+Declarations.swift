extension Parser {
    init(fragment tokens: [Token], language: SourceLanguage) {
        self.init(tokens, path: "", language: language)
    }

    static let modifiers: Set<String> = [
        "public", "private", "internal", "protected", "fileprivate", "open", "final", "static", "abstract", "sealed",
        "data", "inline", "override", "lateinit", "suspend", "operator", "infix", "external", "tailrec", "actual",
        "expect", "async", "virtual", "readonly", "volatile", "transient", "synchronized", "native", "mutating",
        "nonmutating", "lazy", "weak", "unowned", "indirect", "required", "convenience", "dynamic", "declare",
        "partial",
        "unsafe", "late", "covariant", "vararg", "noinline", "crossinline", "annotation", "inner", "value", "const",
        "nonisolated", "factory", "extern", "__unused", "package", "borrowing", "consuming", "distributed", "default",
        "strictfp", "new",
    ]

    static let types: Set<String> = [
        "class", "struct", "interface", "object", "enum", "protocol", "extension", "record", "actor", "mixin",
        "companion",
        "trait", "union",
    ]

    static let noTypes: Set<String> = [
        "return", "throw", "else", "new", "await", "yield", "delete", "assert", "break", "continue", "goto", "case",
        "default", "in", "is", "as", "super", "this", "self",
    ]

    /// `false`, and nothing gone past, where the current token begins no declaration.
    mutating func readDeclaration(_ start: Int) -> Bool {
        var place = index
        var hasModifier = false
        if language == .script, atName("const"), let next = token(index + 1), next.isMark("{") || next.isMark("[") {
            return readValue(start, from: index + 1)
        }
        while let name = token(place)?.name, Self.modifiers.contains(name), let next = token(place + 1) {
            // The same word can be a name.
            switch next.kind {
            case .name: place += 1
            case .mark("(") where language == .swift && next.line == token(place)?.line:
                place = behind(place + 1)
            case .mark("@"): place += 1
            default:
                guard hasModifier else { return readTyped(start, hasModifier: false) }
                return readTyped(start, from: place, hasModifier: true)
            }
            hasModifier = true
            while token(place)?.isMark("@") ?? false, token(place + 1)?.name != nil {
                place += 2
                if token(place)?.isMark("(") ?? false { place = behind(place) }
            }
        }
        guard let name = token(place)?.name else { return false }
        switch name {
        case "val", "var", "let", "def":
            if language == .swift || language == .kotlin || language == .script || name == "def" {
                return readValue(start, from: place + 1)
            }
            return readTyped(start, from: place + 1, hasModifier: true)
        case "fun" where language == .kotlin, "func" where language == .swift, "function" where language == .script:
            // A generator.
            let isGenerator = language == .script && token(place + 1)?.isMark("*") ?? false
            return readFunction(start, from: place + (isGenerator ? 2 : 1))
        case "init" where language == .swift && isInType,
            "constructor" where language == .kotlin || language == .script,
            "deinit", "subscript":
            guard language == .swift || language == .kotlin || language == .script else { break }
            return readFunction(start, from: place)
        case "class" where language == .swift && ["func", "var", "let"].contains(token(place + 1)?.name ?? ""):
            let isFunction = token(place + 1)?.isName("func") ?? false
            return isFunction ? readFunction(start, from: place + 2) : readValue(start, from: place + 2)
        // `object` is a type of C#, and no word that begins one.
        case let word
        where Self.types.contains(word) && (word != "object" || language == .kotlin)
            || word == "namespace" && language == .script:
            if readType(start, from: place) { return true }
        default: break
        }
        // `const` was taken for a modifier; in scripts and Dart it begins a declaration by itself.
        if hasModifier, language == .script, token(place - 1)?.isName("const") ?? false {
            return readValue(start, from: place)
        }
        if language == .script, hasModifier, token(place - 1)?.isName("const") ?? false { return false }
        guard ![.kotlin, .swift, .groovy].contains(language) else { return false }
        return readTyped(start, from: place, hasModifier: hasModifier)
    }

    // MARK: Values

    /// `val (first, second) = pair`: each name stands for an element.
    private mutating func readParts(_ start: Int, to end: Int, isFixed: Bool) -> Bool {
        let names = tokens[(index + 1)..<end].split { $0.isMark(",") }.map { $0.first?.name }
        index = end + 2
        let valueStart = index
        let value = readExpression()
        for (position, name) in names.enumerated() {
            guard let name, name != "_" else { continue }
            var declaration = Declaration(name: name, kind: .value, line: tokens[start].line, block: block)
            declaration.isFixed = isFixed
            declaration.value = expression(
                .index(value, expression(.number("\(position)"), at: valueStart)),
                at: valueStart
            )
            declare(declaration)
        }
        add(.expression(value), from: start)
        return true
    }

    mutating func readValue(_ start: Int, from place: Int) -> Bool {
        index = place
        if at("("), language == .kotlin, let end = partners[index], token(end + 1)?.isMark("=") ?? false {
            return readParts(start, to: end, isFixed: isFixed(start..<place))
        }
        if at("("), let end = partners[index] {
            // What takes a value apart: its names are not followed.
            for token in tokens[index..<end] {
                guard let name = token.name else { continue }
                declare(Declaration(name: name, kind: .parameter, line: token.line, block: block))
            }
            index = end + 1
            if take("=") { add(.expression(readExpression()), from: start) }
            return true
        }
        if at("{") || at("["), language == .script, let end = partners[index] {
            let pattern = index..<end
            index = end + 1
            if at(":") { skipReturnType() }
            var value: Expression?
            if take("=") {
                let read = readExpression()
                value = read
                add(.expression(read), from: start)
            }
            declare(pattern: pattern, of: value)
            return true
        }
        if at("<") { _ = skipGenerics() }
        guard case .name(var name)? = current?.kind else { return false }
        index += 1
        while language == .kotlin, at("."), case .name(let next)? = token(index + 1)?.kind {
            name = next
            index += 2
        }
        _ = take("!")
        var declaration = Declaration(name: name, kind: .value, line: tokens[start].line, block: block)
        declaration.isFixed = isFixed(start..<place)
        if take(":") {
            declaration.typeName = typeName
            skipType()
            while take("|") { skipType() }
        }
        if take("=") {
            declaration.value = readExpression()
        } else if takeName("by") {
            let value = readExpression()
            if case .call(let callee, let arguments) = value.kind, case .name("lazy") = callee.kind,
                case .closure(let closure)? = arguments.last?.value.kind
            {
                declaration.body = closure.block
            } else {
                declaration.value = opaque(start..<index)
            }
        } else if language == .swift, at("{") {
            let body = openBlock(.function(name))
            readBody(body)
            declaration.body = body
        }
        if language == .kotlin, atName("get"), token(index + 1)?.isMark("(") ?? false {
            index = behind(index + 1)
            if at(":") {
                index += 1
                skipType()
            }
            if take("=") {
                declaration.value = readExpression()
            } else if at("{") {
                let body = openBlock(.function(name))
                readBody(body)
                declaration.body = body
            }
        }
        declare(declaration)
        add(.declaration(declaration), from: start)
        if [.swift, .script].contains(language), at(","), case .name? = token(index + 1)?.kind {
            return readValue(index + 1, from: index + 1)
        }
        return true
    }

    /// The first word of a type, for messages and lists.
    private var typeName: String? { current?.name }

    /// `static final String NAME = …`, and functions whose type stands first.
    mutating func readTyped(_ start: Int, from place: Int? = nil, hasModifier: Bool) -> Bool {
        let before = index
        index = place ?? index
        guard ![.kotlin, .swift, .groovy].contains(language) else {
            index = before
            return false
        }
        var names: [(text: String, place: Int)] = []
        var endsWithName = false
        scan: while let token = current, index < start + 60 {
            switch token.kind {
            case .name(let name):
                if names.isEmpty, Self.noTypes.contains(name) { break scan }
                names.append((name, index))
                endsWithName = true
                index += 1
            case .mark("<"):
                guard skipGenerics() else { break scan }
                // `Task<List<T>> Get<T>(string address)`
                endsWithName = endsWithName && at("(")
            case .mark("*"), .mark("?"), .mark("&"):
                endsWithName = language == .script && token.isMark("?") && endsWithName
                index += 1
            case .mark("["):
                guard let end = partners[index], end - index <= 2 else { break scan }
                index = end + 1
            case .mark("."):
                guard let next = self.token(index + 1)?.name, !names.isEmpty else { break scan }
                // A part of a type's name.
                names[names.count - 1] = (next, index + 1)
                endsWithName = false
                index += 2
            default: break scan
            }
        }
        // `Future<Roots> get own async { … }`
        if language == .dart, names.count > 2, names.last?.text == "async",
            tokens[names[names.count - 2].place - 1].isName("get")
        {
            names.removeLast()
        }
        guard let name = names.last, let token = current else {
            index = before
            return false
        }
        let isDeclaring = names.count > 1 && endsWithName || hasModifier || isInType
        switch token.kind {
        case .mark("=") where isDeclaring && (endsWithName || names.count > 1):
            index += 1
            let value = at("{") && language != .script && language != .dart ? readPrimary() : readExpression()
            finish(
                Declaration(name: name.text, kind: .value, value: value, line: tokens[name.place].line, block: block),
                start
            )
            while take(","), case .name(let next)? = current?.kind, self.token(index + 1)?.isMark("=") ?? false {
                index += 2
                finish(
                    Declaration(
                        name: next,
                        kind: .value,
                        value: readExpression(),
                        line: tokens[start].line,
                        block: block
                    ),
                    start
                )
            }
            return true
        case .mark("=>") where isDeclaring && endsWithName:
            index += 1
            finish(
                Declaration(
                    name: name.text,
                    kind: .value,
                    value: readExpression(),
                    line: tokens[name.place].line,
                    block: block
                ),
                start
            )
            return true
        case .mark(":") where language == .script && isInType && endsWithName,
            .mark(";") where names.count > 1 && endsWithName:
            var value: Expression?
            if take(":") {
                skipType()
                while take("|") { skipType() }
                if take("=") { value = readExpression() }
            }
            finish(
                Declaration(name: name.text, kind: .value, value: value, line: tokens[name.place].line, block: block),
                start
            )
            return true
        case .mark("{")
        where language == .dart && endsWithName && names.count > 1 && tokens[name.place - 1].isName("get"):
            let body = openBlock(.function(name.text))
            readBody(body)
            let line = tokens[name.place].line
            finish(Declaration(name: name.text, kind: .value, body: body, line: line, block: block), start)
            return true
        case .mark("{") where language == .cSharp && names.count > 1 && endsWithName:
            index = behind(index)
            let value = take("=") ? readExpression() : nil
            finish(
                Declaration(name: name.text, kind: .value, value: value, line: tokens[name.place].line, block: block),
                start
            )
            return true
        case .mark("(") where names.count > 1 && endsWithName || isInType && names.count == 1:
            if readFunction(start, from: name.place) { return true }
        default: break
        }
        index = before
        return false
    }

    /// Whether one of the words before a name says that it is assigned to once.
    private func isFixed(_ range: Range<Int>) -> Bool {
        let words = tokens[range.clamped(to: 0..<tokens.count)].prefix { !$0.isMark("=") && !$0.isMark(";") }
        return words.contains { token in
            ["const", "final", "readonly", "val"].contains(where: token.isName)
                || language == .swift && token.isName("let")
        }
    }

    mutating func finish(_ declaration: Declaration, _ start: Int) {
        var declaration = declaration
        declaration.isFixed = isFixed(start..<min(start + 12, index))
        declare(declaration)
        add(.declaration(declaration), from: start)
    }
}
