import Pinning
import TLSCore
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

    /// `listeners: { mqtt: "mqtt.acme.example:8883" }`.
    func namedListeners(_ node: YAMLNode) -> [NamedListener] {
        let found = (entries(of: node, "places by name, such as mqtt: 'mqtt.acme.example:8883'") ?? []).compactMap(
            listener
        )
        for (index, listener) in found.enumerated()
        where found[..<index].contains(where: { $0.place.port == listener.place.port }) {
            report("port \(listener.place.port) has a listener already", at: node)
        }
        return found
    }

    private func listener(_ entry: YAMLNode.Entry) -> NamedListener? {
        guard let name = text(entry.key, "a name"), let text = text(entry.value, "a place") else { return nil }
        guard name.wholeMatch(of: /[a-z][a-z0-9]*/) != nil else {
            report("'\(name.prefix(80))' is no name of a listener; write small letters and digits", at: entry.key)
            return nil
        }
        let parts = text.split(separator: ":", omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 2, let host = DNSName.host(SubjectName.relative(parts[0].lowercased())),
            let port = UInt16(parts[1]), port > 0
        else {
            report(
                "'\(text.prefix(80))' is no place; write a host and a port, as in mqtt.acme.example:8883",
                at: entry.value
            )
            return nil
        }
        return NamedListener(name: name, place: Routing.Place(host: host, port: Int(port)))
    }

    private func addresses(_ node: YAMLNode) -> AddressRange? {
        guard let text = text(node, "an address such as 10.0.0.0/8") else { return nil }
        if let range = AddressRange(text) { return range }
        report("'\(text.prefix(80))' is no address; write 127.0.0.1, 10.0.0.0/8 or '::1'", at: node)
        return nil
    }
}
