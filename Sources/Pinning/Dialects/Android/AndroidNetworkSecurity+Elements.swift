import TLSCore

extension AndroidNetworkSecurity {
    /// What `base-config` and `debug-overrides` hold, and every `domain-config` beside its own.
    public struct Settings: Hashable, Sendable {
        /// `nil` inherits.
        public var permitsCleartext: Bool?
        /// `nil` inherits; empty trusts nothing.
        public var trustAnchors: [Certificates]?
        /// `certificateTransparency`; `nil` inherits, unless anchors are named that are in no public log.
        public var demandsTransparency: Bool?

        public init(
            permitsCleartext: Bool? = nil,
            trustAnchors: [Certificates]? = nil,
            demandsTransparency: Bool? = nil
        ) {
            self.permitsCleartext = permitsCleartext
            self.trustAnchors = trustAnchors
            self.demandsTransparency = demandsTransparency
        }
    }

    /// One `certificates` element of `trust-anchors`.
    public struct Certificates: Hashable, Sendable {
        public enum Source: Hashable, Sendable {
            case system, user
            /// The Wi-Fi Alliance's, for Passpoint: no web server leads to one.
            case wifiAlliance
            /// As in `@raw/my_ca`: the app's own anchors, `TrustAnchor.Origin.app` in a situation.
            case resource(String)
        }

        public var source: Source
        /// Whether paths to these anchors are exempt from pins; `nil`: only in `debug-overrides`.
        public var overridesPins: Bool?

        public init(_ source: Source, overridesPins: Bool? = nil) {
            self.source = source
            self.overridesPins = overridesPins
        }
    }

    public struct Domain: Hashable, Sendable {
        /// In lower case, without white space around it, as Android compares it.
        public var name: String
        /// Whether every host below counts too, at any depth; `nil`, not written, is no.
        public var includesSubdomains: Bool?
        /// As the file has it, which is what TrustKit compares; `nil` where that is the name.
        public var spelling: String?

        public init(_ text: String, includesSubdomains: Bool? = nil) {
            name = javaTrimmed(text).lowercased()
            spelling = text == name ? nil : text
            self.includesSubdomains = includesSubdomains
        }
    }

    public struct PinSet: Hashable, Sendable {
        /// As written, twice the same included.
        public var pins: [AndroidPin]
        public var expiration: AndroidExpiration?

        public init(_ pins: [AndroidPin], expiration: AndroidExpiration? = nil) {
            self.pins = pins
            self.expiration = expiration
        }
    }

    /// What TrustKit-Android adds to a `domain-config`; Android itself passes over it.
    public struct TrustKitSettings: Hashable, Sendable {
        public var enforcesPinning: Bool?
        public var disablesDefaultReportURI: Bool?
        public var reportURIs: [String]

        public init(enforcesPinning: Bool? = nil, disablesDefaultReportURI: Bool? = nil, reportURIs: [String] = []) {
            self.enforcesPinning = enforcesPinning
            self.disablesDefaultReportURI = disablesDefaultReportURI
            self.reportURIs = reportURIs
        }
    }

    /// A `domain-config`; what it leaves out it inherits from the one around it, and then from `base-config`.
    public struct DomainConfig: Hashable, Sendable {
        public var domains: [Domain]
        public var settings: Settings
        public var pinSet: PinSet?
        public var trustKit: TrustKitSettings?
        public var nested: [DomainConfig]

        public init(
            _ domains: [Domain],
            settings: Settings = Settings(),
            pinSet: PinSet? = nil,
            trustKit: TrustKitSettings? = nil,
            nested: [DomainConfig] = []
        ) {
            self.domains = domains
            self.settings = settings
            self.pinSet = pinSet
            self.trustKit = trustKit
            self.nested = nested
        }

        /// This one, and those within, as they stand in the file.
        var withNested: [DomainConfig] { [self] + nested.flatMap(\.withNested) }

        func mapPins(_ transform: (Pin) -> Pin) -> DomainConfig {
            var config = self
            config.pinSet?.pins = (pinSet?.pins ?? []).map { pin in
                let mapped = transform(pin.pin)
                return mapped == pin.pin ? pin : AndroidPin(mapped)
            }
            config.nested = nested.map { $0.mapPins(transform) }
            return config
        }
    }
}

extension AndroidNetworkSecurity {
    public var bringsAnchors: Bool {
        let settings =
            [baseConfig, device.isDebuggable ? debugOverrides : nil].compactMap(\.self)
            + domainConfigs.flatMap(\.withNested).map(\.settings)
        return settings.flatMap { $0.trustAnchors ?? [] }.contains { certificates in
            if case .resource = certificates.source { true } else { false }
        }
    }
}
