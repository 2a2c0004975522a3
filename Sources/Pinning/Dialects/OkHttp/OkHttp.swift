import Foundation
package import TLSCore

/// OkHttp's `CertificatePinner`.
///
/// After a handshake and the check of the name, one of the pins of *all* patterns that match the host must be the key
/// of some certificate. A host that no pattern matches is not pinned.
package struct OkHttp: PinConfiguration, Hashable {
    package static let dialect = Dialect.okhttp

    package static let format = PolicyFormat(
        dialect,
        or: "CertificatePinner.Builder in source",
        settings: [.targetSDK]
    ) {
        $0.holds("CertificatePinner.Builder")
    } read: { contents, _ throws(PolicyFileError) in
        try OkHttp(parsing: contents.data, file: contents.file).built(for: contents.device)
    } declaration: {
        OkHttp(reading: $1, with: $0)?.built(for: $0.device)
    }

    /// Which OkHttp, where they differ.
    package enum Release: String, CaseIterable, Sendable {
        /// 4.x and 5.x: pins are looked for on the path that was built.
        case current
        /// Up to 2.7.3 and 3.1.1: on what the server sent, so that stuffing a chain with pinned certificates passes.
        case beforeCVE2016_2402 = "before CVE-2016-2402"
    }

    /// The arguments of one `add`.
    package struct Entry: Hashable, Sendable {
        package var pattern: OkHttpPattern
        package var pins: [OkHttpPin]

        package init(_ pattern: OkHttpPattern, _ pins: [OkHttpPin]) {
            self.pattern = pattern
            self.pins = pins
        }
    }

    package let entries: [Entry]
    package let release: Release
    /// On Android, what decides whether the user's anchors are trusted: from 24 on they are not. `nil` where that is
    /// not known: then a server that only such an anchor vouches for may be accepted or refused.
    package let targetSDK: Int?
    /// Where each pattern stands first.
    var patternLines = EntryLines()

    package init(_ entries: [Entry] = [], release: Release = .current, targetSDK: Int? = nil) {
        self.entries = entries
        self.release = release
        self.targetSDK = targetSDK
    }

    private func built(for device: AppDevice) -> OkHttp {
        guard device.settings.contains(.targetSDK) else { return self }
        var copy = OkHttp(entries, release: release, targetSDK: device.android.targetSDK)
        copy.patternLines = patternLines
        return copy
    }

    package func decide(_ situation: Situation) -> Decision {
        if release == .current, situation.version < .tls1_2 {
            return Decision(.reject, .systemRule("OkHttp's MODERN_TLS speaks TLS 1.2 and newer"))
        }
        // The level of an Android app says where it runs.
        return situation.decide(on: stacks, decideOnStack)
    }

    package var stacks: [TrustStack] { targetSDK == nil ? [.conscrypt, .java] : [.conscrypt] }

    /// The same on the one TLS library that the situation's device has.
    package func decideOnStack(_ situation: Situation) -> Decision {
        let decision = decide(situation, in: situation.store)
        guard decision.demand == .accept else { return decision }
        if targetSDK ?? 24 >= 24 {
            let others = TrustAnchor.Origin.allCases.filter { $0 != .user }
            guard let store = try? situation.store.restricted(to: others) else {
                return Decision(.reject, .systemRule("the trust store cannot be narrowed to what the app trusts"))
            }
            let strict = decide(situation, in: store)
            guard strict.demand == .accept else {
                return targetSDK == nil
                    ? Decision(.either, .systemRule("only an anchor that the user installed vouches for it")) : strict
            }
        }
        return decision.leavingOldVersions(situation.version)
    }

    /// Every pin for a host, of all patterns that match it.
    package func pins(for host: String) -> [OkHttpPin] {
        let host = canonicalHost(host) ?? host.lowercased()
        return entries.filter { $0.pattern.matches(host, in: release) }.flatMap(\.pins)
    }

    /// The pins alone, against certificates that were verified by other means: `CertificatePinner.check`.
    package func check(_ certificates: [Certificate], host: String) -> Decision {
        let pins = pins(for: host)
        guard !pins.isEmpty else { return Decision(.accept, .trusted) }
        guard let match = certificates.first(where: { certificate in pins.contains { $0.matches(certificate) } }) else {
            return Decision(.reject, .noPinMatches(PinRequirement(pins: pins.filter(\.canMatch).map(\.audited.pin))))
        }
        return Decision(.accept, .pinned(matched: [match]))
    }

    package var entryNames: [String] { entries.map(\.pattern.text) }

    package var pins: [ConfiguredPin] {
        entries.flatMap { entry in
            entry.pins.filter(\.canMatch).map { pin in
                pin.pin.map { ConfiguredPin(domain: entry.pattern.text, pin: $0) }
                    ?? ConfiguredPin(domain: entry.pattern.text, comparing: pin.audited, position: .any)
            }
        }
    }

    package func mapPins(_ transform: (Pin) -> Pin) -> OkHttp {
        let mapped = entries.map { entry in
            Entry(entry.pattern, entry.pins.map { $0.mapped(by: transform) })
        }
        return OkHttp(mapped, release: release, targetSDK: targetSDK)
    }

    /// The usual name verifier takes a host with a trailing dot; the pinner does not know it for the same host.
    private func decide(_ situation: Situation, in store: TrustStore) -> Decision {
        // It reads addresses as its own form has them (`toCanonicalHost`).
        let host = SubjectName.unmapped(situation.host)
        let trust = PinPolicy.unpinned.evaluate(situation.chain, in: store, host: host, at: situation.instant)
        guard trust.demand != .reject else { return trust }
        var searched = situation.chain
        if release == .current,
            case .trusted(let path) = store.evaluate(
                situation.chain,
                host: host,
                at: situation.instant,
                toleratesWeakness: trust.demand == .either
            )
        {
            searched = path
            if store.stack == .java, !pins(for: host).isEmpty {
                guard let cleaned = OkHttp.clean(situation.chain, in: store) else {
                    return Decision(.reject, .systemRule("OkHttp finds no chain of nine signers at most to an anchor"))
                }
                searched = cleaned
            }
        }
        let decision = check(searched, host: host)
        return decision.demand == .accept && trust.demand == .either ? trust : decision
    }
}
