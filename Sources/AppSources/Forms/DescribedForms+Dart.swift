/// What packages of Flutter are given, and what clients of dart:io trust.
extension DescribedForms {
    static func dart(_ tree: SyntaxTree) -> [SourceReader.Site] {
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
                if name == "check", let line = tree.lineOfForgiving(call.token) {
                    let what =
                        "\(certificates); where none matches, line \(line) lets every certificate through all the same"
                    sites.append(site(.flutterCheck, call, hosts: hosts, pins: [pins], what: what))
                    continue
                }
                let isOfOneHost = argument("serverURL") != nil
                let whole = site(
                    .flutterCheck,
                    call,
                    hosts: hosts,
                    pins: [pins],
                    what: certificates,
                    isOfOneHost: isOfOneHost,
                    library: library
                )
                var checked = whole
                checked.read = { evaluator in
                    guard name == "check", let unused = tree.unusedFunction(around: call.token, evaluator.module) else {
                        return whole.read(evaluator)
                    }
                    let what = "\(certificates)\(FoundPins.nothing) calls '\(unused)'"
                    return site(.flutterCheck, call, hosts: [], pins: [pins], what: what).read(evaluator)
                }
                sites.append(checked)
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
                let what = ownAlone
                sites.append(site(.rhttp, call, hosts: [], pins: [own], what: what))
            }
        }
        return sites + dartAdditions(tree) + dartChannels(tree)
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
}

extension SyntaxTree {
    /// The line of a `catch` that answers yes where what is tried at a place fails.
    fileprivate func lineOfForgiving(_ place: Int) -> Int? {
        for (tried, caught) in tries(around: place) {
            // `try { await check(…); } catch (error) { print(error); }`: nothing behind it asks how it ended.
            let isAlone = isTriedAlone(place, in: tried)
            let forgiving = caught.first { statement in
                statement.blocks.contains { caught in
                    let last = blocks[caught].statements.last
                    if last?.answer?.names("true") ?? false || last.map(goesOn) ?? false { return true }
                    return isAlone && blocks[caught].statements.allSatisfy(onlyLogs)
                }
            }
            if let forgiving { return forgiving.line }
        }
        return nil
    }

    /// `handler.next(options)`
    private func goesOn(_ statement: Statement) -> Bool {
        guard case .call(let callee, _)? = statement.answer?.kind, case .member(let base, "next") = callee.kind else {
            return false
        }
        return base.finalName?.hasSuffix("andler") ?? false
    }

    /// Whether what is tried is what stands at a place, and a log of it.
    private func isTriedAlone(_ place: Int, in statement: Statement) -> Bool {
        statement.blocks.contains { tried in
            guard let index = blocks[tried].statements.firstIndex(where: { $0.tokens.contains(place) }) else {
                return false
            }
            switch blocks[tried].statements[index].kind {
            case .expression: break
            case .declaration(let declaration): if declaration.kind != .value { return false }
            default: return false
            }
            return blocks[tried].statements[(index + 1)...].allSatisfy(onlyLogs)
        }
    }
}
