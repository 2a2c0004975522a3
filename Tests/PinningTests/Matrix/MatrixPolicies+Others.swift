import Pinning
import TestSupport

extension MatrixPolicies {
    static let others: [String: Configure] = [:]
}
