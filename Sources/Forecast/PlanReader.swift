import Foundation
package import Pinning
package import TLSCore

extension Plan {
    /// Reads a plan.
    ///
    /// - Parameter materials: what holds a key in a file that the plan names, in the order it stands there.
    /// - Throws: all that is wrong, with file and line.
    package static func parse(
        _ text: String,
        file: String,
        materials: (String) throws -> [KeyMaterial]
    ) throws(FileError) -> Plan {
        try FileReader.read(text, file: file, called: "a plan") { reader, root in
            let known = ["version", "roots", "keys", "authorities", "events"]
            guard let fields = reader.fields(of: root, called: "the plan", known: known, required: ["events"]) else {
                return nil
            }
            reader.checkVersion(fields["version"])
            var plan = Plan(keys: [], authorities: [], events: [])
            plan.roots = fields["roots"].flatMap { reader.prose($0, "the name of a file, or 'system'") }
            plan.keys = reader.named(fields["keys"], "keys").compactMap { key($0.name, $0.node, reader, materials) }
            let authorities = reader.named(fields["authorities"], "authorities")
            plan.authorities = authorities.compactMap { authority($0.name, $0.node, reader, materials) }
            for (name, node) in authorities where plan.keys.contains(where: { $0.name == name }) {
                reader.report("'\(name)' is a key already; give the authority another name", at: node)
            }
            plan.check(authorities, reader)
            if let node = fields["events"], let nodes = reader.list(node, of: "events") {
                if nodes.isEmpty { reader.report("the plan has no events", at: node) }
                for node in nodes.prefix(mostEvents) { plan.add(node, reader, materials) }
                plan.checkOrder(node, reader)
            }
            return plan
        }
    }

    private static func key(
        _ name: String,
        _ node: YAMLNode,
        _ reader: FileReader,
        _ materials: (String) throws -> [KeyMaterial]
    ) -> Key? {
        let known = ["pin", "file", "type"]
        guard let fields = reader.fields(of: node, called: "the key '\(name)'", known: known) else { return nil }
        var key = Key(name: name, pin: fields["pin"].flatMap(reader.pin), type: .p256)
        if let node = fields["file"], let material = reader.material(node, materials) {
            key.pin = material.pin
            key.type = KeyType(describedAs: material.keyDescription) ?? .p256
        }
        if fields["pin"] != nil, let node = fields["file"] {
            reader.report("the file says the pin; take 'pin' out", at: node)
        }
        if let type = fields["type"].flatMap(reader.keyType) { key.type = type }
        return key
    }

    private static func authority(
        _ name: String,
        _ node: YAMLNode,
        _ reader: FileReader,
        _ materials: (String) throws -> [KeyMaterial]
    ) -> Authority? {
        let known = ["issuer", "key", "pin", "file", "type"]
        guard let fields = reader.fields(of: node, called: "the authority '\(name)'", known: known) else { return nil }
        var authority = Authority(name: name, pin: fields["pin"].flatMap(reader.pin), type: .p256)
        authority.issuer = fields["issuer"].flatMap { reader.prose($0, "the name of an authority") }
        authority.key = fields["key"].flatMap { reader.prose($0, "the name of an authority") }
        if let node = fields["file"], let material = reader.material(node, materials) {
            authority.pin = material.pin
            authority.certificate = material.certificate
            authority.type = KeyType(describedAs: material.keyDescription) ?? .p256
        }
        if fields["pin"] != nil, let node = fields["file"] {
            reader.report("the file says the pin; take 'pin' out", at: node)
        }
        if let type = fields["type"].flatMap(reader.keyType) { authority.type = type }
        return authority
    }

    /// Issuers must be there, and nobody may vouch for himself by way of others.
    private func check(_ nodes: [(name: String, node: YAMLNode)], _ reader: FileReader) {
        let names = authorities.map(\.name)
        let issuers = Dictionary(authorities.map { ($0.name, $0.issuer) }, uniquingKeysWith: { first, _ in first })
        for (name, node) in nodes {
            guard let authority = authorities.first(where: { $0.name == name }) else { continue }
            for other in [authority.issuer, authority.key].compactMap(\.self) where !names.contains(other) {
                reader.report("no authority '\(other)'\(reader.suggestion(for: other, among: names))", at: node)
            }
            let lender = authority.key.flatMap { key in authorities.first { $0.name == key } }
            if let lender, lender.key != nil {
                reader.report("'\(lender.name)' has the key of another itself; name that one", at: node)
            } else if let lender, let own = authority.pin, let pin = lender.pin, own != pin {
                let advice = "and so another key; take 'key' out"
                reader.report("'\(name)' has another pin than '\(lender.name)', \(advice)", at: node)
            }
            var visited: Set<String> = [name]
            var above = authority.issuer
            while let current = above, visited.insert(current).inserted { above = issuers[current] ?? nil }
            if above != nil { reader.report("the authority '\(name)' is above itself", at: node) }
        }
    }

