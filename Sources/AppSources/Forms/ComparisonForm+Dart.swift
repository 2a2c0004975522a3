/// Whose certificates the callbacks of Dart are asked about, and what they do with them.
extension ComparisonForm {
    /// That dart:io asks its callback only about certificates that the system refuses, where its client has the system's roots.
    static func askedOfRefused(_ group: CodeGroup, _ tree: SyntaxTree) -> [Choices.Choice] {
        guard tree.language == .dart else { return [] }
        let given = comparing(in: group, tree)
        guard !given.isEmpty, given.allSatisfy({ tree.tokens[$0].isName("badCertificateCallback") }),
            tree.clientsHaveRoots
        else { return [] }
        return [refusedBySystem]
    }

    static let refusedBySystem = Choices.choice("the system refuses the certificate", holds: true)

    /// What is said of the clients of another source, and of an override, which others make: with roots of their own, or not.
    static func ofClients(_ group: CodeGroup, _ evaluator: Evaluator) -> String {
        let tree = evaluator.tree
        guard tree.language == .dart else { return "" }
        let given = comparing(in: group, tree)
        if given.isEmpty, self.given(elsewhere: group, evaluator)?.haveRoots ?? false {
            return "; it is asked only about what the system refuses"
        }
        guard !given.isEmpty, given.allSatisfy({ tree.tokens[$0].isName("badCertificateCallback") }),
            tree.handsContextsOn
        else { return "" }
        return "; clients that are given no context ask it only about what the system refuses"
    }

    /// That a whole certificate is held against digests, so that nothing is equal to them.
    static func comparesWhole(_ evidence: [Int], in group: CodeGroup, _ evaluator: Evaluator) -> Bool {
        let tree = evaluator.tree
        guard tree.language == .dart, !evidence.isEmpty,
            evidence.allSatisfy({ tree.tokens[$0].names.contains { $0 == "der" || $0 == "pem" } }),
            compares(group, tree)
        else { return false }
        let closures = comparing(in: group, tree).compactMap(tree.closure).map { CodeGroup.group(of: $0, in: tree) }
        guard (closures.isEmpty ? [group] : closures).allSatisfy(tree.takesNoDigest) else { return false }
        let pins = GroupReading(group, evaluator).pins
        return !pins.isEmpty && pins.allSatisfy { $0.utf8.count < 100 && !PinText.isCertificate($0) }
    }

    static let ofWholeCertificate =
        "held against a whole certificate, of which no digest is taken: nothing is equal to it"

    /// What is said of a callback that lets through hosts which it does not name.
    static func others(_ group: CodeGroup, _ evaluator: Evaluator) -> String {
        let tree = evaluator.tree
        let through = "; other hosts are let through, whatever they show"
        if tree.language == .script {
            let given = group.tokens.filter { tree.tokens[$0].isName("setCertificateVerifyProc") }
            return !given.isEmpty && given.allSatisfy(tree.electronLetsOthersThrough) ? through : ""
        }
        if tree.isOfApple { return letsOtherHostsThrough(group, tree) ? through : "" }
        if tree.language == .cSharp {
            return tree.letsOtherHostsThrough(deciding: evidence(in: group, tree)) ? through : ""
        }
        guard tree.language == .dart else { return "" }
        // What dio's own callback lets through has passed the ordinary checks.
        let given = comparing(in: group, tree)
        if given.isEmpty {
            return self.given(elsewhere: group, evaluator)?.lettingOthersThrough.map { through + $0 } ?? ""
        }
        guard given.allSatisfy({ tree.tokens[$0].isName("badCertificateCallback") }) else { return "" }
        let conditions = given.map(tree.lettingOtherHostsThrough).uniqued
        // Each has to say so of itself.
        guard let condition = conditions.first ?? nil, !conditions.contains(nil) else { return "" }
        return through + (conditions.count == 1 ? condition : "")
    }
}

extension SyntaxTree {
    /// Whether all clients of dart:io that are made here trust what the system trusts.
    var clientsHaveRoots: Bool {
        // What is given to an override of the app's own, others tell.
        guard ofOverrides.isEmpty else { return false }
        let clients = calls(["HttpClient"])
        if clients.isEmpty {
            return tokens.contains { $0.isName("onHttpClientCreate") }
                && !tokens.contains { $0.isName("SecurityContext") }
        }
        return clients.allSatisfy { _, _, arguments in
            guard let context = arguments.first(where: { $0.label == "context" })?.value else {
                return arguments.isEmpty
            }
            return hasRoots(context, depth: 0)
        }
    }

    /// What is said where code goes on with the system's roots if what it tries at a place fails.
    func plainClient(wherePlaceFails place: Int) -> String {
        for block in blocks {
            guard let index = block.statements.firstIndex(where: { $0.tokens.contains(place) }),
                tokens[block.statements[index].tokens.lowerBound].isName("try")
            else { continue }
            let caught = block.statements[(index + 1)...].prefix { statement in
                ["catch", "on"].contains(where: tokens[statement.tokens.lowerBound].isName)
            }
            for place in caught.flatMap(\.tokens) where place + 2 < tokens.count {
                guard ["HttpClient", "Client", "IOClient"].contains(where: tokens[place].isName),
                    tokens[place + 1].isMark("("), tokens[place + 2].isMark(")")
                else { continue }
                return "; where that fails, line \(tokens[place].line) makes a client with the system's roots"
            }
        }
        return ""
    }

