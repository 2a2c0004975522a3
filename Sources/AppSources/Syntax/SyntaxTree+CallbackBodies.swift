/// Functions and closures of .NET that say whether a server's certificate is let through.
extension SyntaxTree {
    /// One of them, and what it is given.
    struct CallbackBody {
        /// A function's.
        var name: String?
        var tokens: Range<Int>
        var block: Int?
        /// Where it is one expression.
        var value: Expression?
        /// Names of the certificate, its chain, and what a caller made of them.
        var certificates: Set<String>
        /// Whether a library calls it.
        var isCallback: Bool
    }

    /// What must hold for a comparison to decide: that its callback says yes on no other way.
    ///
    /// - Parameter evidence: where a certificate is taken apart.
    func conditions(ofDeciding evidence: [Int]) -> [Condition] {
        guard language == .cSharp, !evidence.isEmpty else { return [] }
        return conditions(ofDeciding: judging(evidence), closures: callbackClosures, steps: 3)
    }

    /// Where a callback of .NET takes a certificate apart, or what it calls: what does so for a log, or with one of the
    /// client's own, lets no server through. All where that is not known.
    func judging(_ evidence: [Int]) -> [Int] {
        guard language == .cSharp else { return evidence }
        let closures = callbackClosures
        let own = evidence.filter { isOfCallback($0, closures, steps: 3) }
        return own.isEmpty ? evidence : own
    }

    /// Whether a callback of .NET is around a place, or around what calls its function.
    private func isOfCallback(_ place: Int, _ closures: [CallbackBody], steps: Int) -> Bool {
        guard let body = body(around: place, closures) else { return false }
        guard !body.isCallback, steps > 0, let name = body.name else { return body.isCallback }
        return callPlaces(of: name, outside: body.tokens).prefix(20).contains {
            isOfCallback($0, closures, steps: steps - 1)
        }
    }

    /// What must hold for a function of another source to decide, where callbacks of .NET answer as it does; `nil` where that
    /// is not known.
    func conditions(ofAnswering name: String) -> [Condition]? {
        let closures = callbackClosures
        let places = tokens.indices.dropLast().filter { tokens[$0].isName(name) && tokens[$0 + 1].isMark("(") }
        guard !places.isEmpty, places.count < 20,
            places.allSatisfy({ body(around: $0, closures)?.isCallback ?? false && isAnswer(at: $0, closures) })
        else { return nil }
        return conditions(ofDeciding: places)
    }

    /// Whether callbacks of .NET say yes for hosts that have no pins, and whether only where the system found nothing.
    func lettingOtherHostsThrough(deciding evidence: [Int]) -> (isSo: Bool, isBehindSystem: Bool) {
        let closures = callbackClosures
        let ways = judging(evidence).map { place -> PassingWays? in
            guard let body = body(around: place, closures), body.isCallback else { return nil }
            return PassingWays(body, evidence.filter(body.tokens.contains), self)
        }
        let isSo = !ways.isEmpty && ways.allSatisfy { $0?.letsOtherHostsThrough ?? false }
        return (isSo, ways.allSatisfy { $0?.isBehindSystem ?? false })
    }

    private func conditions(ofDeciding places: [Int], closures: [CallbackBody], steps: Int) -> [Condition] {
        let all = places.map { place -> [Condition] in
            guard let body = body(around: place, closures) else { return [] }
            let found = PassingWays(body, places.filter(body.tokens.contains), self).conditions
            guard !body.isCallback, steps > 0, let name = body.name else { return body.isCallback ? found : [] }
            let calls = callPlaces(of: name, outside: body.tokens)
            // What makes digests of a certificate says neither yes nor no: that does who calls it.
            if !calls.isEmpty, calls.count < 20, !answersYesOrNo(body) {
                return conditions(ofDeciding: calls, closures: closures, steps: steps - 1)
            }
            // What is asked for a no says nothing of a yes.
            guard !calls.isEmpty, calls.count < 20, calls.allSatisfy({ isAnswer(at: $0, closures) }) else { return [] }
            let outside = conditions(ofDeciding: calls, closures: closures, steps: steps - 1)
            return found + outside.filter { !found.contains($0) }
        }
        return (all.first ?? []).filter { condition in all.allSatisfy { $0.contains(condition) } }
    }

    private func answersYesOrNo(_ body: CallbackBody) -> Bool {
        tokens[body.tokens].prefix { !$0.isMark("(") }.contains { ["bool", "Task", "void"].contains(where: $0.isName) }
    }

    /// Whether a function that answers about a certificate is called with one of some tokens.
    func isAnswerAboutPins(_ name: String, _ places: [Int]) -> Bool {
        places.contains { tokens[$0].isName(name) && isAnswer(at: $0, callbackClosures) }
    }

    /// Whether a callback of .NET is around a place, and whether it says yes before it looks at anything.
    func answer(ofCallbackAround place: Int) -> (isCallback: Bool, isYes: Bool) {
        guard language == .cSharp, let body = body(around: place, callbackClosures), body.isCallback else {
            return (false, false)
        }
        return (true, body.value?.names("true") ?? body.block.map(saysYes) ?? false)
    }

