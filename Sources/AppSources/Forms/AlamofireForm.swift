/// Alamofire's evaluators by host, of version 5 and of version 4.
enum AlamofireForm {
    private static let managers: Set<String> = ["ServerTrustManager", "ServerTrustPolicyManager"]
    private static let sessions: Set<String> = ["Session", "SessionManager", "Manager"]
    private static let evaluators: Set<String> = [
        "PinnedCertificatesTrustEvaluator", "PublicKeysTrustEvaluator", "pinCertificates", "pinPublicKeys",
        "PinCertificates", "PinPublicKeys",
    ]

    static func sites(of tree: SyntaxTree) -> [SourceReader.Site] {
        guard tree.language == .swift else { return [] }
        var sites: [SourceReader.Site] = []
        var covered: Set<Int> = []
        // Evaluators that a variable holds.
        var names: Set<String> = []
        var tables: [Expression] = []
        tree.visit { expression, _ in
            switch expression.kind {
            case .table(let pairs):
                if pairs.contains(where: { $0.value.isCall(of: evaluators) }) { tables.append(expression) }
                // What a manager is given by a name stands in a table of its own.
                for pair in pairs {
                    pair.value.visit {
                        covered.insert($0.token)
                        switch $0.kind {
                        case .name(let name), .member(_, let name): names.insert(name)
                        default: break
                        }
                        return true
                    }
                }
            case .call(let callee, let arguments):
                guard let name = callee.finalName,
                    managers.contains(name) || name.hasSuffix("TrustManager") || name.hasSuffix("PolicyManager"),
                    let hosts = arguments.first(where: { $0.label == "evaluators" || $0.label == "policies" })
                else { break }
                var site = site(expression, hosts.value, arguments)
                site.uses = tree.uses(ofWhatHolds: expression.token, in: sessions)
                site.isIdle = site.uses.isEmpty && tree.isIdle(whatHolds: expression.token)
                sites.append(site)
            default: break
            }
            return true
        }
        // Where no manager is made, another source may give them to one.
        if sites.isEmpty { sites = tables.map(site) }
        for block in tree.blocks {
            for statement in block.statements {
                switch statement.kind {
                case .declaration(let declaration) where names.contains(declaration.name):
                    if let value = declaration.value { covered.insert(value.token) }
                case .assignment(let target, "=", let value):
                    if let name = target.finalName, names.contains(name) { covered.insert(value.token) }
                default: break
                }
            }
        }
        // What stands beside a manager is read with it, or its reading tells why not.
        let beside = sites.compactMap { $0.token.flatMap(tree.member) }
        // A function of the source's own may have such a name.
        let declared = tree.blocks.reduce(into: Set<String>()) { $0.formUnion($1.declarations.keys) }
        for (call, name, _) in tree.calls(evaluators.subtracting(declared))
        where !covered.contains(call.token) && !beside.contains(where: { $0.contains(call.token) }) {
            let reason = "which hosts this \(name) is for is decided in code"
            sites.append(
                .init(form: .alamofire, line: call.line, token: call.token) { _ in
                    .gaps([.init(line: call.line, reason: reason)], hosts: [])
                }
            )
        }
        return sites
    }

    private static func site(_ table: Expression) -> SourceReader.Site {
        SourceReader.Site(form: .alamofire, line: table.line, token: table.token) { evaluator in
            guard case .table(let entries) = evaluator.value(of: table) else {
                return .gaps([.init(line: table.line, reason: "the evaluators are not understood")], hosts: [])
            }
            let hosts = entries.compactMap(\.key.text)
            if let unknown = entries.lazy.compactMap(\.key.firstUnknown).first {
                return .gaps([.init(line: table.line, reason: "a host: \(unknown.reason)")], hosts: hosts)
            }
            let what = "evaluators of certificates that no manager in this source is given"
            return .described(hosts: hosts, pins: entries.flatMap(\.value.assetNames), what: what)
        }
    }

