import TLSCore
import Testing

@testable import MitmHarness
@testable import Scenarios

@Suite struct `The order in which trials begin` {
    /// One job of two has the trials that wait; the other has the rest, and helps in the end.
    @Test func `leaves one job to those that do not wait`() {
        var order = TrialOrder([.quick, .slow, .quick, .slow, .slow, .quick].map(Self.trial), jobs: 2)

        var began = [order.next(), order.next(), order.next()]
        order.finish(1)
        began += [order.next(), order.next(), order.next()]
        let last = order.next()

        #expect(began == [1, 0, 2, 3, 5, 4])
        #expect(last == nil)
    }

    @Test(arguments: [(1, [0, 1, 2]), (3, [1, 2, 0])])
    func `is that of the file with one job, and with as many as wait has them first`(jobs: Int, places: [Int]) {
        var order = TrialOrder([.quick, .slow, .slow].map(Self.trial), jobs: jobs)

        #expect((1...3).map { _ in order.next() } == places)
    }

    private enum Kind { case quick, slow }

    private static func trial(_ kind: Kind) -> Trial {
        var step = Step(present: ["today"], store: "phone", host: "api.acme.example")
        if kind == .slow { step.handshake = HandshakeFault(.stop(.hang, after: .clientHello)) }
        return Trial(
            scenario: Scenario(name: "\(kind)", store: "phone", steps: [step]),
            policy: PolicyDeclaration(name: "no-pins"),
            client: ClientDeclaration(name: "reference", kind: .reference)
        )
    }
}
