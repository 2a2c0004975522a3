/// AFNetworking's `AFSecurityPolicy`: certificate files, for every host that its manager speaks to.
enum SecurityPolicyForm {
    static func sites(of tree: SyntaxTree) -> [SourceReader.Site] {
        guard tree.language == .objectiveC || tree.language == .swift else { return [] }
        var sites: [SourceReader.Site] = []
        tree.visit { expression, _ in
            guard case .call(let callee, let arguments) = expression.kind, let name = callee.finalName,
                name.hasPrefix("policyWithPinningMode:") || name == "setSSLPinningMode:"
                    || arguments.first?.label == "pinningMode",
                let mode = arguments.first?.value
            else { return true }
            sites.append(site(expression, arguments, mode, tree))
            return true
        }
        for block in tree.blocks {
            for statement in block.statements {
                guard case .assignment(let target, "=", let value) = statement.kind else { continue }
                switch target.kind {
                case .member(_, "SSLPinningMode"): sites.append(site(target, [], value, tree))
                // A manager's own policy pins nothing, whatever it is given, until it has a mode.
                case .member(let base, "pinnedCertificates") where base.finalName == "securityPolicy":
                    let hasMode = tree.tokens.contains { token in
                        ["policyWithPinningMode", "SSLPinningMode", "setSSLPinningMode", "pinningMode"].contains {
                            token.name?.hasPrefix($0) ?? false
                        }
                    }
                    if !hasMode { sites.append(site(unused: target, tree)) }
                default: continue
                }
            }
        }
        return sites
    }

    private static func site(
        _ call: Expression,
        _ arguments: [Expression.Argument],
        _ mode: Expression,
        _ tree: SyntaxTree
    ) -> SourceReader.Site {
        let replacement = replacement(of: call.token, tree)
        let uses = replacement?.isEmpty ?? false ? [SyntaxTree.Use(conditions: [.replaced], sharedNames: [])] : []
        var site = SourceReader.Site(form: .afNetworking, line: call.line, token: call.token, uses: uses) { evaluator in
            let word = mode.finalName?.lowercased() ?? ""
            if word.hasSuffix("none") { return unpinned(call, tree, evaluator) }
            guard word.hasSuffix("certificate") || word.hasSuffix("publickey") else {
                return .gaps([.init(line: call.line, reason: "the pinning mode is not known")], hosts: [])
            }
            let part = word.hasSuffix("publickey") ? "the public keys of certificates" : "certificates"
            guard let group = own(call, tree) else {
                return .gaps([.init(line: call.line, reason: "the code around it is not understood")], hosts: [])
            }
            let ungiven = ungiven(call, tree)
            let loose = ungiven.isEmpty ? looseness(group, tree) : ungiven
            let isWhole = group.tokens.contains { tree.tokens[$0].name?.hasPrefix("certificatesInBundle") ?? false }
            guard !isWhole, arguments.count > 1 || isGiven(group, tree) && !isBare(call.token, tree) else {
                let what = "\(part) of the whole bundle, which only the built app tells; for every host\(loose)"
                return .described(hosts: [], pins: [], what: what)
            }
            let own = GroupReading(group, evaluator).files
            let files = own.isEmpty ? given(to: call, tree, evaluator) : own
            if !files.isEmpty {
                if let name = chooser(around: call.token, files, tree) {
                    let what = "\(part) of the app's own, one for each place that calls '\(name)'\(loose)"
                    return .described(hosts: [], pins: files, what: what)
                }
                let what = "\(part) of the app's own, for every host\(loose)"
                if !ungiven.isEmpty { return .described(hosts: [], pins: files, what: what) }
                if let name = unusedMaker(around: call.token, tree, evaluator.module) {
                    let unused = "made in '\(name)', which nothing in what was read calls"
                    return .described(hosts: [], pins: files, what: "\(what); \(unused)")
                }
                if let other = otherClass(of: call, tree) {
                    let unlike = "'\(other)' is no policy of AFNetworking's own, and may do otherwise"
                    return .described(hosts: [], pins: files, what: "\(what); \(unlike)")
                }
                var settings = ["SSLPinningMode: \(word.hasSuffix("publickey") ? "public-key" : "certificate")"]
                for name in ["allowInvalidCertificates", "validatesDomainName"] {
                    switch flag(name, group, tree) {
                    case .unset: break
                    case .set(let value): settings.append("\(name): \(value)")
                    case .unknown:
                        return .described(hosts: [], pins: files, what: "\(what); '\(name)' is not known")
                    }
                }
                return .library(
                    LibraryPins(
                        dialect: "afnetworking",
                        hosts: [],
                        pins: files,
                        what: what,
                        key: "pinnedCertificates",
                        settings: settings,
                        areFiles: true
                    )
                )
            }
            let reason = "which certificates the policy is given is not told by this source"
            return .gaps([.init(line: call.line, reason: reason)], hosts: [])
        }
        if let replacement, !replacement.isEmpty { site.conditions.append(opposite(of: replacement)) }
        return site
    }

