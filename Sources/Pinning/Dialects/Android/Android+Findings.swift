package import Foundation
package import TLSCore

extension AndroidNetworkSecurity {
    package static var onlyKeyType: KeyType? { nil }

    package var refusesOtherHosts: Bool { false }

    package func remembered(from host: String, path: [Certificate]) -> Self { self }

    package func ownFindings(of scope: PinScope, knownChain: [Certificate]) -> [PolicyFinding] { [] }

    package func ownFindings(at instant: Date) -> [PolicyFinding] {
        var found = notes
        if let baseConfig { found += findings(in: baseConfig, keyPath: "base-config", line: nil) }
        for config in domainConfigs.flatMap(\.withNested) {
            let line = configLines[config.name]
            // Nobody reads along within one machine, and servers of developers have no certificates.
            let isOwn = config.domains.allSatisfy { $0.name.isOfOwnMachine }
            found += findings(in: config.settings, keyPath: config.name, line: line, tellsCleartext: !isOwn)
            found += findings(in: config.pinSet, keyPath: config.name, line: line)
        }
        // A build that cannot be debugged passes over them.
        if device.isDebuggable { found += (debugOverrides?.trustAnchors ?? []).compactMap(debugFinding) }
        return found
    }

    private func findings(
        in settings: Settings,
        keyPath: String,
        line: Int?,
        tellsCleartext: Bool = true
    ) -> [PolicyFinding] {
        func finding(_ rule: PolicyFinding.Rule, _ severity: PolicyFinding.Severity, _ message: String, fix: String)
            -> PolicyFinding
        {
            PolicyFinding(rule, severity, line: line, keyPath: keyPath, message, fix: fix)
        }
        var found: [PolicyFinding] = []
        if tellsCleartext, settings.permitsCleartext == true {
            let message = "cleartextTrafficPermitted: unencrypted HTTP is allowed, which no pin protects"
            found.append(finding(.cleartext, .warning, message, fix: "set cleartextTrafficPermitted to false"))
        }
        for entry in settings.trustAnchors ?? [] {
            let anchors = entry.source.description
            if entry.overridesPins == true {
                let message = "overridePins: no pin holds for paths to \(anchors)"
                let severity: PolicyFinding.Severity = entry.source.origin == .app ? .warning : .breach
                found.append(finding(.exemptAnchors, severity, message, fix: "take overridePins out"))
            } else if entry.source == .user {
                let message = "\(anchors) are trusted: where nothing is pinned, whoever installs one reads along"
                found.append(
                    finding(.userAnchors, .warning, message, fix: "move them to debug-overrides, or take them out")
                )
            }
        }
        return found
    }

    private func findings(in pinSet: PinSet?, keyPath: String, line: Int?) -> [PolicyFinding] {
        guard let pinSet else { return [] }
        if pinSet.pins.isEmpty {
            let message = "the pin-set is empty: nothing is pinned"
            let fix = "give it two pins, or take it out"
            return [PolicyFinding(.notPinned, .breach, line: line, keyPath: keyPath, message, fix: fix)]
        }
        return pinSet.pins.compactMap { pin in
            guard let spelling = pin.spelling else { return nil }
            let odd = PinMistake(in: spelling).hint ?? "it is not padded Base64"
            let message = "found the pin '\(spelling)' (\(odd)), which Android reads as \(pin.pin.base64)"
            let fix = "write \(pin.pin.base64), if that is what was meant"
            return PolicyFinding(.oddPin, .warning, line: line, keyPath: keyPath, message, fix: fix)
        }
    }

    private func debugFinding(_ entry: Certificates) -> PolicyFinding? {
        let overrides = entry.overridesPins ?? true
        return PolicyFinding(
            overrides ? .exemptAnchors : .userAnchors,
            overrides ? .breach : .warning,
            keyPath: "debug-overrides",
            "this build can be debugged, so \(entry.source) are trusted" + (overrides ? ", and held to no pins" : ""),
            fix: "ship a build that cannot be debugged"
        )
    }
}

extension AndroidNetworkSecurity.Certificates.Source: CustomStringConvertible {
    package var description: String {
        switch self {
        case .system: "the system's anchors"
        case .user: "anchors that the user installed"
        case .wifiAlliance: "the Wi-Fi Alliance's anchors"
        case .resource(let name): "the anchors of \(name)"
        }
    }
}

extension AndroidNetworkSecurity.DomainConfig {
    /// For messages about a value that has no lines.
    var name: String { "domain-config(\(domains.first?.name ?? ""))" }
}

extension String {
    /// Whether no other machine is meant: the loopback, or how emulators call the machine that they run on (Android's
    /// `10.0.2.2`, Genymotion's `10.0.3.2`).
    fileprivate var isOfOwnMachine: Bool {
        let name = lowercased()
        return name == "localhost" || name.hasSuffix(".localhost") || ["10.0.2.2", "10.0.3.2", "::1"].contains(name)
            || name.wholeMatch(of: /127(\.\d{1,3}){3}/) != nil
    }
}
