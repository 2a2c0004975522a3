/// Which host a client of .NET connects to that is given a callback, where the source says nothing of others.
extension RequestHosts {
    static func ofDotNet(_ group: CodeGroup, _ evaluator: Evaluator) -> [String] {
        let handler = ofUnity(group, evaluator)
        guard handler.isEmpty else { return handler }
        let given = evaluator.tree.delegates(around: group.evidence)
        let isOwn = given.sharedNames.allSatisfy { name in
            evaluator.module.others(mentioning: name, than: evaluator.tree.path, in: .cSharp).isEmpty
        }
        guard isOwn, given.places.count == 1 else { return [] }
        return DotNetClient(givenAt: given.places[0], evaluator)?.host.map { [$0] } ?? []
    }

    /// `www = UnityWebRequest.Get(url)`, and then `www.certificateHandler = new Handler()`, by the type around.
    private static func ofUnity(_ group: CodeGroup, _ evaluator: Evaluator) -> [String] {
        let tree = evaluator.tree
        let statements = tree.blocks.flatMap(\.statements)
        var evaluator = evaluator
        evaluator.keepsBeginnings = true
        var addresses: [Expression] = []
        for statement in statements {
            guard case .assignment(let target, "=", let value) = statement.kind,
                case .member(let base, "certificateHandler") = target.kind, let name = base.finalName,
                let type = tree.typeMade(by: value),
                tree.blocks.contains(where: { block in
                    block.owner == .type(type) && block.statements.contains { $0.tokens.contains(group.evidence) }
                })
            else { continue }
            // The last one before it by that name: `www = UnityWebRequest.Get(address)`.
            let made = tree.tokens.indices.prefix(target.token).last { place in
                tree.tokens[place].isName(name) && place + 7 < tree.tokens.count && tree.tokens[place + 1].isMark("=")
                    && tree.tokens[place + 2].isName("UnityWebRequest") && tree.tokens[place + 5].isMark("(")
            }
            guard let place = made.map({ $0 + 6 }) else { return [] }
            guard let address = tree.written(at: place, in: target.block) else { return [] }
            addresses.append(address)
        }
        return addresses.compactMap { evaluator.value(of: $0).text.flatMap { evaluator.host(of: $0)?.text } }.uniqued
    }
}

extension SyntaxTree {
    /// `new Handler()`, or a variable that is given one where it is declared.
    fileprivate func typeMade(by value: Expression) -> String? {
        switch value.kind {
        case .call(let type, _): return type.finalName
        case .name(let name):
            guard let block = block(declaring: name, from: value.block), changes[name] == nil,
                let declared = blocks[block].declarations[name], declared.count == 1,
                case .call(let type, _)? = declared[0].value?.kind
            else { return nil }
            return type.finalName
        default: return nil
        }
    }

    /// The name or the text that a token is, as an expression; `nil` for any other.
    fileprivate func written(at place: Int, in block: Int) -> Expression? {
        let kind: Expression.Kind
        switch tokens[place].kind {
        case .name(let name): kind = .name(name)
        case .text(let pieces):
            guard pieces.count == 1, case .plain(let text) = pieces[0] else { return nil }
            kind = .text([.plain(text)])
        default: return nil
        }
        return Expression(kind: kind, token: place, line: tokens[place].line, block: block)
    }
}

/// A client of .NET, by the names that stand for it and for what it is made with.
private struct DotNetClient {
    private let tree: SyntaxTree
    private var evaluator: Evaluator
    private var scope: Range<Int>
    private var names: Set<String> = []
    /// Of the addresses that it has itself, whatever else it is asked for.
    private var own: [String?] = []

    private static let requests: Set<String> = [
        "GetAsync", "PostAsync", "PutAsync", "DeleteAsync", "PatchAsync", "GetStringAsync", "GetByteArrayAsync",
        "GetStreamAsync", "GetFromJsonAsync", "PostAsJsonAsync", "PutAsJsonAsync", "SendAsync", "Send",
        "DownloadString", "DownloadStringTaskAsync", "UploadString", "UploadStringTaskAsync",
    ]
    /// Of streams and sockets, which connect once.
    private static let connections: Set<String> = [
        "AuthenticateAsClient", "AuthenticateAsClientAsync", "Connect", "ConnectAsync",
    ]
    private static let others: Set<String> = ["Dispose", "Close", "CancelPendingRequests", "Abort"]
    private static let addresses: Set<String> = ["BaseAddress", "BaseUrl"]

