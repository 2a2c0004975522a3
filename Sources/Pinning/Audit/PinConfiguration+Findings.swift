package import Foundation
package import TLSCore

extension PinConfiguration {
    /// What is wrong with the configuration, read as text: the worst first, and among equals in the order of the file.
    ///
    /// - Parameters:
    ///   - instant: the day of the audit, for what has expired or soon will.
    ///   - knownChain: production's own chain, leaf first, and the root last if it is known; empty: not known.
    ///   - host: reports only what concerns this host.
    package func findings(at instant: Date, knownChain: [Certificate] = [], host: String? = nil) -> [PolicyFinding] {
        let all = scopes
        let scopes = host.map { host in scope(for: host).map { [$0] } ?? [] } ?? all
        var found = ownFindings(at: instant)
        if host != nil { found = found.filter { $0.concerns(scopes, of: all) } }
        for scope in scopes {
            // Pins that are inherited are told where they are written, and what becomes of a mismatch for each entry.
            let isInherited = host == nil && scope.written.isEmpty && !scope.lists.isEmpty
            let own =
                isInherited
                ? [scope.reportOnly].compactMap(\.self)
                : scope.redundancyFindings + scope.placeholderFindings + scope.protectionFindings
                    + scope.timeFindings(at: instant) + scope.authorityFindings(at: instant, knownChain: knownChain)
            found += own.filter { !$0.repeats(found) }.map {
                $0.weakened(scope.isToothless(at: instant), isReported: scope.failure == .report)
            }
        }
        found += confusableFindings(in: scopes, at: instant)
        found += knownChain.isEmpty ? [] : chainFindings(knownChain, host: host, at: instant)
        found += (host.map(hostFindings) ?? scopeFindings).filter { !$0.repeats(found) }
        if host == nil, all.allSatisfy(\.lists.isEmpty), !emptyFinding.repeats(found) { found.append(emptyFinding) }
        return found.merged.map { $0.named(among: all) }
    }
}

extension PolicyFinding {
    /// Whether it is about one of these entries, or about none at all.
    fileprivate func concerns(_ scopes: [PinScope], of all: [PinScope]) -> Bool {
        let near = scopes.flatMap { [$0.keyPath] + $0.otherKeyPaths }
        // A domain's key path may begin with another's.
        let own = all.map(\.keyPath).filter(isBelow).max { $0.utf8.count < $1.utf8.count }
        return own.map(near.contains) ?? true
    }

    /// The same, with the entry that it is about.
    fileprivate func named(among scopes: [PinScope]) -> PolicyFinding {
        let near = scopes.filter { isBelow($0.keyPath) && !$0.name.isEmpty }
        guard domain == nil, let own = near.max(by: { $0.keyPath.utf8.count < $1.keyPath.utf8.count }) else {
            return self
        }
        var finding = self
        finding.domain = own.name
        return finding
    }

    /// Whether another one tells the same of the very place, or why.
    func repeats(_ others: [PolicyFinding]) -> Bool {
        let causes: [Rule]
        switch rule {
        case .locksOut: causes = [.locksOut]
        case .notPinned: causes = [.notPinned, .deadEntry]
        case .noWayOut: causes = [.notPinned]
        case .refusesKnownChain: causes = [.locksOut, .unhashableKey]
        default: return false
        }
        return others.contains { causes.contains($0.rule) && (keyPath.isEmpty || $0.isBelow(keyPath)) }
    }

    /// What would lock users out does not where a mismatch stops nobody.
    func weakened(_ isToothless: Bool, isReported: Bool = false) -> PolicyFinding {
        guard isToothless, severity == .outage else { return self }
        var finding = self
        finding.severity = .warning
        // What the system itself refuses waits for nothing.
        let isOfPins = isReported && ["locked out", "rejected"].contains(where: finding.message.hasSuffix)
        if isOfPins { finding.message += ", once the pins are enforced" }
        return finding
    }

    private func isBelow(_ path: String) -> Bool {
        path == keyPath
            || !path.isEmpty && keyPath.hasPrefix(path)
                && [".", "["].contains(keyPath.dropFirst(path.count).first)
    }
}

extension [PolicyFinding] {
    /// Each once, the worst first, and then in the order of the file.
    fileprivate var merged: [PolicyFinding] {
        var seen: Set<PolicyFinding> = []
        // With the chain more is known of a certificate than without.
        let servers = Set(filter { $0.rule == .certificatePin && $0.severity == .outage }.map(\.keyPath))
        return filter { $0.rule != .certificatePin || $0.severity == .outage || !servers.contains($0.keyPath) }
            .filter { seen.insert($0).inserted }.enumerated()
            .sorted {
                let (left, right) = ($0.element, $1.element)
                if left.severity != right.severity { return left.severity > right.severity }
                return (left.line ?? 0, $0.offset) < (right.line ?? 0, $1.offset)
            }
            .map(\.element)
    }
}
