import MitmProxy
import NIOCore
import NIOEmbedded
import TLSCore
import Testing
import Witness

@Suite struct `The journal` {
    private let journal = Journal(limit: 10, keptBytes: 10)
    private let epoch = Epoch(1)
    private let warning = ConnectionEvent.alert(.inward, Alert(42, isFatal: false))

    /// What was noted of one connection after `events`.
    private func noted(_ events: some Sequence<ConnectionEvent>) -> [ConnectionEvent] {
        let entry = journal.open(client: nil, epoch: epoch)
        for event in events { journal.record(event, on: entry) }
        return journal.observations(in: epoch)[0].events
    }

    @Test func `R4: alerts without end are counted, not kept, and so are the bytes between them`() {
        let flood = (0..<80_000).flatMap { _ in [warning, .data(count: 1)] }

        let events = noted(flood + [.request, .closed(by: .client, .ended)])

        #expect(events.count == 1 + 2 * Journal.alertLimit + 4)
        #expect(events.contains(.unnoted(alerts: 80_000 - Journal.alertLimit)))
        #expect(Observation(events).bytesReceived == 80_000)
        #expect(events.suffix(2) == [.request, .closed(by: .client, .ended)])
    }

    @Test func `R4: a few alerts are kept as they came`() {
        let few = Array(repeating: warning, count: Journal.alertLimit)

        #expect(noted(few) == [.connected(target: nil)] + few)
    }

    @Test func `R4: an alert that ends the connection is noted behind any number of others`() {
        let fatal = ConnectionEvent.alert(.inward, Alert(48, isFatal: true))

        #expect(noted(Array(repeating: warning, count: 100) + [fatal]).last == fatal)
    }
}
