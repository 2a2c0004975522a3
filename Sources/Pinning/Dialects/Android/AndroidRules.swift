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
        /// Whether proof is asked for that the certificate is in public logs.
        var demandsTransparency: Bool
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

        /// `NetworkSecurityConfig.Builder.getCertificateTransparencyVerificationRequired` of AOSP.
        func demandsTransparency(_ settings: AndroidNetworkSecurity.Settings?, inheriting inherited: Bool) -> Bool {
            if let demand = settings?.demandsTransparency { return demand }
            guard let own = settings?.trustAnchors else { return inherited }
            return inherited && !(own + debugAnchors).contains { $0.source.isUnlogged }
        }

        func rule(
            _ anchors: [Certificates],
            _ pinSet: AndroidNetworkSecurity.PinSet?,
            _ demandsTransparency: Bool
        ) -> Rule {
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
                expires: pinSet?.expiration?.instant(in: device.timeZone),
                demandsTransparency: demandsTransparency
            )
        }

        var found: [String: (rule: Rule, includesSubdomains: Bool)] = [:]
        func add(
            _ config: AndroidNetworkSecurity.DomainConfig,
            _ anchors: [Certificates],
            _ pinSet: AndroidNetworkSecurity.PinSet?,
            _ inherited: Bool
        ) {
            let anchors = config.settings.trustAnchors ?? anchors
            let pinSet = config.pinSet ?? pinSet
            let isLogged = demandsTransparency(config.settings, inheriting: inherited)
            let rule = rule(anchors, pinSet, isLogged)
            for domain in config.domains where found[domain.name] == nil {
                found[domain.name] = (rule, domain.includesSubdomains ?? false)
            }
            for nested in config.nested { add(nested, anchors, pinSet, isLogged) }
        }
        let baseAnchors = base?.trustAnchors ?? platform
        // Android 17 asks for it by itself; 16 where it is told to, and what is older never does.
        let isDefault = device.targetSDK >= 37 && !debugAnchors.contains { $0.source.isUnlogged }
        let isBaseLogged = demandsTransparency(base, inheriting: isDefault)
        for config in configs { add(config, baseAnchors, nil, isBaseLogged) }
        byName = found
        fallback = rule(baseAnchors, nil, isBaseLogged)
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

    /// Whether naming it switches certificate transparency off, unless that is asked for beside it.
    var isUnlogged: Bool { self == .user || origin == .app }
}