    /// Certificates for a policy whose mode is none.
    private static func site(unused target: Expression, _ tree: SyntaxTree) -> SourceReader.Site {
        SourceReader.Site(form: .afNetworking, line: target.line, token: target.token) { evaluator in
            let group = CodeGroup.groups(of: tree) { $0 == target.token }.first
            let files = group.map { GroupReading($0, evaluator).files } ?? []
            let open = group.map { opening($0, tree) } ?? ""
            return .described(hosts: [], pins: files, what: "\(noMode), though the policy is given some\(open)")
        }
    }

    private static let noMode = "the pinning mode is none: no certificate is compared"

    /// Under which conditions the manager is given another policy behind the one that is made at a token; `nil`: it is not.
    private static func replacement(of token: Int, _ tree: SyntaxTree) -> [Choices.Choice]? {
        var given: [(target: String, value: Expression, tokens: Range<Int>)] = []
        var variable: String?
        for block in tree.blocks {
            for statement in block.statements {
                switch statement.kind {
                case .assignment(let target, "=", let value):
                    if case .member(let base, "securityPolicy") = target.kind {
                        given.append((base.words, value, statement.tokens))
                    } else if case .name(let name) = target.kind, value.token == token {
                        variable = name
                    }
                case .expression(let expression):
                    guard case .call(let callee, let arguments) = expression.kind, arguments.count == 1,
                        case .member(let base, "setSecurityPolicy:") = callee.kind
                    else { continue }
                    given.append((base.words, arguments[0].value, statement.tokens))
                case .declaration(let declaration):
                    if declaration.kind == .value, declaration.value?.token == token { variable = declaration.name }
                default: continue
                }
            }
        }
        func isOwn(_ value: Expression) -> Bool {
            if case .name(let name) = value.kind, name == variable { return true }
            return value.token == token
        }
        let function = tree.function(around: token)
        guard
            let own = given.first(where: { isOwn($0.value) && tree.function(around: $0.tokens.lowerBound) == function }
            ),
            let other = given.last(where: { other in
                other.tokens.lowerBound > own.tokens.lowerBound && other.target == own.target && !isOwn(other.value)
                    && tree.function(around: other.tokens.lowerBound) == function
            })
        else { return nil }
        let (before, behind) = (
            tree.conditions(around: own.tokens.lowerBound), tree.conditions(around: other.tokens.lowerBound)
        )
        // Of two branches, one is run.
        if before.contains(where: { one in behind.contains { $0.condition == one.condition && $0 != one } }) {
            return nil
        }
        return behind.filter { !before.contains($0) }
    }

    private static func opposite(of choices: [Choices.Choice]) -> Choices.Choice {
        if choices.count == 1 { return Choices.choice(choices[0].condition, holds: choices[0].option != 0) }
        return Choices.choice(choices.map(\.words).joined(separator: " && "), holds: false)
    }

