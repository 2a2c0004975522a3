/// Callbacks of Node whose answers are not heeded.
extension ComparisonForm {
    /// What is said where Node notes what `checkServerIdentity` answers, and goes on: `rejectUnauthorized: false`.
    static func unheeded(_ group: CodeGroup, _ tree: SyntaxTree) -> String {
        guard tree.language == .script else { return "" }
        // Code that looks at the note, or at the certificate behind it, may refuse.
        guard !tree.looksAtPeers else { return "" }
        let given = callbacks(of: group, tree).filter { tree.tokens[$0].isName("checkServerIdentity") }
        guard !given.isEmpty else { return "" }
        if tree.tellsNodeToRefuseNothing, !tree.tokens.contains(where: { $0.isName("rejectUnauthorized") }) {
            return "; with 'NODE_TLS_REJECT_UNAUTHORIZED' Node heeds no answer: every certificate is let through"
        }
        guard given.allSatisfy(tree.refusesNothing(besideOption:)) else { return "" }
        return "; with 'rejectUnauthorized: false' Node heeds no answer: every certificate is let through"
    }
}

extension ComparisonForm {
    /// What is said where nothing ends a connection of Node whose certificate is another one: a log is told at most.
    static func unended(_ evidence: [Int], in group: CodeGroup, _ tree: SyntaxTree) -> String {
        guard tree.language == .script else { return "" }
        let ofElectron = callbacks(of: group, tree).filter { tree.tokens[$0].isName("setCertificateVerifyProc") }
        let answers = ofElectron.map(tree.electronAnswers)
        if !answers.isEmpty, !answers.contains(nil) {
            return answers.contains { $0?.contains("0") ?? false }
                ? "; it says yes whatever they are: every certificate is let through"
                : "; nothing ends the connection where they differ"
        }
        if !evidence.isEmpty, evidence.allSatisfy(tree.electronForgivesAll) {
            return "; it says yes whatever they are: every certificate is let through"
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
