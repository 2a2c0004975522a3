/// React Native and Electron.
extension DescribedForms {
    static func script(_ tree: SyntaxTree) -> [SourceReader.Site] {
        var sites: [SourceReader.Site] = []
        for (call, _, arguments) in tree.calls(["createSslVerificator", "createSslVerifier"]) {
            if let list = arguments.first?.value { sites.append(electron(call, list)) }
        }
        for (call, name, arguments) in tree.calls(["enableSSLPinning", "setSSLCertMode", "setServerTrustMode"]) {
            guard let first = arguments.first?.value,
                name == "enableSSLPinning" ? first.names("true") : first.names("pinned")
            else { continue }
            let what = "every certificate of the app's bundle, which only the built app tells; for every host"
            sites.append(site(.cordovaHTTP, call, hosts: [], pins: [], what: what + takenBack(call, tree)))
        }
        sites +=
            checkers(tree) + headers(tree) + templates(tree) + nativeScript(tree) + titanium(tree) + handedOut(tree)
        sites += nodeTrust(tree) + elasticsearch(tree) + commands(tree)
        var covered: Set<Int> = []
        // react-native-pinch has the same options, and names what it trusts.
        let isPinch = tree.tokens.contains { $0.plainText == "react-native-pinch" }
        let what =
            isPinch
            ? "certificate files of react-native-pinch, which trusts these alone"
            : "certificate files of react-native-ssl-pinning; on iOS every one of the bundle counts"
        tree.visit { expression, _ in
            switch expression.kind {
            case .call(_, let arguments):
                guard arguments.count > 1, !tree.isToldToLog(arguments[1].value.token),
                    let (options, parts) = options(arguments[1].value, in: tree)
                else { break }
                let (off, pins) = (off(options), pinned(options))
                if let off, !off.names("false") {
                    sites.append(lenient(expression, arguments[0].value, pins).under(off, holds: true))
                }
                guard let pins else { break }
                covered.formUnion(parts)
                if off?.names("true") ?? false { break }
                sites += fetch(expression, arguments[0].value, pins, keys: areKeys(options), what).map { site in
                    // A way of a condition may be around them.
                    var site = off.map { site.under($0, holds: false) } ?? site
                    if arguments[1].value.mentions(pins.token) { site.token = pins.token }
                    return site
                }
            default: break
            }
            return true
        }
        tree.visit { expression, _ in
            guard case .table = expression.kind, !covered.contains(expression.token), let pins = pinned(expression),
                !tree.isToldToLog(expression.token)
            else { return true }
            let off = off(expression)
            let kind = areKeys(expression) ? "SPKI pins of a host that this source does not tell; \(onApple)" : what
            if let off, !off.names("false") {
                sites.append(lenient(expression, nil, pins).under(off, holds: true))
                if off.names("true") { return true }
            }
            let pinning = site(.reactNativeFetch, expression, hosts: [], pins: [pins], what: kind)
            sites.append(off.map { pinning.under($0, holds: false) } ?? pinning)
            return true
        }
        return sites
    }

    /// What is said of pinning that a later call of Cordova's plugin takes back: the last one counts.
    private static func takenBack(_ call: Expression, _ tree: SyntaxTree) -> String {
        let names: Set<String> = ["enableSSLPinning", "acceptAllCerts", "setSSLCertMode", "setServerTrustMode"]
        let own = tree.conditions(around: call.token)
        let function = tree.function(around: call.token)
        let later = tree.calls(names).filter {
            $0.call.token > call.token && tree.function(around: $0.call.token) == function
        }
        guard let last = later.max(by: { $0.call.token < $1.call.token }), let given = last.arguments.first?.value
        else {
            return ""
        }
        let isOpen = last.name == "acceptAllCerts" ? given.names("true") : given.names("nocheck")
        let isSystem =
            last.name == "enableSSLPinning" ? given.names("false") : given.names("default") || given.names("legacy")
        guard isOpen || isSystem else { return "" }
        let effect = isOpen ? "every certificate is let through" : "only the system's own checks are left"
        let others = tree.conditions(around: last.call.token).filter { !own.contains($0) }
        // The other way of the same condition.
        if others.contains(where: { one in own.contains { $0.condition == one.condition } }) { return "" }
        // What is done where it fails.
        let isWithin = tree.innermost(around: call.token)?.statement.tokens.contains(last.call.token) ?? false
        guard others.isEmpty, !isWithin else { return "; line \(last.call.line) may take that back" }
        return "; line \(last.call.line) takes that back: \(effect)"
    }

