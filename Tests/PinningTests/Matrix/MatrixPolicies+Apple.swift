import Pinning
import TestSupport

extension MatrixPolicies {
    static let apple: [String: Configure] = [:]
}