    /// `super.createHttpClient(context)`, by their arguments.
    private var ofOverrides: [[Expression.Argument]] {
        calls(["createHttpClient"]).compactMap { call, _, arguments in
            guard case .call(let callee, _) = call.kind, case .member = callee.kind else { return nil }
            return arguments
        }
    }

    /// Whether all clients that are made here are an override's, with the context that it is asked for.
    fileprivate var handsContextsOn: Bool {
        let made = ofOverrides
        return !made.isEmpty && calls(["HttpClient"]).isEmpty
            && made.allSatisfy { arguments in
                guard arguments.count == 1, case .name(let name) = arguments[0].value.kind,
                    let block = block(declaring: name, from: arguments[0].value.block)
                else { return false }
                return blocks[block].declarations[name]?.allSatisfy { $0.kind == .parameter } ?? false
            }
    }

    /// `SecurityContext(withTrustedRoots: true)`, `SecurityContext.defaultContext`, or a constant that is.
    private func hasRoots(_ context: Expression, depth: Int) -> Bool {
        switch context.kind {
        case .member(let base, "defaultContext"): return base.names("SecurityContext")
        case .call(let callee, let arguments):
            if arguments.isEmpty, depth < 3, case .name(let name) = callee.kind {
                let answers = answers(ofFunction: name)
                return !answers.isEmpty && answers.allSatisfy { hasRoots($0, depth: depth + 1) }
            }
            return callee.finalName == "SecurityContext"
                && arguments.contains { $0.label == "withTrustedRoots" && $0.value.names("true") }
        case .name(let name):
            guard depth < 3, let block = block(declaring: name, from: context.block),
                let found = blocks[block].declarations[name], found.count == 1, found[0].kind == .value,
                let value = found[0].value
            else { return false }
            return hasRoots(value, depth: depth + 1)
        default: return false
        }
    }

    /// What the only function by a name returns.
    private func answers(ofFunction name: String) -> [Expression] {
        let named = blocks.flatMap { $0.declarations[name] ?? [] }
        guard named.count == 1, named[0].kind == .function, let body = named[0].body else { return [] }
        return blocks.indices.filter { isInside($0, body) }.flatMap { blocks[$0].statements }.compactMap { statement in
            if case .returning(let value?) = statement.kind { value } else { nil }
        }
    }

    /// Whether all that some functions call is known, and none of it makes a digest.
    fileprivate func takesNoDigest(in group: CodeGroup) -> Bool {
        let ofDigests = ["sha", "md5", "hash", "digest", "hmac", "crypto", "fingerprint", "thumbprint"]
        func makesDigest(_ name: String) -> Bool { ofDigests.contains(where: name.lowercased().contains) }
        // What makes other texts of bytes, or asks of lists.
        let plain: Set<String> = [
            "if", "for", "while", "switch", "catch", "assert", "return", "contains", "containsKey", "any", "every",
            "where",
            "map", "join", "add", "toString", "toList", "toSet", "toRadixString", "padLeft", "toUpperCase",
            "toLowerCase",
            "replaceAll", "trim", "split", "substring", "startsWith", "endsWith", "encode", "base64Encode",
            "fromCharCodes",
            "print", "debugPrint", "log", "parse", "sublist", "isNotEmpty", "isEmpty", "equals", "indexOf",
        ]
        let own = CodeGroup.functions(of: self).filter { $0.isCalled && group.holds($0.range.lowerBound) }.map(\.name)
        func isKnown(_ name: String) -> Bool { own.contains(name) || plain.contains(name) }
        return group.tokens.allSatisfy { place in
            if case .text = tokens[place].kind {
                return tokens[place].names.allSatisfy { isKnown($0) || isDeclared($0) }
            }
            guard let name = tokens[place].name, place + 1 < tokens.count else { return true }
            let isMember = place > 1 && (tokens[place - 1].isMark(".") || tokens[place - 1].isMark("?."))
            guard tokens[place + 1].isMark("(") else { return !isMember || !makesDigest(name) }
            if isKnown(name) { return true }
            if isMember, tokens[place - 2].name?.lowercased().contains("log") ?? false { return true }
            // What makes an object of a type.
            return !isMember && name.first?.isUppercase ?? false && !makesDigest(name)
        }
    }

    /// Whether a name stands for a value or a parameter here, or is a part of a certificate.
    private func isDeclared(_ name: String) -> Bool {
        ["der", "pem"].contains(name)
            || blocks.contains { block in block.declarations[name]?.contains { $0.kind != .function } ?? false }
    }

    /// Under which condition a callback that is given at a place says yes for a host that it has no pins for: none is an
    /// empty text, and where it never does, nothing.
    fileprivate func lettingOtherHostsThrough(givenAt place: Int) -> String? {
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

    private func lettingOthersThrough(in block: Int, host: String, depth: Int) -> String? {
        let statements = blocks[block].statements
        // `{ return check(certificate, host); }`
        if statements.count == 1, case .returning(let value?) = statements[0].kind,
            case .call(let callee, let arguments) = value.kind,
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

    /// Whether it is what a table has for the host, or a constant for that.
    private func isOfHost(_ expression: Expression, _ host: String) -> Bool {
        if case .name(let name) = expression.kind, let block = block(declaring: name, from: expression.block),
            let found = blocks[block].declarations[name], found.count == 1, let value = found[0].value
        {
            return mentions(value, host)
        }
        if case .name = expression.kind { return false }
        return mentions(expression, host)
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
