import TLSCore
import TestSupport

@testable import Pinning

extension MatrixPolicies {
    static let apple: [String: Configure] = [
        "ats_leaf": { _ in pinned(leaf: world.leafPins) },
        "ats_ca_root": { _ in pinned(authority: [world.rootPin]) },
        "ats_ca_int": { _ in pinned(authority: [world.intermediatePin]) },
        "ats_both": { _ in pinned(leaf: world.leafPins, authority: [world.rootPin]) },
        "trustkit_ios_leaf": { _ in trustKit(world.leafPins) },
        "trustkit_ios_root": { _ in trustKit([world.rootPin, Pin(hashing: [])]) },
        "trustkit_ios_report": { _ in trustKit(world.leafPins, enforces: false) },
        "trustkit_macos_leaf": { _ in trustKit(world.leafPins, platform: .macOS) },
        "naive_kr_as_written": { delegate(.asPrinted, $0) },
        "naive_leaf_der": { delegate(.asIntended, $0) },
        "naive_any_raw": { delegate(.anyPresented, $0) },
        "pkpinning_ios": { _ in PublicKeyPinning(keys: world.leafPins) },
    ]

    private static var world: MatrixWorld { .shared }

    private static func pinned(leaf: [Pin]? = nil, authority: [Pin]? = nil) -> ATSConfiguration {
        ATSConfiguration([.init(MatrixWorld.host, includesSubdomains: true, leaf: leaf, authority: authority)])
    }

    private static func trustKit(
        _ pins: [Pin],
        enforces: Bool = true,
        platform: TrustKitConfiguration.Platform = .iOS
    ) -> TrustKitConfiguration {
        let policy = TrustKitConfiguration.Policy(keys: pins, includesSubdomains: true, enforcesPinning: enforces)
        return TrustKitConfiguration([.init(MatrixWorld.host, .pinned(policy))], platform: platform)
    }

    private static func delegate(_ form: LeafDelegate.Form, _ event: String) -> LeafDelegate {
        LeafDelegate(form, certificates: world.pinnedCertificates(for: event).map(\.fingerprint))
    }
}
