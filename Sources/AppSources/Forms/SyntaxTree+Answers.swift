/// What callbacks of Dart answer about a certificate that is one of the pins.
extension SyntaxTree {
    /// Whether all callbacks that a library is given let through what differs from the pins, and refuse what does not:
    /// `badCertificateCallback = (…) => !pins.contains(digest)`.
    ///
    /// - Parameter evidence: where a certificate is taken apart.
    func acceptsOthers(than evidence: [Int], givenAt callbacks: [Int]) -> Bool {
        guard language == .dart, !callbacks.isEmpty else { return false }
        let bodies = callbacks.compactMap(body(givenAt:))
        return bodies.count == callbacks.count
            && bodies.allSatisfy { Answers(tree: self, evidence: evidence).answer(ofBlock: $0) == false }
    }

    /// Whether a callback that dart:io is given at a place looks at nothing of the certificate, but to tell a log, and may say yes.
    func judgesNothing(givenAt place: Int) -> Bool {
        guard language == .dart, ["badCertificateCallback", "onBadCertificate"].contains(where: tokens[place].isName)
        else { return false }
        var found = false
        visit { expression, _ in
            guard expression.token == place + 2, case .closure(let closure) = expression.kind,
                let certificate = closure.parameters.first, let body = range(of: closure.block)
            else { return true }
            var behindLog = 0
            let looks = body.contains { next in
                if GroupReading.isLog(tokens, next) {
                    behindLog = max(behindLog, GroupReading.closing(tokens, next + 1))
                }
                return next >= behindLog && tokens[next].names.contains(certificate)
            }
            found = !looks && mayAnswerYes(closure.block)
            return false
        }
        return found
    }

    private func mayAnswerYes(_ body: Int) -> Bool {
        blocks.indices.filter { $0 == body || isInside($0, body) }.contains { block in
            blocks[block].statements.contains { statement in
                switch statement.kind {
                case .returning(let value?): !value.names("false")
                case .expression(let value):
                    block == body && blocks[body].statements.count == 1 && !value.names("false")
                default: false
                }
            }
        }
    }

    /// The block of the closure, or of the one function, that a callback is.
    private func body(givenAt place: Int) -> Int? {
        guard place + 2 < tokens.count else { return nil }
        var found: [Int] = []
        visit { expression, _ in
            if expression.token == place + 2, case .closure(let closure) = expression.kind {
                found.append(closure.block)
            }
            return true
        }
        if let closure = found.first { return closure }
        guard let name = tokens[place + 2].name, place + 3 < tokens.count, !tokens[place + 3].isMark(".") else {
            return nil
        }
        guard let inner = innermost(around: place)?.block, let block = self.block(declaring: name, from: inner),
            let found = blocks[block].declarations[name], found.count == 1, found[0].kind == .function
        else { return nil }
        return found[0].body
    }
}

/// Whether code says yes to a certificate that is one of its pins, or no.
private struct Answers {
    let tree: SyntaxTree
    let evidence: [Int]

    private static let asking: Set<String> = ["contains", "any", "containsKey", "equals", "contentEquals"]

    /// `nil` where it is not known, or some statements say the one and some the other.
    func answer(ofBlock block: Int, depth: Int = 0) -> Bool? {
        let found = answers(ofBlock: block, asked: nil, depth: depth)
        return found.allSatisfy { $0 == found[0] } ? found.first ?? nil : nil
    }

