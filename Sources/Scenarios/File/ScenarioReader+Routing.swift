import Pinning
import Witness

/// `routes`, `others` and `reachable`.
extension ScenarioReader {
    func routing(_ routes: YAMLNode?, _ others: YAMLNode?, _ reachable: YAMLNode?) -> Routing {
        Routing(
            routes: (routes.flatMap { entries(of: $0, "treatments by host, such as '*.example.org': pass") } ?? [])
                .compactMap(route),
            others: others.flatMap { choice($0, "a treatment") } ?? .present,
            reachable: (reachable.flatMap { list($0, of: "addresses") } ?? []).compactMap(addresses)
        )
    }

    private func route(_ entry: YAMLNode.Entry) -> Routing.Route? {
        guard let text = text(entry.key, "a host or a port"),
            let treatment: Routing.Treatment = choice(entry.value, "a treatment")
        else { return nil }
        guard let pattern = HostPattern(text) else {
            let forms = "example.org, '*.example.org', ':8883' or 'example.org:8883'"
            report("'\(text.prefix(80))' names no hosts; write \(forms)", at: entry.key)
            return nil
        }
        return Routing.Route(pattern, treatment)
    }

    private func addresses(_ node: YAMLNode) -> AddressRange? {
        guard let text = text(node, "an address such as 10.0.0.0/8") else { return nil }
        if let range = AddressRange(text) { return range }
        report("'\(text.prefix(80))' is no address; write 127.0.0.1, 10.0.0.0/8 or '::1'", at: node)
        return nil
    }
}
