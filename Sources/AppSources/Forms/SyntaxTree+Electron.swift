/// What callbacks of Electron and Node do with the certificates of hosts that they have no pins for.
extension SyntaxTree {
    /// Whether one that is given at a place says `0` for them, which is yes whatever Chromium found; `-3` leaves it to Chromium.
    func electronLetsOthersThrough(givenAt place: Int) -> Bool {
        letsOthersThrough(givenAt: place) { next in
            tokens[next].name != nil && next + 3 < tokens.count && tokens[next + 1].isMark("(")
                && tokens[next + 2].kind == .number("0") && tokens[next + 3].isMark(")")
        }
    }

    /// Whether one that is given at a place never refuses: all that it says is `0`, or `-3`, which leaves it to Chromium.
    ///
    /// - Returns: what it says; `nil` where it may refuse, or where that is not known.
    func electronAnswers(givenAt place: Int) -> Set<String>? {
        var found: Set<String>?
        visit { expression, _ in
            guard found == nil, expression.token == place + 2, case .closure(let closure) = expression.kind else {
                return found == nil
            }
            found = answers(of: closure, among: ["0", "-3"])
            return false
        }
        return found
    }

    /// Whether a place stands in a callback for what Chromium refuses that says yes to all of it:
    /// `app.on('certificate-error', (…, callback) => callback(true))`.
    func electronForgivesAll(around place: Int) -> Bool {
        var isIt = false
        visit { expression, _ in
            guard !isIt, case .call(_, let arguments) = expression.kind, arguments.count == 2,
                arguments[0].value.words == "\"certificate-error\"",
                case .closure(let closure) = arguments[1].value.kind,
                range(of: closure.block)?.contains(place) ?? false
            else { return !isIt }
            isIt = answers(of: closure, among: ["true"]) != nil
            return false
        }
        return isIt
    }

    /// What a closure gives the callback that is its last parameter; `nil` where that is not known, or none of those.
    private func answers(of closure: Expression.Closure, among known: Set<String>) -> Set<String>? {
        guard closure.parameters.count > 1, let callback = closure.parameters.last, let body = range(of: closure.block)
        else { return nil }
        var found: Set<String> = []
        for next in body where tokens[next].isName(callback) {
            guard next + 1 < tokens.count, tokens[next + 1].isMark("(") else { return nil }
            let end = GroupReading.closing(tokens, next + 1)
            let words = tokens[(next + 2)..<max(next + 2, end)].words.filter { !$0.isWhitespace }
            guard known.contains(words) else { return nil }
            found.insert(words)
        }
        return found.isEmpty ? nil : found
    }

    /// Whether Node is given an `async` function, whose answer is a promise.
    func nodeIsAnsweredPromise(givenAt place: Int) -> Bool {
        guard place + 3 < tokens.count, tokens[place + 1].isMark(":") || tokens[place + 1].isMark("=") else {
            return false
        }
        if tokens[place + 2].isName("async") { return true }
        guard let name = tokens[place + 2].name, !tokens[place + 3].isMark("."), !tokens[place + 3].isMark("=>") else {
            return false
        }
        let named = blocks.flatMap(\.statements).filter { statement in
            guard case .declaration(let declaration) = statement.kind else { return false }
            return declaration.name == name && [.function, .value].contains(declaration.kind)
        }
        return named.count == 1
            && tokens[max(0, named[0].tokens.lowerBound - 2)..<min(named[0].tokens.lowerBound + 5, tokens.count)]
                .contains { $0.isName("async") }
    }

    /// Whether one that is given at a place says yes to their names: Node asks nothing else of a name, and has looked at the
    /// chain before.
    func nodeTakesAnyName(givenAt place: Int) -> Bool {
        guard let body = closure(givenAt: place),
            // Node's own function, which the callback calls.
            !body.contains(where: { next in
                next > place && tokens[next].name.map(Self.asksForNames) ?? false && !isOfEmptyOptions(next)
            })
        else { return false }
        return othersPass(inWhatDecidesFor: body)
            || letsOthersThrough(givenAt: place) { next in
                guard tokens[next].isName("return"), next + 1 < tokens.count else { return false }
                return tokens[next + 1].isMark(";") || tokens[next + 1].isMark("}")
                    || ["undefined", "null"].contains(where: tokens[next + 1].isName)
            }
    }

