public import Foundation
public import TLSCore

extension HPKP {
    public func ownFindings(at instant: Date, knownChain: [Certificate]) -> [Finding] {
        var found = ignored.map { name in
            Finding(.ignoredEntry, .warning, keyPath: name, "no browser knows this directive", fix: "take it out")
        }
        if let unnoted = unnoted(on: knownChain) { found.append(unnoted) }
        if let maxAge, maxAge > 0, !isReportOnly, TimeInterval(maxAge) < PinScope.notice {
            let message = "browsers forget the pins \(maxAge) seconds after the last visit, in less than 30 days"
            found.append(Finding(.expiresSoon, .warning, keyPath: "max-age", message, fix: "give it 60 days: 5184000"))
        }
        if host == nil, !includesSubdomains {
            let message = "hosts below the one that sends this are not pinned"
            found.append(Finding(.scopeGap, .warning, message, fix: "add includeSubDomains, if they have these keys"))
        }
        return found
    }

    /// Why no browser remembers the header (RFC 7469 section 2.5).
    private func unnoted(on chain: [Certificate]) -> Finding? {
        let (message, fix): (String, String)
        if maxAge == 0 {
            (message, fix) = ("max-age=0 makes browsers forget the pins", "give it 60 days: 5184000")
        } else if Set(keys).count < 2 {
            message = "without a second pin, the backup, browsers ignore the header"
            fix = "add the pin of a backup key that is in no chain"
        } else if !isReportOnly, !chain.isEmpty, Set(keys).isSubset(of: chain.map(\.pin)) {
            message = "every pin is of the known chain, and without a backup outside it browsers ignore the header"
            fix = "add the pin of a backup key that is in no chain"
        } else {
            return nil
        }
        return Finding(.notPinned, .breach, keyPath: host ?? "", message, fix: fix)
    }
}
