/// Names of Swift that stand for a key as the system gives it, without the header that it has in a certificate.
struct RawKeys {
    private let group: CodeGroup
    private let tree: SyntaxTree
    /// With the function in which each is one.
    private var names: [(name: String, scope: Range<Int>)] = []

    /// `nil` where a key is used in another way than by a name.
    init?(_ group: CodeGroup, _ tree: SyntaxTree) {
        (self.group, self.tree) = (group, tree)
        for place in group.tokens where tree.tokens[place].isName("SecKeyCopyExternalRepresentation") {
            guard let name = constant(givenAt: place), let scope = scope(of: place) else { return nil }
            names.append((name, scope))
        }
        for _ in 0..<3 { takeMore() }
    }

    /// Whether a digest is taken of such keys, and none of anything else.
    var areAllThatIsHashed: Bool {
        let places = group.tokens.filter { place in
            guard let word = tree.tokens[place].name?.lowercased() else { return false }
            return word.hasPrefix("cc_sha") && !word.hasSuffix("length")
                || ["sha1", "sha256", "sha384", "sha512"].contains(word)
        }
        // Its own functions may be called so.
        let taken = places.filter { place in
            !(place > 0 && tree.tokens[place - 1].isName("func")) && !isOfItself(place)
                && (helper(calledAt: place) == nil || place > 0 && tree.tokens[place - 1].isMark("."))
        }
        return !taken.isEmpty && taken.allSatisfy(isOfRawKey)
    }

    private func isKey(_ place: Int) -> Bool {
        names.contains { tree.tokens[place].isName($0.name) && $0.scope.contains(place) }
    }

    /// Whether data takes its own digest, in what is added to its type: `SHA256.hash(data: self)`, `CC_SHA256(…, CC_LONG(count), …)`
    private func isOfItself(_ place: Int) -> Bool {
        let tokens = tree.tokens
        guard tree.typeName(atToken: place) == "Data" else { return false }
        if tokens[place].name?.hasPrefix("CC_") ?? false {
            return arguments(behind: place + 1).contains { next in
                tokens[next].isName("count")
                    && (!tokens[next - 1].isMark(".") || next > 1 && tokens[next - 2].isName("self"))
            }
        }
        return place + 7 < tokens.count && tokens[place + 6].isName("self") && isAlone(place + 6)
    }

    /// `SHA256.hash(data: key)`, `CC_SHA256(…, CC_LONG(key.count), …)`
    private func isOfRawKey(_ place: Int) -> Bool {
        let tokens = tree.tokens
        if tokens[place].name?.hasPrefix("CC_") ?? false {
            let arguments = arguments(behind: place + 1)
            return arguments.contains { next in
                isKey(next) && next + 2 < tokens.count && tokens[next + 1].isMark(".")
                    && tokens[next + 2].isName("count")
            }
        }
        // `key.sha256()`
        if place > 1, tokens[place - 1].isMark("."), isKey(place - 2), place + 2 < tokens.count {
            return tokens[place + 1].isMark("(") && tokens[place + 2].isMark(")")
        }
        guard place + 7 < tokens.count, tokens[place + 2].isName("hash"), tokens[place + 4].isName("data") else {
            return false
        }
        return isKey(place + 6) && isAlone(place + 6)
    }

    /// Whether a name at a place is given as it is: `key)`, `key as Data)`.
    private func isAlone(_ place: Int) -> Bool {
        let next = tree.tokens[place + 1]
        return next.isMark(")") || next.isMark(",") || next.isName("as")
    }

    /// Names that a key is given, and parameters of functions that are given nothing else.
    private mutating func takeMore() {
        let tokens = tree.tokens
        for place in group.tokens where isKey(place) && place > 1 && tokens[place - 1].isMark("=") {
            let next = place + 1 < tokens.count ? tokens[place + 1] : tokens[place]
            guard ![".", "(", "+", "[", "?.", "+="].contains(where: next.isMark),
                let name = constant(givenAt: place), let scope = scope(of: place), !has(name, scope)
            else { continue }
            names.append((name, scope))
        }
        for block in tree.blocks {
            for statement in block.statements where group.holds(statement.tokens.lowerBound) {
                guard case .declaration(let declaration) = statement.kind, declaration.kind == .function,
                    let parameter = declaration.parameters.first, !has(parameter.name, statement.tokens)
                else { continue }
                let calls = tree.callPlaces(of: declaration.name, outside: statement.tokens)
                let given = calls.map { place in
                    place + 4 < tokens.count && tokens[place + 3].isMark(":") ? place + 4 : place + 2
                }
                guard !calls.isEmpty, given.allSatisfy({ $0 + 1 < tokens.count && isKey($0) && isAlone($0) }) else {
                    continue
                }
                names.append((parameter.name, statement.tokens))
            }
        }
    }

    private func has(_ name: String, _ scope: Range<Int>) -> Bool {
        names.contains { $0.name == name && $0.scope == scope }
    }

    /// A function of the source that is called there by such a name.
    private func helper(calledAt place: Int) -> String? {
        guard place + 1 < tree.tokens.count, tree.tokens[place + 1].isMark("("), let name = tree.tokens[place].name,
            tree.blocks.contains(where: { $0.declarations[name]?.contains { $0.kind == .function } ?? false })
        else { return nil }
        return name
    }

    /// The constant that is given what begins at a place: `let key = …`, `let key = other.flatMap { … }`.
    private func constant(givenAt place: Int) -> String? {
        let tokens = tree.tokens
        var place = place
        if place > 4, tokens[place - 1].isMark("{") {
            let call = tokens[place - 2].isMark("(") ? place - 3 : place - 2
            guard ["map", "flatMap"].contains(where: tokens[call].isName), tokens[call - 1].isMark(".") else {
                return nil
            }
            place = call - 2
            if tokens[place].isMark("?") { place -= 1 }
        }
        guard place > 2, tokens[place - 1].isMark("=") else { return nil }
        // `let key: CFData? = …`
        let start = (max(0, place - 8)..<(place - 1)).last { tokens[$0].isName("let") || tokens[$0].isName("var") }
        guard let start, tokens[start].isName("let") else { return nil }
        return tokens[start + 1].name
    }

    private func scope(of place: Int) -> Range<Int>? { tree.namedFunction(around: [place])?.tokens }

    /// The tokens between the bracket at a place and its end.
    private func arguments(behind open: Int) -> Range<Int> {
        var depth = 0
        for place in open..<tree.tokens.count {
            if tree.tokens[place].isMark("(") { depth += 1 }
            if tree.tokens[place].isMark(")") { depth -= 1 }
            if depth == 0 { return min(open + 1, place)..<place }
        }
        return open..<open
    }
}
