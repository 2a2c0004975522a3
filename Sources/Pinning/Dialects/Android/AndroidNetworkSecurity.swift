package import Foundation
package import TLSCore

/// Android's network security configuration: `res/xml/network_security_config.xml`.
///
/// After AOSP's `android.security.net.config`: the longest domain decides, its pin set is looked for anywhere on the
/// path that was built, and only the anchors that the configuration names are trusted.
package struct AndroidNetworkSecurity: PinConfiguration, Hashable {
    package static let dialect = Dialect.android

    package static let format = PolicyFormat(
        "<network-security-config>",
        settings: [.debuggable, .timeZone, .targetSDK]
    ) {
        $0.holds("<network-security-config") && !$0.holds("<trustkit-config")
    } read: { contents, _ throws(PolicyFileError) in
        try AndroidNetworkSecurity(parsing: contents.data, file: contents.file, device: contents.device.android)
    }

    /// What the file leaves to the device and the app's manifest.
    package struct Device: Hashable, Sendable {
        /// Whether the build may be debugged: only then `debug-overrides` counts.
        package var isDebuggable: Bool = false
        /// Up to 23 an app trusts the user's anchors without being told to.
        package var targetSDK: Int = 35
        /// In which a pin set's last day begins.
        package var timeZone: TimeZone = .gmt
    }

    package let baseConfig: Settings?
    package let domainConfigs: [DomainConfig]
    package let debugOverrides: Settings?
    package let device: Device
    /// What the parser came across and Android passes over.
    let notes: [PolicyFinding]
    /// Where each `domain-config` starts in the file that it was read from, by its name.
    let configLines: EntryLines
    let rules: AndroidRules

    /// Unlike parsing, this takes domains that are named twice: the first counts.
    package init(
        baseConfig: Settings? = nil,
        domainConfigs: [DomainConfig] = [],
        debugOverrides: Settings? = nil,
        device: Device = Device()
    ) {
        self.init(baseConfig, domainConfigs, debugOverrides, device, notes: [])
    }

    init(
        _ baseConfig: Settings?,
        _ domainConfigs: [DomainConfig],
        _ debugOverrides: Settings?,
        _ device: Device,
        notes: [PolicyFinding],
        lines: EntryLines = EntryLines()
    ) {
        self.baseConfig = baseConfig
        self.domainConfigs = domainConfigs
        self.debugOverrides = debugOverrides
        self.device = device
        self.notes = notes
        configLines = lines
        rules = AndroidRules(baseConfig, domainConfigs, debugOverrides, device)
    }

    package func decide(_ situation: Situation) -> Decision {
        guard !situation.host.hasPrefix(".") else {
            return Decision(.reject, .systemRule("Android throws: hostname must not begin with a ."))
        }
        let host = AndroidRules.normalised(situation.host)
        let rule = rules.rule(for: host)
        guard let store = try? situation.on(stack).store.restricted(to: rule.anchors) else {
            return Decision(.reject, .systemRule("the trust store cannot be narrowed to what the configuration trusts"))
        }
        let expired = rule.expires.map { situation.instant > $0 } ?? false
        let policy = PinPolicy(
            requirements: rule.pins.isEmpty || expired ? [] : [PinRequirement(pins: rule.pins)],
            exempt: rule.overriding
        )
        var decision = policy.evaluate(situation.chain, in: store, host: host, at: situation.instant)
        if expired, !rule.pins.isEmpty, decision == Decision(.accept, .trusted), let day = rule.expiration {
            decision = Decision(.accept, .systemRule("it is trusted, and the pin-set expired on \(day)"))
        }
        decision = decision.leavingOldVersions(situation.version)
        guard rule.demandsTransparency, decision.demand == .accept else { return decision }
        return Decision(
            .either,
            .systemRule("Android 16 and newer ask for proof of certificate transparency, which is not looked for here")
        )
    }

    package var entryNames: [String] { domainConfigs.flatMap(\.withNested).flatMap { $0.domains.map(\.name) } }

    package var pins: [ConfiguredPin] {
        domainConfigs.flatMap(\.withNested).flatMap { config in
            config.domains.flatMap { domain in
                (config.pinSet?.pins ?? []).map { ConfiguredPin(domain: domain.name, pin: $0.pin) }
            }
        }
    }

    package func mapPins(_ transform: (Pin) -> Pin) -> AndroidNetworkSecurity {
        AndroidNetworkSecurity(
            baseConfig,
            domainConfigs.map { $0.mapPins(transform) },
            debugOverrides,
            device,
            notes: notes,
            lines: configLines
        )
    }

    package static func == (left: AndroidNetworkSecurity, right: AndroidNetworkSecurity) -> Bool {
        left.baseConfig == right.baseConfig && left.domainConfigs == right.domainConfigs
            && left.debugOverrides == right.debugOverrides && left.device == right.device
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(baseConfig)
        hasher.combine(domainConfigs)
        hasher.combine(debugOverrides)
        hasher.combine(device)
    }
}

extension Decision {
    /// The same, but where it accepts an old version of TLS: which of those a device speaks, its release decides.
    func leavingOldVersions(_ version: TLSVersion) -> Decision {
        demand == .accept && version < .tls1_2 ? Decision(.either, .oldVersion(version)) : self
    }
}
