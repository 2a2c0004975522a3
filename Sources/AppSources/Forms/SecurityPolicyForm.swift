/// AFNetworking's `AFSecurityPolicy`: certificate files, for every host that its manager speaks to.
enum SecurityPolicyForm {
    static func sites(of tree: SyntaxTree) -> [SourceReader.Site] {
        guard tree.language == .objectiveC || tree.language == .swift else { return [] }
        var sites: [SourceReader.Site] = []
        tree.visit { expression, _ in
            guard case .call(let callee, let arguments) = expression.kind, let name = callee.finalName,
                name.hasPrefix("policyWithPinningMode:") || arguments.first?.label == "pinningMode",
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
            guard files.isEmpty else {
                return .described(hosts: [], pins: files, what: "\(part) of the app's own, for every host")
            }
            let reason = "which certificates the policy is given is not told by this source"
            return .gaps([.init(line: call.line, reason: reason)], hosts: [])
        }
    }
}
