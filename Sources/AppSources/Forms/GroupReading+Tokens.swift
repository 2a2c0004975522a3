/// What the tokens around a name or a text tell of it.
extension GroupReading {
    /// `if (!allowed.contains(host)) return false`: pins count for the hosts of the list, and no other is let through.
    func refusesOthers(_ tokens: [Token], _ place: Int) -> Bool {
        if evaluator.tree.isOfApple { return cancelsOthers(tokens, place) }
        guard evaluator.tree.language == .dart || evaluator.tree.language == .script, place > 0,
            place + 5 < tokens.count, tokens[place - 1].isMark("!"), tokens[place + 1].isMark("."),
            tokens[place + 2].isName("contains") || tokens[place + 2].isName("includes"), tokens[place + 4].namesHost
        else { return false }
        let behind = tokens[(place + 5)..<min(place + 10, tokens.count)]
        guard let word = behind.firstIndex(where: { $0.isName("return") }), word + 1 < tokens.count else {
            return false
        }
        return tokens[word + 1].isName("false")
    }

    /// `guard allowed.contains(host) else { completionHandler(.cancelAuthenticationChallenge, nil); return }`
    private func cancelsOthers(_ tokens: [Token], _ place: Int) -> Bool {
        guard place > 0, place + 6 < tokens.count, tokens[place + 1].isMark("."), tokens[place + 2].isName("contains"),
            tokens[max(0, place - 4)..<place].contains(where: { $0.isName("guard") })
        else { return false }
        let asked = tokens[(place + 3)...].prefix(8).prefix { !$0.isName("else") }
        let answer = tokens[(place + 3 + asked.count)...].prefix(12)
        return asked.contains(where: \.namesHost) && answer.first?.isName("else") ?? false
            && answer.contains { $0.isName("cancelAuthenticationChallenge") }
    }

    /// `switch (host) { case "a": … }`
    func isCaseOfHost(_ tokens: [Token], _ place: Int) -> Bool {
        guard place > 0, tokens[place - 1].isName("case"),
            let start = tokens[..<place].lastIndex(where: { $0.isName("switch") || $0.isName("when") })
        else { return false }
        let end = tokens[start..<place].firstIndex { $0.isMark("{") } ?? start
        return tokens[start..<end].contains(where: \.namesHost)
    }

    /// Whether a text is compared with a host's name.
    func isBesideHost(_ tokens: [Token], _ place: Int) -> Bool {
        let before = tokens[max(0, place - 6)..<place]
        let behind = tokens[min(place + 1, tokens.count)..<min(place + 5, tokens.count)]
        return before.contains(where: \.namesHost) || behind.contains(where: \.namesHost)
    }

    /// All hosts of the list of Apple's code that a text stands in: what is asked with the one is asked with the others.
    func hostsOfList(_ tokens: [Token], _ place: Int) -> [String]? {
        guard evaluator.tree.isOfApple else { return nil }
        var depth = 0
        func step(_ next: Int, _ opening: [String], _ closing: [String]) {
            if opening.contains(where: tokens[next].isMark) { depth += 1 }
            if closing.contains(where: tokens[next].isMark) { depth -= 1 }
        }
        let (open, close) = (["(", "[", "{"], [")", "]", "}"])
        let start = (max(0, place - 200)..<place).last { next in
            step(next, close, open)
            return depth < 0
        }
        guard let start, tokens[start].isMark("[") else { return nil }
        depth = 0
        var elements: [Range<Int>] = []
        var first = start + 1
        for next in (start + 1)..<min(start + 400, tokens.count) {
            step(next, open, close)
            if depth < 0 || depth == 0 && tokens[next].isMark(",") {
                elements.append((tokens[first].isMark("@") ? first + 1 : first)..<next)
                first = next + 1
            }
            if depth < 0 { break }
        }
        guard elements.contains(where: { $0 == place..<place + 1 }) else { return nil }
        return elements.filter { $0.count == 1 }.compactMap { tokens[$0.lowerBound].plainText }
            .filter(PinText.isHostOrEnd)
    }

