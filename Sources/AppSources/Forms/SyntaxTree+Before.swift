/// What code of Dart and scripts does, or leaves out, before a certificate is compared.
extension SyntaxTree {
    /// Branches that leave a function before it takes a certificate: what stands in them is compared with none.
    func leftBefore(comparing group: CodeGroup) -> [Range<Int>] {
        guard language == .dart || language == .script else { return [] }
        let clues = ComparisonForm.clues(self)
        func isEvidence(_ place: Int) -> Bool { clues.contains { $0.isEvidence(tokens, place) } }
        // Functions that take one themselves.
        var taking: Set<String>?
        func takes(_ name: String) -> Bool {
            let names =
                taking
                ?? Set(
                    CodeGroup.functions(of: self).filter { function in
                        function.isCalled
                            && CodeGroup.group(of: function.range, in: self).tokens.contains(where: isEvidence)
                    }
                    .map(\.name)
                )
            taking = names
            return names.contains(name)
        }
        var found: [Range<Int>] = []
        for block in blocks {
            for statement in block.statements where group.holds(statement.tokens.lowerBound) {
                guard case .branches(let branches, _) = statement.kind, branches.count == 1,
                    case .returning? = blocks[branches[0].block].statements.last?.kind,
                    let range = range(of: branches[0].block), let body = body(around: statement.tokens.lowerBound),
                    let first = body.first(where: isEvidence), first >= statement.tokens.upperBound,
                    // What is called there, or set, may take one.
                    !range.contains(where: { place in
                        isEvidence(place) || ComparisonForm.isGiven(tokens, place)
                            || tokens[place].names.contains(where: takes)
                    })
                else { continue }
                found.append(range)
            }
        }
        return found
    }

    /// The function that is given the certificate at a place, where it looks at nothing that it is given, and answers a text.
    func constantFunction(givenAt place: Int) -> (name: String, answer: String)? {
        guard language == .dart || language == .script else { return nil }
        // `'sha256/${digestOf(certificate.der)}'`
        if case .text(let pieces) = tokens[place].kind {
            for case .code(let inner) in pieces {
                guard let last = inner.indices.last, last > 0 else { continue }
                return constantFunction(givenAt: last - 1, in: inner)
            }
        }
        return constantFunction(givenAt: place, in: tokens)
    }

    private func constantFunction(givenAt place: Int, in tokens: [Token]) -> (name: String, answer: String)? {
        guard place + 1 < tokens.count, tokens[place + 1].isMark(")") else { return nil }
        var start = place
        while start > 1, tokens[start - 1].isMark(".") || tokens[start - 1].isMark("?."), tokens[start - 2].name != nil
        {
            start -= 2
        }
        guard start > 1, tokens[start - 1].isMark("("), let name = tokens[start - 2].name else { return nil }
        let declared = blocks.flatMap { $0.declarations[name] ?? [] }
        guard declared.count == 1, declared[0].kind == .function, declared[0].parameters.count == 1 else { return nil }
        if let value = declared[0].value { return value.plainText.map { (name, $0) } }
        guard let body = declared[0].body, blocks[body].statements.count == 1,
            case .returning(let value?) = blocks[body].statements[0].kind
        else { return nil }
        return value.plainText.map { (name, $0) }
    }

    /// The function of Apple's code whose answer is looked up among the pins, and is the same text whatever it is given.
    func constantFunction(lookedUpIn group: CodeGroup) -> String? {
        guard isOfApple else { return nil }
        return group.tokens.lazy.compactMap { place -> String? in
            guard place > 1, place + 1 < tokens.count, tokens[place + 1].isMark("("), tokens[place - 1].isMark("="),
                let name = tokens[place].name, let result = tokens[place - 2].name
            else { return nil }
            let declared = blocks.flatMap { $0.declarations[name] ?? [] }
            guard declared.count == 1, declared[0].kind == .function, !declared[0].parameters.isEmpty,
                answer(of: declared[0])?.plainText != nil
            else { return nil }
            let isCompared = group.tokens.contains { use in
                guard use > place, tokens[use].isName(result), use + 1 < tokens.count else { return false }
                let isLookedUp = use > 1 && tokens[use - 1].isMark("(") && tokens[use - 2].isName("contains")
                return isLookedUp || tokens[use - 1].isMark("==") || tokens[use + 1].isMark("==")
            }
            return isCompared ? name : nil
        }
        .first
    }

    /// Whether a library of Dart is given a callback that answers yes to every certificate, in any build.
    var isGivenAcceptingAll: Bool { !acceptingAll.isEmpty }

    /// Whether a client of the source's own lets every certificate through, in any build. Whether what `HttpOverrides` makes is
    /// put in place, and a function of its own is called, is another question.
    var letsAllThrough: Bool {
        guard language == .dart else { return isGivenYes }
        return acceptingAll.contains { place in
            let isOfOverride = blocks.flatMap(\.statements).contains { statement in
                guard case .declaration(let declaration) = statement.kind, declaration.kind == .type else {
                    return false
                }
                return statement.tokens.contains(place) && declaration.supers.contains("HttpOverrides")
            }
            let name = namedFunction(around: [place])?.name ?? ""
            let isUncalled = name.hasPrefix("_") && tokens.count { $0.names.contains(name) } == 1
            return !isOfOverride && !isUncalled
        }
    }

    /// Where such callbacks begin.
    private var acceptingAll: [Int] {
        var found: [Int] = []
        visit { expression, _ in
            guard case .closure(let closure) = expression.kind, closure.parameters.count == 3,
                expression.token > 1, tokens[expression.token - 2].isName("badCertificateCallback"),
                blocks[closure.block].statements.count == 1
            else { return true }
            switch blocks[closure.block].statements[0].kind {
            case .returning(let value?), .expression(let value):
                if value.names("true"), conditions(around: expression.token).isEmpty { found.append(expression.token) }
            default: break
            }
            return true
        }
        return found
    }
}

extension Expression {
    /// A text without anything to fill in.
    fileprivate var plainText: String? {
        guard case .text(let pieces) = kind else { return nil }
        if pieces.isEmpty { return "" }
        guard pieces.count == 1, case .plain(let text) = pieces[0] else { return nil }
        return text
    }
}
