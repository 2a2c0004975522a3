import Foundation
import Pinning
import Scenarios
import TLSCore
import TestSupport

extension RealClient {
    static let all = [node]

    // MARK: Programs of ours, with the libraries of Debian

    /// Node's `https` with a `checkServerIdentity`.
    static let node = RealClient(
        name: "node",
        prepare: { _ in Tool("node").map { _ in told("node {here}/pins.js") } },
        forms: [.column("node_pin"), .column("node_pin_nohost")]
    )
}
