package import Foundation
package import TLSCore

/// TrustKit for Android: the network security configuration with `trustkit-config` elements in it.
///
/// The same file is read twice, by the system and by TrustKit, and each understands it in its own way. From Android 7
/// (API level 24) TrustKit leaves the pins to the system, and may overrule it; before, it checks them by itself.
package struct TrustKitAndroid: PinConfiguration, Hashable {
    package static let dialect = Dialect.trustkitAndroid

    package static let format = PolicyFormat(
        "<trustkit-config> in a <network-security-config>",
        settings: [.debuggable, .timeZone, .targetSDK, .apiLevel]
    ) {
        $0.holds("<network-security-config") && $0.holds("<trustkit-config")
    } read: { contents, _ throws(PolicyFileError) in
        try TrustKitAndroid(
            parsing: contents.data,
            file: contents.file,
            device: contents.device.android,
            apiLevel: contents.device.apiLevel
        )
    }

    package let networkSecurity: AndroidNetworkSecurity
    /// Of the device: 24 is Android 7.
    package let apiLevel: Int
    /// As TrustKit reads them: one for each `domain-config` that has a `pin-set` or inherits one.
    package let policies: [TrustKitAndroidPolicy]

    /// Refuses what TrustKit throws at when the app starts.
    package init(
        _ networkSecurity: AndroidNetworkSecurity,
        apiLevel: Int = 35,
        file: String = "network_security_config.xml"
    ) throws(PolicyFileError) {
        self.networkSecurity = networkSecurity
        self.apiLevel = apiLevel
        policies = try TrustKitAndroidPolicy.policies(of: networkSecurity, file: file)
    }

    package init(
        parsing data: Data,
        file: String,
        device: AndroidNetworkSecurity.Device = .init(),
        apiLevel: Int = 35
    ) throws(PolicyFileError) {
        try self.init(
            AndroidNetworkSecurity(parsing: data, file: file, device: device),
            apiLevel: apiLevel,
            file: file
        )
    }

    /// What a socket of TrustKit's own factory does; the app's other sockets are the system's, which knows only
    /// `networkSecurity`.
    package func decide(_ situation: Situation) -> Decision {
        // Before Android 4.2 (API level 17) the system does not tell which path it built, so that TrustKit gives up.
        guard apiLevel >= 17 else { return baseline(situation) }
        guard TrustKitAndroidPolicy.isValidDomain(situation.host, allowsLocal: true) else {
            return Decision(.reject, .systemRule("TrustKit throws: Invalid domain supplied: \(situation.host)"))
        }
        guard !overridesPins, let policy = policy(for: situation.host) else { return baseline(situation) }
        let decision: Decision
        if apiLevel >= 24 {
            decision = networkSecurity.decide(situation)
        } else {
            decision = ownDecision(situation, policy)
        }
        guard decision.isRefusalByPin, !policy.enforcesPinning else { return decision }
        return Decision(.accept, .reportedOnly).leavingOldVersions(situation.version)
    }

    /// The policy that TrustKit finds for a host: unlike the system, it minds case and trailing dots
    /// (`TrustKitConfiguration.getPolicyForHostname`).
    package func policy(for host: String) -> TrustKitAndroidPolicy? {
        if let exact = policies.first(where: { $0.domain == host }) { return exact }
        return policies.filter { $0.includesSubdomains && host.hasSuffix("." + $0.domain) }
            .max { $0.domain.utf8.count < $1.domain.utf8.count }
    }

    /// One switch for everything, and only in a build that can be debugged: every debug anchor must set it.
    package var overridesPins: Bool {
        guard networkSecurity.device.isDebuggable, let anchors = networkSecurity.debugOverrides?.trustAnchors,
            !anchors.isEmpty
        else { return false }
        // Unlike the system's, TrustKit's default is false here too.
        return anchors.allSatisfy { $0.overridesPins == true }
    }

    package var entryNames: [String] { networkSecurity.entryNames }

    package var pins: [ConfiguredPin] {
        policies.flatMap { policy in policy.pins.map { ConfiguredPin(domain: policy.domain, pin: $0.pin) } }
    }

    package func mapPins(_ transform: (Pin) -> Pin) -> TrustKitAndroid {
        let mapped = networkSecurity.mapPins(transform)
        return TrustKitAndroid(
            networkSecurity: mapped,
            apiLevel: apiLevel,
            // The checks were passed with the pins as written.
            policies: policies.map { $0.mapPins(transform) }
        )
    }

    package func rendered() -> String { networkSecurity.rendered() }

    package var bringsAnchors: Bool { networkSecurity.bringsAnchors }

    private init(networkSecurity: AndroidNetworkSecurity, apiLevel: Int, policies: [TrustKitAndroidPolicy]) {
        self.networkSecurity = networkSecurity
        self.apiLevel = apiLevel
        self.policies = policies
    }

    /// The system's own check, without TrustKit: pins from API level 24 on.
    private func baseline(_ situation: Situation) -> Decision {
        apiLevel >= 24 ? networkSecurity.decide(situation) : oldSystem(PinPolicy(), situation)
    }

    private func ownDecision(_ situation: Situation, _ policy: TrustKitAndroidPolicy) -> Decision {
        if let expires = policy.expiration?.instant(in: networkSecurity.device.timeZone), expires < situation.instant {
            return oldSystem(PinPolicy(), situation)
        }
        // A pin in an odd spelling equals none that TrustKit writes.
        let pins = policy.pins.filter { $0.spelling == nil }.map(\.pin)
        return oldSystem(PinPolicy(requirements: [PinRequirement(pins: pins)]), situation)
    }

    /// Before API level 24 every app trusts the user's anchors, and TrustKit adds its debug anchors.
    private func oldSystem(_ policy: PinPolicy, _ situation: Situation) -> Decision {
        let resources = (networkSecurity.debugOverrides?.trustAnchors ?? []).contains { $0.source.origin == .app }
        let origins: [TrustAnchor.Origin] =
            networkSecurity.device.isDebuggable && resources && apiLevel >= 17
            ? [.system, .user, .app] : [.system, .user]
        guard let store = try? situation.on(stack).store.restricted(to: origins) else {
            return Decision(.reject, .systemRule("the trust store cannot be narrowed to what the device trusts"))
        }
        return policy.evaluate(situation.chain, in: store, host: situation.host, at: situation.instant)
            .leavingOldVersions(situation.version)
    }
}
