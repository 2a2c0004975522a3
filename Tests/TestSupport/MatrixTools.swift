package import Pinning
package import TLSCore

extension MatrixWorld {
    /// A configuration for one event; certificate policies pin the very certificate that some events show.
    package typealias Configure = @Sendable (MatrixWorld, _ event: String) -> any PinConfiguration

    /// The columns of the table that are programs of this machine, by the column's name.
    package static let tools: [String: Configure] = [
        "curl": { world, _ in Curl(world.hashes) },
        "curl_k": { world, _ in Curl(world.hashes, isInsecure: true) },
        "wget": { world, _ in Curl(world.hashes, tool: .wget) },
        "wget_k": { world, _ in Curl(world.hashes, tool: .wget, isInsecure: true) },
        "urllib3_fp": { $0.fingerprint($1) },
        "urllib3_fp_none": { $0.fingerprint($1, requiresCertificate: false) },
        "go_leaf": { world, _ in Callback(.goLeaf, keys: world.leafPins) },
        "go_rawany": { world, _ in Callback(.goRawAny, keys: world.leafPins) },
        "go_rawany_skip": { world, _ in Callback(.goRawAnySkip, keys: world.leafPins) },
        "node_pin": { world, _ in Callback(.nodePin, keys: world.leafPins) },
        "node_pin_nohost": { world, _ in Callback(.nodePinNoHost, keys: world.leafPins) },
    ]

    /// What `--pinnedpubkey` is given.
    package var hashes: Curl.Source { .list(leafPins.map { .pin($0) }) }

    /// There is room for one certificate: where an event shows a pinned one of its own, for that.
    package func fingerprint(
        _ event: String,
        _ algorithm: FingerprintDigest = .sha256,
        requiresCertificate: Bool = true
    ) -> Fingerprint {
        let digest = pinnedCertificates(for: event, hasBackup: false).last?.fingerprint(algorithm)
        // Each of these algorithms is one that urllib3 takes.
        return Fingerprint(digest ?? [], requiresCertificate: requiresCertificate)!
    }
}