    /// - Parameter asked: whether what is asked around it holds for a pin.
    private func answers(ofBlock block: Int, asked: Bool?, depth: Int) -> [Bool?] {
        guard depth < 6 else { return [nil] }
        var asked = asked
        var found: [Bool?] = []
        for statement in tree.blocks[block].statements {
            switch statement.kind {
            case .returning(let value):
                guard let value else { return found + [nil] }
                if let flag = value.flag {
                    // What is not asked of the certificate says nothing.
                    if let asked { found.append(flag == asked) }
                } else {
                    found.append(answer(of: value, depth: depth + 1))
                }
            case .expression(let value):
                // `(…) => !pins.contains(digest)`
                if tree.blocks[block].statements.count == 1, tree.blocks[block].owner != .inner {
                    found.append(answer(of: value, depth: depth + 1))
                }
            case .branches(let branches, _):
                let first = branches.first.flatMap { branch in branch.test.flatMap { answer(of: $0, depth: depth + 1) }
                }
                for (index, branch) in branches.enumerated() {
                    let own = index == 0 ? first : branch.isRest && branches.count == 2 ? first.map { !$0 } : nil
                    found += answers(ofBlock: branch.block, asked: own ?? asked, depth: depth + 1)
                }
                // Behind one that leaves, what it asks for does not hold.
                if branches.count == 1, let first, leaves(branches[0].block) { asked = !first }
            case .block(let body), .repeated(let body), .loop(_, _, let body), .count(_, _, let body):
                found += answers(ofBlock: body, asked: asked, depth: depth + 1)
            case .declaration, .assignment: break
            }
        }
        return found
    }

    private func leaves(_ block: Int) -> Bool {
        if case .returning? = tree.blocks[block].statements.last?.kind { true } else { false }
    }

    /// Whether an expression is true of a pin, and false of what is none, or the other way round.
    private func answer(of expression: Expression, depth: Int) -> Bool? {
        guard depth < 10 else { return nil }
        switch expression.kind {
        case .prefix("!", let value): return answer(of: value, depth: depth + 1).map { !$0 }
        case .tested(_, let value): return answer(of: value, depth: depth + 1)
        case .binary("==", let left, let right): return isOfCertificate(left, right) ? true : nil
        case .binary("!=", let left, let right): return isOfCertificate(left, right) ? false : nil
        case .binary("&&", let left, let right), .binary("||", let left, let right):
            let sides = [left, right].compactMap { answer(of: $0, depth: depth + 1) }
            return sides.allSatisfy { $0 == sides[0] } ? sides.first : nil
        case .call(let callee, let arguments):
            if case .member(_, let name) = callee.kind, Self.asking.contains(name) {
                return arguments.contains { mentions($0.value) } ? true : nil
            }
            guard let name = callee.finalName, let called = declared(name, expression), called.kind == .function
            else { return nil }
            if let value = called.value { return answer(of: value, depth: depth + 1) }
            return called.body.flatMap { answer(ofBlock: $0, depth: depth + 1) }
        case .name(let name):
            guard let declared = declared(name, expression), declared.kind == .value, let value = declared.value,
                tree.changes[name] == nil
            else { return nil }
            return answer(of: value, depth: depth + 1)
        default: return nil
        }
    }

    private func isOfCertificate(_ left: Expression, _ right: Expression) -> Bool {
        !["null", "0", "1"].contains { left.words == $0 || right.words == $0 } && (mentions(left) || mentions(right))
    }

    /// Whether what a certificate is taken apart into stands in an expression, or in what its names stand for.
    private func mentions(_ expression: Expression, depth: Int = 0) -> Bool {
        guard depth < 5 else { return false }
        var found = false
        expression.visit { part in
            guard !found else { return false }
            switch part.kind {
            case .member(_, let name) where ["der", "pem", "sha1", "sha256"].contains(name): found = true
            case .name(let name):
                guard let declared = declared(name, part), declared.kind != .parameter else { break }
                found =
                    declared.value.map { mentions($0, depth: depth + 1) }
                    ?? (declared.kind == .function ? declared.body.map(holdsEvidence) : nil) ?? false
            case .closure(let closure): found = holdsEvidence(closure.block)
            default: break
            }
            return true
        }
        return found
    }

    private func holdsEvidence(_ block: Int) -> Bool {
        tree.blocks[block].statements.contains { statement in evidence.contains(where: statement.tokens.contains) }
    }

    /// What a name stands for, where that is one.
    private func declared(_ name: String, _ expression: Expression) -> Declaration? {
        guard let block = tree.block(declaring: name, from: expression.block),
            let found = tree.blocks[block].declarations[name], found.count == 1
        else { return nil }
        return found[0]
    }
}

extension Expression {
    fileprivate var flag: Bool? { names("true") ? true : names("false") ? false : nil }
}
