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

    /// What is said of a certificate that is fetched by a connection which does nothing else.
    static func ofConnection(_ evidence: [Int], _ tree: SyntaxTree) -> String {
        guard tree.language == .dart, !evidence.isEmpty, tree.fetchesCertificatesAlone else { return "" }
        return "; on a connection of its own, which is closed again: the requests go over others"
    }

    /// What is said of a callback that lets through hosts which it does not name.
    static func others(_ group: CodeGroup, _ evaluator: Evaluator) -> String {
        let tree = evaluator.tree
        let through = "; other hosts are let through, whatever they show"
        if tree.language == .script {
            let given = group.tokens.filter { tree.tokens[$0].isName("setCertificateVerifyProc") }
            if !given.isEmpty { return given.allSatisfy(tree.electronLetsOthersThrough) ? through : "" }
            let callbacks = callbacks(of: group, tree).filter { tree.tokens[$0].isName("checkServerIdentity") }
            let ofName = "; other hosts are let through, whatever name their certificate is for"
            return !callbacks.isEmpty && callbacks.allSatisfy(tree.nodeTakesAnyName) ? ofName : ""
        }
        if tree.isOfApple { return letsOtherHostsThrough(group, tree) ? through : "" }
        if tree.language == .cSharp {
            let (isSo, isBehindSystem) = tree.lettingOtherHostsThrough(deciding: evidence(in: group, tree))
            return !isSo ? "" : isBehindSystem ? "; other hosts are held to the system's own checks alone" : through
        }
        guard tree.language == .dart else { return "" }
        // What dio's own callback lets through has passed the ordinary checks.
        let given = comparing(in: group, tree)
        if given.isEmpty {
            if let elsewhere = self.given(elsewhere: group, evaluator) {
                return elsewhere.lettingOthersThrough.map { through + $0 } ?? ""
            }
            // What another source may give dio, is asked behind the ordinary checks.
            let isOpen = tree.functionLetsOthersThrough(in: group) { name in
                evaluator.module.others(mentioning: name, than: tree.path, in: .dart).isEmpty
            }
            return isOpen && callbacks(of: group, tree).isEmpty ? "; hosts without pins are let through" : ""
        }
        guard given.allSatisfy({ tree.tokens[$0].isName("badCertificateCallback") }) else { return "" }
        let conditions = given.map(tree.lettingOtherHostsThrough).uniqued
        // Each has to say so of itself.
        guard let condition = conditions.first ?? nil, !conditions.contains(nil) else { return "" }
        return through + (conditions.count == 1 ? condition : "")
    }
}

extension SyntaxTree {
    /// Whether connections that are made here are asked for their certificate, and closed, and no client is given a callback.
    fileprivate var fetchesCertificatesAlone: Bool {
        let asked = tokens.indices.filter { tokens[$0].isName("peerCertificate") }
        guard !asked.isEmpty, !tokens.contains(where: { ComparisonForm.callbacks.contains($0.name ?? "") }) else {
            return false
        }
        return asked.allSatisfy { place in
            guard place > 1, [".", "?."].contains(where: tokens[place - 1].isMark), let name = tokens[place - 2].name,
                let function = function(around: place),
                function.contains(where: { ["SecureSocket", "RawSecureSocket"].contains(where: tokens[$0].isName) })
            else { return false }
            let uses = function.filter {
                $0 > 0 && tokens[$0].isName(name) && ![".", "?."].contains(where: tokens[$0 - 1].isMark)
            }
            // Where it is declared, no dot is behind it.
            let members = uses.compactMap { use -> String? in
                guard use + 2 < tokens.count, [".", "?."].contains(where: tokens[use + 1].isMark) else { return nil }
                return tokens[use + 2].name
            }
            let isClosed = !Set(members).isDisjoint(with: ["close", "destroy"])
            return isClosed && members.allSatisfy(["peerCertificate", "close", "destroy", "flush"].contains)
                && uses.count <= members.count + 2
        }
    }

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
        for place in tries(around: place).flatMap(\.caught).flatMap(\.tokens) where place + 2 < tokens.count {
            guard ["HttpClient", "Client", "IOClient"].contains(where: tokens[place].isName),
                tokens[place + 1].isMark("("), tokens[place + 2].isMark(")")
            else { continue }
            return "; where that fails, line \(tokens[place].line) makes a client with the system's roots"
        }
        return ""
    }

    /// Each `try` that a place stands in, with the `catch` and `on` behind it.
    func tries(around place: Int) -> [(tried: Statement, caught: ArraySlice<Statement>)] {
        blocks.compactMap { block in
            guard let index = block.statements.firstIndex(where: { $0.tokens.contains(place) }),
                tokens[block.statements[index].tokens.lowerBound].isName("try")
            else { return nil }
            let caught = block.statements[(index + 1)...].prefix { statement in
                ["catch", "on"].contains(where: tokens[statement.tokens.lowerBound].isName)
            }
            return (block.statements[index], caught)
        }
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
    func hasRoots(_ context: Expression, depth: Int) -> Bool {
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
}
