/// What becomes of connections, by the host and port that their clients ask a tunnel for.
package struct Routing: Hashable, Sendable {
    package enum Treatment: String, CaseIterable, Hashable, Sendable {
        /// We show a certificate.
        case present
        /// Bytes go through, unread.
        case pass
        case refuse
    }

    package struct Route: Hashable, Sendable {
        package var pattern: HostPattern
        package var treatment: Treatment

        package init(_ pattern: HostPattern, _ treatment: Treatment) {
            self.pattern = pattern
            self.treatment = treatment
        }
    }

    package struct Place: Hashable, Sendable {
        package var host: String
        package var port: Int

        package init(host: String, port: Int) {
            self.host = host
            self.port = port
        }

        /// As it is written: `host:port`, `[address]:port`.
        package var text: String { host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)" }
    }

    /// The first that matches is in force.
    package var routes: [Route]
    /// The hosts under test, in lower case: where no route says otherwise, they are presented to.
    package var tested: Set<String> = []
    /// Where the hosts under test really are, if they are to be seen as they are; `nil`: they are presented to.
    package var upstream: Place?
    /// What becomes of all other hosts.
    package var others: Treatment
    /// What may be connected to though it is this machine's, this network's or nobody's.
    package var reachable: [AddressRange]

    package init(routes: [Route] = [], others: Treatment = .present, reachable: [AddressRange] = []) {
        self.routes = routes
        self.others = others
        self.reachable = reachable
    }

    /// Whether everybody is presented to.
    package var isPresentingToAll: Bool { routes.isEmpty && upstream == nil && others == .present }

    /// Whether a route names this place.
    package func names(_ place: Place) -> Bool { routes.contains { $0.pattern.matches(place.host, port: place.port) } }

    /// What becomes of a connection to some place, and where it would go; of one that names none likewise. Who asks for
    /// this very machine asks for us.
    package func route(to place: Place?) -> (treatment: Treatment, place: Place?) {
        guard let place else { return (upstream == nil ? .present : .pass, upstream) }
        let route = routes.first { $0.pattern.matches(place.host, port: place.port) }
        if let route { return (route.treatment, place) }
        let name = HostPattern.compared(place.host)
        guard tested.contains(name) || Observation.isLoopback(name) else { return (others, place) }
        return upstream.map { (.pass, $0) } ?? (.present, place)
    }
}

/// Some hosts, or some ports, or both: `example.org`, `*.example.org`, `:8883`, `example.org:8883`.
package struct HostPattern: Hashable, Sendable {
    /// As names are compared; `nil`: any.
    private let host: String?
    /// Whether it stands for whatever lies below the host.
    private let isBelow: Bool
    private let port: Int?

    package init?(_ text: String) {
        var host = text[...]
        var port: Int?
        if let colon = text.lastIndex(of: ":"), text.hasPrefix("[") ? text[..<colon].hasSuffix("]") : true {
            guard let number = UInt16(text[colon...].dropFirst()), number > 0 else { return nil }
            (host, port) = (text[..<colon], Int(number))
        }
        isBelow = host.hasPrefix("*.")
        if isBelow { host = host.dropFirst(2) }
        if host.hasPrefix("["), host.hasSuffix("]") { host = host.dropFirst().dropLast() }
        let isWhole = isBelow || !host.isEmpty
        guard isWhole ? !host.isEmpty && !host.contains(where: { "*/[] \t".contains($0) }) : port != nil else {
            return nil
        }
        self.host = isWhole ? HostPattern.compared(host) : nil
        self.port = port
    }

    package func matches(_ host: String, port: Int) -> Bool {
        guard self.port.map({ $0 == port }) ?? true else { return false }
        guard let own = self.host else { return true }
        let name = HostPattern.compared(host)
        return isBelow ? name.hasSuffix(".\(own)") : name == own
    }

    static func compared(_ host: some StringProtocol) -> String {
        let name = host.lowercased()
        return name.hasSuffix(".") ? String(name.dropLast()) : name
    }
}
