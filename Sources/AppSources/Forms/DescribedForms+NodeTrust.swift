/// Certificates of an app's own that Node's TLS is given as its authorities: it then trusts no others.
extension DescribedForms {
    static func nodeTrust(_ tree: SyntaxTree) -> [SourceReader.Site] {
        var givings: [NodeTrust] = []
        var parts: Set<Int> = []
        tree.visit { expression, _ in
            guard case .table = expression.kind, let (whole, own) = options(expression, in: tree),
                case .table(let pairs) = whole.kind,
                let given = pairs.first(where: { pair in NodeTrust.names.contains(where: pair.key.names) })
            else { return true }
            // What is spread into others counts where these stand.
            parts.formUnion(own.dropFirst())
            givings.append(
                NodeTrust(given: given.value, place: expression.token, line: given.key.line, pairs: pairs)
            )
            return true
        }
        return (givings.filter { !parts.contains($0.place) } + assigned(tree) + nodeChannels(tree)).filter {
            $0.isOfClient(tree)
        }
        .flatMap { $0.sites(tree) }
    }

    /// `options.ca = readFileSync('root.pem')`
    private static func assigned(_ tree: SyntaxTree) -> [NodeTrust] {
        tree.blocks.flatMap(\.statements).compactMap { statement in
            guard case .assignment(let target, "=", let value) = statement.kind,
                case .member(let base, "ca") = target.kind
            else { return nil }
            var pairs: [Expression.Pair] = []
            if case .name(let name) = base.kind, let block = tree.block(declaring: name, from: target.block),
                let table = tree.blocks[block].declarations[name]?.first?.value,
                let whole = options(table, in: tree)?.whole, case .table(let own) = whole.kind
            {
                pairs = own
            }
            return NodeTrust(
                given: value,
                place: target.token,
                line: target.line,
                pairs: pairs,
                holder: base.finalName
            )
        }
    }
}

/// One giving of authorities to Node.
struct NodeTrust {
    /// What `ca` is.
    var given: Expression
    /// Where the options stand.
    var place: Int
    var line: Int
    /// The options, the last one first.
    var pairs: [Expression.Pair]
    /// The variable of the options, where they are given their authorities later.
    var holder: String?

    /// Whether a channel of gRPC is given them, whose client is made with its address: `new Api('api.acme.example:443', ssl)`.
    var isOfChannel = false

    /// As Node calls them, got, and Deno.
    static let names = ["ca", "certificateAuthority", "caCerts"]

    private static let hostNames = [
        "host", "hostname", "servername", "url", "uri", "baseURL", "baseUrl", "prefixUrl", "brokers",
        "connectionString",
    ]

    private static let requests: Set<String> = ["connect", "get", "request", "createClient", "fetch", "got", "post"]

    private func option(_ name: String) -> Expression? { pairs.first { $0.key.names(name) }?.value }

    // MARK: Of whom

    /// Whether a client is given them: a server looks at its clients by them.
    func isOfClient(_ tree: SyntaxTree) -> Bool {
        guard !isOfChannel else { return true }
        guard option("requestCert") == nil, option("SNICallback") == nil, !isBelowServer(tree) else { return false }
        let around = callees(tree) + takers(tree).map(\.name)
        return !around.contains(where: Self.isServer) && (!around.isEmpty || isSaid(tree))
    }

    /// The calls that are given a variable in which the options stand, or what a function makes of them.
    private func takers(_ tree: SyntaxTree) -> [(name: String, arguments: [Expression.Argument])] {
        var names = Set([holder].compactMap { $0 })
        for statement in tree.blocks.flatMap(\.statements) where statement.tokens.contains(place) {
            // `ssl = { ...ssl, ca }`
            if case .assignment(let target, "=", let value) = statement.kind, value.token == place,
                case .name(let name) = target.kind
            {
                names.insert(name)
            }
            guard case .declaration(let declaration) = statement.kind, declaration.kind != .type else { continue }
            names.insert(declaration.name)
        }
        var found: [(String, [Expression.Argument])] = []
        tree.visit { expression, _ in
            guard case .call(let callee, let arguments) = expression.kind else { return true }
            let isGiven = arguments.contains { argument in
                var isIt = false
                argument.value.visit { part in
                    if case .name(let name) = part.kind, names.contains(name) { isIt = true }
                    return !isIt
                }
                return isIt
            }
            if isGiven { found.append((callee.finalName ?? "", arguments)) }
            return true
        }
        return found
    }

    /// `createServer`, `Server`, `startServer`
    private static func isServer(_ name: String) -> Bool {
        name.hasSuffix("Server") && !name.hasPrefix("connect") || ["fastify", "Fastify", "express"].contains(name)
    }

