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
            let word = mode.finalName ?? ""
            guard !word.hasSuffix("None"), word != "none" else { return true }
            sites.append(site(expression, arguments, mode, tree))
            return true
        }
        return sites
    }

    private static func site(
        _ call: Expression,
        _ arguments: [Expression.Argument],
        _ mode: Expression,
        _ tree: SyntaxTree
    ) -> SourceReader.Site {
        SourceReader.Site(form: .afNetworking, line: call.line) { evaluator in
            let word = mode.finalName?.lowercased() ?? ""
            guard word.hasSuffix("certificate") || word.hasSuffix("publickey") else {
                return .gaps([.init(line: call.line, reason: "the pinning mode is not known")], hosts: [])
            }
            let part = word.hasSuffix("publickey") ? "the public keys of certificates" : "certificates"
            guard let group = CodeGroup.groups(of: tree, { $0 == call.token }).first else {
                return .gaps([.init(line: call.line, reason: "the code around it is not understood")], hosts: [])
            }
            let isGiven =
                arguments.count > 1
                || group.tokens.contains { place in
                    guard let name = tree.tokens[place].name?.lowercased() else { return false }
                    return name == "pinnedcertificates" || name == "setpinnedcertificates"
                }
            guard isGiven else {
                let what = "\(part) of the whole bundle, which only the built app tells; for every host"
                return .described(hosts: [], pins: [], what: what)
            }
            let files = GroupReading(group, evaluator).files
            if !files.isEmpty {
                let what = "\(part) of the app's own, for every host"
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
