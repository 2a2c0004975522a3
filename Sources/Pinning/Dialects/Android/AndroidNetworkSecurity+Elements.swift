import TLSCore

extension AndroidNetworkSecurity {
    /// What `base-config` and `debug-overrides` hold, and every `domain-config` beside its own.
    package struct Settings: Hashable, Sendable {
        /// `nil` inherits.
        package var permitsCleartext: Bool?
        /// `nil` inherits; empty trusts nothing.
        package var trustAnchors: [Certificates]?
        /// `certificateTransparency`; `nil` inherits, unless anchors are named that are in no public log.
        package var demandsTransparency: Bool?
    }

    /// One `certificates` element of `trust-anchors`.
    package struct Certificates: Hashable, Sendable {
        package enum Source: Hashable, Sendable {
            case system, user
            /// The Wi-Fi Alliance's, for Passpoint: no web server leads to one.
            case wifiAlliance
            /// As in `@raw/my_ca`: the app's own anchors, `TrustAnchor.Origin.app` in a situation.
            case resource(String)
        }

        package var source: Source
        /// Whether paths to these anchors are exempt from pins; `nil`: only in `debug-overrides`.
        package var overridesPins: Bool?

        package init(_ source: Source, overridesPins: Bool? = nil) {
            self.source = source
            self.overridesPins = overridesPins
        }
    }

    package struct Domain: Hashable, Sendable {
        /// In lower case, without white space around it, as Android compares it.
        package var name: String
        /// Whether every host below counts too, at any depth; `nil`, not written, is no.
        package var includesSubdomains: Bool?
        /// As the file has it, which is what TrustKit compares; `nil` where that is the name.
        package var spelling: String?

        package init(_ text: String, includesSubdomains: Bool? = nil) {
            name = javaTrimmed(text).lowercased()
            spelling = text == name ? nil : text
            self.includesSubdomains = includesSubdomains
        }
    }

    package struct PinSet: Hashable, Sendable {
        /// As written, twice the same included.
        package var pins: [AndroidPin]
        package var expiration: AndroidExpiration?

        package init(_ pins: [AndroidPin], expiration: AndroidExpiration? = nil) {
            self.pins = pins
            self.expiration = expiration
        }
    }

    /// What TrustKit-Android adds to a `domain-config`; Android itself passes over it.
    package struct TrustKitSettings: Hashable, Sendable {
        package var enforcesPinning: Bool?
        package var disablesDefaultReportURI: Bool?
        package var reportURIs: [String] = []
    }

    /// A `domain-config`; what it leaves out it inherits from the one around it, and then from `base-config`.
    package struct DomainConfig: Hashable, Sendable {
        package var domains: [Domain]
        package var settings: Settings
        package var pinSet: PinSet?
        package var trustKit: TrustKitSettings?
        package var nested: [DomainConfig]

        package init(
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
    package var bringsAnchors: Bool {
        let settings =
            [baseConfig, device.isDebuggable ? debugOverrides : nil].compactMap(\.self)
            + domainConfigs.flatMap(\.withNested).map(\.settings)
        return settings.flatMap { $0.trustAnchors ?? [] }.contains { certificates in
            if case .resource = certificates.source { true } else { false }
        }
    }
}