    /// One call of react-native-ssl-pinning. Its pins of keys are OkHttp's on Android, for the host of the address alone.
    private static func fetch(
        _ call: Expression,
        _ address: Expression,
        _ pins: Expression,
        keys: Bool,
        _ what: String
    ) -> [SourceReader.Site] {
        guard keys else {
            let whole = site(.reactNativeFetch, call, hosts: [address], pins: [pins], what: what)
            return [
                SourceReader.Site(form: whole.form, line: whole.line, token: whole.token) { evaluator in
                    let parts = lookedUp(pins, evaluator)
                    guard parts.count > 1 else { return whole.read(evaluator) }
                    return .described(
                        hosts: parts.compactMap(\.host),
                        pins: parts.flatMap(\.pins).uniqued,
                        what: "\(what); each by the request's host",
                        known: parts
                    )
                }
            ]
        }
        return [
            site(.reactNativeFetch, call, hosts: [address], pins: [pins], what: onApple),
            SourceReader.Site(form: .reactNativeFetch, line: call.line, token: call.token) { evaluator in
                let value = evaluator.value(of: pins)
                var beginnings = evaluator
                beginnings.keepsBeginnings = true
                let url = beginnings.value(of: address).text ?? ""
                guard value.firstUnknown == nil, let host = evaluator.host(of: url)?.text else {
                    let parts = lookedUp(pins, evaluator).filter { Set($0.pins).isSubset(of: value.texts) }
                    let what =
                        parts.isEmpty
                        ? "SPKI pins of a host that this source does not tell" : "SPKI pins, each by the request's host"
                    return .described(hosts: parts.compactMap(\.host), pins: value.texts, what: what, known: parts)
                }
                return .pinner([.init(host: host, pins: value.texts, line: call.line)])
            },
        ]
    }

    /// One that looks at no certificate, whatever its host is.
    private static func lenient(_ call: Expression, _ address: Expression?, _ pins: Expression?) -> SourceReader.Site {
        SourceReader.Site(form: .reactNativeFetch, line: call.line, token: call.token) { evaluator in
            var beginnings = evaluator
            beginnings.keepsBeginnings = true
            let url = address.flatMap { beginnings.value(of: $0).text } ?? ""
            let hosts = [evaluator.host(of: url)?.text].compactMap { $0 }
            return .described(hosts: hosts, pins: pins.map { evaluator.value(of: $0).texts } ?? [], what: isOff)
        }
    }

    private static let onApple =
        "on iOS the keys of every certificate of the bundle count, and these pins are not looked at"
    private static let isOff = "'disableAllSecurity': no certificate is looked at, whatever is pinned beside it"

    /// The options that a call is given, the last one first, with those that are spread into them: `{ ...pinning, method: 'GET' }`;
    /// an object by its name. And where the objects stand that they are of.
    static func options(
        _ expression: Expression,
        in tree: SyntaxTree,
        steps: Int = 3
    ) -> (whole: Expression, parts: [Int])? {
        switch expression.kind {
        case .name(let name) where steps > 0:
            guard let block = tree.block(declaring: name, from: expression.block),
                let found = tree.blocks[block].declarations[name], found.count == 1, found[0].kind == .value,
                let value = found[0].value, tree.changes[name] == nil
            else { return nil }
            return options(value, in: tree, steps: steps - 1)
        case .table(let pairs):
            var all: [Expression.Pair] = []
            var parts = [expression.token]
            for pair in pairs.reversed() {
                guard case .prefix("...", let inner) = pair.key.kind else {
                    all.append(pair)
                    continue
                }
                if let more = options(inner, in: tree, steps: steps - 1), case .table(let pairs) = more.whole.kind {
                    all += pairs
                    parts += more.parts
                }
            }
            var whole = expression
            whole.kind = .table(all)
            return (whole, parts)
        default: return nil
        }
    }

    /// `{ disableAllSecurity: isDebug }`: whether no certificate is looked at.
    private static func off(_ options: Expression) -> Expression? {
        guard case .table(let pairs) = options.kind else { return nil }
        return pairs.first { $0.key.names("disableAllSecurity") }?.value
    }

    /// `{ pkPinning: true }`
    private static func areKeys(_ options: Expression) -> Bool {
        guard case .table(let pairs) = options.kind else { return false }
        return pairs.first { $0.key.names("pkPinning") }?.value.names("true") ?? false
    }

    /// `{ sslPinning: { certs: […] } }`
    private static func pinned(_ options: Expression) -> Expression? {
        guard case .table(let pairs) = options.kind,
            let value = pairs.first(where: { $0.key.names("sslPinning") })?.value,
            case .table(let pinning) = value.oneWay.kind
        else { return nil }
        return pinning.first { $0.key.names("certs") || $0.key.names("cert") }?.value
    }

    // MARK: Cordova and servers

