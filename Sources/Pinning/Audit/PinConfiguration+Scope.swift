import TLSCore

extension PinConfiguration {
    /// Whom the entries miss.
    var scopeFindings: [PolicyFinding] {
        scopes.filter { !$0.name.isEmpty }.flatMap { scope -> [PolicyFinding] in
            if let dead = deadEntry(scope) { return [dead] }
            return [suffixFinding(scope), scope.lists.isEmpty ? nil : gap(next: scope)].compactMap(\.self)
        }
    }

    /// A host that nothing is pinned for.
    func hostFindings(_ host: String) -> [PolicyFinding] {
        guard let scope = scope(for: host) else {
            if refusesOtherHosts {
                return [
                    PolicyFinding(
                        .locksOut,
                        .outage,
                        domain: host,
                        "'\(host)' has no entry, and whatever has none is rejected",
                        fix: "add an entry for it"
                    )
                ]
            }
            let message = "'\(host)' falls under no entry: any trusted certificate is accepted for it"
            return [PolicyFinding(.notPinned, .breach, domain: host, message, fix: "add an entry for it, or widen one")]
        }
        guard scope.lists.isEmpty else { return [] }
        let message =
            "'\(host)' falls under an entry without pins that hold: any trusted certificate is accepted for it"
        return [scope.finding(.notPinned, .breach, message, fix: "pin its keys there")]
    }

    var emptyFinding: PolicyFinding {
        refusesOtherHosts && scopes.isEmpty
            ? PolicyFinding(
                .locksOut,
                .outage,
                "no host has an entry, and whatever has none is rejected",
                fix: "add the hosts"
            )
            : PolicyFinding(
                .notPinned,
                .breach,
                "nothing is pinned for any host",
                fix: "pin the keys of the hosts that matter"
            )
    }

    private func deadEntry(_ scope: PinScope) -> PolicyFinding? {
        let base = scope.base
        let isName = base.allSatisfy { !"*/:@?# \t\n".contains($0) } || SubjectName(base).isAddress
        // An entry with a dot at the end would be reached by that name, which nobody asks for.
        let hosts = [base, scope.host].map { SubjectName.relative($0).lowercased() }
        let isReached = isName && hosts.contains { self.scope(for: $0)?.name == scope.name }
        guard !isReached else { return nil }
        // A name in capitals is reached by who asks in capitals, where case matters.
        let isSpelling = isName && self.scope(for: base)?.name == scope.name && !base.hasSuffix(".")
        return scope.finding(
            .deadEntry,
            isSpelling ? .warning : refusesOtherHosts ? .outage : .breach,
            isSpelling
                ? "'\(scope.name)' is compared letter for letter, and hosts are asked for in lower case: nothing is pinned"
                : "'\(scope.name)' is never the name of a host here, so that the entry pins nothing",
            fix: isSpelling ? "write it in lower case" : "write the bare host name, as in api.example.com"
        )
    }

    private func suffixFinding(_ scope: PinScope) -> PolicyFinding? {
        let base = canonicalHost(scope.base) ?? scope.base.lowercased()
        guard !SubjectName(base).isAddress else { return nil }
        let length = PublicSuffixList.shared.registryLength(base)
        if length == base.utf8.count {
            return scope.finding(
                .publicSuffix,
                .warning,
                "'\(base)' is a public suffix: the hosts below it belong to strangers, who know nothing of these pins",
                fix: "name your own domain"
            )
        }
        let top = base.split(separator: ".").last.map(String.init) ?? ""
        guard length == 0, !PublicSuffixList.reserved.contains(top) else { return nil }
        return scope.finding(
            .publicSuffix,
            .warning,
            "'\(base)' ends in no known public suffix, so that no public server has this name",
            fix: "correct the name, unless it is one of your own network"
        )
    }

    /// The hosts around an entry that a reader might take for pinned.
    private func gap(next scope: PinScope) -> PolicyFinding? {
        let base = canonicalHost(scope.base) ?? scope.base.lowercased()
        guard !refusesOtherHosts, !SubjectName(base).isAddress else { return nil }
        func isOpen(_ host: String) -> Bool { self.scope(for: host) == nil }
        let below = PinScope.anyHost(below: base)
        var open: [String] = []
        if isOpen(base) { open.append("'\(base)' itself") }
        if base.hasPrefix("www."), isOpen(String(base.dropFirst(4))) { open.append("'\(base.dropFirst(4))'") }
        // Where the host that serves as the example has an entry of its own, its writer thought of them.
        if PublicSuffixList.shared.isRegistrable(base), isOpen(below), isOpen("www.\(base)") {
            open.append("the hosts below it, as 'www.\(base)'")
        }
        guard !open.isEmpty else { return nil }
        return scope.finding(
            .scopeGap,
            .warning,
            "'\(scope.name)' is pinned, and not \(open.joined(separator: ", nor "))",
            fix: "add entries for those that the app talks to"
        )
    }
}

extension PinScope {
    /// The name without OkHttp's wildcard.
    var base: String {
        for star in ["**.", "*."] where name.hasPrefix(star) && !host.contains("*") {
            return String(name.dropFirst(star.count))
        }
        return name
    }
}

extension PublicSuffixList {
    /// Tops that are nobody's on purpose (RFC 2606, RFC 6762, RFC 8375), and ICANN's for private use.
    fileprivate static let reserved: Set<String> = [
        "example", "test", "invalid", "localhost", "local", "internal", "onion", "arpa",
    ]

    /// Whether one label stands before the suffix; without a known suffix, before the last label.
    fileprivate func isRegistrable(_ host: String) -> Bool {
        let suffix = registryLength(host)
        let labels = host.split(separator: ".").count
        let own = suffix == 0 ? labels - 1 : labels - host.suffix(suffix).split(separator: ".").count
        return own == 1
    }
}

extension SubjectName {
    fileprivate var isAddress: Bool { if case .ip = self { true } else { false } }
}
