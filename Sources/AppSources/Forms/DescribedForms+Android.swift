/// AndroidPinning, by moxie0: SHA-1 digests of keys in hexadecimal, of which one must be in the chain.
extension DescribedForms {
    static func androidPinning(_ tree: SyntaxTree) -> [SourceReader.Site] {
        let names: Set<String> = [
            "getPinnedHttpsURLConnection", "getPinnedHttpClient", "PinningTrustManager", "PinningSSLSocketFactory",
        ]
        return trustedCertificates(tree)
            + tree.calls(names).compactMap { call, name, arguments in
                // A class of the app's own by such a name is read as code that compares.
                let isOwn = tree.blocks.contains { $0.declarations[name]?.contains { $0.kind != .value } ?? false }
                guard !isOwn, !arguments.isEmpty else { return nil }
                return .init(form: .androidPinning, line: call.line, token: call.token) { evaluator in
                    let values = arguments.map { evaluator.value(of: $0.value) }
                    let hosts = values.compactMap(\.text).compactMap { evaluator.host(of: $0)?.text }
                    let pins = values.first { value in
                        if case .list(let list) = value { !list.isEmpty } else { false }
                    }
                    guard let pins, pins.firstUnknown == nil else {
                        let unknown = (pins.map { [$0] } ?? values).lazy.compactMap(\.firstUnknown).last
                        let reason = "a pin: \(unknown?.reason ?? "it is not told by this source")"
                        return .gaps([.init(line: call.line, reason: reason)], hosts: hosts)
                    }
                    let what = "SHA-1 digests of keys anywhere in the chain, by AndroidPinning"
                    return .described(hosts: hosts, pins: pins.texts, what: what)
                }
            }
    }

    /// Netty's `new FingerprintTrustManagerFactory("…")`, and its builder's `fingerprints("…")`.
    static func netty(_ tree: SyntaxTree) -> [SourceReader.Site] {
        let type = "FingerprintTrustManagerFactory"
        let isOfServer = tree.tokens.contains { $0.isName("forServer") }
        let isOfClient = tree.tokens.contains { $0.isName("forClient") }
        return tree.calls([type, "fingerprints"]).compactMap { call, name, arguments in
            guard name == type || call.calleePath.contains(type), !arguments.isEmpty else { return nil }
            let what =
                isOfServer && !isOfClient
                ? "compared by a server with the certificate of its client"
                : "digests of the server's own certificate, which are all that Netty looks at"
            return site(.netty, call, hosts: [], pins: arguments.map(\.value), what: what)
        }
    }

    /// `HandshakeCertificates.Builder().addTrustedCertificate(…)` of OkHttp.
    private static func trustedCertificates(_ tree: SyntaxTree) -> [SourceReader.Site] {
        tree.calls(["addTrustedCertificate"]).compactMap { call, _, arguments in
            guard arguments.count == 1 else { return nil }
            return .init(form: .certificateAsset, line: call.line, token: call.token) { evaluator in
                let value = evaluator.value(of: arguments[0].value)
                if let text = value.text, PinText.isCertificate(text) {
                    return .described(hosts: [], pins: [text], what: "a certificate that the app trusts")
                }
                let around = (tree.function(around: call.token) ?? 0..<0).clamped(to: 0..<tree.tokens.count)
                // The file that it is made of is told where it is opened.
                if tree.tokens[around].contains(where: { $0.isName("generateCertificate") }),
                    opened(in: tree).contains(where: { around.contains($0.call.token) })
                {
                    evaluator.choices.isAbsent = true
                }
                let reason = value.firstUnknown?.reason ?? "it is not told by this source"
                return .gaps([.init(line: call.line, reason: "a trusted certificate: \(reason)")], hosts: [])
            }
        }
    }

    static let ownAlone = "only certificates that the app carries are trusted"

    /// Where Kotlin or Java opens a file that the app carries: a raw resource, an asset, or a certificate among Java's resources.
    static func opened(in tree: SyntaxTree) -> [(call: Expression, name: String, argument: Expression)] {
        tree.calls(["openRawResource", "open", "getResourceAsStream"]).compactMap { call, name, arguments in
            guard let argument = arguments.first?.value else { return nil }
            let isOne =
                switch name {
                case "open": call.calleePath.contains("ssets") || tree.isOfAssets(call)
                case "getResourceAsStream": argument.namesCertificate
                default: true
                }
            return isOne ? (call, name, argument) : nil
        }
    }

