package import Foundation
package import TLSCore

extension HPKP {
    package static var onlyKeyType: KeyType? { nil }

    package var refusesOtherHosts: Bool { false }

    package var bringsAnchors: Bool { false }

    package func ownFindings(at instant: Date) -> [PolicyFinding] {
        var found = ignored.map { name in
            PolicyFinding(.ignoredEntry, .warning, keyPath: name, "no browser knows this directive", fix: "take it out")
        }
        if maxAge == 0 {
            found.append(unnoted("max-age=0 makes browsers forget the pins", fix: "give it 60 days: 5184000"))
        } else if !canBeNoted {
            found.append(unnoted("without a second pin, the backup, browsers ignore the header", fix: HPKP.remedy))
        }
        if let maxAge, maxAge > 0, !isReportOnly, TimeInterval(maxAge) < PinScope.notice {
            let message = "browsers forget the pins \(maxAge) seconds after the last visit, in less than 30 days"
            found.append(
                PolicyFinding(.expiresSoon, .warning, keyPath: "max-age", message, fix: "give it 60 days: 5184000")
            )
        }
        if host == nil, !includesSubdomains {
            let message = "hosts below the one that sends this are not pinned"
            found.append(
                PolicyFinding(.scopeGap, .warning, message, fix: "add includeSubDomains, if they have these keys")
            )
        }
        return found
    }

    package func ownFindings(of scope: PinScope, knownChain: [Certificate]) -> [PolicyFinding] {
        guard canBeNoted, !isReportOnly, Set(keys).isSubset(of: knownChain.map(\.pin)) else { return [] }
        let message = "every pin is of the known chain, and without a backup outside it browsers ignore the header"
        return [unnoted(message, fix: HPKP.remedy)]
    }

    private static let remedy = "add the pin of a backup key that is in no chain"

    /// No browser remembers the header (RFC 7469 section 2.5).
    private func unnoted(_ message: String, fix: String) -> PolicyFinding {
        PolicyFinding(.notPinned, .breach, keyPath: host ?? "", message, fix: fix)
    }
}
