extension AndroidNetworkSecurity {
    /// The file again, in a normal layout; comments and elements that Android passes over are gone.
    package func rendered() -> String {
        var lines = ["<?xml version=\"1.0\" encoding=\"utf-8\"?>", "<network-security-config>"]
        if let baseConfig { lines += baseConfig.rendered(as: "base-config") }
        for config in domainConfigs { lines += indented(config.rendered()) }
        if let debugOverrides { lines += debugOverrides.rendered(as: "debug-overrides") }
        lines.append("</network-security-config>")
        return lines.joined(separator: "\n") + "\n"
    }
}

extension AndroidNetworkSecurity.Settings {
    fileprivate func rendered(as name: String) -> [String] {
        let inner = elements
        return indented(
            inner.isEmpty
                ? ["<\(name)\(attributes)/>"] : ["<\(name)\(attributes)>"] + indented(inner) + ["</\(name)>"]
        )
    }

    fileprivate var attributes: String { attribute("cleartextTrafficPermitted", permitsCleartext) }

    fileprivate var elements: [String] {
        let transparency = demandsTransparency.map { "<certificateTransparency enabled=\"\($0)\"/>" }
        guard let trustAnchors else { return [transparency].compactMap(\.self) }
        let entries = trustAnchors.map { entry in
            let source =
                switch entry.source {
                case .system: "system"
                case .user: "user"
                case .wifiAlliance: "wfa"
                case .resource(let name): escapedForXML(name)
                }
            return "<certificates src=\"\(source)\"\(attribute("overridePins", entry.overridesPins))/>"
        }
        return [transparency].compactMap(\.self) + ["<trust-anchors>"] + indented(entries) + ["</trust-anchors>"]
    }
}

extension AndroidNetworkSecurity.DomainConfig {
    fileprivate func rendered() -> [String] {
        var inner = domains.map { domain in
            let scope = attribute("includeSubdomains", domain.includesSubdomains)
            return "<domain\(scope)>\(escapedForXML(domain.spelling ?? domain.name))</domain>"
        }
        inner += settings.elements
        if let pinSet {
            inner.append("<pin-set\(pinSet.expiration.map { " expiration=\"\($0)\"" } ?? "")>")
            inner += indented(
                pinSet.pins.map { "<pin digest=\"\(escapedForXML($0.digestName))\">\(escapedForXML($0.text))</pin>" }
            )
            inner.append("</pin-set>")
        }
        if let trustKit {
            let flags =
                attribute("enforcePinning", trustKit.enforcesPinning)
                + attribute("disableDefaultReportUri", trustKit.disablesDefaultReportURI)
            inner.append("<trustkit-config\(flags)>")
            inner += indented(trustKit.reportURIs.map { "<report-uri>\(escapedForXML($0))</report-uri>" })
            inner.append("</trustkit-config>")
        }
        inner += nested.flatMap { $0.rendered() }
        return ["<domain-config\(settings.attributes)>"] + indented(inner) + ["</domain-config>"]
    }
}

private func attribute(_ name: String, _ value: Bool?) -> String { value.map { " \(name)=\"\($0)\"" } ?? "" }

private func indented(_ lines: [String]) -> [String] { lines.map { "    " + $0 } }