    init?(givenAt place: Int, _ evaluator: Evaluator) {
        tree = evaluator.tree
        self.evaluator = evaluator
        self.evaluator.keepsBeginnings = true
        scope = tree.function(around: place) ?? 0..<tree.tokens.count
        let around = statements.filter { $0.tokens.contains(place) }
        let outer = around.max { $0.tokens.count < $1.tokens.count }
        guard let statement = around.min(by: { $0.tokens.count < $1.tokens.count }) else { return nil }
        // `services.AddHttpClient("acme", c => c.BaseAddress = …).ConfigurePrimaryHttpMessageHandler(…)`
        if let outer, outer.tokens.count(where: { tree.tokens[$0].isName("AddHttpClient") }) == 1 {
            scope = outer.tokens
            for case .assignment(let target, "=", let value) in statements.map(\.kind)
            where target.finalName == "BaseAddress" { own.append(host(of: value)) }
            return
        }
        own = addresses(ofClientGiven: place, in: statement) + addresses(ofLibraryGiven: place, in: outer ?? statement)
        if !own.isEmpty { return }
        guard let name = Self.name(givenValueBy: statement), name != "ServicePointManager" else { return nil }
        add(name, of: statement)
        for _ in 0..<3 {
            for statement in statements where statement.tokens.contains(where: isGivenToClient) {
                if let name = Self.name(givenValueBy: statement) { add(name, of: statement) }
            }
        }
        for statement in statements { takeAddresses(of: statement) }
    }

    /// `return new HttpClient(new HttpClientHandler { Callback = … }) { BaseAddress = … }`
    private func addresses(ofClientGiven place: Int, in statement: Statement) -> [String?] {
        var found: [String?] = []
        for expression in statement.expressions {
            expression.visit { part in
                guard case .table(let pairs) = part.kind, pairs.contains(where: { $0.value.mentions(place) }) else {
                    return true
                }
                let own = pairs.filter { Self.addresses.contains($0.key.finalName ?? "") }
                found += own.map { host(of: $0.value) }
                return true
            }
        }
        return found
    }

    /// `GrpcChannel.ForAddress(address, options)`, `.WithUrl(address, options => …)` of SignalR, `.WithTcpServer(host, port)` of
    /// MQTTnet, `new RestClientOptions(address) { … }`: of a statement with one of them alone.
    private func addresses(ofLibraryGiven place: Int, in statement: Statement) -> [String?] {
        let names: Set<String> = ["ForAddress", "WithUrl", "WithTcpServer", "RestClientOptions"]
        let own = statement.tokens.clamped(to: 0..<max(0, tree.tokens.count - 3))
        let named = own.filter { next in
            tree.tokens[next].name.map(names.contains) ?? false && tree.tokens[next + 1].isMark("(")
        }
        guard named.count == 1, let first = named.first, let block = tree.innermost(around: first)?.block,
            [",", ")"].contains(where: tree.tokens[first + 3].isMark)
        else { return [] }
        // The options are given a callback, or those of the library.
        let given = own.count { tree.tokens[$0].name?.hasSuffix("ValidationCallback") ?? false }
        guard given + own.count(where: { tree.tokens[$0].isName("WithCertificateValidationHandler") }) == 1 else {
            return []
        }
        return tree.written(at: first + 2, in: block).map { [host(of: $0)] } ?? []
    }

    /// The only host that it is made or asked for.
    var host: String? {
        var asked: [String?] = []
        var connected: [String?] = []
        tree.visit { part, _ in
            guard scope.contains(part.token), case .call(let callee, let arguments) = part.kind,
                case .member(let base, let member) = callee.kind, names.contains(base.firstOwnName ?? "")
            else { return true }
            if Self.connections.contains(member) {
                connected.append(arguments.first.flatMap { host(of: $0.value) })
            } else if Self.requests.contains(member) {
                asked.append(arguments.first.flatMap { host(of: $0.value) })
            } else if base.isOwnName, !Self.others.contains(member) {
                asked.append(nil)
            }
            return true
        }
        let fixed = own + connected
        if let first = fixed.first {
            let isOnly = fixed.allSatisfy { $0 == first } && asked.allSatisfy { $0 == nil || $0 == first }
            return isOnly ? first : nil
        }
        guard let first = asked.first, asked.allSatisfy({ $0 == first }), !isHandedOn else { return nil }
        return first
    }

    /// Those in its function, or in its type where a field holds it.
    private var statements: [Statement] {
        tree.blocks.flatMap(\.statements).filter { statement in
            scope.contains(statement.tokens.lowerBound) && statement.tokens.count < scope.count
                && !statement.isFunctionOrType
        }
    }

    private static func name(givenValueBy statement: Statement) -> String? {
        switch statement.kind {
        case .declaration(let declaration): declaration.kind == .value ? declaration.name : nil
        case .assignment(let target, _, _): target.firstOwnName
        default: nil
        }
    }

    private mutating func add(_ name: String, of statement: Statement) {
        names.insert(name)
        guard let place = tree.innermost(around: statement.tokens.lowerBound),
            let block = tree.block(declaring: name, from: place.block), case .type = tree.blocks[block].owner,
            let first = tree.blocks[block].statements.first, let last = tree.blocks[block].statements.last
        else { return }
        // A field is used by all of its type.
        scope = first.tokens.lowerBound..<max(first.tokens.upperBound, last.tokens.upperBound)
    }

