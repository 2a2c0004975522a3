import TLSCore
import TestSupport
import Testing
import Witness

@Suite struct `The wire of an attempt` {
    @Test(arguments: Mixture.table)
    func `is the first of what its connections give`(_ mixture: Mixture) {
        #expect(Wire(mixture.connections) == mixture.wire)
        if mixture.isSymmetric { #expect(Wire(mixture.connections.reversed()) == mixture.wire) }
    }

    @Test func `knows nobody from others`() {
        #expect(Wire([]) == .inconclusive(.nobodyConnected))
        #expect(Wire([], elsewhere: 1) == .inconclusive(.onlyElsewhere))
        #expect(Wire([Connection.accepting()], elsewhere: 1) == .accepted)
    }

    @Test func `reads in words`() {
        let wires: [Wire] = [.cleartext, .accepted, .blind, alert, hungUp, withheld, silence]

        #expect(
            wires.map(\.description) == [
                "sent its request in the clear", "sent its request", "talked past us", "rejected with unknown_ca (48)",
                "hung up in the handshake", "withheld its request", "never connected",
            ]
        )
    }
}

/// Connections of one attempt, and what they amount to.
struct Mixture: CustomTestStringConvertible {
    var connections: [Observation]
    var wire: Wire
    var isSymmetric: Bool
    var testDescription: String { connections.map { "\($0.reaction)" }.joined(separator: " + ") }

    init(_ connections: Observation..., is wire: Wire, inAnyOrder isSymmetric: Bool = true) {
        self.connections = connections
        self.wire = wire
        self.isSymmetric = isSymmetric
    }

    private static let open = Wire.inconclusive(.connection(.stillOpen))
    private static let late = Wire.inconclusive(.connection(.closedByUs(.timedOut)))
    private static let superseded = Wire.inconclusive(.connection(.closedByUs(.superseded)))

    static let table: [Mixture] = [
        Mixture(Connection.inTheClear, is: .cleartext),
        Mixture(Connection.accepting(), is: .accepted),
        Mixture(Connection.passedThrough, is: .blind),
        Mixture(Connection.alerting(), is: alert),
        Mixture(Connection.hangingUp(), is: hungUp),
        Mixture(Connection.withholding(), is: withheld),
        Mixture(Connection.stayingOpen(), is: open),
        Mixture(Connection.cutOff(), is: late),
        Mixture(Connection.silent, is: .inconclusive(.connection(.nothingPresented))),
        Mixture(Connection.mumbling(), is: .inconclusive(.connection(.unknownData))),

        // Each goes before all that follow it.
        Mixture(Connection.inTheClear, Connection.accepting(), is: .cleartext),
        Mixture(Connection.inTheClear, Connection.passedThrough, is: .cleartext),
        Mixture(Connection.inTheClear, Connection.alerting(), is: .cleartext),
        Mixture(Connection.inTheClear, Connection.cutOff(), is: .cleartext),
        Mixture(Connection.accepting(), Connection.passedThrough, is: .accepted),
        Mixture(Connection.accepting(), Connection.alerting(), is: .accepted),
        Mixture(Connection.accepting(), Connection.stayingOpen(), is: .accepted),
        Mixture(Connection.passedThrough, Connection.withholding(), is: .blind),
        Mixture(Connection.passedThrough, Connection.cutOff(), is: .blind),
        Mixture(Connection.mumbling(), Connection.alerting(), is: .inconclusive(.connection(.unknownData))),
        Mixture(Connection.alerting(), Connection.silent, is: alert),
        Mixture(Connection.withholding(), Connection.silent, Connection.silent, is: withheld),
        Mixture(Connection.hangingUp(), Connection.alerting("today", 70), is: hungUp),

        // A connection that we ended, or that has not ended, might have gone on.
        Mixture(Connection.alerting(), Connection.cutOff(), is: late),
        Mixture(Connection.alerting(), Connection.cutOff("today", .superseded), is: superseded),
        Mixture(Connection.withholding(), Connection.stayingOpen(), is: open),
        Mixture(Connection.alerting(), Connection.hangingUp(), Connection.stayingOpen(), is: open),

        // Of several of a kind: the first rejection, the last doubt.
        Mixture(Connection.hangingUp(), Connection.alerting(), is: alert, inAnyOrder: false),
        Mixture(Connection.alerting(), Connection.hangingUp(), is: alert, inAnyOrder: false),
        Mixture(
            Connection.mumbling(),
            Connection.silent,
            is: .inconclusive(.connection(.unknownData))
        ),
    ]
}
