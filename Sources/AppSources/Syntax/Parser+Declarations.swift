extension Parser {
    init(fragment tokens: [Token], language: SourceLanguage) {
        self.init(tokens, path: "", language: language)
    }

    private static let modifiers: Set<String> = [
        "public", "private", "internal", "protected", "fileprivate", "open", "final", "static", "abstract", "sealed",
        "data", "inline", "override", "lateinit", "suspend", "operator", "infix", "external", "tailrec", "actual",
        "expect", "async", "virtual", "readonly", "volatile", "transient", "synchronized", "native", "mutating",
        "nonmutating", "lazy", "weak", "unowned", "indirect", "required", "convenience", "dynamic", "declare",
        "partial",
        "unsafe", "late", "covariant", "vararg", "noinline", "crossinline", "annotation", "inner", "value", "const",
        "nonisolated", "factory", "extern", "__unused", "package", "borrowing", "consuming", "distributed", "default",
        "strictfp", "new",
    ]

    private static let types: Set<String> = [
        "class", "struct", "interface", "object", "enum", "protocol", "extension", "record", "actor", "mixin",
        "companion",
        "trait", "union",
    ]

    private static let noTypes: Set<String> = [
        "return", "throw", "else", "new", "await", "yield", "delete", "assert", "break", "continue", "goto", "case",
        "default", "in", "is", "as", "super", "this", "self",
    ]

    /// `false`, and nothing gone past, where the current token begins no declaration.
    mutating func readDeclaration(_ start: Int) -> Bool {
        var place = index
        var hasModifier = false
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
            return readFunction(start, from: place + 1)
        case "init" where language == .swift && isInType,
            "constructor" where language == .kotlin || language == .script,
            "deinit", "subscript":
            guard language == .swift || language == .kotlin || language == .script else { break }
            return readFunction(start, from: place)
        case "class" where language == .swift && ["func", "var", "let"].contains(token(place + 1)?.name ?? ""):
            let isFunction = token(place + 1)?.isName("func") ?? false
            return isFunction ? readFunction(start, from: place + 2) : readValue(start, from: place + 2)
        case let word where Self.types.contains(word):
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

    private mutating func readValue(_ start: Int, from place: Int) -> Bool {
        index = place
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
            for token in tokens[index..<end] {
                guard let name = token.name else { continue }
                declare(Declaration(name: name, kind: .parameter, line: token.line, block: block))
            }
            index = end + 1
            if at(":") { skipReturnType() }
            if take("=") { add(.expression(readExpression()), from: start) }
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
    private mutating func readTyped(_ start: Int, from place: Int? = nil, hasModifier: Bool) -> Bool {
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
                endsWithName = false
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

    private mutating func finish(_ declaration: Declaration, _ start: Int) {
        declare(declaration)
        add(.declaration(declaration), from: start)
    }

    // MARK: Functions

    /// From its name; `false`, and nothing gone past, where it has neither body nor value.
    private mutating func readFunction(_ start: Int, from place: Int) -> Bool {
        let before = index
        index = place
        if at("<") { _ = skipGenerics() }
        guard case .name(var name)? = current?.kind else {
            index = before
            return false
        }
        var receiver: String?
        index += 1
        if at("<") { _ = skipGenerics() }
        while language == .kotlin || language == .dart, take("."), case .name(let next)? = current?.kind {
            receiver = name
            name = next
            index += 1
        }
        _ = take("?") || take("!")
        if at("<") { _ = skipGenerics() }
        guard at("(") else {
            index = before
            return false
        }
        let body = openBlock(.function(name))
        let parameters = readParameters()
        declare(parameters: parameters.map(\.name), line: tokens[start].line, in: body)
        var declaration = Declaration(
            name: name,
            kind: .function,
            parameters: parameters,
            receiver: receiver,
            line: tokens[start].line,
            block: block
        )
        // What it throws and returns, and what it hands to another constructor.
        let limit = index + 60
        while let token = current, index < limit {
            if token.isMark("{") || token.isMark("=") || token.isMark("=>") || token.isMark(";") || token.isMark("}") {
                break
            }
            if token.startsLine, language == .kotlin || language == .swift, !token.isMark(":"), !token.isMark("->"),
                !["where", "throws", "async"].contains(token.name ?? "")
            {
                break
            }
            index = token.isMark("(") || token.isMark("[") ? behind(index) : index + 1
        }
        if at("{") {
            readBody(body)
            declaration.body = body
        } else if at("=") && language == .kotlin || at("=>") {
            index += 1
            let outer = block
            block = body
            let valueStart = index
            let value = readExpression()
            add(.returning(value), from: valueStart)
            block = outer
            declaration.body = body
        } else if language != .kotlin && language != .swift && !at(";") {
            tree.blocks.removeLast(tree.blocks.count - body)
            index = before
            return false
        }
        declare(declaration)
        add(.declaration(declaration), from: start)
        return true
    }

    /// From the opening bracket to behind the closing one.
    private mutating func readParameters() -> [Parameter] {
        let end = partners[index] ?? tokens.count
        var parameters: [Parameter] = []
        index += 1
        while index < end {
            // Dart's named and optional ones stand in brackets of their own.
            if language == .dart, at("{") || at("[") {
                index += 1
                continue
            }
            var names: [String] = []
            var parameter = Parameter(name: "")
            var isType = false
            while index < end, !at(",") {
                guard let token = current else { break }
                if token.isMark("=") {
                    index += 1
                    parameter.usual = readExpression()
                    continue
                }
                if token.isMark(":") { isType = true }
                if token.isMark("...") || token.isName("vararg") || token.isName("params") {
                    parameter.isVariadic = true
                }
                if let name = token.name, !isType { names.append(name) }
                if token.isMark("<"), skipGenerics() { continue }
                if token.isMark("@") {
                    index += 2
                    continue
                }
                index = token.isMark("(") || token.isMark("{") && language != .dart ? behind(index) : index + 1
            }
            _ = take(",")
            guard let last = names.last else { continue }
            parameter.name = last
            if language == .swift { parameter.label = names.count > 1 ? names[names.count - 2] : last }
            parameters.append(parameter)
        }
        index = min(end + 1, tokens.count)
        return parameters
    }

    // MARK: Types

    private mutating func readType(_ start: Int, from place: Int) -> Bool {
        let before = index
        index = place
        var isEnum = false
        var isCompanion = false
        var word = ""
        while let name = current?.name, Self.types.contains(name) {
            isEnum = isEnum || name == "enum"
            isCompanion = isCompanion || name == "companion"
            word = name
            index += 1
        }
        var name = "Companion"
        if case .name(let own)? = current?.kind {
            name = own
            index += 1
            // `extension Outer.Inner`
            while language == .swift, at("."), case .name(let next)? = token(index + 1)?.kind {
                name = next
                index += 2
            }
        } else if word != "object" {
            index = before
            return false
        }
        if at("<") { _ = skipGenerics() }
        var declaration = Declaration(name: name, kind: .type, line: tokens[start].line, block: block)
        if isCompanion { declaration.typeName = "companion" }
        if language == .kotlin, ["private", "internal", "protected", "public"].contains(current?.name ?? "") {
            index += 1
        }
        if language == .kotlin, atName("constructor") { index += 1 }
        if at("("), language == .kotlin || language == .java || language == .cSharp {
            declaration.parameters = readParameters()
        }
        let body = openBlock(.type(name))
        declare(parameters: declaration.parameters.map(\.name), line: tokens[start].line, in: body)
        let limit = index + 200
        while let token = current, index < limit, !token.isMark("{") {
            if token.isMark(";") || token.isMark("}") || token.isMark("=") { break }
            if token.startsLine, language == .kotlin, !token.isMark(":"), !token.isMark(","),
                !(self.token(index - 1).map { $0.isMark(",") || $0.isMark(":") || $0.isMark("(") } ?? false)
            {
                break
            }
            index = token.isMark("(") ? behind(index) : index + 1
        }
        if at("{") {
            if isEnum, language != .swift, let end = partners[index] {
                let outer = block
                index += 1
                block = body
                readEntries(until: end, of: name)
                block = outer
                // The rest is read as the body of any type.
                readRest(of: body, until: end)
            } else {
                readBody(body)
            }
        } else if language != .kotlin, language != .java, language != .cSharp {
            tree.blocks.removeLast(tree.blocks.count - body)
            index = before
            return false
        }
        declaration.body = body
        declare(declaration)
        add(.declaration(declaration), from: start)
        return true
    }

    private mutating func readRest(of body: Int, until end: Int) {
        let outer = (block, bodiesFollow)
        block = body
        bodiesFollow = false
        depth += 1
        while index < end, depth < Self.deepest {
            readStatements(until: end)
            if index < end { index += 1 }
        }
        depth -= 1
        (block, bodiesFollow) = outer
        index = min(end + 1, tokens.count)
    }

    /// `A("host", "pin"), B(…);`, and `A = "host",`.
    private mutating func readEntries(until end: Int, of type: String) {
        while index < end, case .name(let name)? = current?.kind {
            guard let next = token(index + 1), ["(", ",", ";", "{", "}", "="].contains(where: next.isMark) else {
                return
            }
            var entry = Declaration(name: name, kind: .entry, typeName: type, line: tokens[index].line, block: block)
            index += 1
            if at("(") { entry.arguments = readArguments() }
            if take("=") { entry.value = readExpression() }
            if at("{") { index = behind(index) }
            declare(entry)
            tree.blocks[block].entries.append(name)
            guard take(",") else { break }
        }
        _ = take(";")
    }

    /// `case a = "x", b` in an enum of Swift.
    mutating func readSwiftCases(_ start: Int) {
        index += 1
        while case .name(let name)? = current?.kind {
            guard case .type(let type) = tree.blocks[block].owner else { return }
            var entry = Declaration(name: name, kind: .entry, typeName: type, line: tokens[index].line, block: block)
            index += 1
            if at("(") { index = behind(index) }
            if take("=") {
                entry.value = readExpression()
            } else {
                entry.value = expression(.text([.plain(name)]), at: index - 1)
            }
            declare(entry)
            tree.blocks[block].entries.append(name)
            guard take(",") else { return }
        }
    }

    // MARK: Objective-C

    var isKeywordOfObjectiveC: Bool {
        language == .objectiveC
            && [
                "implementation", "interface", "end", "property", "synthesize", "dynamic", "import", "class",
                "protocol",
                "autoreleasepool", "try", "catch", "finally", "synchronized", "optional", "required", "private",
                "public",
            ].contains(token(index + 1)?.name ?? "")
    }

    mutating func readKeywordOfObjectiveC() {
        let word = token(index + 1)?.name ?? ""
        index += 1
        switch word {
        case "autoreleasepool", "try", "catch", "finally", "synchronized": break
        case "end", "optional", "required", "private", "public": index += 1
        default:
            // Up to the end of the line.
            index += 1
            while let token = current, !token.startsLine, !token.isMark("{") { index += 1 }
        }
    }

    /// `- (BOOL)application:(X)a with:(Y)b { … }`
    mutating func readMethodOfObjectiveC() -> Bool {
        let start = index
        guard token(index + 1)?.isMark("(") ?? false, case .type = tree.blocks[block].owner else {
            // What `@implementation` opens has no brace.
            guard block == 0, token(index + 1)?.isMark("(") ?? false else { return false }
            return readMethod(start)
        }
        return readMethod(start)
    }

    private mutating func readMethod(_ start: Int) -> Bool {
        index = behind(index + 1)
        var names: [String] = []
        var selector = ""
        while let token = current, !token.isMark("{"), !token.isMark(";") {
            if token.isMark("(") {
                index = behind(index)
                if case .name(let name)? = current?.kind { names.append(name) }
                index += 1
                continue
            }
            if let name = token.name { selector += name }
            if token.isMark(":") { selector += ":" }
            if token.isMark("@") || token.isMark("}") { return true }
            index += 1
        }
        let body = openBlock(.function(selector))
        declare(parameters: names, line: tokens[start].line, in: body)
        guard at("{") else { return true }
        readBody(body)
        let declaration = Declaration(
            name: selector,
            kind: .function,
            body: body,
            parameters: names.map { Parameter(name: $0) },
            line: tokens[start].line,
            block: block
        )
        declare(declaration)
        add(.declaration(declaration), from: start)
        return true
    }
}
