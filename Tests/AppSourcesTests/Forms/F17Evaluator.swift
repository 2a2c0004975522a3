final class HashEvaluator: ServerTrustEvaluating {
    private let hashes: Set<String>

    init(hashes: [String]) { self.hashes = Set(hashes) }

    func evaluate(_ trust: SecTrust, forHost host: String) throws {
        let server = Set(trust.af.publicKeys.compactMap { Self.hash($0) })
        guard !server.isDisjoint(with: hashes) else { throw Failure() }
    }
}
