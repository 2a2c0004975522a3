/// Certificates of an app's own that clients of Swift and Objective-C are given as their authorities: they then trust no others.
extension DescribedForms {
    /// NIO's `trustRoots`, as AsyncHTTPClient, gRPC, Vapor and MQTT clients take them.
    static func trustRoots(_ tree: SyntaxTree) -> [SourceReader.Site] {
        guard tree.tokens.contains(where: { $0.isName("trustRoots") }) else { return [] }
        var givings: [AppleTrust] = []
        for statement in tree.blocks.flatMap(\.statements) {
            guard case .assignment(let target, "=", let value) = statement.kind,
                case .member(let holder, "trustRoots") = target.kind
            else { continue }
            givings.append(AppleTrust(given: value, place: target.token, line: target.line, holder: holder))
        }
        tree.visit { expression, _ in
            guard case .call(let callee, let arguments) = expression.kind,
                let given = arguments.first(where: { $0.label == "trustRoots" })?.value
            else { return true }
            givings.append(
                AppleTrust(given: given, place: given.token, line: given.line, holder: callee, arguments: arguments)
            )
            return true
        }
        return givings.filter { $0.isOfClient(tree) }.map { $0.site() }
    }

    /// gRPC's `[GRPCCall setTLSPEMRootCerts:roots forHost:host error:nil]`.
    static func rootsOfCalls(_ tree: SyntaxTree) -> [SourceReader.Site] {
        var found: [SourceReader.Site] = []
        tree.visit { expression, _ in
            guard case .call(let callee, let arguments) = expression.kind, arguments.count > 1,
                callee.finalName?.hasPrefix("setTLSPEMRootCerts:") ?? false
            else { return true }
            let host = callee.finalName?.hasPrefix("setTLSPEMRootCerts:forHost:") ?? false ? arguments[1].value : nil
            found.append(
                AppleTrust(given: arguments[0].value, place: expression.token, line: expression.line, host: host).site()
            )
            return true
        }
        return found
    }
}

/// One giving of authorities.
private struct AppleTrust {
    /// What they are.
    var given: Expression
    var place: Int
    var line: Int
    /// The settings, or what makes them.
    var holder: Expression?
    var arguments: [Expression.Argument] = []
    var host: Expression?

    private static let servers = ["makeServerConfiguration", "forServer", "Server"]

    /// Whether a client is given them: a server looks at its clients by them.
    func isOfClient(_ tree: SyntaxTree) -> Bool {
        guard let holder else { return true }
        var words = holder.words
        if case .name(let name) = holder.base.kind {
            for block in tree.blocks {
                words += block.declarations[name]?.compactMap { $0.value?.words }.joined(separator: " ") ?? ""
            }
        }
        let isServer = Self.servers.contains(where: words.contains)
        let isAsking = arguments.contains { $0.label == "clientCertificateVerification" }
        // `HTTPServer(configuration: .init(trustRoots: …))`
        var isBelow = false
        tree.visit { expression, _ in
            if case .call(let callee, let arguments) = expression.kind, callee.finalName?.hasSuffix("Server") ?? false {
                isBelow =
                    isBelow
                    || arguments.contains { argument in
                        var isIt = false
                        argument.value.visit { part in
                            isIt = isIt || part.token == place
                            return !isIt
                        }
                        return isIt
                    }
            }
            return !isBelow
        }
        return !isServer && !isAsking && !isBelow
    }

    func site() -> SourceReader.Site {
        SourceReader.Site(form: .appleTrust, line: line, token: place) { evaluator in
            let pins = pins(of: given, evaluator).uniqued
            // What only the app is given says nothing of a pin.
            guard !pins.isEmpty else {
                evaluator.choices.isAbsent = true
                return .described(hosts: [], pins: [], what: "")
            }
            return .described(hosts: hosts(evaluator), pins: pins, what: what(evaluator.tree))
        }
    }

