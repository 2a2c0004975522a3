import Foundation
import Pinning
import TLSCore
import TestSupport

extension MatrixPolicies {
    static let android: [String: Configure] = [
        "nsc_leaf": { _ in networkSecurity(MatrixWorld.shared.leafPins) },
        "nsc_root": { _ in networkSecurity([MatrixWorld.shared.rootPin]) },
        "nsc_user": { _ in networkSecurity(MatrixWorld.shared.leafPins, anchors: [.init(.system), .init(.user)]) },
        "nsc_override": { _ in
            networkSecurity(
                MatrixWorld.shared.leafPins,
                anchors: [.init(.system), .init(.user, overridesPins: true)]
            )
        },
    ]

    private static func networkSecurity(
        _ pins: [Pin],
        anchors: [AndroidNetworkSecurity.Certificates]? = nil
    ) -> AndroidNetworkSecurity {
        AndroidNetworkSecurity(domainConfigs: [
            .init(
                [.init(MatrixWorld.host, includesSubdomains: true)],
                settings: .init(trustAnchors: anchors),
                pinSet: .init(pins.map(AndroidPin.init))
            )
        ])
    }
}
