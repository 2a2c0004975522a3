/// Forms whose rules are in no model: their hosts and pins are found, and no verdict is given.
enum DescribedForms {
    static func sites(of tree: SyntaxTree) -> [SourceReader.Site] {
        switch tree.language {
        case .dart: dart(tree)
        case .script: script(tree)
        case .cSharp: dotNet(tree)
        case .kotlin, .java: assets(tree)
        case .swift, .objectiveC, .groovy: []
        }
    }

    /// - Parameters:
    ///   - hosts: what holds their names, or URLs.
    ///   - pins: what holds the pins.
    private static func site(
        _ form: FoundPins.Form,
        _ line: Int,
        hosts: [Expression],
        pins: [Expression],
        what: String
    ) -> SourceReader.Site {
        SourceReader.Site(form: form, line: line) { evaluator in
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
            let names = texts(hosts, "the host").map { evaluator.host(of: $0)?.text ?? $0 }
            let found = texts(pins, "a pin")
            return gaps.isEmpty ? .described(hosts: names, pins: found, what: what) : .gaps(gaps, hosts: names)
        }
    }

    /// Of what is compared, one side is a constant, and the other is the server's.
    private static func comparison(_ form: FoundPins.Form, _ line: Int, _ sides: [Expression], what: String)
        -> SourceReader.Site
    {
        SourceReader.Site(form: form, line: line) { evaluator in
            let values = sides.map { evaluator.value(of: $0) }
            let known = values.filter { $0.firstUnknown == nil }.flatMap(\.texts)
            guard known.isEmpty else { return .described(hosts: [], pins: known, what: what) }
            let reason = values.lazy.compactMap(\.firstUnknown).first?.reason ?? "nothing is compared with a text"
            return .gaps([.init(line: line, reason: "a pin: \(reason)")], hosts: [])
        }
    }

    // MARK: Flutter

    private static func dart(_ tree: SyntaxTree) -> [SourceReader.Site] {
        var sites: [SourceReader.Site] = []
        let certificates = "digests of the server's own certificate, not of its key: each renewal needs a new one"
        for (call, name, arguments) in tree.calls([
            "check", "CertificatePinningInterceptor", "initialize", "build", "SecurityContext",
            "HttpCertificatePinning",
        ]) {
            func argument(_ labels: String...) -> Expression? {
                arguments.first { $0.label.map(labels.contains) ?? false }?.value
            }
            let callee = call.calleePath
            if name == "check" || name == "CertificatePinningInterceptor",
                let pins = argument("allowedSHAFingerprints", "allowedSHA1FingerprintList", "allowedFingerprints")
            {
                let hosts = [argument("serverURL", "baseUrl")].compactMap { $0 }
                sites.append(site(.flutterCheck, call.line, hosts: hosts, pins: [pins], what: certificates))
            } else if name == "initialize", callee.contains("SslPinning"), let pins = argument("pins") {
                sites.append(tableSite(.flutterPinning, call.line, pins, what: "SPKI pins of flutter_ssl_pinning"))
            } else if name == "build", callee.contains("SecureHttpClient"), let pins = arguments.first?.value {
                sites.append(site(.flutterCheck, call.line, hosts: [], pins: [pins], what: certificates))
            } else if name == "SecurityContext", let roots = argument("withTrustedRoots"), roots.names("false") {
                let what = "only certificates that the app carries are trusted"
                sites.append(site(.dartTrust, call.line, hosts: [], pins: [], what: what))
            }
        }
        for (line, closure) in tree.assignments(to: ["badCertificateCallback", "validateCertificate"]) {
            guard let pins = tree.comparedTexts(in: closure), !pins.isEmpty else { continue }
            let what = "compared in a callback that is asked only for certificates that failed before"
            sites.append(comparison(.dartFingerprint, line, pins, what: what))
        }
        return sites
    }

    /// Hosts are the keys, pins the values.
    private static func tableSite(_ form: FoundPins.Form, _ line: Int, _ table: Expression, what: String)
        -> SourceReader.Site
    {
        SourceReader.Site(form: form, line: line) { evaluator in
            let value = evaluator.value(of: table)
            guard case .table(let entries) = value, value.firstUnknown == nil else {
                let unknown = value.firstUnknown
                let hosts = if case .table(let entries) = value { entries.compactMap(\.key.text) } else { [String]() }
                return .gaps(
                    [.init(line: unknown?.line ?? line, reason: unknown?.reason ?? "the pins are no table")],
                    hosts: hosts
                )
            }
            return .described(hosts: entries.flatMap(\.key.texts), pins: entries.flatMap(\.value.texts), what: what)
        }
    }

    // MARK: React Native and Electron

    private static func script(_ tree: SyntaxTree) -> [SourceReader.Site] {
        var sites: [SourceReader.Site] = []
        for (call, name, arguments) in tree.calls(["fetch", "createSslVerificator", "createSslVerifier"]) {
            if name == "fetch", arguments.count > 1, case .table(let options) = arguments[1].value.kind,
                let pinning = options.first(where: { $0.key.names("sslPinning") })?.value
            {
                let what = "certificate files of react-native-ssl-pinning; on iOS every one of the bundle counts"
                let pins =
                    if case .table(let pairs) = pinning.kind {
                        pairs.filter { $0.key.names("certs") }.map(\.value)
                    } else { [pinning] }
                sites.append(site(.reactNativeFetch, call.line, hosts: [arguments[0].value], pins: pins, what: what))
            } else if name.hasPrefix("createSsl"), let list = arguments.first?.value {
                sites.append(electron(call.line, list))
            }
        }
        return sites
    }