    /// The files and certificates of an expression, and of the constants in it.
    private func pins(of expression: Expression, _ evaluator: Evaluator, depth: Int = 0) -> [String] {
        let tree = evaluator.tree
        var found: [String] = []
        expression.visit { part in
            switch part.kind {
            case .text(let pieces):
                // Of a path that begins with what is not known, the rest.
                if case .plain(let text)? = pieces.last {
                    let name = pieces.count > 1 ? String(text.drop { $0 == "/" }) : text
                    if PinText.isCertificateFile(name) || PinText.isWholeCertificate(name) { found.append(name) }
                }
            case .call(_, let arguments):
                let name = arguments.first { argument in
                    ["forResource", "resource"].contains(argument.label ?? "") || isPath(part)
                }
                guard let name, let text = evaluator.value(of: name.value).text else { return true }
                let end =
                    arguments.first { ["ofType", "withExtension"].contains($0.label ?? "") }
                    ?? (isPath(part) && arguments.count > 1 ? arguments[1] : nil)
                let type = end.flatMap { evaluator.value(of: $0.value).text } ?? ""
                found.append(type.isEmpty ? text : "\(text).\(type)")
                return false
            case .name(let name), .member(_, let name):
                guard depth < 4 else { break }
                let own = tree.block(declaring: name, from: part.block).flatMap { tree.blocks[$0].declarations[name] }
                let all = own ?? tree.blocks.filter(\.isOutside).flatMap { $0.declarations[name] ?? [] }
                for declaration in all.prefix(3) where declaration.kind == .value {
                    if let value = declaration.value { found += pins(of: value, evaluator, depth: depth + 1) }
                }
            default: break
            }
            return true
        }
        return found.map(\.trimmedPin)
    }

    private func isPath(_ call: Expression) -> Bool {
        guard case .call(let callee, _) = call.kind else { return false }
        return ["pathForResource:", "URLForResource:"].contains { callee.finalName?.hasPrefix($0) ?? false }
    }

    private func what(_ tree: SyntaxTree) -> String {
        // The same settings say how much is verified, and on another way they say nothing of this one.
        let known = tree.conditions(around: place)
        let words: [String] =
            arguments.first { $0.label == "certificateVerification" }.map { [$0.value.words] }
            ?? tree.blocks.flatMap(\.statements).compactMap { statement in
                guard case .assignment(let target, "=", let value) = statement.kind,
                    case .member(let own, "certificateVerification") = target.kind, own.words == holder?.words,
                    tree.conditions(around: target.token).allSatisfy(known.contains)
                else { return nil }
                return value.words
            }
        if words.contains(where: { $0.hasSuffix("noHostnameVerification") }) {
            return "\(DescribedForms.ownAlone), whatever name they are for"
        }
        if words.contains(where: { $0.hasSuffix(".none") }) {
            return "certificates that the app carries, and with 'certificateVerification: .none' none is verified: "
                + "every certificate is let through"
        }
        return DescribedForms.ownAlone
    }

    /// The only host that the source connects to by NIO's words.
    private func hosts(_ evaluator: Evaluator) -> [String] {
        var evaluator = evaluator
        evaluator.keepsBeginnings = true
        func name(_ expression: Expression) -> String? {
            guard let text = evaluator.value(of: expression).text else { return nil }
            return evaluator.host(of: text)?.text ?? (PinText.isKeyOfPins(text) ? text : nil)
        }
        if let host { return name(host).map { [$0] } ?? [] }
        var found: [String] = []
        var isOpen = false
        evaluator.tree.visit { expression, _ in
            guard case .call(let callee, let arguments) = expression.kind else { return true }
            for argument in arguments where ["host", "serverHostname", "url", "baseURL"].contains(argument.label ?? "")
            {
                guard callee.finalName != "bind" else { continue }
                if let name = name(argument.value) { found.append(name) } else { isOpen = true }
            }
            return true
        }
        return !isOpen && found.uniqued.count == 1 ? found.uniqued : []
    }
}