    /// What becomes of a certificate file that is opened, as far as the source tells.
    static func use(ofAssetAt call: Expression, _ tree: SyntaxTree) -> String {
        func has(_ words: Set<String>, _ tokens: some Sequence<Int>) -> Bool {
            tokens.contains { tree.tokens[$0].name.map(words.contains) ?? false && !tree.isImported($0) }
        }
        if !has(["KeyStore", "SSLContext", "HandshakeCertificates", "trustManager"], tree.tokens.indices),
            !tree.tokens.indices.contains(where: { place in
                tree.tokens[place].name?.contains("Trust") ?? false && !tree.isImported(place)
            })
        {
            return "a certificate that the app carries is read, and nothing in this source trusts it"
        }
        if tree.isAmongIssuersAlone(from: call.token) {
            return
                "a certificate that the app carries stands among the issuers that a trust manager names, and nothing "
                + "is held against it"
        }
        // Keys of the client's own lie in such a store, too.
        let around = CodeGroup.groups(of: tree, callers: 0) { $0 == call.token }.first?.tokens ?? []
        if has(["KeyManagerFactory"], tree.tokens.indices), has(["KeyStore"], around),
            !has(["CertificateFactory", "generateCertificate", "TrustManagerFactory"], around)
        {
            return "a key store that the app carries: what it trusts, or the client's own key"
        }
        return trust(tree)
    }

    /// What Kotlin or Java makes of certificates that it trusts.
    static func trust(_ tree: SyntaxTree) -> String {
        isBesideOthers(tree)
            ? "certificates that the app carries are trusted, beside those of another trust manager" : ownAlone
    }

    /// Whether a trust manager of the app's own asks one, and another where that one refuses.
    private static func isBesideOthers(_ tree: SyntaxTree) -> Bool {
        func asks(_ place: Int) -> Bool {
            place > 0 && tree.tokens[place].isName("checkServerTrusted")
                && (tree.tokens[place - 1].isMark(".") || tree.tokens[place - 1].isMark("?."))
        }
        return tree.tokens.indices.contains { place in
            guard tree.tokens[place].isName("catch"), let function = tree.function(around: place) else { return false }
            return (function.lowerBound..<place).contains(where: asks)
                && (place..<function.upperBound).contains(where: asks)
        }
    }
}

extension SyntaxTree {
    /// Whether what Kotlin or Java reads at a place is nothing but one of the issuers that a trust manager says it knows.
    func isAmongIssuersAlone(from token: Int) -> Bool {
        leads(from: token) { namedFunction(around: [$0])?.name == "getAcceptedIssuers" }
    }

    /// Whether what Kotlin or Java reads at a place is nothing but a part of the client's own key and certificate:
    /// `HeldCertificate.decode(certificate + key)`.
    func isHeldAlone(from token: Int) -> Bool {
        func isHeld(_ place: Int) -> Bool {
            guard let statement = innermost(around: place)?.statement else { return false }
            return tokens[statement.tokens.clamped(to: 0..<tokens.count)].contains { $0.isName("HeldCertificate") }
        }
        return (language == .kotlin || language == .java) && (isHeld(token) || leads(from: token, to: isHeld))
    }

    /// Whether each use of the value that is declared around a place, and of the values that are made of it, is an end.
    private func leads(from token: Int, to isEnd: (Int) -> Bool) -> Bool {
        guard language == .kotlin || language == .java, let first = valueDeclared(around: token) else { return false }
        var names = [first]
        var isNamed = false
        for step in 0..<6 where step < names.count {
            for place in tokens.indices where tokens[place].names.contains(names[step]) && !isImported(place) {
                if isEnd(place) {
                    isNamed = true
                    continue
                }
                guard let next = valueDeclared(around: place) else { return false }
                if !names.contains(next) { names.append(next) }
            }
        }
        return isNamed && names.count <= 6
    }

    func isIssuerAlone(_ file: String) -> Bool {
        tokens.indices.contains { tokens[$0].plainText == file && isAmongIssuersAlone(from: $0) }
    }

    /// The value that the innermost statement around a place declares.
    private func valueDeclared(around place: Int) -> String? {
        guard case .declaration(let declaration)? = innermost(around: place)?.statement.kind,
            declaration.kind == .value
        else { return nil }
        return declaration.name
    }
}

extension SyntaxTree {
    /// `manager.open("acme.pem")`, where `AssetManager manager = context.getAssets()`.
    fileprivate func isOfAssets(_ call: Expression) -> Bool {
        guard case .call(let callee, _) = call.kind, case .member(let base, _) = callee.kind,
            let name = base.finalName
        else { return false }
        let declared = blocks.flatMap { $0.declarations[name] ?? [] }
        return !declared.isEmpty
            && declared.allSatisfy { declaration in
                declaration.typeName == "AssetManager" || declaration.value?.calleePath.contains("ssets") ?? false
                    || declaration.value?.finalName == "assets"
            }
    }
}
