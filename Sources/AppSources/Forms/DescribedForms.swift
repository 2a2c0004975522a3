/// Forms whose rules are in no model: their hosts and pins are found, and no verdict is given.
enum DescribedForms {
    static func sites(of tree: SyntaxTree) -> [SourceReader.Site] {
        switch tree.language {
        case .dart: dart(tree)
        case .script: script(tree)
        case .kotlin, .java: assets(tree) + androidPinning(tree) + netty(tree) + sentHeaders(tree)
        case .swift: sockets(tree) + socketRequests(tree)
        case .objectiveC: socketRequests(tree)
        case .cSharp: sentHeaders(tree)
        case .groovy: []
        }
    }

    /// - Parameters:
    ///   - hosts: what holds their names, or URLs.
    ///   - pins: what holds the pins.
    ///   - isOfOneHost: whether a name that is declared nowhere stands for one host, and not for whichever is asked.
    ///   - library: what these are to a dialect that has the form's rules; `nil`: none has.
    static func site(
        _ form: FoundPins.Form,
        _ call: Expression,
        hosts: [Expression],
        pins: [Expression],
        what: String,
        isOfOneHost: Bool = false,
        library: (([String], [String]) -> LibraryPins)? = nil
    ) -> SourceReader.Site {
        let line = call.line
        return SourceReader.Site(form: form, line: line, token: call.token) { evaluator in
            // Which entry of a table they are may tell the host.
            for expression in pins { _ = evaluator.value(of: expression) }
            var gaps: [FoundPins.Gap] = []
            func texts(_ expressions: [Expression], _ name: String) -> [String] {
                expressions.flatMap { expression -> [String] in
                    let value = evaluator.value(of: expression)
                    if let unknown = value.firstUnknown {
                        gaps.append(
                            .init(line: unknown.line > 0 ? unknown.line : line, reason: "\(name): \(unknown.reason)")
                        )
                    }
                    return value.texts
                }
            }
            // The host of a URL is known where only what stands behind it is not.
            var beginnings = evaluator
            beginnings.keepsBeginnings = true
            let known = hosts.compactMap { beginnings.host(of: beginnings.value(of: $0).text ?? "")?.text }
            let names =
                known.count == hosts.count
                ? known : texts(hosts, "the host").map { evaluator.host(of: $0)?.text ?? $0 }
            let hostGap = gaps.first
            gaps = []
            let found = texts(pins, "a pin")
            if isOfOneHost, gaps.isEmpty, !found.isEmpty, let hostGap, hostGap.reason.contains("is declared nowhere") {
                // Of a text with a name in it, the name.
                let name = hostGap.reason.split(separator: "'").dropFirst().first.map(String.init)
                let words = hosts[0].words.contains("…") ? name : hosts[0].words
                let part = FoundPins.Part(host: nil, pins: found, line: line, expression: words)
                return .gaps([hostGap], hosts: [], known: [part])
            }
            if let library, gaps.isEmpty, !found.isEmpty {
                return .library(library(hostGap == nil ? names : [], found))
            }
            if gaps.isEmpty, !found.isEmpty, let hostGap {
                return .described(hosts: [], pins: found, what: "\(what); \(hostGap.reason)")
            }
            gaps = [hostGap].compactMap { $0 } + gaps
            guard !gaps.isEmpty else { return .described(hosts: names, pins: found, what: what) }
            // An object of which a part is not told is given here as a whole.
            let (hosts, digests) = (names.filter(PinText.isHostOrEnd), found.filter(PinText.isDigest))
            let parts = (hosts.isEmpty ? [nil] : hosts.map(Optional.some)).map { name in
                FoundPins.Part(host: name, pins: digests, line: line)
            }
            return .gaps(gaps, hosts: hosts, known: digests.isEmpty ? [] : parts)
        }
    }

    // MARK: Flutter

