/// Callbacks of Node whose answers are not heeded.
extension ComparisonForm {
    /// What is said where Node notes what `checkServerIdentity` answers, and goes on: `rejectUnauthorized: false`.
    static func unheeded(_ group: CodeGroup, _ tree: SyntaxTree) -> String {
        guard tree.language == .script else { return "" }
        let given = callbacks(of: group, tree).filter { tree.tokens[$0].isName("checkServerIdentity") }
        if !given.isEmpty, given.allSatisfy(tree.isOptionOfAxios) {
            return "; axios hands no 'checkServerIdentity' of its own options on: nothing is compared"
        }
        // Code that looks at the note, or at the certificate behind it, may refuse.
        guard !tree.looksAtPeers, !given.isEmpty else { return "" }
        if tree.tellsNodeToRefuseNothing, !tree.tokens.contains(where: { $0.isName("rejectUnauthorized") }) {
            return "; with 'NODE_TLS_REJECT_UNAUTHORIZED' Node heeds no answer: every certificate is let through"
        }
        guard given.allSatisfy(tree.refusesNothing(besideOption:)) else { return "" }
        return "; with 'rejectUnauthorized: false' Node heeds no answer: every certificate is let through"
    }
}

extension ComparisonForm {
    /// What is said where an agent of Node is given to the `fetch` that every runtime has: that one heeds none.
    static func unasked(_ group: CodeGroup, _ tree: SyntaxTree) -> String {
        guard tree.language == .script,
            group.context.contains(where: { tree.tokens[$0].isName("checkServerIdentity") })
        else { return "" }
        return tree.unheededAgent
    }

    /// What is said where Node or Electron compares a certificate above the server's.
    static func aboveServer(_ evidence: [Int], _ tree: SyntaxTree) -> String {
        guard tree.language == .script, let first = evidence.first.flatMap(tree.placeAboveServer),
            evidence.allSatisfy({ tree.placeAboveServer($0) == first })
        else { return "" }
        return first
    }

    /// What is said where nothing ends a connection of Node whose certificate is another one: a log is told at most.
    static func unended(_ evidence: [Int], in group: CodeGroup, _ tree: SyntaxTree) -> String {
        guard tree.language == .script else { return "" }
        if !evidence.isEmpty, evidence.allSatisfy(tree.electronForgivesAll) {
            return "; it says yes whatever they are: every certificate is let through"
        }
        let ofElectron = callbacks(of: group, tree).filter { tree.tokens[$0].isName("setCertificateVerifyProc") }
        let answers = ofElectron.map(tree.electronAnswers)
        if !answers.isEmpty, !answers.contains(nil) {
            let saysYes = answers.contains { $0?.contains("0") ?? false }
            if saysYes, answers.contains(where: { $0?.contains("-3") ?? false }) {
                return "; it refuses nothing: what it does not say yes to is left to Chromium's own checks"
            }
            return saysYes
                ? "; it says yes whatever they are: every certificate is let through"
                : "; nothing ends the connection where they differ"
        }
        let ofNode = callbacks(of: group, tree).filter { tree.tokens[$0].isName("checkServerIdentity") }
        if !ofNode.isEmpty, ofNode.allSatisfy(tree.nodeIsAnsweredPromise) {
            return "; its answer is a promise, which Node takes for an error: every server is refused"
        }
        // What an object of the app's own has by such a name is no certificate's: `this.fingerprint = fingerprint`.
        let evidence = evidence.filter { $0 < 2 || !tree.tokens[$0 - 2].isName("this") }
        guard !evidence.isEmpty,
            evidence.allSatisfy({ tree.endsNothing(around: $0) || tree.answersNothing(around: $0) })
        else { return "" }
        return "; nothing ends the connection where they differ"
    }

    /// What is said where Node is told to refuse a server for each of several parts of its certificate.
    static func together(_ evidence: [Int], _ tree: SyntaxTree) -> String {
        guard tree.language == .script else { return "" }
        let parts = evidence.filter(tree.isRefused).compactMap { tree.tokens[$0].name }.uniqued
        return parts.count > 1 ? "; \(parts.joined(separator: " and ")) must match, each of them" : ""
    }
}

