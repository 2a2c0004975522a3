public import Foundation
import TLSCore

extension AndroidNetworkSecurity {
    /// What Android takes without a word, and somebody should know all the same.
    public var warnings: [PolicyFileError.Problem] {
        var found = notes
        if baseConfig?.permitsCleartext == true {
            found.append(
                .init(keyPath: "base-config", "cleartextTrafficPermitted: unencrypted HTTP is allowed to every host")
            )
        }
        found += exemptions(baseConfig?.trustAnchors, in: "base-config")
        for config in domainConfigs.flatMap(\.withNested) { found += warnings(of: config) }
        if device.isDebuggable, debugOverrides?.trustAnchors?.isEmpty == false {
            found.append(.init(keyPath: "debug-overrides", "this build can be debugged, so these anchors are trusted"))
        }
        return found
    }

    /// The same, with what has expired by then.
    public func warnings(at instant: Date) -> [PolicyFileError.Problem] {
        warnings
            + domainConfigs.flatMap(\.withNested).compactMap { config in
                guard let day = config.pinSet?.expiration, instant > day.instant(in: device.timeZone) else {
                    return nil
                }
                return .init(keyPath: config.name, "the pin-set expired on \(day): nothing is pinned any more")
            }
    }

    private func warnings(of config: DomainConfig) -> [PolicyFileError.Problem] {
        var found: [PolicyFileError.Problem] = []
        func warn(_ message: String) { found.append(.init(keyPath: config.name, message)) }
        if config.settings.permitsCleartext == true { warn("cleartextTrafficPermitted: unencrypted HTTP is allowed") }
        for domain in config.domains {
            if domain.name.contains("*") { warn("Android knows no wildcards, so '\(domain.name)' matches no host") }
            if domain.name.hasSuffix(".") { warn("a trailing dot is never matched: '\(domain.name)' matches no host") }
        }
        found += exemptions(config.settings.trustAnchors, in: config.name)
        guard let pinSet = config.pinSet else { return found }
        if pinSet.pins.isEmpty {
            warn("the pin-set is empty: nothing is pinned")
        } else if Set(pinSet.pins.map(\.pin)).count == 1 {
            warn("missing backup pin: when the only pinned key is lost or replaced, every user is locked out")
        }
        if Set(pinSet.pins.map(\.pin)).count < pinSet.pins.count { warn("the same pin stands twice") }
        for pin in pinSet.pins {
            guard let spelling = pin.spelling else { continue }
            let odd = oddPinSpelling(spelling) ?? "it is not padded Base64"
            warn("found the pin '\(spelling)' (\(odd)), which Android reads as \(pin.pin.base64)")
        }
        if let day = pinSet.expiration { warn("after \(day) nothing is pinned any more") }
        return found
    }

    private func exemptions(_ anchors: [Certificates]?, in keyPath: String) -> [PolicyFileError.Problem] {
        (anchors ?? []).compactMap { entry in
            if entry.overridesPins == true {
                return .init(keyPath: keyPath, "overridePins: no pin holds for paths to these anchors")
            }
            return entry.source == .user
                ? .init(keyPath: keyPath, "anchors that the user installed are trusted") : nil
        }
    }
}

extension AndroidNetworkSecurity.DomainConfig {
    /// For messages about a value that has no lines.
    var name: String { "domain-config(\(domains.first?.name ?? ""))" }
}
