/// Functions of Node's that say whether a certificate fits, and what a callback makes of their answers.
extension SyntaxTree {
    /// `https.globalAgent.options.checkServerIdentity`, which is nothing unless code gives it.
    func isOfEmptyOptions(_ place: Int) -> Bool {
        func isIt(_ place: Int) -> Bool {
            place > 4 && tokens[place].isName("checkServerIdentity") && tokens[place - 2].isName("options")
                && tokens[place - 4].isName("globalAgent")
        }
        return isIt(place)
            && !tokens.indices.contains { next in
                isIt(next) && next + 1 < tokens.count && tokens[next + 1].isMark("=")
            }
    }

    /// Whether a callback refuses nothing where the function that decides finds no pins for a host:
    /// `const result = judge(host, chain)` with `if (!pins) return { valid: true }`, and `if (!result.valid) return new Error(…)`.
    func othersPass(inWhatDecidesFor body: Range<Int>) -> Bool {
        let statements = blocks.flatMap(\.statements).filter { body.contains($0.tokens.lowerBound) }
        return statements.contains { statement in
            guard case .declaration(let result) = statement.kind, result.kind == .value, changes[result.name] == nil,
                case .call(let callee, _)? = result.value?.kind, case .name(let name) = callee.kind,
                let answer = answerForOthers(ofFunction: name)
            else { return false }
            let refusing = body.filter { $0 >= statement.tokens.upperBound && isRefusal($0) }
            return !refusing.isEmpty
                && refusing.allSatisfy { place in
                    tested(around: place, areAll: true).contains { condition in
                        guard let truth = condition.test.flatMap({ self.truth(of: $0, where: result.name, is: answer) })
                        else { return false }
                        return truth != condition.holds
                    }
                }
        }
    }

    /// What the only function by a name returns where its table has nothing for a host.
    private func answerForOthers(ofFunction name: String) -> Expression? {
        let named = blocks.flatMap { $0.declarations[name] ?? [] }
        guard named.count == 1, named[0].kind == .function, let body = named[0].body else { return nil }
        for statement in blocks[body].statements {
            guard case .branches(let branches, _) = statement.kind, let first = branches.first, let test = first.test,
                asksForOthers(test, depth: 0), case .returning(let value?)? = blocks[first.block].statements.last?.kind
            else { continue }
            return value
        }
        return nil
    }

    /// `throw`, or an answer that is something.
    private func isRefusal(_ place: Int) -> Bool {
        if tokens[place].isName("throw") { return true }
        guard tokens[place].isName("return"), place + 1 < tokens.count else { return false }
        return ![";", "}"].contains(where: tokens[place + 1].isMark)
            && !["undefined", "null"].contains(where: tokens[place + 1].isName)
    }

    /// Whether a condition holds where a name stands for an answer; `nil` where that is not known.
    private func truth(of test: Expression, where name: String, is answer: Expression, depth: Int = 0) -> Bool? {
        guard depth < 6 else { return nil }
        func truth(_ part: Expression) -> Bool? {
            self.truth(of: part, where: name, is: answer, depth: depth + 1)
        }
        switch test.kind {
        case .prefix("!", let value): return truth(value).map { !$0 }
        case .tested(_, let value): return truth(value)
        case .binary("&&", let left, let right):
            let parts = [truth(left), truth(right)]
            return parts.contains(false) ? false : parts == [true, true] ? true : nil
        case .binary("||", let left, let right):
            let parts = [truth(left), truth(right)]
            return parts.contains(true) ? true : parts == [false, false] ? false : nil
        case .name(name): return Self.flag(answer)
        case .member(let base, let field) where base.names(name):
            guard case .table(let pairs) = answer.kind else { return nil }
            let pair = pairs.first { $0.key.names(field) || tokens[$0.key.token].plainText == field }
            return pair.flatMap { Self.flag($0.value) }
        default: return nil
        }
    }

    private static func flag(_ value: Expression) -> Bool? {
        value.names("true") ? true : value.names("false") ? false : nil
    }
}