extension SyntaxTree {
    /// What is said of a `fetch` of a script that no library gives it, and that is given an agent.
    var unheededAgent: String {
        let runtimes = ["window", "globalThis", "global", "self"]
        func isOfRuntime(_ place: Int) -> Bool {
            place > 1 && tokens[place - 1].isMark(".") && runtimes.contains(where: tokens[place - 2].isName)
        }
        let isOther = tokens.indices.contains { place in
            // `cross-fetch/polyfill`, and not an address.
            if let text = tokens[place].plainText {
                return text.contains("fetch") && !text.contains("://") && !text.hasPrefix("/")
            }
            // Whoever is given an agent as well may be the one that compares.
            if tokens[place].isName("httpsAgent") || tokens[place].isName("axios") { return true }
            guard tokens[place].isName("fetch") else { return false }
            if isOfRuntime(place) {
                // `globalThis.fetch = nodeFetch`
                return place + 3 < tokens.count && tokens[place + 1].isMark("=") && tokens[place + 2].name != nil
                    && !tokens[place + 2].isName("async") && !tokens[place + 2].isName("function")
            }
            // Whatever has it by another way than its call: an import, a parameter, a constant.
            let isCalled = place + 1 < tokens.count && tokens[place + 1].isMark("(")
            return !isCalled || place > 0 && (tokens[place - 1].isMark(".") || tokens[place - 1].isName("function"))
        }
        guard !isOther else { return "" }
        // `const original = window.fetch`
        let kept = blocks.flatMap { $0.declarations.values.joined() }.filter { declaration in
            guard case .member(let base, "fetch")? = declaration.value?.kind else { return false }
            return runtimes.contains(where: base.names)
        }
        let given = calls(Set(kept.map(\.name) + ["fetch"])).first { _, _, arguments in
            guard arguments.count > 1, let (whole, _) = DescribedForms.options(arguments[1].value, in: self),
                case .table(let pairs) = whole.kind
            else { return false }
            return pairs.contains { $0.key.names("agent") }
        }
        return given.map {
            "; the runtime's own 'fetch' on line \($0.call.line) heeds no 'agent': nothing is compared there"
        }
            ?? ""
    }

    /// Which certificate above the server's is taken apart at a place, in words; `nil` where it may be the server's.
    fileprivate func placeAboveServer(_ place: Int) -> String? {
        let issuers = ["issuerCert", "issuerCertificate"]
        guard place > 1, tokens[place - 1].isMark(".") || tokens[place - 1].isMark("?.") else { return nil }
        let issuer = "; the certificate is the issuer's, and not the server's"
        if issuers.contains(where: tokens[place - 2].isName) { return issuer }
        guard let name = tokens[place - 2].name else { return nil }
        // `certificate = certificate.issuerCert`, `const issuer = certificate.issuerCert`: what it was given last.
        let made = blocks.flatMap(\.statements).compactMap { statement -> (tokens: Range<Int>, isIssuer: Bool)? in
            guard statement.tokens.lowerBound < place, !statement.tokens.contains(place) else { return nil }
            let value: Expression?
            switch statement.kind {
            case .declaration(let declaration) where declaration.name == name: value = declaration.value
            case .assignment(let target, "=", let given) where target.names(name): value = given
            default: return nil
            }
            return (statement.tokens, issuers.contains(value?.finalName ?? ""))
        }
        guard let last = made.max(by: { $0.tokens.lowerBound < $1.tokens.lowerBound }), last.isIssuer,
            function(around: last.tokens.lowerBound) == function(around: place),
            // One of several ways is not known to be gone.
            tested(around: last.tokens.lowerBound).allSatisfy(tested(around: place).contains)
        else { return nil }
        let loops = blocks.flatMap(\.statements).filter { statement in
            guard statement.tokens.contains(last.tokens.lowerBound) else { return false }
            return switch statement.kind {
            case .loop, .count, .repeated: true
            default: false
            }
        }
        if loops.contains(where: { $0.tokens.contains(place) }) { return nil }
        return loops.isEmpty ? issuer : "; the certificate is the last of its chain, and not the server's"
    }

    /// Whether what differs at a place is refused by itself: `if (digestOf(certificate.pubkey) !== pin) return new Error('pin')`.
    fileprivate func isRefused(at place: Int) -> Bool {
        blocks.flatMap(\.statements).contains { statement in
            guard case .branches(let branches, _) = statement.kind, branches.count == 1, let test = branches[0].test,
                case .binary(let mark, _, _) = test.untested.kind, ["!=", "!=="].contains(mark),
                statement.tokens.contains(place), let last = blocks[branches[0].block].statements.last,
                place < blocks[branches[0].block].statements[0].tokens.lowerBound
            else { return false }
            switch last.kind {
            case .returning: return true
            case .expression(let value): return value.isThrow
            default: return false
            }
        }
    }