    /// Plugins of Cordova and Capacitor that look at the server's certificate on a connection of their own:
    /// `check(success, error, url, fingerprints)` and `checkCertificate({ url, fingerprint })`.
    private static func checkers(_ tree: SyntaxTree) -> [SourceReader.Site] {
        let what = "digests of the server's own certificate, asked for on a connection of its own"
        return tree.calls(["check", "checkInCertChain", "checkCertificate", "checkCertificates"]).compactMap {
            call,
            name,
            arguments in
            let what = what + tree.uncalled(around: call.token)
            if name == "check" || name == "checkInCertChain" {
                guard arguments.count > 3, call.calleePath.contains("sslCertificateChecker") else { return nil }
                let pins = arguments.dropFirst(3).map(\.value)
                return site(.cordovaChecker, call, hosts: [arguments[2].value], pins: pins, what: what)
            }
            guard case .table(let pairs)? = arguments.first?.value.kind,
                let url = pairs.first(where: { $0.key.names("url") })?.value,
                let pins = pairs.first(where: { $0.key.names("fingerprint") || $0.key.names("fingerprints") })?.value
            else { return nil }
            return site(.cordovaChecker, call, hosts: [url], pins: [pins], what: what)
        }
    }

    /// `helmet.hpkp({ sha256s: […] })`
    private static func headers(_ tree: SyntaxTree) -> [SourceReader.Site] {
        written(tree)
            + tree.calls(["hpkp", "publicKeyPins"]).compactMap { call, _, arguments in
                guard case .table(let pairs)? = arguments.first?.value.kind,
                    let pins = pairs.first(where: { $0.key.names("sha256s") })?.value
                else { return nil }
                return site(.publicKeyHeader, call, hosts: [], pins: [pins], what: sent)
            }
    }

    private static let sent =
        "SPKI pins that a server sends to browsers, whatever its name; none of today looks at them"

    /// `response.setHeader('Public-Key-Pins', 'pin-sha256="…"; …')`
    private static func written(_ tree: SyntaxTree) -> [SourceReader.Site] {
        tree.calls(["setHeader", "header", "set", "append"]).compactMap { call, _, arguments in
            guard arguments.count == 2, case .text(let pieces) = arguments[0].value.kind, pieces.count == 1,
                case .plain(let name) = pieces[0], name.lowercased().hasPrefix("public-key-pins")
            else { return nil }
            let value = arguments[1].value
            return SourceReader.Site(form: .publicKeyHeader, line: call.line, token: call.token) { evaluator in
                guard let text = evaluator.value(of: value).text else {
                    let reason = evaluator.value(of: value).firstUnknown?.reason ?? "it is no text"
                    return .gaps([.init(line: call.line, reason: "the header: \(reason)")], hosts: [])
                }
                let pins = text.split(separator: ";").compactMap { part -> String? in
                    let halves = part.split { $0 == "\"" || $0 == "'" }
                    return halves.count > 1 && halves[0].hasSuffix("pin-sha256=") ? String(halves[1]) : nil
                }
                return .described(hosts: [], pins: pins, what: sent)
            }
        }
    }

    private static func electron(_ call: Expression, _ list: Expression) -> SourceReader.Site {
        SourceReader.Site(form: .electron, line: call.line, token: call.token) { evaluator in
            let value = evaluator.value(of: list)
            guard case .list(let rules) = value, value.firstUnknown == nil else {
                let unknown = value.firstUnknown
                return .gaps([.init(line: call.line, reason: unknown?.reason ?? "the rules are no list")], hosts: [])
            }
            var library = LibraryPins(
                dialect: "electron",
                hosts: [],
                pins: [],
                what: "digests of certificates, though they are written as those of keys are; other hosts are refused",
                key: "rules"
            )
            for rule in rules {
                guard case .table(let entries) = rule else {
                    return .gaps([.init(line: call.line, reason: "a rule is no object")], hosts: library.hosts)
                }
                func field(_ key: String) -> Value? { entries.last { $0.key == .text(key) }?.value }
                let strict: Bool
                switch field("strict") {
                case nil: strict = false
                case .flag(let flag): strict = flag
                default: return .gaps([.init(line: call.line, reason: "'strict' is not known")], hosts: library.hosts)
                }
                let (domain, pins) = (field("domain")?.text ?? "", field("fingerprints")?.texts ?? [])
                library.hosts.append(domain)
                library.pins += pins
                library.entries.append(
                    .init(
                        line: entries.first?.line ?? call.line,
                        fields: [
                            "domain: \(domain.quotedForYAML)", "strict: \(strict)",
                            "fingerprints: [\(pins.map(\.quotedForYAML).joined(separator: ", "))]",
                        ]
                    )
                )
            }
            return .library(library)
        }
    }
}

extension SourceReader.Site {
    /// Where a flag holds, or does not.
    func under(_ flag: Expression, holds: Bool) -> Self {
        if flag.names("\(holds)") { return self }
        var site = self
        site.uses.append(.init(conditions: SyntaxTree.parts(flag.words, flag, holds: holds)))
        return site
    }
}

extension Expression {
    /// `isLive ? pins : undefined`: the way that gives something.
    fileprivate var oneWay: Expression {
        guard case .conditional(_, let first, let second) = kind else { return self }
        return if case .table = first.kind { first } else { second }
    }
}
