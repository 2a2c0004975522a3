/// Hosts without pins that a callback of dart:io lets through.
extension SyntaxTree {
    /// Under which condition a callback that is given at a place says yes for a host that it has no pins for: none is an
    /// empty text, and where it never does, nothing.
    func lettingOtherHostsThrough(givenAt place: Int) -> String? {
        var found: String??
        visit { expression, _ in
            guard found == nil, expression.token == place + 2 else { return found == nil }
            switch expression.kind {
            case .closure(let closure) where closure.parameters.count == 3:
                found = .some(lettingOthersThrough(in: closure.block, host: closure.parameters[1], depth: 0))
            case .name, .member: found = .some(lettingOthersThrough(in: expression, hostAt: 1, depth: 0))
            case .call: found = .some(nil)
            default: break
            }
            return found == nil
        }
        return found ?? nil
    }

    /// The same of the only function of this source by a name: `check`, `Pins.check`.
    private func lettingOthersThrough(in function: Expression, hostAt position: Int, depth: Int) -> String? {
        if case .member(let base, _) = function.kind, !base.names("this"),
            typeBodies[base.finalName ?? ""] == nil
        {
            return nil
        }
        return function.finalName.flatMap { lettingOthersThrough(inFunction: $0, hostAt: position, depth: depth) }
    }

    func lettingOthersThrough(inFunction name: String, hostAt position: Int, depth: Int = 0) -> String? {
        let named = blocks.flatMap { $0.declarations[name] ?? [] }
        guard named.count == 1, named[0].kind == .function, let body = named[0].body,
            position < named[0].parameters.count, depth < 3
        else { return nil }
        return lettingOthersThrough(in: body, host: named[0].parameters[position].name, depth: depth + 1)
    }

    /// Whether a function that is given a certificate and a host, and that no library calls, says yes where it has no pins for the
    /// host: `if (pins == null) return true`.
    ///
    /// - Parameter isAlone: whether no other source names a function.
    func functionLetsOthersThrough(in group: CodeGroup, isAlone: (String) -> Bool) -> Bool {
        blocks.flatMap(\.statements).contains { statement in
            guard case .declaration(let function) = statement.kind, function.kind == .function,
                let body = function.body,
                statement.tokens.contains(group.evidence) || group.holds(statement.tokens.lowerBound),
                function.parameters.contains(where: { $0.typeName == "X509Certificate" }),
                function.parameters.count != 3 || isAlone(function.name)
            else { return false }
            return function.parameters.contains { parameter in
                let word = parameter.name.lowercased()
                return ["host", "domain", "server"].contains(where: word.contains)
                    && lettingOthersThrough(in: body, host: parameter.name, depth: 0) == ""
            }
        }
    }

    private func lettingOthersThrough(in block: Int, host: String, depth: Int) -> String? {
        let statements = blocks[block].statements
        // `{ return check(certificate, host); }`
        if statements.count == 1, let value = statements[0].answer, case .call(let callee, let arguments) = value.kind,
            let position = arguments.firstIndex(where: { $0.label == nil && $0.value.names(host) })
        {
            return lettingOthersThrough(in: callee, hostAt: position, depth: depth)
        }
        if let call = decision(in: statements, about: host) {
            return lettingOthersThrough(in: call.callee, hostAt: call.position, depth: depth)
        }
        for (index, statement) in statements.enumerated() {
            guard case .branches(let branches, _) = statement.kind, let branch = branches.first, let test = branch.test
            else { continue }
            if asksForOthers(test, host, depth: 0), says(true, branch.block) { return "" }
            // `if (host == 'api.acme.example') { return … } return true`
            if branches.count == 1, asksForOne(test, host), !says(true, branch.block), leaves(branch.block),
                case .returning(let value?)? = statements.last?.kind, value.names("true")
            {
                let refusing = refusals(among: statements[(index + 1)...])
                return refusing.isEmpty ? "" : ", if not \(refusing.joined(separator: " and not "))"
            }
        }
        return nil
    }

