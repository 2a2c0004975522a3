import Pinning
import TLSCore

/// Names where they are declared, and where they are used.
extension ScenarioReader {
    /// A name and the value that says what it stands for.
    struct Declaration {
        var name: String
        var value: YAMLNode
        var location: SourceLocation
    }

    /// Collects the names of one section, which may be spread over files.
    func declare(_ kind: DeclaredNames.Kind, in sections: [YAMLNode], isOptional: Bool = false) -> [Declaration] {
        if sections.isEmpty, !isOptional { names.unreadable.insert(kind) }
        let readable = sections.compactMap { entries(of: $0, "\(kind.plural) by name") }
        if readable.count < sections.count { names.unreadable.insert(kind) }
        if readable.count == sections.count, readable.allSatisfy(\.isEmpty), let first = sections.first, !isOptional {
            report("the file declares no \(kind.plural)", at: first.location)
            names.unreadable.insert(kind)
        }
        return readable.joined().compactMap { entry in
            guard let name = declaredName(entry.key, as: kind) else {
                if names.location(of: entry.key.scalar ?? "", as: kind) == nil { names.unreadable.insert(kind) }
                return nil
            }
            return Declaration(name: name, value: entry.value, location: entry.key.location)
        }
    }

    /// A name that this place declares.
    func declaredName(_ node: YAMLNode, as kind: DeclaredNames.Kind) -> String? {
        guard let name = text(node, "the name of \(kind.withArticle)") else { return nil }
        guard Self.isName(name) else {
            report("'\(name.prefix(80))' is not a name; use letters, digits, '-', '_' and '.', at most 64", at: node)
            return nil
        }
        if Self.reserved[kind] == name {
            report("'\(name)' has a meaning of its own; choose another name", at: node)
        }
        if let first = names.location(of: name, as: kind) {
            // Of two files, the one that can be changed is not the shipped one.
            let (place, other) = isBorrowed(node) ? (first, node.location) : (node.location, first)
            report("\(kind.rawValue) '\(name)' is declared already (\(other.asSeen(from: place)))", at: place)
            return nil
        }
        if kind == .authority, let key = names.location(of: name, as: .key) {
            let place = key.asSeen(from: node.location)
            report("'\(name)' is a key already (\(place)); keys and authorities share their names", at: node)
        }
        names.add(name, as: kind, at: node.location)
        return name
    }

    /// A name that is declared elsewhere in the file, as one of `kinds`.
    func reference(_ node: YAMLNode, to kinds: DeclaredNames.Kind...) -> String? {
        let wanted = kinds.map(\.rawValue).joined(separator: " or ")
        guard let name = text(node, "the name of \(kinds[0] == .authority ? "an" : "a") \(wanted)") else { return nil }
        if names.kind(of: name, among: kinds) != nil { return name }
        guard names.unreadable.isDisjoint(with: kinds) else { return nil }
        if let other = names.kind(of: name) {
            report("'\(name)' is \(other.withArticle), not \(kinds[0] == .authority ? "an" : "a") \(wanted)", at: node)
        } else {
            report("no \(wanted) '\(name.prefix(80))'\(suggestion(for: name, among: names.all(kinds)))", at: node)
        }
        return nil
    }

    /// A list of names that are declared elsewhere, none of them twice.
    func references(_ node: YAMLNode, to kind: DeclaredNames.Kind) -> [String]? {
        guard let values = list(node, of: kind.plural) else { return nil }
        var found: Set<String> = []
        return values.compactMap { value in
            if kind == .client, let name = value.scalar, isFarFromAll(name, of: kind) {
                missingClients.append((name, value.location))
                return nil
            }
            guard let name = reference(value, to: kind) else { return nil }
            if found.insert(name).inserted { return name }
            report("'\(name)' is listed twice", at: value)
            return nil
        }
    }

    /// Whether a name is not declared, nor like one that is.
    private func isFarFromAll(_ name: String, of kind: DeclaredNames.Kind) -> Bool {
        let declared = names.all([kind])
        return Self.isName(name) && names.kind(of: name) == nil && !names.unreadable.contains(kind)
            && nearest(to: name, among: declared) == nil
    }

    /// Scenarios that were copied without the clients that they name are one mistake, not one for each name.
    func reportMissingClients() {
        guard let (_, location) = missingClients.first else { return }
        let missing = missingClients.map(\.name).uniqued.map { "'\($0)'" }
        report(
            "no client \(missing.joined(separator: ", "))\(suggestion(for: "", among: names.all([.client]))); declare "
                + "\(missing.count == 1 ? "it" : "them"), or leave out 'clients' to play the scenario to all",
            at: location
        )
    }

    /// As `references`, where nothing listed would be nothing done.
    func selection(_ node: YAMLNode, of kind: DeclaredNames.Kind) -> [String]? {
        if node.isEmptyList {
            report("an empty list leaves nothing to do; leave it out for all \(kind.plural)", at: node)
            return nil
        }
        return references(node, to: kind)
    }

    /// As it is written: clients are asked to take any spelling.
    func hostName(_ node: YAMLNode) -> String? {
        guard let text = text(node, "a host name") else { return nil }
        guard !DNSName.isAsked(text) else { return text }
        let advice =
            if DNSName.isAddress(text) {
                " but an address; give the server a name, and lead the client here by an option of its own or {proxy}"
            } else if let host = DNSName.host(ofURL: text) {
                "; 'host' is a name such as api.acme.example; the URL's is \(host)"
            } else {
                ""
            }
        report("'\(text.prefix(80))' is not a DNS name\(advice)", at: node)
        return nil
    }

    /// Names end up in file names, on command lines and in reports.
    static func isName(_ text: String) -> Bool {
        guard (1...64).contains(text.utf8.count), let first = text.first else { return false }
        return (first.isLetter || first.isNumber) && text.utf8.allSatisfy(isNameByte)
    }

    private static func isNameByte(_ byte: UInt8) -> Bool {
        switch Unicode.Scalar(byte) {
        case "a"..."z", "A"..."Z", "0"..."9", "-", "_", ".": true
        default: false
        }
    }

    /// Words that stand for something else where the name would be used: `issuer: self`, `locks-out: all`.
    private static let reserved: [DeclaredNames.Kind: String] = [.authority: "self", .policy: "all"]
}
