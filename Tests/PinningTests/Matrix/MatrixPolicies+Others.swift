import TLSCore
import TestSupport

@testable import Pinning

extension MatrixPolicies {
    static let others: [String: Configure] = alamofire.merging(tools) { $1 }.merging(browsers) { $1 }

    private static let alamofire: [String: Configure] = [
        "af_default": { _ in alamofire(.default()) },
        "af_cert_leaf": { alamofire(.pinnedCertificates(certificates($0))) },
        "af_cert_leaf_seed": {
            alamofire(.pinnedCertificates(certificates($0)), allHostsMustBeEvaluated: false)
        },
        "af_cert_root": { _ in alamofire(.pinnedCertificates([root])) },
        "af_cert_leaf_noval": {
            let pinned = certificates($0)
            return alamofire(
                .pinnedCertificates(pinned, performDefaultValidation: false, validateHost: false),
                transportSecurity: .relaxed
            )
        },
        "af_cert_root_noval": { _ in
            alamofire(
                .pinnedCertificates([root], performDefaultValidation: false, validateHost: false),
                transportSecurity: .relaxed
            )
        },
        "af_pubkeys": { _ in alamofire(.publicKeys(keys)) },
        "af_disabled": { _ in alamofire(.disabled, transportSecurity: .relaxed) },
    ]

    private static let tools = MatrixWorld.tools.mapValues { configure -> Configure in { configure(.shared, $0) } }

    private static let browsers: [String: Configure] = [
        "chromium_static": { _ in
            ChromiumStatic(hosts: [.init(MatrixWorld.host, includesSubdomains: true, required: keys)])
        }
    ]

    private static var keys: [Pin] { MatrixWorld.shared.leafPins }
    private static var root: Alamofire.PinnedCertificate { Alamofire.PinnedCertificate(MatrixWorld.shared.root) }

    private static func certificates(_ event: String) -> [Alamofire.PinnedCertificate] {
        MatrixWorld.shared.pinnedCertificates(for: event).map { Alamofire.PinnedCertificate($0) }
    }

    private static func alamofire(
        _ evaluator: Alamofire.Evaluator,
        allHostsMustBeEvaluated: Bool = true,
        transportSecurity: Alamofire.TransportSecurity = .enforced
    ) -> Alamofire {
        Alamofire(
            hosts: [.init(MatrixWorld.host, evaluator)],
            allHostsMustBeEvaluated: allHostsMustBeEvaluated,
            transportSecurity: transportSecurity
        )
    }
}