    /// Whether a token is what a client is made with: `new HttpClient(handler, true)`, `SslOptions = options`.
    private func isGivenToClient(_ place: Int) -> Bool {
        guard place > 2, tree.tokens[place].name.map(names.contains) ?? false else { return false }
        if tree.tokens[place - 1].isMark("=") {
            return tree.tokens[place - 2].isName("SslOptions") || tree.tokens[place - 2].isName("HttpHandler")
        }
        guard tree.tokens[place - 1].isMark("(") else { return false }
        return tree.tokens[place - 2].isName("new")
            || tree.tokens[place - 3].isName("new") && tree.tokens[place - 2].name?.hasSuffix("Client") ?? false
    }

    /// Whether other code may use it.
    private var isHandedOn: Bool {
        scope.contains { place in
            guard tree.tokens[place].name.map(names.contains) ?? false, place > 1, place + 1 < tree.tokens.count,
                !(tree.tokens[place - 1].isMark(".") && !tree.tokens[place - 2].isName("this"))
            else { return false }
            if [".", "?.", "=", "+="].contains(where: tree.tokens[place + 1].isMark) || isGivenToClient(place) {
                return false
            }
            // `private HttpClient client;`, `using (client)`
            let isDeclared = tree.tokens[place - 1].name.map { $0 != "return" } ?? false
            return !isDeclared && !tree.tokens[place - 2].isName("using")
        }
            || statements.contains { statement in
                guard let name = Self.name(givenValueBy: statement), names.contains(name),
                    case .declaration = statement.kind
                else { return false }
                return tree.tokens[statement.tokens].prefix(6).contains { token in
                    ["public", "internal", "protected"].contains(where: token.isName)
                }
            }
    }

    /// Those by which a statement makes it or changes it.
    private mutating func takeAddresses(of statement: Statement) {
        if case .returning = statement.kind {
            guard statement.tokens.contains(where: isGivenToClient) else { return }
        } else {
            guard let name = Self.name(givenValueBy: statement), names.contains(name) else { return }
        }
        if case .assignment(let target, "=", let value) = statement.kind,
            Self.addresses.contains(target.finalName ?? "")
        {
            own.append(host(of: value))
        }
        for expression in statement.expressions {
            expression.visit { part in
                switch part.kind {
                case .table(let pairs):
                    for pair in pairs where Self.addresses.contains(pair.key.finalName ?? "") {
                        own.append(host(of: pair.value))
                    }
                case .call(let callee, let arguments):
                    let isMade =
                        ["RestClient", "ForAddress"].contains(callee.finalName)
                        || part.calleePath.hasPrefix("Create") && part.calleePath.contains("WebRequest")
                    if isMade, let first = arguments.first, !names.contains(first.value.firstOwnName ?? "") {
                        own.append(host(of: first.value))
                    }
                default: break
                }
                return true
            }
        }
    }

    /// The host of a URL, a host itself, or that of a request by its message.
    private func host(of expression: Expression, steps: Int = 2) -> String? {
        switch expression.kind {
        case .call(let callee, let arguments) where callee.finalName == "Uri" && !arguments.isEmpty:
            return host(of: arguments[0].value)
        case .call(let callee, let arguments) where callee.finalName == "HttpRequestMessage":
            return arguments.count == 2 ? host(of: arguments[1].value) : nil
        case .table(let pairs):
            let address = pairs.first { $0.key.finalName == "RequestUri" }
            return address.flatMap { host(of: $0.value) }
        case .name(let name) where steps > 0:
            if let block = tree.block(declaring: name, from: expression.block),
                let declared = tree.blocks[block].declarations[name], declared.count == 1,
                let value = declared[0].value, tree.changes[name] == nil
            {
                switch value.kind {
                case .call(let callee, _):
                    let isAddress = ["Uri", "HttpRequestMessage"].contains(callee.finalName)
                    if isAddress { return host(of: value, steps: steps - 1) }
                case .table: return host(of: value, steps: steps - 1)
                default: break
                }
            }
        default: break
        }
        guard let text = evaluator.value(of: expression).text else { return nil }
        return evaluator.host(of: text)?.text ?? (PinText.isHost(text) || text == "localhost" ? text : nil)
    }
}

extension Expression {
    /// The first name of a chain that is none of `this`.
    fileprivate var firstOwnName: String? {
        switch kind {
        case .name(let name): name == "this" ? nil : name
        case .member(let base, let name): base.firstOwnName ?? (base.finalName == "this" ? name : nil)
        default: nil
        }
    }

    /// Whether it is `name` or `this.name`.
    fileprivate var isOwnName: Bool {
        switch kind {
        case .name: true
        case .member(let base, _): base.finalName == "this"
        default: false
        }
    }
}
