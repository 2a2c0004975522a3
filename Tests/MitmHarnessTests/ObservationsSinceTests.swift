import MitmHarness
import TLSCore
import TestSupport
import Testing
import Witness

@Suite struct `What is new beside an earlier look` {
    private let shown: [ConnectionEvent] = [
        .connected(target: nil),
        .presented(identity: "today", fingerprint: Sample.server.leaf.fingerprint, epoch: 1),
    ]
    private let goodbye = ConnectionEvent.closed(by: .client, .ended)

    @Test func `is everything at first`() {
        let seen = [Observation(shown + [.request, goodbye])]

        #expect(seen.since([]) == seen)
    }

    @Test func `is nothing if nothing happened`() {
        let seen = [Observation(shown + [.request, goodbye])]

        #expect(seen.since(seen) == [])
    }

    @Test func `is a connection that came since`() {
        let old = Observation(shown + [.request, goodbye])
        let new = Observation(shown + [goodbye])

        #expect([old, new].since([old]) == [new])
    }

    @Test func `is a second request on a connection that stays what it was shown`() {
        let before = Observation(shown + [.data(count: 40), .request])
        let after = Observation(shown + [.data(count: 40), .request, .data(count: 50)])

        let new = [after].since([before])

        #expect(new == [Observation(shown + [.data(count: 50), .request])])
        #expect(new.first?.reaction == .accepted)
    }

    @Test func `is a third request, which the journal has added to the second`() {
        let before = Observation(shown + [.data(count: 40), .request, .data(count: 50)])
        let after = Observation(shown + [.data(count: 40), .request, .data(count: 110)])

        #expect([after].since([before]) == [Observation(shown + [.data(count: 60), .request])])
    }

    @Test func `is not the end of a connection that has served an earlier attempt`() {
        let before = Observation(shown + [.data(count: 40), .request])
        let after = Observation(shown + [.data(count: 40), .request, .alert(.inward, .closeNotify), goodbye])

        #expect([after].since([before]) == [])
    }

    @Test func `is the end of a connection that had said nothing yet`() {
        let before = Observation(shown)
        let after = Observation(shown + [goodbye])

        #expect([after].since([before]).map(\.reaction) == [.rejected(.hungUp)])
    }
}