    private static func dart(_ tree: SyntaxTree) -> [SourceReader.Site] {
        var sites: [SourceReader.Site] = []
        let certificates = "digests of the server's own certificate, not of its key: each renewal needs a new one"
        for (call, name, arguments) in tree.calls([
            "check", "CertificatePinningInterceptor", "initialize", "build", "SecurityContext",
            "HttpCertificatePinning", "super", "TlsSettings",
        ]) {
            func argument(_ labels: String...) -> Expression? {
                arguments.first { $0.label.map(labels.contains) ?? false }?.value
            }
            let callee = call.calleePath
            if name == "check" || name == "CertificatePinningInterceptor" || name == "super",
                let pins = argument("allowedSHAFingerprints", "allowedSHA1FingerprintList", "allowedFingerprints")
            {
                let address = name == "check" ? nil : tree.address(ofClientAt: call.token)
                let hosts = [argument("serverURL", "baseUrl") ?? address].compactMap { $0 }
                let isOld = argument("allowedSHA1FingerprintList") != nil
                let sha = name == "check" && !isOld ? argument("sha")?.finalName : isOld ? "SHA1" : "SHA256"
                let library = checkedFirst(sha)
                if name != "check", let asked = asked(call, pins, tree) {
                    sites.append(asked)
                    continue
                }
                if let line = name == "check" ? nil : tree.clearing(behind: call.token) {
                    let what = "\(certificates); the interceptors are taken out again on line \(line)"
                    sites.append(site(.flutterCheck, call, hosts: hosts, pins: [pins], what: what))
                    continue
                }
                let isOfOneHost = argument("serverURL") != nil
                sites.append(
                    site(
                        .flutterCheck,
                        call,
                        hosts: hosts,
                        pins: [pins],
                        what: certificates,
                        isOfOneHost: isOfOneHost,
                        library: library
                    )
                )
            } else if name == "initialize", callee.contains("SslPinning"), let pins = argument("pins") {
                sites.append(tableSite(.flutterPinning, call, pins) { .pinner($0) })
                let what =
                    "on iOS the hexadecimal digest of a key without its header is compared: no pin that Android takes "
                    + "matches there"
                let isOfiOS = { (entries: [FoundPins.Entry]) in
                    FoundPins.Content.described(
                        hosts: entries.map(\.host),
                        pins: entries.flatMap(\.pins),
                        what: what,
                        known: entries.map(FoundPins.Part.init)
                    )
                }
                sites.append(tableSite(.flutterPinning, call, pins, isOfiOS))
            } else if name == "build", callee.contains("SecureHttpClient"), let pins = arguments.first?.value {
                let library = checkedFirst("SHA256")
                sites.append(
                    site(.flutterCheck, call, hosts: [], pins: [pins], what: certificates, library: library)
                )
            } else if name == "SecurityContext", trustsOwnAlone(call, argument("withTrustedRoots"), tree) {
                sites.append(dartTrust(call, tree))
            } else if name == "TlsSettings", argument("trustRootCertificates")?.names("false") ?? false,
                let own = argument("trustedRootCertificates")
            {
                let what = "only certificates that the app carries are trusted"
                sites.append(site(.rhttp, call, hosts: [], pins: [own], what: what))
            }
        }
        return sites
    }

    /// The library's interceptor as a part of one of the app's own, which decides for which hosts it is asked.
    private static func asked(_ call: Expression, _ pins: Expression, _ tree: SyntaxTree) -> SourceReader.Site? {
        guard let own = CodeGroup.groups(of: tree, { $0 == call.token }).first?.context,
            let word = own.first(where: { tree.tokens[$0].isName("extends") || tree.tokens[$0].isName("implements") }),
            word + 1 < tree.tokens.count, tree.tokens[word + 1].name?.hasSuffix("Interceptor") ?? false
        else { return nil }
        return SourceReader.Site(form: .flutterCheck, line: call.line, token: call.token) { evaluator in
            let value = evaluator.value(of: pins)
            let groups = CodeGroup.groups(of: tree) { tree.tokens[$0].isName("onRequest") && $0 > word }
            let hosts = groups.flatMap { GroupReading($0, evaluator).hosts }.uniqued
            if let unknown = value.firstUnknown {
                return .gaps([.init(line: call.line, reason: "a pin: \(unknown.reason)")], hosts: hosts)
            }
            let what = "digests of the server's own certificate, asked for where the app's own interceptor does"
            return .described(hosts: hosts, pins: value.texts, what: what)
        }
    }

    /// http_certificate_pinning, which is told by `SHA.SHA1` or `SHA.SHA256` which digest to compute.
    private static func checkedFirst(_ sha: String?) -> ([String], [String]) -> LibraryPins {
        let known = ["SHA1": "sha1", "SHA256": "sha256"][sha ?? ""]
        return { hosts, pins in
            LibraryPins(
                dialect: "fingerprint",
                hosts: hosts,
                pins: pins,
                what: "digests of the server's own certificate",
                key: "fingerprints",
                settings: ["library: http_certificate_pinning"] + (known.map { ["sha: \($0)"] } ?? [])
            )
        }
    }

    /// Without a word about roots it trusts none, and is one of a server, or of a client that is given its own.
    private static func trustsOwnAlone(_ call: Expression, _ roots: Expression?, _ tree: SyntaxTree) -> Bool {
        // A variable may be either.
        if let roots, roots.names("false") || roots.names("true") { return roots.names("false") }
        guard let group = CodeGroup.groups(of: tree, { $0 == call.token }).first else { return false }
        return group.tokens.contains { tree.tokens[$0].name?.hasPrefix("setTrustedCert") ?? false }
    }

