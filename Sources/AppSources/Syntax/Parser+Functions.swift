/// Functions and their parameters, those of Objective-C too.
extension Parser {
    /// From its name; `false`, and nothing gone past, where it has neither body nor value.
    mutating func readFunction(_ start: Int, from place: Int) -> Bool {
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
        if language == .script, name == "constructor" {
            // `constructor(private readonly host: string)`
            declare(parameters: parameters.filter(\.isField).map(\.name), line: tokens[start].line, in: block)
        }
        var declaration = Declaration(
            name: name,
            kind: .function,
            parameters: parameters,
            receiver: receiver,
            line: tokens[start].line,
            block: block
        )
        let hasInitialisers = language == .dart && at(":")
        if hasInitialisers { readInitialisers(of: body) }
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
            if !readAssignment(to: value, from: valueStart) { add(.returning(value), from: valueStart) }
            block = outer
            declaration.body = body
        } else if language != .kotlin && language != .swift && !at(";") {
            if hasInitialisers { tree.forget(from: body) }
            tree.blocks.removeLast(tree.blocks.count - body)
            index = before
            return false
        }
        if hasInitialisers { declaration.body = body }
        // `get host() { … }` of a script
        if language == .script, place > 0, tokens[place - 1].isName("get"), parameters.isEmpty, isInType {
            declaration.kind = .value
        }
        declare(declaration)
        add(.declaration(declaration), from: start)
        return true
    }

    /// `: address = 'https://…', super(pins: …)` of a constructor of Dart: statements of it.
    private mutating func readInitialisers(of body: Int) {
        let outer = (block, bodiesFollow)
        (block, bodiesFollow) = (body, true)
        repeat {
            index += 1
            let start = index
            let value = readExpression()
            if !readAssignment(to: value, from: start) { add(.expression(value), from: start) }
            if index == start { break }
        } while at(",")
        (block, bodiesFollow) = outer
    }

    /// From the opening bracket to behind the closing one.
    mutating func readParameters() -> [Parameter] {
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
            var firstOfType: String?
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
                if let name = token.name {
                    if isType { firstOfType = firstOfType ?? name } else { names.append(name) }
                }
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
            parameter.typeName = firstOfType ?? (names.count > 1 ? names[names.count - 2] : nil)
            parameter.isField = [language == .dart ? "this" : "private", "public", "protected", "readonly"].contains {
                names.dropLast().contains($0)
            }
            if language == .swift { parameter.label = names.count > 1 ? names[names.count - 2] : last }
            parameters.append(parameter)
        }
        index = min(end + 1, tokens.count)
        return parameters
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

    mutating func readMethod(_ start: Int) -> Bool {
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

extension SyntaxTree {
    /// Drops what was noted in blocks that are none.
    fileprivate mutating func forget(from body: Int) {
        changes = changes.mapValues { $0.filter { $0.block < body } }.filter { !$0.value.isEmpty }
        handedOn = handedOn.mapValues { $0.filter { $0.change.block < body } }.filter { !$0.value.isEmpty }
        aliases = aliases.mapValues { $0.filter { $0.block < body } }.filter { !$0.value.isEmpty }
    }
}
