/// Fingerprints of an authority that the client of Elasticsearch for Node is given: `caFingerprint`.
extension DescribedForms {
    static func elasticsearch(_ tree: SyntaxTree) -> [SourceReader.Site] {
        var sites: [SourceReader.Site] = []
        for (call, _, arguments) in tree.calls(["Client"]) {
            guard case .table(let pairs)? = arguments.first?.value.kind,
                let pin = pairs.last(where: { $0.key.names("caFingerprint") })?.value
            else { continue }
            let hosts = ["node", "nodes"].compactMap { name in pairs.last { $0.key.names(name) }?.value }
            sites.append(site(call, hosts, pin))
        }
        return sites
    }

    private static func site(_ call: Expression, _ hosts: [Expression], _ pin: Expression) -> SourceReader.Site {
        let what = "the authority at the top of the server's chain, by its fingerprint: the client asks it itself"
        return SourceReader.Site(form: .elasticsearch, line: pin.line, token: call.token) { evaluator in
            let value = evaluator.value(of: pin)
            var beginnings = evaluator
            beginnings.keepsBeginnings = true
            let names = hosts.flatMap { beginnings.value(of: $0).texts }.compactMap { evaluator.host(of: $0)?.text }
            guard value.texts.contains(where: PinText.isDigest) else {
                // What only the app is given says nothing of a pin.
                evaluator.choices.isAbsent = true
                return .described(hosts: [], pins: [], what: "")
            }
            return .described(hosts: names.uniqued, pins: value.texts, what: what)
        }
    }
}
