import Pinning
package import TLSCore

extension NameConstraints {
    /// The hosts under test, and every other name of every chain that a file has signed: a root that could not vouch for
    /// the name of an attack would have the attack refused for that.
    ///
    /// A name that only a public suffix would cover, as `*.com`, stays out.
    package init(covering file: ScenarioFile) {
        let names = file.signedNames
        let hosts = Set(file.hosts)
        let bases = Set(
            names.compactMap { name -> String? in
                guard case .dns(let text) = name, let base = Self.base(of: text) else { return nil }
                return hosts.contains(base) || !Self.isOpen(base) ? base : nil
            }
        )
        let needed = bases.filter { base in !bases.contains { base.hasSuffix(".\($0)") } }
        var addresses = Set(names.compactMap { if case .ip(let bytes) = $0 { bytes } else { nil } })
        var locals: [String] = []
        if file.scenarios.flatMap(\.steps).contains(where: \.reports) {
            // A collector of reports is on this machine.
            addresses.insert([127, 0, 0, 1])
            locals = ["localhost"].filter { !needed.contains($0) }
        }
        let exact = addresses.sorted { $0.lexicographicallyPrecedes($1) }.map {
            SubjectName.ip($0 + $0.map { _ in 0xFF })
        }
        self.init(
            permitted: (needed.sorted() + locals).map { .dns($0) } + exact,
            // Without a word about addresses, all would be permitted.
            excluded: exact.isEmpty ? [4, 16].map { .ip([UInt8](repeating: 0, count: 2 * $0)) } : []
        )
    }

    /// The longest end of a name that is a DNS name: `acme.example` of `*.acme.example`.
    private static func base(of name: String) -> String? {
        var rest = name.lowercased()[...]
        while !rest.isEmpty {
            if let base = DNSName.host(String(rest)) { return base }
            guard let dot = rest.firstIndex(of: ".") else { return nil }
            rest = rest[dot...].dropFirst()
        }
        return nil
    }

    /// Whether strangers have names below it. Nobody has any below those that RFC 2606 and RFC 6761 reserve.
    private static func isOpen(_ name: String) -> Bool {
        let isReserved = ["example", "test", "invalid", "localhost"].contains { name == $0 || name.hasSuffix(".\($0)") }
        return !isReserved && (!name.contains(".") || PublicSuffixList.isPublic(name))
    }
}

extension ScenarioFile {
    /// Every name that some authority of the file's vouches for, at some host.
    var signedNames: [SubjectName] {
        hosts.flatMap { host in blueprint.chains.flatMap { $0.signedNames(for: host) } + [.dns(host)] }.uniqued
    }

    /// Every host that a server of the file's stands for.
    fileprivate var hosts: [String] {
        let steps = scenarios.flatMap(\.steps)
        let hosts = [host] + steps.map(\.host) + steps.flatMap(\.also).map(\.host) + steps.flatMap(\.ledTo)
        return hosts.map { SubjectName.relative($0.lowercased()) }.uniqued
    }
}

extension ChainDeclaration {
    /// The names in its leaf, many of one form as one pattern; none where no authority signs it.
    func signedNames(for host: String) -> [SubjectName] {
        guard case .authority = issuer, leafOf == nil else { return [] }
        return names?.map { DeclaredName.pattern($0, host: host) } ?? [.dns(host)]
    }
}
