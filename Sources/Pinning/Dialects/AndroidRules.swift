import Foundation
import TLSCore

/// A network security configuration with everything inherited, ready for lookups.
struct AndroidRules: Sendable {
    struct Rule: Sendable {
        /// Trusted origins, those that override pins first: that one wins when a certificate has both.
        var anchors: [TrustAnchor.Origin]
        var overriding: Set<TrustAnchor.Origin>
        var pins: [Pin]
        var expiration: AndroidExpiration?
        var expires: Date?
    }

    private var byName: [String: (rule: Rule, includesSubdomains: Bool)] = [:]
    private let fallback: Rule

    init(
        _ base: AndroidNetworkSecurity.Settings?,
        _ configs: [AndroidNetworkSecurity.DomainConfig],
        _ debug: AndroidNetworkSecurity.Settings?,
        _ device: AndroidNetworkSecurity.Device
    ) {
        typealias Certificates = AndroidNetworkSecurity.Certificates
        let platform = [Certificates(.system)] + (device.targetSDK <= 23 ? [Certificates(.user)] : [])
        // Debug anchors are added to every configuration that names anchors, and to the platform's.
        let debugAnchors = device.isDebuggable ? debug?.trustAnchors ?? [] : []

        func rule(_ anchors: [Certificates], _ pinSet: AndroidNetworkSecurity.PinSet?) -> Rule {
            let own = anchors.map { ($0.source.origin, $0.overridesPins ?? false) }
            let all = own + debugAnchors.map { ($0.source.origin, $0.overridesPins ?? true) }
            let overriding = TrustAnchor.Origin.allCases.filter { origin in all.contains { $0 == (origin, true) } }
            let others = TrustAnchor.Origin.allCases.filter { origin in
                !overriding.contains(origin) && all.contains { $0.0 == origin }
            }
            return Rule(
                anchors: overriding + others,
                overriding: Set(overriding),
                pins: (pinSet?.pins ?? []).map(\.pin),
                expiration: pinSet?.expiration,
                expires: pinSet?.expiration?.instant(in: device.timeZone)
            )
        }

        var found: [String: (rule: Rule, includesSubdomains: Bool)] = [:]
        func add(
            _ config: AndroidNetworkSecurity.DomainConfig,
            _ anchors: [Certificates],
            _ pinSet: AndroidNetworkSecurity.PinSet?
        ) {
            let anchors = config.settings.trustAnchors ?? anchors
            let pinSet = config.pinSet ?? pinSet
            let rule = rule(anchors, pinSet)
            for domain in config.domains where found[domain.name] == nil {
                found[domain.name] = (rule, domain.includesSubdomains ?? false)
            }
            for nested in config.nested { add(nested, anchors, pinSet) }
        }
        let baseAnchors = base?.trustAnchors ?? platform
        for config in configs { add(config, baseAnchors, nil) }
        byName = found
        fallback = rule(baseAnchors, nil)
    }

    /// Of a host in Android's normal form: the exact domain's, or the longest parent's that includes subdomains.
    func rule(for host: String) -> Rule { name(for: host).flatMap { byName[$0] }?.rule ?? fallback }

    /// The domain that decides about a host in Android's normal form.
    func name(for host: String) -> String? {
        if byName[host] != nil { return host }
        var rest = host[...]
        while let dot = rest.firstIndex(of: ".") {
            rest = rest[rest.index(after: dot)...]
            if byName[String(rest)]?.includesSubdomains == true { return String(rest) }
        }
        return nil
    }

    /// In lower case, without one trailing dot.
    static func normalised(_ host: String) -> String { SubjectName.relative(host.lowercased()) }
}

extension AndroidNetworkSecurity.Certificates.Source {
    /// Which anchors of a situation it stands for; `nil` for those that none has.
    var origin: TrustAnchor.Origin? {
        switch self {
        case .system: .system
        case .user: .user
        case .resource: .app
        case .wifiAlliance: nil
        }
    }
}
