/// Which host a client of Kotlin or Java connects to whose trust manager compares, where the source asks one alone.
extension RequestHosts {
    /// By which a request, or a socket, is given its address.
    private static let addresses: Set<String> = [
        "url", "baseUrl", "URL", "HttpGet", "HttpPost", "HttpPut", "HttpDelete", "HttpHead", "HttpPatch",
        "createSocket", "forAddress", "forTarget", "newChannelBuilder", "newChannelBuilderForAddress",
    ]
    /// Of Ktor, and of much else.
    private static let verbs: Set<String> = ["get", "post", "put", "delete", "patch", "request", "webSocket"]

    static func ofJava(_ group: CodeGroup, _ evaluator: Evaluator) -> [String] {
        let tree = evaluator.tree
        // All of the program's connections, or those of a web view.
        let shared = ["setDefaultSSLSocketFactory", "onReceivedSslError", "setDefault"]
        guard tree.clientsMade == 1, !tree.tokens.contains(where: { token in shared.contains(where: token.isName) }),
            tree.types(around: group.evidence).allSatisfy({ name in
                evaluator.module.others(mentioning: name, than: tree.path, in: tree.language).isEmpty
            })
        else { return [] }
        var evaluator = evaluator
        evaluator.keepsBeginnings = true
        var hosts: [String?] = []
        func take(_ value: Expression) {
            let text = evaluator.value(of: value).text
            // gRPC's targets: `api.acme.example:443`, `dns:///api.acme.example`.
            let bare = text.map { String($0.trimmingPrefix("dns:///").prefix { $0 != ":" }) }
            hosts.append(
                text.flatMap { evaluator.host(of: $0)?.text } ?? bare.flatMap { PinText.isHost($0) ? $0 : nil }
            )
        }
        for (call, name, arguments) in tree.calls(addresses.union(verbs).union(["create"])) {
            guard let first = arguments.first?.value else { continue }
            if addresses.contains(name) || name == "create" && call.calleePath.contains("URI") {
                take(first)
            } else if verbs.contains(name), evaluator.value(of: first).text?.contains("://") ?? false {
                take(first)
            }
        }
        guard let host = hosts.first ?? nil, hosts.allSatisfy({ $0 == host }) else { return [] }
        return [host]
    }
}

extension SyntaxTree {
    /// How many clients and connections a source of Kotlin or Java makes.
    fileprivate var clientsMade: Int {
        tokens.indices.dropLast(3).count { place in
            guard let name = tokens[place].name else { return false }
            switch name {
            case "OkHttpClient":
                return tokens[place + 1].isMark("(")
                    || tokens[place + 1].isMark(".") && tokens[place + 2].isName("Builder")
            case "HttpClient": return tokens[place + 1].isMark("(") || tokens[place + 2].isName("newBuilder")
            case "HttpClients", "HttpAsyncClients": return tokens[place + 1].isMark(".")
            case "openConnection", "createSocket", "forAddress", "forTarget", "newBuilder", "newChannelBuilder",
                "newChannelBuilderForAddress":
                guard place > 1, tokens[place - 1].isMark("."), tokens[place + 1].isMark("(") else { return false }
                // `HttpClient.newBuilder()` is counted by its type, and a request has a builder, too.
                return name != "newBuilder"
                    || !["HttpClient", "HttpRequest", "request", "original", "TlsChannelCredentials"]
                        .contains(where: tokens[place - 2].isName)
                        && !tokens[place - 2].isMark(")")
            default: return false
            }
        }
    }

    /// The types with a name around a place.
    fileprivate func types(around place: Int) -> [String] {
        blocks.flatMap(\.statements).compactMap { statement in
            guard statement.tokens.contains(place), case .declaration(let declaration) = statement.kind,
                declaration.kind == .type
            else { return nil }
            return declaration.name
        }
    }
}