    /// What a policy lets through beside the pinned certificates.
    private static func looseness(_ group: CodeGroup, _ tree: SyntaxTree) -> String {
        let parts = [
            flag("allowInvalidCertificates", group, tree) == .set(true) ? "of any authority" : nil,
            flag("validatesDomainName", group, tree) == .set(false) ? "of any name" : nil,
        ]
        .compactMap { $0 }
        return parts.isEmpty ? "" : "; in chains \(parts.joined(separator: " and "))"
    }

    /// Whether a policy in the code around is given certificates.
    private static func isGiven(_ group: CodeGroup, _ tree: SyntaxTree) -> Bool {
        group.tokens.contains { place in
            guard let name = tree.tokens[place].name?.lowercased() else { return false }
            return name == "pinnedcertificates" || name.hasPrefix("setpinnedcertificates")
        }
    }

    /// The files that other sources name where they call the method around, which is given them.
    private static func given(to call: Expression, _ tree: SyntaxTree, _ evaluator: Evaluator) -> [String] {
        guard tree.language == .objectiveC else { return [] }
        var method: Declaration?
        for block in tree.blocks {
            for statement in block.statements where statement.tokens.contains(call.token) {
                guard case .declaration(let declaration) = statement.kind, declaration.kind == .function else {
                    continue
                }
                method = declaration
            }
        }
        guard let method,
            method.parameters.contains(where: { parameter in
                let word = parameter.name.lowercased()
                return word.contains("cer") || word.contains("path") || word.contains("data")
            })
        else { return [] }
        let module = evaluator.module
        var files: [String] = []
        for file in module.others(mentioning: method.name.ofCalls, than: tree.path, in: tree.language).prefix(20) {
            let other = module.tree(of: file)
            let places = Set(other.calls([method.name]).map(\.call.token))
            for group in CodeGroup.groups(of: other, places.contains) {
                files += GroupReading(group, evaluator.within(other)).files
            }
        }
        return files.uniqued
    }

    /// The mode in which nothing is pinned; that of a policy that is given certificates is likely a mistake.
    private static func unpinned(_ call: Expression, _ tree: SyntaxTree, _ evaluator: Evaluator)
        -> FoundPins.Content
    {
        let what = noMode
        guard let group = own(call, tree), isGiven(group, tree),
            // Another statement may set another mode.
            !group.tokens.contains(where: { place in
                let name = tree.tokens[place].name ?? ""
                return place != call.token && (name == "SSLPinningMode" || name.hasPrefix("setSSLPinningMode"))
            })
        else {
            evaluator.choices.isAbsent = true
            return .described(hosts: [], pins: [], what: what)
        }
        return .described(hosts: [], pins: [], what: "\(what), though the policy is given some\(opening(group, tree))")
    }

    /// What a policy without a mode does that takes chains of any authority and any name.
    private static func opening(_ group: CodeGroup, _ tree: SyntaxTree) -> String {
        flag("allowInvalidCertificates", group, tree) == .set(true)
            && flag("validatesDomainName", group, tree) == .set(false) ? "; it lets every certificate through" : ""
    }

    private enum Flag: Equatable {
        case unset
        case set(Bool)
        case unknown
    }

    /// `policy.name = YES` and `[policy setName:YES]`, wherever it stands in the code around.
    private static func flag(_ name: String, _ group: CodeGroup, _ tree: SyntaxTree) -> Flag {
        let setter = "set" + name.prefix(1).uppercased() + name.dropFirst()
        var found = Flag.unset
        for place in group.tokens {
            guard let word = tree.tokens[place].name?.prefix(while: { $0 != ":" }), word == name || word == setter
            else {
                continue
            }
            // The mark may be part of the setter's name.
            let behind = tree.tokens[min(place + 1, tree.tokens.count)..<min(place + 3, tree.tokens.count)]
            guard let value = behind.first(where: { !$0.isMark("=") && !$0.isMark(":") }) else { return .unknown }
            let flag: Flag =
                switch value.name {
                case "YES", "true", "TRUE": .set(true)
                case "NO", "false", "FALSE": .set(false)
                default: .unknown
                }
            guard found == .unset || found == flag else { return .unknown }
            found = flag
        }
        return found
    }
}
