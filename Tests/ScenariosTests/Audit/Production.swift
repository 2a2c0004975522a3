import Foundation
import Pinning
import Scenarios
import TLSCore
import TestSupport

/// A server that the catalogue knows nothing of, and the keys of its owner.
struct Production {
    static let host = "app.example.com"

    let root: Authority
    let issuing: Authority
    let leaf: Identity
    let backup: PrivateKey
    let chain: ProductionChain

    init(key: KeyType = .p256, names: [String] = [Production.host]) throws {
        root = try Authority(rootNamed: "Production Root", now: Sample.now)
        issuing = try root.authority(.authority(named: "Production Issuing", now: Sample.now), key: PrivateKey())
        leaf = try issuing.identity(.leaf(names: names.map { .dns($0) }, now: Sample.now), key: PrivateKey(key))
        backup = try PrivateKey()
        // As servers send it: without the root, which the device has.
        chain = try ProductionChain(leaf.chain, roots: try TrustStore([TrustAnchor(root.certificate)]))
    }

    /// The pin of a key by the part it plays.
    func pin(_ part: StandIn.Part) -> Pin {
        switch part {
        case .leaf: leaf.pin
        case .issuer: issuing.certificate.pin
        case .root: root.certificate.pin
        case .backup: backup.pin
        case .otherAuthority, .none: Pin(hashing: [0])
        }
    }
}

extension AppCatalogue {
    /// Read once; an RSA key takes long to make, and its type plays no part here.
    private static let catalogue = Result {
        var file = try ScenarioFile.shippedEvents()
        for index in file.blueprint.keys.indices { file.blueprint.keys[index].type = .p256 }
        return file
    }

    /// What an audit tells of the shipped catalogue.
    init(_ configuration: any PinConfiguration, host: String? = nil, production: ProductionChain? = nil) throws {
        try self.init(
            of: ImportedPolicy(file: "pins", configuration: configuration),
            with: AppCatalogue.catalogue.get(),
            host: host,
            production: production,
            at: Sample.now
        )
    }
}