    /// Whether they have a certificate of their own, and stand in the settings of a server: `devServer: { https: { … } }`.
    private func isBelowServer(_ tree: SyntaxTree) -> Bool {
        guard option("cert") != nil || option("pfx") != nil else { return false }
        var isBelow = false
        tree.visit { expression, _ in
            if case .table(let pairs) = expression.kind {
                isBelow =
                    isBelow
                    || pairs.contains {
                        ["server", "devServer"].contains(where: $0.key.names) && $0.value.mentions(place)
                    }
            }
            return !isBelow
        }
        return isBelow
    }

    /// The functions whose calls are given the options in an argument of their own.
    private func callees(_ tree: SyntaxTree) -> [String] {
        var found: [String] = []
        tree.visit { expression, _ in
            if case .call(let callee, let arguments) = expression.kind,
                arguments.contains(where: { $0.value.mentions(place) })
            {
                found.append(callee.finalName ?? "")
            }
            return true
        }
        return found
    }

    /// Whether the options say that they are some of TLS.
    private func isSaid(_ tree: SyntaxTree) -> Bool {
        let words = ["ssl", "tls", "https", "connect", "sslOptions", "tlsOptions", "httpsOptions", "agentOptions"]
        var isBelow = false
        tree.visit { expression, _ in
            if case .table(let pairs) = expression.kind,
                pairs.contains(where: { pair in
                    words.contains(where: pair.key.names) && pair.value.mentions(place)
                })
            {
                isBelow = true
            }
            return !isBelow
        }
        let beside = ["rejectUnauthorized", "checkServerIdentity", "servername", "minVersion", "secureProtocol"]
        return isBelow || beside.contains { option($0) != nil }
    }

    // MARK: What is told

    func sites(_ tree: SyntaxTree) -> [SourceReader.Site] {
        let refuses = option("rejectUnauthorized")
        if refuses?.names("false") ?? false { return [site(tree, isLenient: true)] }
        guard let refuses, !refuses.names("true") else {
            return [site(tree, isLenient: refuses == nil && tree.tellsNodeToRefuseNothing)]
        }
        return [
            site(tree, isLenient: false).under(refuses, holds: true),
            site(tree, isLenient: true).under(refuses, holds: false),
        ]
    }

    private func site(_ tree: SyntaxTree, isLenient: Bool) -> SourceReader.Site {
        SourceReader.Site(form: .nodeTrust, line: line, token: place) { evaluator in
            let value = evaluator.value(of: given)
            let file = tree.fileRead(for: given).map { evaluator.value(of: $0) }
            let texts = tree.literals(in: given) + value.texts + (file?.texts ?? [])
            let named = texts.filter { PinText.isCertificateFile($0) || PinText.isCertificateOfNode($0) }
            // What is read for `ca` is a certificate, whatever its name says: `db.pem`.
            let read = (file?.texts ?? []).filter { $0.hasSuffix(".pem") || $0.hasSuffix(".crt") }
            let pins = (named.isEmpty ? read : named).map(\.withoutIndentation).uniqued
            let (hosts, untold) = hosts(evaluator)
            if pins.isEmpty {
                // What only the app is given says nothing of a pin.
                guard value != .nothing, let file else {
                    evaluator.choices.isAbsent = true
                    return .described(hosts: [], pins: [], what: "")
                }
                let reason = file.firstUnknown.map { ": \($0.reason)" } ?? " is not told by this source"
                return .gaps([.init(line: line, reason: "which certificates Node trusts here\(reason)")], hosts: hosts)
            }
            return .described(hosts: hosts, pins: pins, what: what(tree, isLenient) + untold)
        }
    }

    private func what(_ tree: SyntaxTree, _ isLenient: Bool) -> String {
        if tree.optionsOfAxios.contains(where: { $0.token == place }) {
            return
                "certificates that the app carries; axios hands no 'ca' of its own options on: Node's own are trusted"
        }
        let isByOption = option("rejectUnauthorized") != nil
        let cause = isByOption ? "'rejectUnauthorized: false'" : "'NODE_TLS_REJECT_UNAUTHORIZED'"
        if isLenient, tree.looksAtPeers {
            return "certificates that the app carries; with \(cause) only its own code refuses others"
        }
        if isLenient {
            return
                "certificates that the app carries, and with \(cause) Node heeds none: every certificate is let through"
        }
        var isBeside = false
        given.visit { part in
            isBeside = isBeside || ["rootCertificates", "getCACertificates"].contains(part.finalName ?? "")
            return !isBeside
        }
        let what =
            isBeside
            ? "certificates that the app carries are trusted, beside Node's own"
            : DescribedForms.ownAlone + (callees(tree).contains("Agent") ? tree.unheededAgent : "")
        guard let check = option("checkServerIdentity") else { return what }
        return tree.answersNothing(check)
            ? "\(what), whatever name they are for ('checkServerIdentity')"
            : "\(what); which name they may be for is said by the app's own 'checkServerIdentity'"
    }

