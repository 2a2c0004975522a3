public import Foundation
public import TLSCore

extension PinConfiguration {
    /// What is wrong with the configuration, read as text: the worst first, and among equals in the order of the file.
    ///
    /// - Parameters:
    ///   - instant: the day of the audit, for what has expired or soon will.
    ///   - knownChain: production's own chain, leaf first, and the root last if it is known; empty: not known.
    ///   - host: reports only what concerns this host.
    public func findings(at instant: Date, knownChain: [Certificate] = [], host: String? = nil) -> [Finding] {
        let all = scopes
        let scopes = host.map { host in scope(for: host).map { [$0] } ?? [] } ?? all
        var found = ownFindings(at: instant, knownChain: knownChain).filter { $0.concerns(host, scopes, of: all) }
        for scope in scopes {
            var own = scope.redundancyFindings + scope.protectionFindings + scope.timeFindings(at: instant)
            if host != nil || concerns(knownChain, scope) { own += scope.chainFindings(knownChain, at: instant) }
            found += own.filter { !$0.repeats(found) }.map { $0.weakened(scope.isToothless(at: instant)) }
        }
        found += Self.confusableFindings(scopes, among: all)
        found += host.map(hostFindings) ?? scopeFindings
        if host == nil, all.allSatisfy(\.lists.isEmpty),
            !found.contains(where: { [.notPinned, .deadEntry].contains($0.rule) })
        {
            found.append(emptyFinding)
        }
        return found.merged
    }

    public func ownFindings(at instant: Date, knownChain: [Certificate]) -> [Finding] { [] }

    public var refusesOtherHosts: Bool { false }

    /// Whether the chain is that of a host of this entry.
    private func concerns(_ chain: [Certificate], _ scope: PinScope) -> Bool {
        guard let leaf = chain.first else { return false }
        guard !scope.name.isEmpty else { return true }
        return leaf.names.contains { name in
            let text = "\(name)"
            let host = text.hasPrefix("*.") ? PinScope.anyHost(below: text.dropFirst(2)) : text
            return self.scope(for: host).map { [$0.keyPath] + $0.otherKeyPaths }?.contains(scope.keyPath) == true
        }
    }
}

extension Finding {
    /// Whether it is about this host, if one is asked about: about the whole file, or about an entry that reaches it.
    fileprivate func concerns(_ host: String?, _ scopes: [PinScope], of all: [PinScope]) -> Bool {
        guard host != nil else { return true }
        let near = scopes.flatMap { [$0.keyPath] + $0.otherKeyPaths }
        return near.contains(where: isBelow) || !all.contains { isBelow($0.keyPath) }
    }

    /// Whether a dialect has told this already, with the very place.
    fileprivate func repeats(_ others: [Finding]) -> Bool {
        guard rule == .locksOut || rule == .refusesKnownChain else { return false }
        return others.contains { [.locksOut, .unhashableKey].contains($0.rule) && $0.isBelow(keyPath) }
    }

    /// What would lock users out does not where a mismatch stops nobody.
    fileprivate func weakened(_ isToothless: Bool) -> Finding {
        guard isToothless, severity == .outage else { return self }
        var finding = self
        finding.severity = .warning
        return finding
    }

    private func isBelow(_ path: String) -> Bool {
        !path.isEmpty && keyPath.hasPrefix(path) && [nil, ".", "["].contains(keyPath.dropFirst(path.count).first)
            || path == keyPath
    }
}

extension [Finding] {
    /// Each once, the worst first, and then in the order of the file.
    fileprivate var merged: [Finding] {
        var seen: Set<Finding> = []
        return filter { seen.insert($0).inserted }.enumerated()
            .sorted {
                let (left, right) = ($0.element, $1.element)
                if left.severity != right.severity { return left.severity > right.severity }
                return (left.line ?? 0, $0.offset) < (right.line ?? 0, $1.offset)
            }
            .map(\.element)
    }
}