    /// `request.RequestUri.Host == "localhost"`: this computer, where a host must be it.
    func isComparedAsHost(_ tokens: [Token], _ place: Int, with evidence: [Int]) -> Bool {
        guard let text = tokens[place].plainText, ["localhost", "127.0.0.1", "::1"].contains(text), place > 3 else {
            return false
        }
        if [.dart, .script].contains(evaluator.tree.language) {
            return ["==", "==="].contains(where: tokens[place - 1].isMark) && tokens[place - 2].namesHost
                && evaluator.tree.isAsked(place, with: evidence)
        }
        guard text == "localhost", evaluator.tree.language == .cSharp else { return false }
        if isCaseOfHost(tokens, place) { return true }
        if tokens[place - 1].isMark("==") { return tokens[place - 2].namesHost }
        return tokens[place - 1].isMark("(") && tokens[place - 2].isName("Equals") && tokens[place - 4].namesHost
    }

    /// `if (url.startsWith('https://api.acme.example')) callback(certificate.fingerprint === PIN)`
    func isBesideComparedURL(_ tokens: [Token], _ place: Int) -> Bool {
        guard evaluator.tree.language == .script, place > 2, tokens[place].plainText?.contains("://") ?? false,
            tokens[(place - 3)..<place].contains(where: { ["startsWith", "includes"].contains(where: $0.isName) })
                || ["==", "==="].contains(where: tokens[place - 1].isMark),
            tokens[max(0, place - 5)..<place].contains(where: { $0.name?.lowercased().hasSuffix("url") ?? false })
        else { return false }
        // Up to the end of what is done for it.
        var depth = 0
        for next in place..<min(place + 200, tokens.count) {
            switch tokens[next].kind {
            case .mark("{"): depth += 1
            case .mark("}"):
                depth -= 1
                if depth <= 0 { return false }
            case .mark(";"), .mark("?"), .mark(":"): if depth == 0 { return false }
            case .name("fingerprint"), .name("fingerprint256"): return true
            default: break
            }
        }
        return false
    }

    private static let logs: Set<String> = [
        "NSLog", "print", "debugPrint", "println", "WriteLine", "fatalError", "preconditionFailure",
        "assertionFailure", "os_log", "NSAssert",
    ]

    /// Whether a name is that of a function that writes to a log: what it is given is shown, and not compared.
    static func isLog(_ tokens: [Token], _ place: Int) -> Bool {
        guard place + 1 < tokens.count, tokens[place + 1].isMark("("), let name = tokens[place].name else {
            return false
        }
        if logs.contains(name) || name.hasPrefix("DDLog") || name.hasPrefix("Log") { return true }
        guard place > 1, tokens[place - 1].isMark("."), let owner = tokens[place - 2].name?.lowercased() else {
            return false
        }
        return ["log", "timber", "console"].contains(owner) || owner.hasSuffix("logger")
    }

    /// Where the bracket at a place is closed.
    static func closing(_ tokens: [Token], _ place: Int) -> Int {
        var depth = 0
        for next in place..<min(place + 400, tokens.count) {
            switch tokens[next].kind {
            case .mark("("): depth += 1
            case .mark(")"): depth -= 1
            default: break
            }
            if depth == 0 { return next }
        }
        return place
    }

    /// Whether a constant's name says that it has the hosts that are pinned, and not others.
    static func namesPinnedHosts(_ name: String) -> Bool {
        let name = name.lowercased()
        guard name.contains("host") || name.contains("domain") else { return false }
        let others = [
            "un", "skip", "bypass", "exclu", "allow", "ignor", "trusted", "valid", "proxy", "debug", "dev", "local",
            "verif", "test", "insecure", "exempt", "exception", "except", "white", "public", "external", "cdn", "block",
        ]
        return name.contains("pinned") && !name.contains("unpinned") || !others.contains(where: name.contains)
    }
}