    /// What a function may call that ends no connection.
    private static let harmless: Set<String> = [
        "log", "error", "warn", "info", "debug", "on", "once", "write", "indexOf", "includes", "has", "replace", "join",
        "toLowerCase", "toUpperCase", "toString", "getPeerCertificate", "getPeerX509Certificate", "setEncoding", "push",
        "trim", "split",
    ]
    private static let ownWords: Set<String> = ["if", "for", "while", "switch", "catch", "function", "Date", "String"]

    /// Whether the function around a place looks at what a server showed, asks, and does nothing that could end the connection.
    fileprivate func endsNothing(around place: Int) -> Bool {
        guard let block = scope(around: place), let body = range(of: block),
            body.contains(where: { tokens[$0].asksPeer })
        else { return false }
        let own = blocks.indices.filter { $0 == block || isInside($0, block) }.flatMap { blocks[$0].statements }
        let isQuiet = own.allSatisfy { statement in
            switch statement.kind {
            case .assignment: false
            case .returning(let value): value == nil
            case .expression(let value): !value.isThrow
            default: true
            }
        }
        let asks = own.contains { if case .branches = $0.kind { true } else { false } }
        return asks && isQuiet
            && body.dropLast().allSatisfy { next in
                guard let name = tokens[next].name, tokens[next + 1].isMark("(") else { return true }
                let isMember = tokens[next - 1].isMark(".") || tokens[next - 1].isMark("?.")
                return isMember ? Self.harmless.contains(name) : Self.ownWords.contains(name)
            }
    }
}

extension Expression {
    /// What a condition compares, without its words.
    fileprivate var untested: Expression { if case .tested(_, let value) = kind { value.untested } else { self } }
}

extension SyntaxTree {
    /// `process.env.NODE_TLS_REJECT_UNAUTHORIZED = '0'`, whatever the build is.
    var tellsNodeToRefuseNothing: Bool {
        blocks.flatMap(\.statements).contains { statement in
            guard case .assignment(let target, "=", let value) = statement.kind,
                target.words.hasSuffix("NODE_TLS_REJECT_UNAUTHORIZED")
                    || target.words.hasSuffix("[\"NODE_TLS_REJECT_UNAUTHORIZED\"]"),
                ["0", "\"0\""].contains(value.words)
            else { return false }
            return conditions(around: statement.tokens.lowerBound).isEmpty
        }
    }

    /// Whether an option of TLS stands among those that axios is given itself, and not in an agent's.
    fileprivate func isOptionOfAxios(_ place: Int) -> Bool {
        optionsOfAxios.contains { table in
            guard case .table(let pairs) = table.kind else { return false }
            return pairs.contains { $0.key.token == place }
        }
    }

    /// What axios itself is given as its options: `axios.create({ … })`, `api.get(url, { … })` of a client of its.
    var optionsOfAxios: [Expression] {
        guard tokens.contains(where: { $0.isName("axios") }) else { return [] }
        var clients: Set<String> = ["axios"]
        for declaration in blocks.flatMap({ $0.declarations.values.joined() }) {
            guard case .call(let callee, _)? = declaration.value?.kind, case .member(let base, "create") = callee.kind,
                base.names("axios")
            else { continue }
            clients.insert(declaration.name)
        }
        let verbs: Set<String> = ["create", "get", "post", "put", "patch", "delete", "head", "options", "request"]
        var found: [Expression] = []
        visit { expression, _ in
            guard case .call(let callee, let arguments) = expression.kind else { return true }
            let isOfAxios: Bool =
                switch callee.kind {
                case .name(let name): clients.contains(name)
                case .member(let base, let name): verbs.contains(name) && clients.contains(where: base.names)
                default: false
                }
            guard isOfAxios else { return true }
            for argument in arguments {
                // One that stands in a variable may be an agent's as well.
                guard case .table(let pairs) = argument.value.kind, !pairs.contains(where: { $0.key.names("adapter") })
                else { continue }
                found.append(argument.value)
            }
            return true
        }
        return found
    }

    /// Whether the options in which one stands tell Node to refuse nothing.
    fileprivate func refusesNothing(besideOption place: Int) -> Bool {
        var found = false
        visit { expression, _ in
            guard !found, case .table(let pairs) = expression.kind,
                pairs.contains(where: { $0.key.token == place })
            else { return !found }
            guard let last = pairs.lastIndex(where: { $0.key.names("rejectUnauthorized") }) else { return true }
            found =
                pairs[last].value.names("false")
                && pairs[last...].allSatisfy { pair in
                    // What is spread into them behind it may say otherwise.
                    if case .text = pair.key.kind { true } else { false }
                }
            return !found
        }
        return found
    }
}