    /// What decides in the end: `final isValid = check(certificate, host); if (!isValid) { … } return isValid`.
    private func decision(
        in statements: [Statement],
        about host: String
    ) -> (callee: Expression, position: Int)? {
        guard case .declaration(let answer)? = statements.first?.kind, answer.kind == .value,
            case .call(let callee, let arguments)? = answer.value?.kind,
            let position = arguments.firstIndex(where: { $0.label == nil && $0.value.names(host) }),
            case .returning(let value?)? = statements.last?.kind, changes[answer.name] == nil
        else { return nil }
        func isAnswer(_ value: Expression) -> Bool {
            switch value.kind {
            case .binary("||", let left, let right): isAnswer(left) || isAnswer(right)
            case .tested(_, let value): isAnswer(value)
            default: value.names(answer.name)
            }
        }
        // What stands between asks for what is refused alone.
        let isSure = statements.dropFirst().dropLast().allSatisfy { statement in
            switch statement.kind {
            case .branches(let branches, _): branches.allSatisfy { $0.condition.hasPrefix("!\(answer.name)") }
            case .expression: true
            default: false
            }
        }
        return isSure && isAnswer(value) ? (callee, position) : nil
    }

    /// `if (kReleaseMode) return false`
    private func refusals(among statements: ArraySlice<Statement>) -> [String] {
        statements.compactMap { statement in
            guard case .branches(let branches, _) = statement.kind, branches.count == 1, says(false, branches[0].block)
            else { return nil }
            let condition = branches[0].condition
            return condition.contains(" ") ? "(\(condition))" : condition
        }
    }

    private func says(_ flag: Bool, _ block: Int) -> Bool {
        guard blocks[block].statements.count < 4, case .returning(let value?)? = blocks[block].statements.last?.kind
        else { return false }
        return value.names("\(flag)")
    }

    private func leaves(_ block: Int) -> Bool {
        if case .returning? = blocks[block].statements.last?.kind { true } else { false }
    }

    /// `host == …`, `host.endsWith(…)`, `hosts.contains(host)`
    private func asksForOne(_ test: Expression, _ host: String) -> Bool {
        switch test.kind {
        case .binary("==", let left, let right):
            return !left.names("null") && !right.names("null") && (mentions(left, host) || mentions(right, host))
        case .binary("||", let left, let right): return asksForOne(left, host) && asksForOne(right, host)
        case .call: return mentions(test, host)
        case .tested(_, let value): return asksForOne(value, host)
        default: return false
        }
    }

    /// `!hosts.contains(host)`, `host != …`, `pins[host] == null`
    private func asksForOthers(_ test: Expression, _ host: String, depth: Int) -> Bool {
        guard depth < 6 else { return false }
        switch test.kind {
        case .prefix("!", let value): return asksForOne(value, host)
        case .binary("==", let left, let right):
            let isNone = [left, right].contains { $0.names("null") || $0.names("false") }
            return isNone && (isOfHost(left, host) || isOfHost(right, host))
        case .binary("!=", let left, let right):
            return !left.names("null") && !right.names("null") && (mentions(left, host) || mentions(right, host))
        case .binary("||", let left, let right):
            return asksForOthers(left, host, depth: depth + 1) || asksForOthers(right, host, depth: depth + 1)
        case .member(let base, "isEmpty"): return isOfHost(base, host)
        case .tested(_, let value): return asksForOthers(value, host, depth: depth + 1)
        default: return false
        }
    }

    /// Whether it is what a table has for the host, or for the one that its function is given, or a constant for that.
    private func isOfHost(_ expression: Expression, _ host: String) -> Bool {
        if case .name(let name) = expression.kind, let block = block(declaring: name, from: expression.block),
            let found = blocks[block].declarations[name], found.count == 1, let value = found[0].value
        {
            return mentions(value, host) || isLookedUp(value)
        }
        if case .name = expression.kind { return false }
        return mentions(expression, host)
    }

    /// `pins[host ?? usual] ?? []`, of a parameter.
    private func isLookedUp(_ value: Expression) -> Bool {
        switch value.kind {
        case .index(_, let key):
            var isGiven = false
            key.visit { part in
                if case .name(let name) = part.kind, let block = block(declaring: name, from: part.block),
                    blocks[block].declarations[name]?.allSatisfy({ $0.kind == .parameter }) ?? false
                {
                    isGiven = true
                }
                return !isGiven
            }
            return isGiven
        case .binary("??", let found, _), .tested(_, let found): return isLookedUp(found)
        default: return false
        }
    }

    private func mentions(_ expression: Expression, _ name: String) -> Bool {
        var found = false
        expression.visit { part in
            if part.names(name) { found = true }
            return !found
        }
        return found
    }
}
