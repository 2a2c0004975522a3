import Foundation
import TLSCore

extension PinScope {
    /// How long before an end it is told: long enough to ship an app.
    static let notice: TimeInterval = 30 * 86400

    func timeFindings(at instant: Date) -> [PolicyFinding] {
        guard let expires, !lists.isEmpty, expires < instant + PinScope.notice else { return [] }
        let day = expires.formatted(.iso8601.year().month().day())
        let fix = "ship the app with a later day and today's pins"
        if expires < instant {
            let message = "the pins ended on \(day): nothing is pinned any more, and nobody is told"
            return [finding(.expired, .breach, message, fix: fix)]
        }
        let days = Day(expires) - Day(instant)
        let message = "from \(day) on, in \(days) \(days == 1 ? "day" : "days"), nothing is pinned any more"
        return [finding(.expiresSoon, .warning, message, fix: fix)]
    }

    /// What the end of a pinned certificate means.
    func expiryFinding(of certificate: Certificate, at instant: Date) -> PolicyFinding? {
        let end = certificate.validity.notAfter
        guard end < instant + PinScope.notice else { return nil }
        let day = end.formatted(.iso8601.year().month().day())
        let isOver = end < instant
        return finding(
            .certificateExpires,
            isOver ? .outage : .warning,
            isOver
                ? "the pinned certificate of \(certificate.subject) expired on \(day): who checks dates rejects it, and "
                    + "its renewal has another digest"
                : "the pinned certificate of \(certificate.subject) expires on \(day), and its renewal has another digest",
            fix: "ship the digest of the next certificate before that day"
        )
    }
}
