import Pinning
import TestSupport

extension MatrixPolicies {
    static let android: [String: Configure] = [:]
}