    private static func asksForNames(_ name: String) -> Bool {
        ["checkserveridentity", "subjectaltname", "checkhost"].contains(name.lowercased())
            || name.lowercased().contains("hostname") && name.lowercased().hasPrefix("verif")
    }

    private func letsOthersThrough(givenAt place: Int, _ isYes: (Int) -> Bool) -> Bool {
        guard let body = closure(givenAt: place) else { return false }
        let known = tested(around: place, areAll: true)
        return body.contains { next in
            guard isYes(next) else { return false }
            let asked = tested(around: next, areAll: true).filter { !known.contains($0) }
            return !asked.isEmpty
                && asked.allSatisfy { condition in
                    guard let test = condition.test else { return false }
                    return condition.holds ? asksForOthers(test, depth: 0) : asksForOne(test, depth: 0)
                }
        }
    }

    /// `hostname === …`, `hosts.includes(hostname)`, or a constant for that.
    private func asksForOne(_ test: Expression, depth: Int) -> Bool {
        guard depth < 6 else { return false }
        switch test.kind {
        case .binary(let mark, let left, let right) where mark == "==" || mark == "===":
            return [left, right].contains(where: mentionsHost) && ![left, right].contains(where: isNothing)
        case .binary("||", let left, let right):
            return asksForOne(left, depth: depth + 1) && asksForOne(right, depth: depth + 1)
        case .call: return mentionsHost(test)
        case .tested(_, let value): return asksForOne(value, depth: depth + 1)
        case .prefix("!", let value): return asksForOthers(value, depth: depth + 1)
        case .name: return meaning(of: test).map { asksForOne($0, depth: depth + 1) || isOfTable($0) } ?? false
        default: return isOfTable(test)
        }
    }

    /// `hostname !== …`, `!hosts.includes(hostname)`, `!pins[hostname]`
    func asksForOthers(_ test: Expression, depth: Int) -> Bool {
        guard depth < 6 else { return false }
        switch test.kind {
        case .prefix("!", let value): return asksForOne(value, depth: depth + 1)
        case .binary(let mark, let left, let right) where mark == "!=" || mark == "!==":
            return [left, right].contains(where: mentionsHost) && ![left, right].contains(where: isNothing)
        case .binary("||", let left, let right):
            return asksForOthers(left, depth: depth + 1) || asksForOthers(right, depth: depth + 1)
        case .tested(_, let value): return asksForOthers(value, depth: depth + 1)
        default: return false
        }
    }

    /// What a constant stands for.
    private func meaning(of name: Expression) -> Expression? {
        guard case .name(let word) = name.kind, let block = block(declaring: word, from: name.block),
            let found = blocks[block].declarations[word], found.count == 1, found[0].kind == .value
        else { return nil }
        return found[0].value
    }

    /// `pins[hostname]`, `pins.get(hostname)`
    private func isOfTable(_ value: Expression) -> Bool {
        switch value.kind {
        case .index(_, let key): mentionsHost(key)
        case .call(let callee, _): callee.finalName == "get" && mentionsHost(value)
        default: false
        }
    }

    private func isNothing(_ value: Expression) -> Bool { ["null", "undefined", "false"].contains(where: value.names) }

    private func mentionsHost(_ expression: Expression) -> Bool {
        var found = false
        expression.visit { part in
            switch part.kind {
            case .name(let name), .member(_, let name): found = found || ["host", "hostname"].contains(name)
            case .closure(let closure): found = found || mentionsHost(in: closure.block)
            default: break
            }
            return !found
        }
        return found
    }

    private func mentionsHost(in block: Int) -> Bool {
        range(of: block)?.contains { ["host", "hostname"].contains(tokens[$0].name ?? "") } ?? false
    }
}
