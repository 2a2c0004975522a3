import TLSCore
import TestSupport
import Testing
import Witness

@Suite struct `A rejection beside a connection that saw no certificate` {
    private let rejection = Observation([
        .presented(identity: "forged", fingerprint: Sample.server.leaf.fingerprint, epoch: 1),
        .alert(.inward, Alert(48, isFatal: true)), .closed(by: .client, .ended),
    ])

    @Test(
        arguments: [
            [.connected(target: nil)],
            [.connected(target: nil), .closed(by: .us, .superseded)],
            [.connected(target: nil), .closed(by: .us, .protocolError("nonsense"))],
        ] as [[ConnectionEvent]]
    )
    func `proves nothing if we ended that one, or nobody did`(events: [ConnectionEvent]) {
        let other = Observation(events)

        #expect(Wire([rejection, other]) == .inconclusive(.connection(.nothingPresented)))
        #expect(Wire([other, rejection]) == .inconclusive(.connection(.nothingPresented)))
    }

    @Test func `counts if the client ended that one itself`() {
        let other = Observation([.connected(target: nil), .closed(by: .client, .ended)])

        #expect(Wire([rejection, other]) == .rejected(.alert(Alert(48, isFatal: true))))
        #expect(Wire([other, rejection]) == .rejected(.alert(Alert(48, isFatal: true))))
    }
}
