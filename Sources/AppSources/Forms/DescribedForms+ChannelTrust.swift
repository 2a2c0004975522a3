/// Authorities of an app's own that clients of gRPC and Netty are given: they then trust no others.
extension DescribedForms {
    /// `GrpcSslContexts.forClient().trustManager(new File("acme.pem"))`, `TlsChannelCredentials.newBuilder().trustManager(…)`
    static func channelTrust(_ tree: SyntaxTree) -> [SourceReader.Site] {
        guard tree.tokens.contains(where: { $0.name.map(channelTypes.contains) ?? false }),
            !tree.tokens.contains(where: { $0.isName("forServer") })
        else { return [] }
        return tree.calls(["trustManager"]).compactMap { call, _, arguments in
            guard arguments.count == 1, let file = tree.fileRead(for: arguments[0].value) else { return nil }
            return SourceReader.Site(form: .certificateAsset, line: call.line, token: call.token) { evaluator in
                let hosts = RequestHosts.named(in: CodeGroup(at: call.token), evaluator)
                return content(evaluator.value(of: file), hosts, call.line)
            }
        }
    }

    /// What builds channels, and sockets, of Java.
    static let channelTypes: Set<String> = ["SslContextBuilder", "GrpcSslContexts", "TlsChannelCredentials"]

    /// `new Channel("api.acme.example", 443, new SslCredentials(File.ReadAllText("acme.pem")))`
    static func channelRoots(_ tree: SyntaxTree) -> [SourceReader.Site] {
        tree.calls(["SslCredentials"]).compactMap { call, _, arguments in
            guard let given = arguments.first?.value, !given.names("null") else { return nil }
            return SourceReader.Site(form: .certificateAsset, line: call.line, token: call.token) { evaluator in
                let channels = tree.calls(["Channel"])
                let address = channels.count == 1 ? channels[0].arguments.first?.value : nil
                let host = address.flatMap { evaluator.value(of: $0).text }.flatMap { text in
                    evaluator.host(of: text)?.text ?? (PinText.isHost(text) ? text : nil)
                }
                let value = evaluator.value(of: tree.fileRead(for: given) ?? given)
                // What only the app is given says nothing of a pin.
                guard !value.texts.isEmpty || tree.fileRead(for: given) != nil else {
                    evaluator.choices.isAbsent = true
                    return .described(hosts: [], pins: [], what: "")
                }
                return content(value, [host].compactMap(\.self), call.line)
            }
        }
    }

    /// gRPC's `credentials.createSsl(roots, null, null, { checkServerIdentity })`
    static func nodeChannels(_ tree: SyntaxTree) -> [NodeTrust] {
        tree.calls(["createSsl"]).compactMap { call, _, arguments in
            guard let roots = arguments.first?.value, !roots.names("null"), !roots.names("undefined"),
                !call.calleePath.contains("ServerCredentials")
            else { return nil }
            var pairs: [Expression.Pair] = []
            if arguments.count > 3, let whole = options(arguments[3].value, in: tree)?.whole,
                case .table(let own) = whole.kind
            {
                pairs = own
            }
            return NodeTrust(given: roots, place: call.token, line: call.line, pairs: pairs, isOfChannel: true)
        }
    }

    private static func content(_ value: Value, _ hosts: [String], _ line: Int) -> FoundPins.Content {
        if let text = value.text { return .described(hosts: hosts, pins: [text.trimmedPin], what: ownAlone) }
        let reason = value.firstUnknown.map { ": \($0.reason)" } ?? " is not told by this source"
        return .gaps([.init(line: line, reason: "which certificates this channel trusts\(reason)")], hosts: hosts)
    }
}
