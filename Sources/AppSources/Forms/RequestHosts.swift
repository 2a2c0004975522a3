/// Which host code connects to that looks at a server's certificate, where it names one host alone.
enum RequestHosts {
    private static let requests: Set<String> = ["get", "request", "connect", "fetch", "post", "put"]
    private static let keys: Set<String> = ["host", "hostname", "servername"]

    static func named(in group: CodeGroup, _ evaluator: Evaluator) -> [String] {
        let tree = evaluator.tree
        guard tree.language == .script else { return [] }
        var evaluator = evaluator
        evaluator.keepsBeginnings = true
        var hosts: [String] = []
        func take(_ value: Value) {
            guard let text = value.text else { return }
            let host = evaluator.host(of: text)?.text ?? text
            if PinText.isHost(host) || PinText.isAddress(host) { hosts.append(host) }
        }
        let made = requests(named: Set(group.tokens.compactMap { tree.tokens[$0].name }), in: tree)
        for (call, name, arguments) in tree.calls(requests)
        where group.holds(call.token) || made.contains(call.token) {
            // `request(url, …)`, `request({ hostname: … }, …)`, `connect(443, host)`
            for argument in arguments.prefix(name == "connect" ? 3 : 1) {
                switch evaluator.value(of: argument.value) {
                case .table(let entries):
                    for entry in entries where entry.key.text.map(keys.contains) ?? false { take(entry.value) }
                case .object(_, let fields):
                    for field in fields.sorted(by: { $0.key < $1.key }) where keys.contains(field.key) {
                        take(field.value)
                    }
                case .text(let text) where text.contains("://") || name == "connect": take(.text(text))
                default: break
                }
            }
        }
        hosts = hosts.uniqued
        return hosts.count == 1 ? hosts : []
    }

    /// Where calls stand that constants of these names are made by.
    private static func requests(named names: Set<String>, in tree: SyntaxTree) -> Set<Int> {
        var places: Set<Int> = []
        for block in tree.blocks {
            for (name, declarations) in block.declarations where names.contains(name) {
                for declaration in declarations where declaration.kind == .value {
                    if let value = declaration.value, case .call = value.kind { places.insert(value.token) }
                }
            }
        }
        return places
    }
}