    private mutating func add(
        _ node: YAMLNode,
        _ reader: FileReader,
        _ materials: (String) throws -> [KeyMaterial]
    ) {
        guard !node.has("rule") else { return addRule(node, reader) }
        let known = ["on", "name", "chain", "key", "issuer", "sends", "trusts"]
        guard let fields = reader.fields(of: node, called: "the event", known: known, required: ["on"]),
            let instant = fields["on"].flatMap(reader.moment)
        else { return }
        let name = fields["name"].flatMap { reader.prose($0, "a name") } ?? "event \(events.count + 1)"
        if let chain = fields["chain"] {
            for key in ["key", "issuer", "sends", "trusts"] {
                guard let other = fields[key] else { continue }
                reader.report("'\(key)' says nothing beside 'chain'", at: other)
            }
            guard let certificates = reader.chain(chain, materials) else { return }
            check(certificates[0], shownAt: instant, chain, reader)
            events.append(Event(name: name, instant: instant, shown: .chain(certificates), trusted: nil))
            return
        }
        guard let key = fields["key"], let issuer = fields["issuer"] else {
            reader.report("the event needs 'chain', or 'key' and 'issuer', or 'rule'", at: node)
            return
        }
        let names = authorities.map(\.name)
        guard let keyName = reader.name(key, "key", among: keys.map(\.name)),
            let issuerName = reader.name(issuer, "authority", among: names)
        else { return }
        let sent = fields["sends"].flatMap { reader.list($0, of: "authorities") }?
            .compactMap { reader.name($0, "authority", among: names) }
        let trusted = fields["trusts"].flatMap { reader.list($0, of: "authorities") }?
            .compactMap { reader.name($0, "authority", among: names) }
        if let node = fields["trusts"], trusted?.isEmpty == true { reader.report("devices trust somebody", at: node) }
        events.append(
            Event(
                name: name,
                instant: instant,
                shown: .minted(key: keyName, issuer: issuerName, sent: sent),
                trusted: trusted
            )
        )
    }

    /// A chain that exists can be shown while it is valid: who means its successor has a key and an issuer for it.
    private func check(_ leaf: Certificate, shownAt instant: Date, _ node: YAMLNode, _ reader: FileReader) {
        let (start, end) = leaf.validity
        if instant < start {
            reader.report("the chain is valid from \(Day(start)) on; it cannot be shown on \(Day(instant))", at: node)
        } else if instant > end {
            let next = "for its successor write 'key' and 'issuer', or a rule from a day on which it is valid"
            reader.report("the chain ends on \(Day(end)), and cannot be shown on \(Day(instant)); \(next)", at: node)
        }
    }

    private func checkOrder(_ node: YAMLNode, _ reader: FileReader) {
        for (earlier, later) in zip(events, events.dropFirst()) where later.instant < earlier.instant {
            reader.report(
                "'\(later.name)' is before '\(earlier.name)', which stands above it; sort the events",
                at: node
            )
        }
        if let first = events.first, let last = events.last, last.day - first.day > Plan.mostDays {
            reader.report(
                "the events lie \(last.day - first.day) days apart, and at most \(Plan.mostDays) are taken",
                at: node
            )
        }
        if events.count > Plan.mostEvents {
            reader.report("the plan has more than \(Plan.mostEvents) events", at: node)
        }
        var names: Set<String> = []
        for event in events where !names.insert(event.name).inserted {
            reader.report("the event '\(event.name)' is given twice; give one another name", at: node)
        }
    }
}

extension FileReader {
    func name(_ node: YAMLNode, _ kind: String, among names: [String]) -> String? {
        guard let name = prose(node, "the name of a declared \(kind)") else { return nil }
        guard names.contains(name) else {
            report("no \(kind) '\(name)'\(suggestion(for: name, among: names))", at: node)
            return nil
        }
        return name
    }

    /// The first thing with a key in a file.
    func material(_ node: YAMLNode, _ materials: (String) throws -> [KeyMaterial]) -> KeyMaterial? {
        guard let found = read(node, materials) else { return nil }
        if found.isEmpty { report("there is no certificate, key or request in it", at: node) }
        return found.first
    }

    func chain(_ node: YAMLNode, _ materials: (String) throws -> [KeyMaterial]) -> [Certificate]? {
        guard let found = read(node, materials) else { return nil }
        let certificates = found.compactMap(\.certificate)
        guard !certificates.isEmpty else {
            report("there is no certificate in it; for a key or a request write 'key' and 'issuer'", at: node)
            return nil
        }
        return certificates
    }

    private func read(_ node: YAMLNode, _ materials: (String) throws -> [KeyMaterial]) -> [KeyMaterial]? {
        guard let name = prose(node, "the name of a file") else { return nil }
        do {
            return try materials(name)
        } catch {
            report("\(error)", at: node)
            return nil
        }
    }
}