    private func saysYes(in block: Int) -> Bool {
        for statement in blocks[block].statements {
            switch statement.kind {
            case .returning(let value): return value?.names("true") ?? false
            // `(…) => true`
            case .expression(let value) where blocks[block].statements.count == 1: return value.names("true")
            default:
                let own = tokens[statement.tokens.clamped(to: 0..<tokens.count)]
                if own.contains(where: { $0.isName("return") || $0.isName("throw") }) { return false }
            }
        }
        return false
    }

    /// The closures that have what a callback of .NET is called with.
    private var callbackClosures: [CallbackBody] {
        var found: [CallbackBody] = []
        visit { expression, _ in
            guard case .closure(let closure) = expression.kind, closure.parameters.count == 4,
                let range = range(of: closure.block)
            else { return true }
            let certificates = Set(closure.parameters[1...2]).subtracting(["_"])
            found.append(
                .init(tokens: range, block: closure.block, certificates: certificates, isCallback: true)
            )
            return true
        }
        return found
    }

    /// The innermost one around a place.
    private func body(around place: Int, _ closures: [CallbackBody]) -> CallbackBody? {
        var best = closures.filter { $0.tokens.contains(place) }.min { $0.tokens.count < $1.tokens.count }
        for block in blocks {
            for statement in block.statements where statement.tokens.contains(place) {
                guard case .declaration(let declaration) = statement.kind, declaration.kind == .function,
                    statement.tokens.count < best?.tokens.count ?? .max
                else { continue }
                let range = statement.tokens.clamped(to: 0..<tokens.count)
                let head = tokens[range].prefix { !$0.isMark("{") && !$0.isMark("=>") }
                let isCallback = head.contains { $0.isName("SslPolicyErrors") || $0.isName("override") }
                let certificates = declaration.parameters.filter { parameter in
                    let name = parameter.name.lowercased()
                    return parameter.typeName?.hasPrefix("X509") ?? false || !isCallback
                        || ["cert", "chain"].contains(where: name.contains)
                }
                best = CallbackBody(
                    name: declaration.name,
                    tokens: range,
                    block: declaration.body,
                    value: declaration.value,
                    certificates: Set(certificates.map(\.name)),
                    isCallback: isCallback
                )
            }
        }
        return best
    }

    /// Whether a yes of what is called at a place is one of what calls it: `return Matches(certificate)`.
    private func isAnswer(at place: Int, _ closures: [CallbackBody]) -> Bool {
        let start = start(ofMemberAt: place)
        guard start > 1 else { return false }
        let before = tokens[start - 1]
        if before.isName("return") || ["=>", "&&", "||"].contains(where: before.isMark) {
            // `if (isLive && Matches(certificate)) return false;`
            guard case .branches? = innermost(around: place)?.statement.kind else { return true }
        }
        let isNegated = before.isMark("!")
        guard let statement = innermost(around: place)?.statement, case .branches(let branches, _) = statement.kind,
            isNegated || before.isMark("(") || before.isMark("&&"),
            let branch = branches.first, let first = blocks[branch.block].statements.first,
            place < first.tokens.lowerBound, let last = blocks[branch.block].statements.last
        else { return false }
        switch last.kind {
        case .returning(let value?): return value.names(isNegated ? "false" : "true")
        case .expression(let value): return isNegated && value.isThrow
        default: return false
        }
    }

    /// What a variable may have in the end, and where it is given that: `var isValid = false; if (isDebug) { isValid = true; }`.
    ///
    /// - Parameter own: the blocks of the function that has it.
    func lastValues(of name: String, in own: [Int]) -> [(token: Int, value: Expression)] {
        var given: [(token: Int, value: Expression, conditions: [Condition])] = []
        for block in own {
            for statement in blocks[block].statements {
                let start = statement.tokens.lowerBound
                switch statement.kind {
                case .declaration(let declaration) where declaration.kind == .value && declaration.name == name:
                    guard let value = declaration.value else { continue }
                    given.append((start, value, tested(around: start, areAll: true)))
                case .assignment(let target, let mark, let value) where target.names(name):
                    guard mark == "=" || mark == "|=" else { return [] }
                    given.append((start, value, tested(around: start, areAll: true)))
                default: break
                }
            }
        }
        guard given.count > 1, given.count < 20 else { return [] }
        return given.filter { one in
            // In a loop, what stands before may come later.
            let isInLoop = one.conditions.contains { $0.choice.condition.hasPrefix("the loop on line ") }
            return !isInLoop
                && given.allSatisfy { other in
                    other.token <= one.token
                        || other.conditions.contains { condition in
                            // On another way, or where it is no yes.
                            one.conditions.contains(condition.opposite)
                                || condition.choice.condition == name && condition.choice.option != 0
                        }
                }
        }
        .map { ($0.token, $0.value) }
    }
}
