import Pinning
import TLSCore
import TestSupport

extension MatrixPolicies {
    static let others: [String: Configure] = alamofire.merging(tools) { $1 }

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

    private static let tools: [String: Configure] = [
        "curl": { _ in Curl(hashes) },
        "curl_k": { _ in Curl(hashes, isInsecure: true) },
        "wget": { _ in Curl(hashes, tool: .wget) },
        "wget_k": { _ in Curl(hashes, tool: .wget, isInsecure: true) },
        "urllib3_fp": { fingerprint($0) },
        "urllib3_fp_none": { fingerprint($0, requiresCertificate: false) },
        "go_leaf": { _ in Callback(.goLeaf, keys: keys) },
        "go_rawany": { _ in Callback(.goRawAny, keys: keys) },
        "go_rawany_skip": { _ in Callback(.goRawAnySkip, keys: keys) },
        "node_pin": { _ in Callback(.nodePin, keys: keys) },
        "node_pin_nohost": { _ in Callback(.nodePinNoHost, keys: keys) },
        "chromium_static": { _ in
            ChromiumStatic(hosts: [.init(MatrixWorld.host, includesSubdomains: true, required: keys)])
        },
    ]

    private static var keys: [Pin] { MatrixWorld.shared.leafPins }
    private static var hashes: Curl.Source { .list(keys.map { .pin($0) }) }
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

    private static func fingerprint(_ event: String, requiresCertificate: Bool = true) -> Fingerprint {
        // There is room for one: where an event shows a certificate of its own, for that.
        let certificate = MatrixWorld.shared.pinnedCertificates(for: event, hasBackup: false).last
        // A SHA-256 digest is one.
        return Fingerprint(certificate?.fingerprint.digest ?? [], requiresCertificate: requiresCertificate)!
    }
}
