/// Code that refuses the certificates that it names, and no others.
extension SyntaxTree {
    /// What becomes of a certificate that is none of those that code refuses.
    enum Rest { case letThrough, leftToSystem }

    /// Whether code of Apple's delegates, or of a trust manager, refuses a certificate where it is one that it names; and what
    /// becomes of others. `nil` of any other code.
    ///
    /// - Parameter evidence: where a certificate is taken apart.
    func refusesNamed(_ evidence: [Int]) -> Rest? {
        guard let first = evidence.min(), let own = function(around: first), evidence.allSatisfy(own.contains) else {
            return nil
        }
        if isOfApple { return refusedByDelegate(evidence, in: own) }
        guard language == .kotlin || language == .java else { return nil }
        return refusedByThrowing(evidence, in: own)
    }

    // MARK: Apple

    private enum Said: Hashable { case yes, no, system }

    private func refusedByDelegate(_ evidence: [Int], in own: Range<Int>) -> Rest? {
        for block in blocks {
            for statement in block.statements where own.contains(statement.tokens.lowerBound) {
                guard case .branches(let branches, _) = statement.kind, let test = branches[0].test,
                    branches.count == 1 || branches.count == 2 && branches[1].isRest,
                    statement.tokens.upperBound > (evidence.min() ?? 0), let matches = isMatch(test, evidence),
                    let head = range(of: branches[0].block)
                else { continue }
                let rest =
                    branches.count == 2
                    ? range(of: branches[1].block) ?? 0..<0 : statement.tokens.upperBound..<own.upperBound
                let (here, there) = (said(in: head), said(in: rest))
                let (ofPin, ofOthers) = matches ? (here, there) : (there, here)
                guard ofPin == [.no], !ofOthers.contains(.no) else { continue }
                if ofOthers == [.yes] { return isEvaluated(in: own) ? .leftToSystem : .letThrough }
                if ofOthers == [.system] { return .leftToSystem }
            }
        }
        return nil
    }

    /// Whether the system's own checks have a word beside it.
    private func isEvaluated(in own: Range<Int>) -> Bool {
        tokens[own.clamped(to: 0..<tokens.count)].contains { $0.name?.hasPrefix("SecTrustEvaluate") ?? false }
    }

    private func said(in range: Range<Int>) -> Set<Said> {
        Set(
            tokens[range.clamped(to: 0..<tokens.count)].compactMap { token in
                guard let name = token.name?.lowercased() else { return nil }
                if name.hasSuffix("usecredential") { return .yes }
                if name.hasSuffix("performdefaulthandling") { return .system }
                let refusing = ["cancelauthenticationchallenge", "rejectprotectionspace"]
                return refusing.contains(where: name.hasSuffix) ? .no : nil
            }
        )
    }

    // MARK: Trust managers

    private func refusedByThrowing(_ evidence: [Int], in own: Range<Int>) -> Rest? {
        guard namedFunction(around: evidence)?.name == "checkServerTrusted" else { return nil }
        let places = own.clamped(to: 0..<tokens.count)
        let thrown = places.filter { tokens[$0].isName("throw") }
        let asks = calls(["check", "require", "checkArgument"]).filter { own.contains($0.call.token) }
        // What is caught is refused by nobody.
        guard !places.contains(where: { tokens[$0].isName("try") || tokens[$0].isName("runCatching") }) else {
            return nil
        }
        let delegating = places.filter { place in
            tokens[place].isName("checkServerTrusted") && place > 0
                && (tokens[place - 1].isMark(".") || tokens[place - 1].isMark("?."))
        }
        guard delegating.allSatisfy({ tested(around: $0).isEmpty }), !handsOn(in: places) else { return nil }
        let isDelegating = !delegating.isEmpty
        let rest: Rest = isDelegating ? .leftToSystem : .letThrough
        if thrown.isEmpty, asks.count == 1, let asked = asks[0].arguments.first?.value {
            return isMatch(asked, evidence) == false ? rest : nil
        }
        guard asks.isEmpty, !thrown.isEmpty else { return nil }
        for block in blocks {
            for statement in block.statements where own.contains(statement.tokens.lowerBound) {
                guard case .branches(let branches, _) = statement.kind, branches.count == 1,
                    let test = branches[0].test,
                    let body = range(of: branches[0].block), thrown.allSatisfy(body.contains)
                else { continue }
                return isMatch(test, evidence) == true ? rest : nil
            }
        }
        return nil
    }

    /// The name of the chain in a function's head.
    private func firstParameter(behind open: Int) -> String? {
        let head = tokens[(open + 1)..<min(open + 14, tokens.count)].prefix { !$0.isMark(",") && !$0.isMark(")") }
        return language == .kotlin ? head.first?.name : head.last(where: { $0.name != nil })?.name
    }