    /// The hosts beside the options or around them, and what is said of one that is not known.
    private func hosts(_ evaluator: Evaluator) -> ([String], String) {
        var beginnings = evaluator
        beginnings.keepsBeginnings = true
        func host(_ text: String) -> String? {
            if let host = evaluator.host(of: text)?.text { return host }
            let name = String(text.prefix { $0 != ":" })
            return PinText.isKeyOfPins(name) ? name : nil
        }
        for expression in addresses(evaluator.tree) {
            let known = beginnings.value(of: expression).texts.compactMap(host).uniqued
            if !known.isEmpty { return (known, "") }
            if let unknown = evaluator.value(of: expression).firstUnknown {
                return ([], "; the host: \(unknown.reason)")
            }
        }
        return (RequestHosts.named(in: CodeGroup(at: place), evaluator), "")
    }

    /// Whether the first thing that a function is given is the address.
    private func asks(_ function: String) -> Bool {
        Self.requests.contains(function) || isOfChannel && function.first?.isUppercase ?? false
    }

    /// What may be the host of the options, the innermost first: `{ host: 'db.acme.example', ssl: { ca } }`,
    /// `connect(url, { ca })`.
    private func addresses(_ tree: SyntaxTree) -> [Expression] {
        var found: [Expression] = []
        tree.visit { expression, _ in
            switch expression.kind {
            case .table(let pairs) where expression.mentions(place):
                for name in Self.hostNames.reversed() {
                    if let pair = pairs.last(where: { $0.key.names(name) && !$0.value.mentions(place) }) {
                        found.append(pair.value)
                    }
                }
            case .call(let callee, let arguments) where arguments.dropFirst().contains { $0.value.mentions(place) }:
                if asks(callee.finalName ?? "") { found.append(arguments[0].value) }
            default: break
            }
            return true
        }
        let later = takers(tree).filter { asks($0.name) && $0.arguments.count > 1 }
        return found.reversed() + later.map(\.arguments[0].value)
    }
}

extension PinText {
    /// A certificate in PEM, in Base64 of its bytes, or in that of its PEM, as settings have it.
    fileprivate static func isCertificateOfNode(_ text: String) -> Bool {
        isWholeCertificate(text) || text.hasPrefix("LS0tLS1CRUdJTiBDRVJU")
    }
}

extension SyntaxTree {
    /// Whether code looks at the certificate that a server showed, or at what Node noted of it.
    var looksAtPeers: Bool {
        tokens.contains { token in
            ["authorized", "authorizationError", "getPeerCertificate", "getPeerX509Certificate"]
                .contains(where: token.isName)
        }
    }

    private static let reading: Set<String> = [
        "readFileSync", "readFile", "readTextFile", "readTextFileSync", "FileInputStream", "newInputStream",
        "readAllBytes",
        "ReadAllText", "ReadAllBytes", "ReadAllTextAsync",
    ]

    /// The file that is read for an expression, or for the constant that it is: `readFileSync('acme.pem')`, `new File("acme.pem")`.
    func fileRead(for expression: Expression, depth: Int = 0) -> Expression? {
        var found: Expression?
        expression.visit { part in
            switch part.kind {
            case .call(let callee, let arguments) where Self.reading.contains(callee.finalName ?? ""):
                found = found ?? arguments.first?.value.lastOfPath
                return false
            case .call where part.isPath:
                found = found ?? part.lastOfPath
                return false
            case .name(let name) where depth < 3:
                let own = block(declaring: name, from: part.block).flatMap { blocks[$0].declarations[name] } ?? []
                found = found ?? own.lazy.compactMap(\.value).compactMap { fileRead(for: $0, depth: depth + 1) }.first
            default: break
            }
            return found == nil
        }
        return found
    }

    /// `() => undefined`, `() => {}`
    fileprivate func answersNothing(_ check: Expression) -> Bool {
        guard case .closure(let closure) = check.kind else { return false }
        return blocks[closure.block].statements.allSatisfy { statement in
            switch statement.kind {
            case .returning(let value): value.map { ["undefined", "null"].contains($0.words) } ?? true
            case .expression(let value): ["undefined", "null"].contains(value.words)
            default: false
            }
        }
    }
}

extension Expression {
    /// Of `path.join(folder, 'acme.pem')` and `new File("acme.pem")` the name of the file.
    fileprivate var lastOfPath: Expression {
        guard case .call(let callee, let arguments) = kind,
            isPath || ["join", "resolve"].contains(callee.finalName ?? "")
        else { return self }
        return arguments.last?.value.lastOfPath ?? self
    }

    /// `new File("acme.pem")`, `Path.of("acme.pem")`, and no setting by its name: `config.get("file")`.
    fileprivate var isPath: Bool {
        guard case .call(let callee, _) = kind, let name = callee.finalName else { return false }
        return name == "File" || name == "Path" || ["of", "get"].contains(name) && words.hasPrefix("Path")
    }
}

extension String {
    /// A certificate in PEM as it is, wherever it stands in a source.
    fileprivate var withoutIndentation: String {
        split(whereSeparator: \.isNewline).map { line in
            String(line.trimmingPrefix { $0 == " " || $0 == "\t" })
        }
        .joined(separator: "\n").trimmedPin
    }
}