    /// A context that trusts no root of the system: which certificates it is given.
    private static func dartTrust(_ call: Expression, _ tree: SyntaxTree) -> SourceReader.Site {
        SourceReader.Site(form: .dartTrust, line: call.line, token: call.token) { evaluator in
            let group = CodeGroup.groups(of: tree) { $0 == call.token }.first
            let reading = group.map { GroupReading($0, evaluator) }
            let given = tree.calls(["setTrustedCertificates", "setTrustedCertificatesBytes"])
                .filter { group?.holds($0.call.token) ?? false }
                .flatMap { _, _, arguments in arguments.flatMap { tree.literals(in: $0.value) } }
                .filter { PinText.isCertificateFile($0) || PinText.isCertificate($0) }
            // What proves the client stands there, too, and is trusted by nobody.
            let isClient = group?.tokens.contains { tree.tokens[$0].name?.hasPrefix("useCertificateChain") ?? false }
            let around = (reading?.files ?? []) + (reading?.pins ?? []).filter(PinText.isCertificate)
            let pins = given.isEmpty ? (isClient ?? false ? [] : around) : given.uniqued
            guard pins.isEmpty else {
                let hosts = RequestHosts.ofDart(CodeGroup(at: call.token), evaluator)
                let what =
                    "only certificates that the app carries are trusted" + tree.plainClient(wherePlaceFails: call.token)
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

    /// Hosts are the keys, pins the values.
    private static func tableSite(
        _ form: FoundPins.Form,
        _ call: Expression,
        _ table: Expression,
        _ content: @escaping ([FoundPins.Entry]) -> FoundPins.Content
    ) -> SourceReader.Site {
        SourceReader.Site(form: form, line: call.line, token: call.token) { evaluator in
            let value = evaluator.value(of: table)
            guard case .table(let entries) = value, value.firstUnknown == nil else {
                let unknown = value.firstUnknown
                let entries = if case .table(let entries) = value { entries } else { [Value.Entry]() }
                return .gaps(
                    [.init(line: unknown?.line ?? call.line, reason: unknown?.reason ?? "the pins are no table")],
                    hosts: entries.compactMap(\.key.text),
                    known: entries.map { .init(host: $0.key.text, pins: $0.value.texts, line: $0.line) }
                        .filter { !$0.pins.isEmpty }
                )
            }
            return content(
                entries.map { .init(host: $0.key.text ?? "", pins: $0.value.texts, line: $0.line) }
            )
        }
    }

    // MARK: Android

    /// Certificates of an app's own that a trust manager is made of.
    private static func assets(_ tree: SyntaxTree) -> [SourceReader.Site] {
        let marks: Set<String> = ["CertificateFactory", "KeyStore", "TrustManagerFactory"]
        guard tree.tokens.contains(where: { $0.name.map(marks.contains) ?? false }) else { return [] }
        return tree.calls(["openRawResource", "open", "getResourceAsStream"]).compactMap { call, name, arguments in
            guard let argument = arguments.first?.value else { return nil }
            let what = use(ofAssetAt: call, tree)
            if name != "openRawResource" {
                guard name == "open" ? call.calleePath.contains("ssets") : argument.namesCertificate else { return nil }
                return .init(form: .certificateAsset, line: call.line, token: call.token) { evaluator in
                    let value = evaluator.value(of: argument)
                    if let text = value.text { return .described(hosts: [], pins: ["assets/\(text)"], what: what) }
                    let reason = value.firstUnknown?.reason ?? "it is no text"
                    return .gaps([.init(line: call.line, reason: "the certificate: \(reason)")], hosts: [])
                }
            }
            return .init(form: .certificateAsset, line: call.line, token: call.token) { evaluator in
                if case .call(let callee, let parts) = argument.kind, callee.finalName == "getIdentifier",
                    let name = parts.first.flatMap({ evaluator.value(of: $0.value).text })
                {
                    return .described(hosts: [], pins: ["raw/\(name)"], what: what)
                }
                let value = evaluator.value(of: argument)
                if case .made(let made) = value, made.name == "raw" {
                    return .described(hosts: [], pins: value.texts.map { "raw/\($0)" }, what: what)
                }
                let reason = value.firstUnknown?.reason ?? "it is no resource"
                return .gaps([.init(line: call.line, reason: "the certificate: \(reason)")], hosts: [])
            }
        }
    }
}

extension Expression {
    /// Whether it is the name of a certificate file.
    fileprivate var namesCertificate: Bool {
        guard case .text(let pieces) = kind, pieces.count == 1, case .plain(let text) = pieces[0] else { return false }
        return PinText.isCertificateFile(text)
    }

    var calleePath: String {
        guard case .call(let callee, _) = kind else { return "" }
        var text = ""
        callee.visit { part in
            if let name = part.finalName { text += name + " " }
            return true
        }
        return text
    }
}

extension SyntaxTree {
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
