/// Alamofire's evaluators by host, of version 5 and of version 4.
enum AlamofireForm {
    private static let managers: Set<String> = ["ServerTrustManager", "ServerTrustPolicyManager"]
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
        tree.visit { expression, _ in
            switch expression.kind {
            case .table(let pairs):
                // What a manager is given by a name stands in a table of its own.
                for pair in pairs {
                    pair.value.visit {
                        covered.insert($0.token)
                        if case .name(let name) = $0.kind { names.insert(name) }
                        return true
                    }
                }
            case .call(let callee, let arguments):
                guard let name = callee.finalName,
                    managers.contains(name) || name.hasSuffix("TrustManager") || name.hasSuffix("PolicyManager"),
                    let hosts = arguments.first(where: { $0.label == "evaluators" || $0.label == "policies" })
                else { break }
                sites.append(site(expression, hosts.value, arguments))
            default: break
            }
            return true
        }
        for block in tree.blocks {
            for case .declaration(let declaration) in block.statements.map(\.kind)
            where names.contains(declaration.name) {
                if let value = declaration.value { covered.insert(value.token) }
            }
        }
        for (call, name, _) in tree.calls(evaluators) where !covered.contains(call.token) {
            let reason = "which hosts this \(name) is for is decided in code"
            sites.append(
                .init(form: .alamofire, line: call.line) { _ in
                    .gaps([.init(line: call.line, reason: reason)], hosts: [])
                }
            )
        }
        return sites
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
            let unknown = entries.filter { $0.key.text == nil }.map { entry in
                FoundPins.Gap(line: entry.line, reason: "a host: \(entry.key.firstUnknown?.reason ?? "it is no text")")
            }
            guard unknown.isEmpty else { return .gaps(unknown, hosts: entries.compactMap(\.key.text)) }
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
}
