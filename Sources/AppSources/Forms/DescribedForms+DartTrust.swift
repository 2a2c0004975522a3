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
            let names = Set((group?.tokens ?? []).compactMap { tree.tokens[$0].name })
            // A certificate that is read beside it is trusted by nobody.
            let isGiven = names.contains { $0.hasPrefix("setTrustedCert") }
            let pins = given.isEmpty ? (isClient ?? false || !isGiven ? [] : around) : given
            guard pins.isEmpty else {
                let hosts = RequestHosts.ofDart(CodeGroup(at: call.token), evaluator)
                let what =
                    ownAlone + tree.accepting(withContextOf: call.token)
                    + tree.plainClient(wherePlaceFails: call.token)
                return .described(hosts: hosts, pins: pins, what: what)
            }
            if !isGiven, names.contains("badCertificateCallback"), !tree.isHandedOn(contextAt: call.token, group) {
                let what = "no root is trusted, so that its callback is asked about every certificate"
                return .described(hosts: [], pins: [], what: what)
            }
            let reason = "which certificates this context trusts is not told by this source"
            return .gaps([.init(line: call.line, reason: reason)], hosts: [])
        }
    }

    /// What clients of gRPC trust: `ChannelCredentials.secure(certificates: bytes)`.
    static func dartChannels(_ tree: SyntaxTree) -> [SourceReader.Site] {
        tree.calls(["secure"]).compactMap { call, _, arguments in
            guard call.calleePath.contains("ChannelCredentials"),
                let own = arguments.first(where: { $0.label == "certificates" })?.value, !own.names("null"),
                let group = CodeGroup.groups(of: tree, { $0 == call.token }).first
            else { return nil }
            return SourceReader.Site(form: .dartTrust, line: call.line, token: call.token) { evaluator in
                let files = GroupReading(group, evaluator).files
                let what = ownAlone + tree.accepting(of: call, arguments)
                var hosts: [String] = []
                let channels = tree.calls(["ClientChannel", "GrpcOrGrpcWebClientChannel", "CallOptions"])
                if channels.count == 1, let host = channels[0].arguments.first?.value {
                    hosts = evaluator.value(of: host).texts.filter(PinText.isHostOrEnd)
                }
                guard files.isEmpty else { return .described(hosts: hosts, pins: files, what: what) }
                let reason = "which certificates this channel trusts is not told by this source"
                return .gaps([.init(line: call.line, reason: reason)], hosts: hosts)
            }
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

    /// Whether a function that may be anywhere is given the context that is made at a place: `trust(context, pem)`.
    fileprivate func isHandedOn(contextAt place: Int, _ group: CodeGroup?) -> Bool {
        // `SecurityContext(withTrustedRoots: false)..addRoots()`
        let end = GroupReading.closing(tokens, place + 1) + 1
        if end < tokens.count, tokens[end].isMark("..") || tokens[end].isMark(".") { return true }
        guard case .declaration(let own)? = innermost(around: place)?.statement.kind, own.value?.token == place else {
            return false
        }
        let clients = ["HttpClient", "connect", "secure", "startConnect", "print", "debugPrint"]
        var isHanded = false
        visit { expression, _ in
            guard case .call(let callee, let arguments) = expression.kind, group?.holds(expression.token) ?? true,
                !clients.contains(callee.finalName ?? "")
            else { return true }
            if arguments.contains(where: { $0.value.names(own.name) }) { isHanded = true }
            return true
        }
        return isHanded
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
        func isIt(_ value: Expression) -> Bool { value.token == place || mentions(value, names) }
        let made = calls(["HttpClient", "connect", "secure", "startConnect"]).filter { _, _, arguments in
            arguments.contains { $0.label == "context" && isIt($0.value) }
        }
        // `client.securityContext = context`
        let given = blocks.flatMap(\.statements).compactMap { statement -> Expression? in
            guard case .assignment(let target, "=", let value) = statement.kind,
                case .member(let client, "securityContext") = target.kind, isIt(value)
            else { return nil }
            return client
        }
        let callbacks =
            made.map { call, _, arguments in { self.isCallback(at: $0, of: call, arguments) } }
            + given.map { client in { self.isCallback(at: $0, of: client) } }
        return said(of: callbacks)
    }

    /// The same of the only connection that a call makes.
    fileprivate func accepting(of call: Expression, _ arguments: [Expression.Argument]) -> String {
        said(of: [{ self.isCallback(at: $0, of: call, arguments) }])
    }

    /// - Parameter connections: whether the callback at a place is theirs.
    private func said(of connections: [(Int) -> Bool]) -> String {
        let open = AcceptingForm.places(ofAnswering: self).filter { tested(around: $0).isEmpty }
        let lines = connections.compactMap { isOwn in open.first(where: isOwn).map { tokens[$0].line } }
        if let line = lines.first {
            return lines.count == connections.count
                ? "; the connection with these lets every certificate through, line \(line)"
                : "; one connection with these lets any through, line \(line)"
        }
        let ofHosts = tokens.indices.filter { takesByHost(givenAt: $0) && tested(around: $0).isEmpty }
        guard let place = ofHosts.first(where: { place in connections.contains { $0(place) } }) else { return "" }
        return "; line \(tokens[place].line) lets every certificate through of hosts that it takes"
    }

    /// Whether a callback asks for the host alone.
    private func takesByHost(givenAt place: Int) -> Bool {
        guard judgesNothing(givenAt: place) else { return false }
        var found = false
        visit { expression, _ in
            guard expression.token == place + 2, case .closure(let closure) = expression.kind,
                closure.parameters.count > 1, let body = range(of: closure.block)
            else { return true }
            found = body.contains { tokens[$0].isName(closure.parameters[1]) }
            return false
        }
        return found
    }

    /// Whether the callback that is given at a place is given to what a name stands for.
    private func isCallback(at place: Int, of client: Expression) -> Bool {
        guard case .assignment(let target, _, _)? = innermost(around: place)?.statement.kind,
            case .member(let other, _) = target.kind
        else { return false }
        return other.words == client.words && function(around: other.token) == function(around: client.token)
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
