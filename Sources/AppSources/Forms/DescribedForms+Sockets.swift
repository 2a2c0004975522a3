/// Certificate files that libraries of Apple's systems for sockets and requests are given.
extension DescribedForms {
    /// Starscream's `SSLSecurity` and SwiftHTTP's: certificate files, for the host of its socket or request.
    static func sockets(_ tree: SyntaxTree) -> [SourceReader.Site] {
        tree.calls(["SSLSecurity", "HTTPSecurity"]).map { call, name, arguments in
            let uses = tree.uses(ofFieldFilledAt: call.token)
            return SourceReader.Site(form: .socket, line: call.line, token: call.token, uses: uses) { evaluator in
                let usesKeys = arguments.contains { $0.label == "usePublicKeys" && $0.value.names("true") }
                let part = usesKeys ? "the public keys of certificates" : "certificates"
                guard arguments.contains(where: { $0.label == "certs" }) else {
                    let what = "\(part) of the whole bundle, which only the built app tells"
                    return .described(hosts: [], pins: [], what: what)
                }
                let client = name == "SSLSecurity" ? "socket" : "request"
                return files(at: call, what: "\(part) of the app's own", client, evaluator)
            }
        }
    }

    /// SocketRocket's `SR_SSLPinnedCertificates` of a request: certificates of which the server must show one.
    static func socketRequests(_ tree: SyntaxTree) -> [SourceReader.Site] {
        var found: [Expression] = []
        tree.visit { expression, _ in
            guard case .call(let callee, _) = expression.kind, let name = callee.finalName,
                name.hasPrefix("set"), name.hasSuffix("SR_SSLPinnedCertificates:")
            else { return true }
            found.append(expression)
            return true
        }
        for statement in tree.blocks.flatMap(\.statements) {
            guard case .assignment(let target, "=", let value) = statement.kind, case .member = target.kind,
                target.finalName?.uppercased().hasSuffix("SR_SSLPINNEDCERTIFICATES") ?? false, !value.isNothing
            else { continue }
            found.append(target)
        }
        return found.map { given in
            SourceReader.Site(form: .socketRequest, line: given.line, token: given.token) { evaluator in
                files(
                    at: given,
                    what: "certificates of the app's own, of which the server must show one",
                    "socket",
                    evaluator
                )
            }
        }
    }

    /// The certificate files that the code around a place names.
    private static func files(
        at place: Expression,
        what: String,
        _ client: String,
        _ evaluator: Evaluator
    ) -> FoundPins.Content {
        let group = CodeGroup.groups(of: evaluator.tree) { $0 == place.token }.first
        let reading = group.map { GroupReading($0, evaluator) }
        let files = reading?.files ?? []
        guard files.isEmpty else { return .described(hosts: [], pins: files, what: what) }
        // Certificates that the source holds.
        let texts = (reading?.pins ?? []).map(\.trimmedPin).filter(PinText.isWholeCertificate)
        guard texts.isEmpty else { return .described(hosts: [], pins: texts, what: what) }
        let reason = "which certificates the \(client) is given is not told by this source"
        return .gaps([.init(line: place.line, reason: reason)], hosts: [])
    }
}

extension Expression {
    fileprivate var isNothing: Bool { ["nil", "NULL", "null"].contains { names($0) } }
}
