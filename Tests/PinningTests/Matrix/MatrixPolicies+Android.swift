import Foundation
import TLSCore
import TestSupport

@testable import Pinning

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
        "trustkit_android_enforce": { _ in trustKit(enforces: true) },
        "trustkit_android_default": { _ in trustKit(enforces: nil) },
        "okhttp_exact": { _ in okHttp(MatrixWorld.host, targetSDK: 35) },
        "okhttp_1star": { _ in okHttp("*." + MatrixWorld.host) },
        "okhttp_2star": { _ in okHttp("**." + MatrixWorld.host) },
        "okhttp_vuln": { _ in okHttp(MatrixWorld.host, release: .beforeCVE2016_2402) },
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

    private static func trustKit(enforces: Bool?) -> TrustKitAndroid {
        // The file is right: it has a domain, and three pins.
        try! TrustKitAndroid(
            AndroidNetworkSecurity(domainConfigs: [
                .init(
                    [.init(MatrixWorld.host, includesSubdomains: true)],
                    pinSet: .init(MatrixWorld.shared.leafPins.map(AndroidPin.init)),
                    trustKit: .init(enforcesPinning: enforces)
                )
            ])
        )
    }

    private static func okHttp(
        _ pattern: String,
        release: OkHttp.Release = .current,
        targetSDK: Int? = nil
    ) -> OkHttp {
        // Each pattern is one that OkHttp takes.
        OkHttp(
            [.init(try! OkHttpPattern(pattern), MatrixWorld.shared.leafPins.map(OkHttpPin.init))],
            release: release,
            targetSDK: targetSDK
        )
    }
}
