/// Forms whose rules are in no model: their hosts and pins are found, and no verdict is given.
enum DescribedForms {
    static func sites(of tree: SyntaxTree) -> [SourceReader.Site] {
        switch tree.language {
        case .dart: dart(tree)
        case .script: script(tree)
        case .kotlin, .java: assets(tree) + channelTrust(tree) + androidPinning(tree) + netty(tree) + sentHeaders(tree)
        case .swift: sockets(tree) + socketRequests(tree) + trustRoots(tree)
        case .objectiveC: socketRequests(tree) + rootsOfCalls(tree)
        case .cSharp: sentHeaders(tree) + ownRoots(tree) + channelRoots(tree)
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
            let isEmpty =
                form == .flutterCheck && found.isEmpty && !pins.isEmpty
                && pins.allSatisfy { evaluator.value(of: $0) == .list([]) }
            guard !gaps.isEmpty else {
                let what = isEmpty ? "\(what); its list is empty, so that nothing is equal to what stands there" : what
                return .described(hosts: names, pins: found, what: what)
            }
            // An object of which a part is not told is given here as a whole.
            let (hosts, digests) = (names.filter(PinText.isHostOrEnd), found.filter(PinText.isDigest))
            let parts = (hosts.isEmpty ? [nil] : hosts.map(Optional.some)).map { name in
                FoundPins.Part(host: name, pins: digests, line: line)
            }
            return .gaps(gaps, hosts: hosts, known: digests.isEmpty ? [] : parts)
        }
    }

    // MARK: Android

    /// Certificates of an app's own that a trust manager is made of.
    private static func assets(_ tree: SyntaxTree) -> [SourceReader.Site] {
        let marks = channelTypes.union(["CertificateFactory", "KeyStore", "TrustManagerFactory"])
        guard tree.tokens.contains(where: { $0.name.map(marks.contains) ?? false }) else { return [] }
        return opened(in: tree).compactMap { call, name, argument in
            guard !tree.isHeldAlone(from: call.token), !tree.isKeyStoreAlone(from: call.token) else { return nil }
            let what = use(ofAssetAt: call, tree)
            if name != "openRawResource" {
                return .init(form: .certificateAsset, line: call.line, token: call.token) { evaluator in
                    let value = evaluator.value(of: argument)
                    if let text = value.text {
                        // A resource of Java's is named from the root: `/certs/acme.cer`.
                        let path = text.drop { $0 == "/" }
                        return .described(hosts: [], pins: [name == "open" ? "assets/\(text)" : "\(path)"], what: what)
                    }
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
    var namesCertificate: Bool {
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
