/// Types and the cases of enums.
extension Parser {
    mutating func readType(_ start: Int, from place: Int) -> Bool {
        let before = index
        index = place
        var isEnum = false
        var isCompanion = false
        var word = ""
        while let name = current?.name, Self.types.contains(name) || name == "namespace" && language == .script {
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
        declaration.supers = superNames(from: index)
        declaration.isAbstract =
            ["interface", "protocol", "trait", "mixin"].contains(word)
            || tokens[start..<index].contains { $0.isName("abstract") || $0.isName("sealed") }
        let body = openBlock(.type(name))
        declare(parameters: declaration.parameters.map(\.name), line: tokens[start].line, in: body)
        // `object Live : Backend("api.acme.example")` is a value of that type.
        if language == .kotlin, !isCompanion, at(":"), self.token(index + 2)?.isMark("(") ?? false {
            index += 1
            let outer = (block, bodiesFollow)
            (block, bodiesFollow) = (body, true)
            let made = readExpression()
            (block, bodiesFollow) = outer
            if word == "object" { declaration.value = made } else { declaration.base = made }
        }
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

    /// What stands between a type's name and its body: `: Base(), Other`, `extends Base implements Other`.
    private func superNames(from start: Int) -> [String] {
        var names: [String] = []
        var copy = self
        copy.index = start
        var isBehind = false
        while let token = copy.current, copy.index < start + 200 {
            if ["{", ";", "}", "=", ")"].contains(where: token.isMark) { break }
            if token.startsLine, language == .kotlin, !token.isMark(":"), !token.isMark(","),
                !(self.token(copy.index - 1).map { $0.isMark(",") || $0.isMark(":") } ?? false)
            {
                break
            }
            if token.isMark("<"), copy.skipGenerics() { continue }
            if token.isMark(":") || ["extends", "implements", "with", "on"].contains(where: token.isName) {
                isBehind = true
            } else if isBehind, let name = token.name, name.first?.isUppercase ?? false {
                if self.token(copy.index - 1)?.isMark(".") ?? false { _ = names.popLast() }
                names.append(name)
            }
            copy.index = token.isMark("(") || token.isMark("[") ? copy.behind(copy.index) : copy.index + 1
        }
        return names
    }

    mutating func readRest(of body: Int, until end: Int) {
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
    mutating func readEntries(until end: Int, of type: String) {
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
}