extension Block {
    /// Whether what it declares is seen by every function.
    var isOutside: Bool {
        switch owner {
        case .file, .type: true
        case .function, .closure, .inner: false
        }
    }
}

extension Token {
    fileprivate var namesHost: Bool {
        guard let name else { return false }
        return name.contains("host") || name.contains("Host") || name.contains("HOST")
    }
}

extension [Token] {
    /// `'C4B6…' + '4432…'`: whether a text has digits of one number, of which no part is a digest by itself.
    func isPartOfDigits(_ place: Int) -> Bool {
        func areDigits(_ place: Int) -> Bool {
            guard indices.contains(place), let text = self[place].plainText else { return false }
            return text.utf8.count > 7 && text.allSatisfy(\.isHexDigit)
        }
        guard areDigits(place), place > 0, place + 1 < count else { return false }
        return self[place - 1].isMark("+") && areDigits(place - 2)
            || self[place + 1].isMark("+") && areDigits(place + 2)
    }
}

extension SyntaxTree {
    /// `PINS.includes(digest)`, `_pins.contains(digest)`: whether code asks a list if it has something.
    fileprivate func isAsks(_ place: Int) -> Bool {
        ["includes", "contains", "has", "indexOf", "some", "any", "every", "find"].contains(where: tokens[place].isName)
    }

    /// The lists that code asks, at some places.
    func listsAsked(in places: [Int]) -> Set<String> {
        Set(
            places.compactMap { place in
                guard let name = tokens[place].name, place + 2 < tokens.count,
                    tokens[place + 1].isMark(".") || tokens[place + 1].isMark("?."), isAsks(place + 2),
                    !isOfSeen(name, at: place)
                else { return nil }
                return name
            }
        )
    }

    /// Whether a list notes which certificates of a chain were seen, so that a loop ends: one of a script's function that begins
    /// empty, and is filled in the loop that asks it.
    func isOfSeen(_ name: String, at place: Int) -> Bool {
        guard language == .script, let inner = innermost(around: place)?.block,
            let block = block(declaring: name, from: inner), !blocks[block].owner.isShared,
            let declared = blocks[block].declarations[name], declared.count == 1, let value = declared[0].value,
            ["[]", "{}", "newSet()", "newMap()", "Set()"].contains(value.words.filter({ !$0.isWhitespace }))
        else { return false }
        let loops = blocks.flatMap(\.statements).filter { statement in
            switch statement.kind {
            case .loop, .count, .repeated: statement.tokens.contains(place)
            default: false
            }
        }
        let changes = changes[name] ?? []
        return !changes.isEmpty && changes.allSatisfy { change in loops.contains { $0.tokens.contains(change.token) } }
    }

    /// Whether code of a script notes the certificates of a chain, and compares them with nothing else.
    func onlyWalks(_ group: CodeGroup) -> Bool {
        guard language == .script else { return false }
        var hasSeen = false
        let isOther = group.tokens.contains { place in
            if ["==", "===", "!=", "!=="].contains(where: tokens[place].isMark) {
                return
                    !(place + 1 < tokens.count
                    && ["null", "undefined"].contains(where: tokens[place + 1].isName))
            }
            guard let name = tokens[place].name, place + 1 < tokens.count else { return false }
            if tokens[place + 1].isMark("("),
                [
                    "destroy", "match", "test", "equals", "verify", "reject", "timingSafe", "compare", "assert",
                    "abort", "check", "validate",
                ].contains(where: name.hasPrefix)
            {
                return true
            }
            if name == "throw" || name == "Error" { return true }
            guard tokens[place + 1].isMark(".") || tokens[place + 1].isMark("?."), place + 2 < tokens.count,
                isAsks(place + 2)
            else { return false }
            hasSeen = hasSeen || isOfSeen(name, at: place)
            return !isOfSeen(name, at: place)
        }
        return hasSeen && !isOther
    }
}
