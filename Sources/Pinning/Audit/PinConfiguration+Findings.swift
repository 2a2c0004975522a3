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
        let scopes = host.map { host in scope(for: host).map { [$0] } ?? [] } ?? scopes
        var found: [Finding] = []
        for scope in scopes {
            let own = scope.redundancyFindings + scope.protectionFindings
            found += own.map { finding in
                guard finding.severity == .outage, scope.isToothless(at: instant) else { return finding }
                var finding = finding
                finding.severity = .warning
                return finding
            }
        }
        found += Self.confusableFindings(scopes, among: self.scopes)
        return found.merged
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
