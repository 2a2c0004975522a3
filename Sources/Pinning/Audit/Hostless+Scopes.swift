import TLSCore

/// Configurations that hold for every host that they are used with.
extension PinConfiguration {
    public var entryNames: [String] { [] }

    public func scope(for host: String) -> PinScope? { scopes.first }
}

extension LeafDelegate {
    public var scopes: [PinScope] {
        let digests = certificates.map { PinnedDigest($0, of: .certificate) }
        let position: PinRequirement.Position = form == .anyPresented ? .any : .leaf
        let list = PinScope.List(digests, position: position, search: .presentedChain)
        // What lets nobody in needs no checks.
        return [
            form == .asPrinted ? PinScope(written: [list], lists: [.init([])]) : PinScope(written: [list], checks: [])
        ]
    }
}

extension PublicKeyPinning {
    public var scopes: [PinScope] { [PinScope(written: [.init(keys: keys, position: .leaf)])] }
}

extension Curl {
    public var scopes: [PinScope] {
        let keys = pins.map(\.pin)
        return [PinScope(written: [.init(keys: keys, position: .leaf)], checks: isInsecure ? [] : .all)]
    }
}

extension Fingerprint {
    public var scopes: [PinScope] {
        let list = PinScope.List([PinnedDigest(digest, algorithm, of: .certificate)], position: .leaf)
        return [PinScope(written: [list], checks: requiresCertificate ? [.path, .validity] : [])]
    }
}

extension Callback {
    public var scopes: [PinScope] {
        let list = PinScope.List(keys.map { PinnedDigest($0) }, position: form.position, search: form.search)
        return [PinScope(written: [list], checks: form.checks, failure: form.failure)]
    }
}