    /// Whether something else is given the whole chain, which may refuse: `verifier.verify(chain, authType)`.
    private func handsOn(in places: Range<Int>) -> Bool {
        guard let open = places.first(where: { tokens[$0].isMark("(") }),
            let first = firstParameter(behind: open)
        else { return false }
        return places.dropFirst(open - places.lowerBound + 3).contains { place in
            guard tokens[place].isName(first), place + 1 < tokens.count, tokens[place - 1].isMark("("),
                tokens[place + 1].isMark(",") || tokens[place + 1].isMark(")"), let name = tokens[place - 2].name
            else { return false }
            return name != "checkServerTrusted" && !["size", "length", "toString", "for", "if"].contains(name)
        }
    }

    // MARK: Conditions

    private static let asking: Set<String> = [
        "contains", "containsObject:", "isEqual:", "isEqualToString:", "isEqualToData:", "isEqual", "elementsEqual",
        "CFEqual",
        "equals", "contentEquals", "equalsIgnoreCase", "isEqualTo",
    ]

    /// Whether an expression is true of a certificate that is named, or false; `nil` where it is not about one, or not known.
    private func isMatch(_ expression: Expression, _ evidence: [Int], depth: Int = 0) -> Bool? {
        guard depth < 6 else { return nil }
        switch expression.kind {
        case .tested(_, let value): return isMatch(value, evidence, depth: depth + 1)
        case .prefix("!", let value): return isMatch(value, evidence, depth: depth + 1).map { !$0 }
        case .binary(let mark, let left, let right):
            guard ["==", "!=", "===", "!==", "in"].contains(mark) else { return nil }
            for (one, other) in [(left, right), (right, left)] {
                if let truth = one.truth {
                    let matches = isMatch(other, evidence, depth: depth + 1)
                    return matches.map { $0 == (truth != mark.hasPrefix("!")) }
                }
            }
            guard isOf(evidence, left) || isOf(evidence, right) else { return nil }
            guard mark == "in" || isPin(left) || isPin(right) else { return nil }
            return !mark.hasPrefix("!")
        case .call(let callee, let arguments):
            guard let name = callee.finalName else { return nil }
            if name == "any", case .closure(let closure)? = arguments.last?.value.kind,
                case .expression(let last)? = blocks[closure.block].statements.last?.kind
            {
                return isMatch(last, evidence, depth: depth + 1)
            }
            guard Self.asking.contains(name), isOf(evidence, expression) else { return nil }
            return true
        case .name(let name):
            guard let block = block(declaring: name, from: expression.block),
                let declared = blocks[block].declarations[name], declared.count == 1, declared[0].kind == .value,
                changes[name] == nil, let value = declared[0].value
            else { return nil }
            return isMatch(value, evidence, depth: depth + 1)
        default: return nil
        }
    }

    /// Whether an expression is a text, a constant that is one, or an element of a list: no answer of a function.
    private func isPin(_ expression: Expression) -> Bool {
        switch expression.kind {
        case .text: return true
        case .name("it"), .name("$0"): return true
        case .name(let name), .member(_, let name):
            let declared = blocks.flatMap { $0.declarations[name] ?? [] }
            return declared.count == 1 && declared[0].kind == .value && declared[0].value?.isText ?? false
        case .prefix(_, let inner): return isPin(inner)
        default: return false
        }
    }

    /// Whether what is taken apart stands in an expression, or in what its names stand for.
    private func isOf(_ evidence: [Int], _ expression: Expression, depth: Int = 0) -> Bool {
        guard depth < 6 else { return false }
        var found = false
        expression.visit { part in
            guard !found else { return false }
            if evidence.contains(part.token) || evidence.contains(where: { part.finalToken == $0 }) {
                found = true
                return false
            }
            switch part.kind {
            case .name(let name):
                guard let block = block(declaring: name, from: part.block), !blocks[block].owner.isShared,
                    let declared = blocks[block].declarations[name], declared.count < 3
                else { break }
                found = declared.contains { one in
                    if let value = one.value, isOf(evidence, value, depth: depth + 1) { return true }
                    return holder(of: one).map { statement in evidence.contains(where: statement.tokens.contains) }
                        ?? false
                }
            case .closure(let closure):
                found = range(of: closure.block).map { body in evidence.contains(where: body.contains) } ?? false
            default: break
            }
            return true
        }
        return found
    }

    /// The statement that declares a value.
    private func holder(of declaration: Declaration) -> Statement? {
        guard declaration.kind == .value else { return nil }
        return blocks[declaration.block].statements.first { statement in
            guard case .declaration(let other) = statement.kind else { return false }
            return other.name == declaration.name && other.line == declaration.line
        }
    }
}

extension Expression {
    /// `true`, `NO`
    fileprivate var truth: Bool? {
        ["true", "YES", "TRUE"].contains(words) ? true : ["false", "NO", "FALSE"].contains(words) ? false : nil
    }

    /// Of a member or a call by its name, where that stands.
    fileprivate var finalToken: Int? {
        switch kind {
        case .call(let callee, _): callee.finalToken
        case .name: token
        default: nil
        }
    }
}