    private static func electron(_ line: Int, _ list: Expression) -> SourceReader.Site {
        SourceReader.Site(form: .electron, line: line) { evaluator in
            let value = evaluator.value(of: list)
            guard case .list(let rules) = value, value.firstUnknown == nil else {
                let unknown = value.firstUnknown
                return .gaps([.init(line: line, reason: unknown?.reason ?? "the rules are no list")], hosts: [])
            }
            func texts(_ key: String) -> [String] {
                rules.flatMap { rule -> [String] in
                    guard case .table(let entries) = rule else { return [] }
                    return entries.filter { $0.key == .text(key) }.flatMap(\.value.texts)
                }
            }
            let what = "digests of certificates, though they are written as those of keys are; other hosts are refused"
            return .described(hosts: texts("domain"), pins: texts("fingerprints"), what: what)
        }
    }

    // MARK: .NET

    private static func dotNet(_ tree: SyntaxTree) -> [SourceReader.Site] {
        let names: Set<String> = [
            "ServerCertificateValidationCallback", "ServerCertificateCustomValidationCallback",
            "RemoteCertificateValidationCallback",
        ]
        return tree.assignments(to: names).compactMap { line, value in
            var handler = value
            if let name = value.finalName, let body = tree.functionBody(named: name) { handler = body }
            guard let pins = tree.comparedTexts(in: handler), !pins.isEmpty else {
                // A method of another class is looked for by name; one that is not here is named.
                guard case .member = value.kind else { return nil }
                return .init(form: .dotNet, line: line) { _ in
                    .gaps([.init(line: line, reason: "the callback stands in another class")], hosts: [])
                }
            }
            return comparison(.dotNet, line, pins, what: "compared with the server's own certificate in a callback")
        }
    }

    // MARK: Android

    /// Certificates of an app's own that a trust manager is made of.
    private static func assets(_ tree: SyntaxTree) -> [SourceReader.Site] {
        let marks: Set<String> = ["CertificateFactory", "KeyStore", "TrustManagerFactory"]
        guard tree.tokens.contains(where: { $0.name.map(marks.contains) ?? false }) else { return [] }
        let what = "only certificates that the app carries are trusted"
        return tree.calls(["openRawResource"]).compactMap { call, _, arguments in
            guard let argument = arguments.first?.value else { return nil }
            return .init(form: .certificateAsset, line: call.line) { evaluator in
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

extension SyntaxTree {
    /// What is assigned to a member by its name, in a statement, an initialiser or a label.
    fileprivate func assignments(to names: Set<String>) -> [(line: Int, value: Expression)] {
        var found: [(Int, Expression)] = []
        for block in blocks {
            for statement in block.statements {
                if case .assignment(let target, _, let value) = statement.kind, let name = target.finalName,
                    names.contains(name)
                {
                    found.append((statement.line, value))
                }
            }
        }
        visit { expression, _ in
            switch expression.kind {
            case .call(_, let arguments):
                for argument in arguments where argument.label.map(names.contains) ?? false {
                    found.append((expression.line, argument.value))
                }
            case .table(let pairs):
                for pair in pairs {
                    if let name = pair.key.finalName, names.contains(name) { found.append((pair.key.line, pair.value)) }
                }
            default: break
            }
            return true
        }
        return found
    }

    fileprivate func functionBody(named name: String) -> Expression? {
        for block in blocks {
            guard let function = block.declarations[name]?.first(where: { $0.kind == .function }),
                let body = function.body
            else {
                continue
            }
            return Expression(
                kind: .closure(.init(parameters: [], block: body)),
                token: 0,
                line: function.line,
                block: function.block
            )
        }
        return nil
    }

    /// What is compared by `==` or `Equals` in a closure, one side of it being a constant; `nil` for what is no closure.
    fileprivate func comparedTexts(in expression: Expression) -> [Expression]? {
        guard case .closure(let closure) = expression.kind else { return nil }
        var found: [Expression] = []
        func look(_ block: Int) {
            for statement in blocks[block].statements {
                for part in statement.expressions { part.visit(isConstant) }
                for inner in statement.blocks { look(inner) }
            }
        }
        func isConstant(_ part: Expression) -> Bool {
            switch part.kind {
            case .binary("==", let left, let right):
                found += [left, right].filter(\.mayBeConstant)
            case .call(let callee, let arguments):
                if case .member(let base, let name) = callee.kind,
                    ["Equals", "equals", "contains", "Contains"].contains(name)
                {
                    found += ([base] + arguments.map(\.value)).filter(\.mayBeConstant)
                }
            default: break
            }
            return true
        }
        look(closure.block)
        return found
    }
}

extension Expression {
    /// A text, or a name as constants have them.
    fileprivate var mayBeConstant: Bool {
        switch kind {
        case .text: true
        case .name(let name), .member(_, let name):
            name.first?.isUppercase ?? false || name.hasPrefix("k") || name.hasPrefix("_")
        default: false
        }
    }

    fileprivate var calleePath: String {
        guard case .call(let callee, _) = kind else { return "" }
        var text = ""
        callee.visit { part in
            if let name = part.finalName { text += name + " " }
            return true
        }
        return text
    }
}
