import Synchronization
package import TLSCore

/// The sessions that a client of ours keeps from connection to connection, one for each host.
package final class ClientSessions: Sendable {
    /// With what was seen of the server when it began.
    package typealias Kept = (session: ResumableSession, seen: TLSExchange.Seen)

    private let kept = Mutex<[String: Kept]>([:])

    package init() {}

    package subscript(host: String) -> Kept? {
        get { kept.withLock { $0[host] } }
        set { kept.withLock { $0[host] = newValue } }
    }
}
