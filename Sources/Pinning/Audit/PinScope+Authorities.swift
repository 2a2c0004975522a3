import Foundation
import TLSCore

extension PinScope {
    /// What is known of the public roots that are pinned.
    ///
    /// - Parameter chain: production's own; what it says of a pin is told elsewhere.
    func authorityFindings(at instant: Date, knownChain chain: [Certificate]) -> [PolicyFinding] {
        var seen: Set<PinnedDigest> = []
        return lists.flatMap { list -> [PolicyFinding] in
            let known = list.digests.filter { seen.insert($0).inserted }.compactMap { digest in
                digest.authority.map { (digest: digest, authority: $0) }
            }
            let others = Set(list.digests).subtracting(known.map(\.digest)).filter { $0.placeholder == nil }
            let good = known.filter { $0.authority.isTrusted(at: instant) && !$0.authority.hasEnded(at: instant) }
            let left = others.count + good.count
            return known.compactMap { digest, authority in
                if list.position == .leaf {
                    guard !chain.contains(where: digest.matches) else { return nil }
                    return misplaced(digest, authority)
                }
                return ended(digest, authority, at: instant, left: left)
            }
        }
    }

    private func misplaced(_ digest: PinnedDigest, _ authority: KnownAuthority) -> PolicyFinding {
        finding(
            .wrongPosition,
            .outage,
            "the pin \(digest) is that of the public root \(authority) and stands where only the server's own key is "
                + "compared, so that it never matches",
            fix: "pin the server's own key there, or the root among the authorities' pins"
        )
    }

    /// - Parameter left: how many other pins of the list may match what devices trust.
    private func ended(_ digest: PinnedDigest, _ authority: KnownAuthority, at instant: Date, left: Int)
        -> PolicyFinding?
    {
        let severity: PolicyFinding.Severity = left < 2 ? .outage : .warning
        let rest = left == 1 ? "; one pin is left, and no backup" : ""
        let fix = "pin an authority that devices trust, or keys of your own"
        func day(_ date: Date) -> String { date.formatted(.iso8601.year().month().day()) }
        let subject = "the pin \(digest) is that of the public root \(authority)"
        if authority.hasEnded(at: instant) {
            let message = "\(subject), which ended on \(day(authority.end)): few devices take a chain to it\(rest)"
            return finding(.endedAuthority, severity, message, fix: fix)
        }
        if let removed = authority.removedBefore {
            let message =
                "\(subject), which Mozilla's list had no more on \(day(removed)): newer devices do not trust it\(rest)"
            return finding(.distrustedAuthority, severity, message, fix: fix)
        }
        if let last = authority.endsIssuing, last < instant {
            let message =
                "\(subject): Mozilla trusts no certificate of it that was issued after \(day(last)), so that no renewal is trusted\(rest)"
            return finding(.distrustedAuthority, severity, message, fix: fix)
        }
        guard let expires, authority.end < expires else { return nil }
        let message =
            "\(subject), which ends on \(day(authority.end)), before the pins do on \(day(expires))"
        return finding(.endedAuthority, .warning, message, fix: "ship the app with other pins before that day")
    }
}
