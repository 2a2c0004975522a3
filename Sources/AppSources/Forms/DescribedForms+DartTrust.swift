/// What contexts of dart:io trust.
extension DescribedForms {
    /// Without a word about roots it trusts none, and is one of a server, or of a client that is given its own.
    static func trustsOwnAlone(_ call: Expression, _ roots: Expression?, _ tree: SyntaxTree) -> Bool {
        // A variable may be either.
        if let roots, roots.names("false") || roots.names("true") { return roots.names("false") }
        guard let group = CodeGroup.groups(of: tree, { $0 == call.token }).first else { return false }
        return group.tokens.contains { tree.tokens[$0].name?.hasPrefix("setTrustedCert") ?? false }
    }

    /// A context that trusts no root of the system: which certificates it is given.
    static func dartTrust(_ call: Expression, _ tree: SyntaxTree) -> SourceReader.Site {
        SourceReader.Site(form: .dartTrust, line: call.line, token: call.token) { evaluator in
            let group = CodeGroup.groups(of: tree) { $0 == call.token }.first
            let reading = group.map { GroupReading($0, evaluator) }
            let given = group.map(tree.certificatesTrusted) ?? []
            // What proves the client stands there, too, and is trusted by nobody.
            let isClient = group?.tokens.contains { tree.tokens[$0].name?.hasPrefix("useCertificateChain") ?? false }
            let around = (reading?.files ?? []) + (reading?.pins ?? []).filter(PinText.isCertificate)
            let pins = given.isEmpty ? (isClient ?? false ? [] : around) : given
            guard pins.isEmpty else {
                let hosts = RequestHosts.ofDart(CodeGroup(at: call.token), evaluator)
                let what =
                    "only certificates that the app carries are trusted" + tree.accepting(withContextOf: call.token)
                    + tree.plainClient(wherePlaceFails: call.token)
                return .described(hosts: hosts, pins: pins, what: what)
            }
            let names = Set((group?.tokens ?? []).compactMap { tree.tokens[$0].name })
            if names.contains("badCertificateCallback"), !names.contains(where: { $0.hasPrefix("setTrustedCert") }) {
                let what = "no root is trusted, so that its callback is asked about every certificate"
                return .described(hosts: [], pins: [], what: what)
            }
            let reason = "which certificates this context trusts is not told by this source"
            return .gaps([.init(line: call.line, reason: reason)], hosts: [])
        }
    }

    /// Certificates that are trusted beside the system's: they pin nothing.
    static func dartAdditions(_ tree: SyntaxTree) -> [SourceReader.Site] {
        var told: [CodeGroup] = []
        return tree.trusting.compactMap { call, context, _ in
            guard tree.hasRoots(context, depth: 0),
                let group = CodeGroup.groups(of: tree, { $0 == call.token }).first,
                !told.contains(where: { $0.holds(call.token) })
            else { return nil }
            told.append(group)
            return SourceReader.Site(form: .dartTrust, line: call.line, token: call.token) { evaluator in
                let reading = GroupReading(group, evaluator)
                let given = tree.certificatesTrusted(in: group)
                let isClient = group.tokens.contains { tree.tokens[$0].name?.hasPrefix("useCertificateChain") ?? false }
                let around = isClient ? [] : reading.files + reading.pins.filter(SyntaxTree.isWhole)
                let what = "certificates of the app's own are trusted beside the system's: that pins nothing"
                return .described(hosts: [], pins: given.isEmpty ? around : given, what: what)
            }
        }
    }
}

extension SyntaxTree {
    /// `context.setTrustedCertificates(…)`, each with its context.
    fileprivate var trusting: [(call: Expression, context: Expression, given: [Expression.Argument])] {
        calls(["setTrustedCertificates", "setTrustedCertificatesBytes"]).compactMap { call, _, arguments in
            guard case .call(let callee, _) = call.kind, case .member(let base, _) = callee.kind else { return nil }
            return (call, base, arguments)
        }
    }

    /// The files and texts that the calls of some functions trust.
    fileprivate func certificatesTrusted(in group: CodeGroup) -> [String] {
        trusting.filter { group.holds($0.call.token) }
            .flatMap { $0.given.flatMap { literals(in: $0.value) } }
            .filter { PinText.isCertificateFile($0) || Self.isWhole($0) }
            .uniqued
    }

    /// Whether a text is a certificate, and not what a function puts around the bytes of one.
    fileprivate static func isWhole(_ text: String) -> Bool { PinText.isCertificate(text) && text.contains("MI") }

    /// What is said where connections with the context that is made at a place let every certificate through.
    fileprivate func accepting(withContextOf place: Int) -> String {
        let names = names(madeAt: [place])
        func isGiven(_ arguments: [Expression.Argument]) -> Bool {
            arguments.contains { argument in
                guard argument.label == "context" else { return false }
                let value = argument.value
                return value.token == place || (value.finalName.map { names.hold($0, value.token) } ?? false)
            }
        }
        let connections = calls(["HttpClient", "connect", "secure", "startConnect"]).filter { isGiven($0.arguments) }
        let open = AcceptingForm.places(ofAnswering: self).filter { tested(around: $0).isEmpty }
        let lines = connections.compactMap { call, name, arguments -> Int? in
            open.first { isCallback(at: $0, of: call, arguments) }.map { tokens[$0].line }
        }
        guard let line = lines.first else { return "" }
        return lines.count == connections.count
            ? "; the connection with these lets every certificate through, line \(line)"
            : "; one connection with these lets any through, line \(line)"
    }

    /// Whether the callback that is given at a place is that of a connection: one of its arguments, in its cascade, or given to
    /// the variable that it is the value of.
    private func isCallback(at place: Int, of call: Expression, _ arguments: [Expression.Argument]) -> Bool {
        if tokens[place].isName("onBadCertificate") {
            return arguments.contains { $0.label == "onBadCertificate" && $0.value.token == place + 2 }
        }
        guard case .assignment(let target, _, _)? = innermost(around: place)?.statement.kind,
            case .member(let client, _) = target.kind
        else { return false }
        if client.token == call.token { return true }
        guard let name = client.finalName, let block = block(declaring: name, from: client.block),
            let found = blocks[block].declarations[name], found.count == 1
        else { return false }
        return found[0].value?.token == call.token
    }

    /// The texts of an expression, and of the values that its names are declared with.
    func literals(in expression: Expression, depth: Int = 0) -> [String] {
        var texts: [String] = []
        expression.visit { part in
            switch part.kind {
            case .text(let pieces):
                if pieces.count == 1, case .plain(let text) = pieces[0] { texts.append(text) }
            case .name(let name) where depth < 4:
                // A name of the function's own is no other function's.
                let own = block(declaring: name, from: part.block).flatMap { blocks[$0].declarations[name] } ?? []
                let isTold = own.contains { $0.value != nil }
                let values = (isTold ? own : blocks.flatMap { $0.declarations[name] ?? [] }).compactMap(\.value)
                for value in values.prefix(4) { texts += literals(in: value, depth: depth + 1) }
            default: break
            }
            return texts.count < 100
        }
        return texts
    }
}