    private static func site(
        _ call: Expression,
        _ hosts: Expression,
        _ arguments: [Expression.Argument]
    ) -> SourceReader.Site {
        SourceReader.Site(form: .alamofire, line: call.line, token: call.token) { evaluator in
            let isOld = arguments.contains { $0.label == "policies" }
            var allHosts = !isOld
            if let written = arguments.first(where: { $0.label == "allHostsMustBeEvaluated" }) {
                guard case .flag(let flag) = evaluator.value(of: written.value) else {
                    let reason = "allHostsMustBeEvaluated is not known"
                    return .gaps([.init(line: call.line, reason: reason)], hosts: [])
                }
                allHosts = flag
            }
            let value = evaluator.value(of: hosts)
            guard case .table(let entries) = value else {
                let reason = value.firstUnknown?.reason ?? "it is no dictionary"
                return .gaps([.init(line: call.line, reason: "the evaluators: \(reason)")], hosts: [])
            }
            // It was made to say what becomes of hosts that have no entry.
            if case .call(let callee, _) = call.kind, let name = callee.finalName, !managers.contains(name) {
                let names = entries.compactMap(\.key.text)
                if entries.isEmpty {
                    return .described(hosts: [], pins: [], what: "every host is decided by code of \(name)")
                }
                if names.contains(where: { $0.contains("*") }) {
                    let what = "which hosts these names are for is decided by code of \(name)"
                    return .described(hosts: names, pins: value.assetNames, what: what)
                }
            }
            let unknown = entries.filter { $0.key.text == nil }.map { entry in
                FoundPins.Gap(line: entry.line, reason: "a host: \(entry.key.firstUnknown?.reason ?? "it is no text")")
            }
            guard unknown.isEmpty else {
                let known = entries.filter { !$0.value.assetNames.isEmpty }.map { entry in
                    FoundPins.Part(
                        host: entry.key.text,
                        pins: entry.value.assetNames,
                        line: entry.line,
                        expression: entry.key.firstUnknown?.subject
                    )
                }
                return .gaps(unknown, hosts: entries.compactMap(\.key.text), known: known)
            }
            if value.assetNames.isEmpty, entries.contains(where: \.value.isLoaded),
                let group = CodeGroup.groups(of: evaluator.tree, { $0 == call.token }).first
            {
                let files = GroupReading(group, evaluator).files
                let what = "certificate files that code of the app's own loads"
                if !files.isEmpty { return .described(hosts: entries.compactMap(\.key.text), pins: files, what: what) }
            }
            return .evaluators(value, allHosts: allHosts)
        }
    }
}

extension Expression {
    /// The last part of a name.
    var finalName: String? {
        switch kind {
        case .name(let name), .member(_, let name): name
        default: nil
        }
    }

    /// Whether it calls one of these functions.
    fileprivate func isCall(of names: Set<String>) -> Bool {
        guard case .call(let callee, _) = kind, let name = callee.finalName else { return false }
        return names.contains(name)
    }
}

extension Value {
    /// Whether it is an evaluator whose certificates are not known by name.
    fileprivate var isLoaded: Bool {
        guard case .made(let made) = self, assetNames.isEmpty,
            let given = ["certificates", "keys", "publicKeys"].lazy.compactMap({ made[$0] }).first
        else { return false }
        return given.firstUnknown != nil
    }
}

extension SyntaxTree {
    /// The function or value of a type, or of the file, in which a token stands.
    fileprivate func member(around token: Int) -> Range<Int>? {
        var best: Range<Int>?
        for block in blocks {
            switch block.owner {
            case .function, .closure, .inner: continue
            case .file, .type: break
            }
            for statement in block.statements where statement.tokens.contains(token) {
                if case .declaration(let declaration) = statement.kind, declaration.kind == .type { continue }
                if statement.tokens.count < best?.count ?? .max { best = statement.tokens }
            }
        }
        return best
    }
}
