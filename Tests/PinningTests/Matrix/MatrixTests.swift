import Foundation
import Pinning
import TLSCore
import TestSupport
import Testing

/// Every cell of the table of pinning systems, by the real oracle and with really minted chains.
@Suite struct MatrixTests {
    @Test(arguments: MatrixPolicies.all.keys.sorted())
    func `a dialect decides as the real system does`(policy: String) throws {
        let configure = try #require(MatrixPolicies.all[policy])

        for event in MatrixWorld.events {
            let situation = try #require(MatrixWorld.shared.situation(event))
            let decision = configure(event).decide(situation)

            let expected = try #require(PinningMatrix.shared.cell(event: event, policy: policy))
            let wanted: Decision.Demand =
                switch expected {
                case "accept": .accept
                case "stack": .either
                default: .reject
                }
            #expect(decision.demand == wanted, "\(event): \(decision)")
        }
    }

    @Test(arguments: MatrixPolicies.all.keys.sorted())
    func `a dialect runs on the stack that the table names`(policy: String) throws {
        let configure = try #require(MatrixPolicies.all[policy])

        let stacks = configure("E01").stacks.map(\.rawValue)

        #expect(stacks == PinningMatrix.shared.stacks(of: policy))
    }
}

/// The columns that dialects cover: from the column's name to the configuration that it stands for. The event is given
/// because certificate policies pin the very certificate that some events show.
enum MatrixPolicies {
    typealias Configure = @Sendable (_ event: String) -> any PinConfiguration

    static let all: [String: Configure] = apple.merging(android) { $1 }.merging(others) { $1 }
}
