package import TLSCore

/// The `Public-Key-Pins` header (RFC 7469), as a browser that has noted it for a host obeys it.
package struct HPKP: PinConfiguration, Equatable {
    package static let dialect = Dialect.hpkp

    package static let format = PolicyFormat("header 'Public-Key-Pins' with pin-sha256=\"…\"") {
        $0.holdsPinningHeader || $0.holdsPinningDirectives
    } read: { contents, _ throws(PolicyFileError) in
        try HPKP(parsing: contents.requireText(), file: contents.file)
    }

    /// The host that sent it; `nil` when it is to hold for every host.
    package var host: String?
    /// `pin-sha256`, in the order written.
    package var keys: [Pin]
    /// In seconds; 0 forgets the pins. `nil` only in the report-only form, which is never remembered.
    package var maxAge: Int?
    package var includesSubdomains: Bool
    package var reportURI: String?
    /// Whether it is `Public-Key-Pins-Report-Only`.
    package var isReportOnly: Bool
    /// The names of directives that no browser knows, slips of the pen among them.
    package var ignored: [String] = []

    package init(
        host: String? = nil,
        keys: [Pin],
        maxAge: Int? = 5_184_000,
        includesSubdomains: Bool = false,
        reportURI: String? = nil,
        isReportOnly: Bool = false
    ) {
        self.host = host
        self.keys = keys
        self.maxAge = maxAge
        self.includesSubdomains = includesSubdomains
        self.reportURI = reportURI
        self.isReportOnly = isReportOnly
    }

    /// Section 2.3.1 lets a browser exempt anchors that its user installed, and every browser did. Most of those that
    /// knew the header still spoke old versions of TLS.
    package func decide(_ situation: Situation) -> Decision {
        let situation = situation.on(stack)
        guard covers(situation.host), canBeNoted else { return situation.unlessOld(situation.decide(.unpinned)) }
        let policy = PinPolicy(
            requirements: [PinRequirement(pins: keys)],
            failure: isReportOnly ? .report : .block,
            exempt: [.user]
        )
        return situation.unlessOld(situation.decide(policy))
    }

    /// Without a second pin there is no backup, whatever the path, and the header is ignored.
    var canBeNoted: Bool { Set(keys).count >= 2 && maxAge != 0 }

    /// Who sends a header is not in it, and without `includeSubDomains` it is for that host alone. Nor do browsers note
    /// one whose pins are all in the chain (RFC 7469, section 2.5).
    package func remembered(from host: String, path: [Certificate]) -> HPKP {
        guard self.host == nil else { return self }
        var header = self
        header.host = host
        if !path.isEmpty, Set(keys).isSubset(of: path.map(\.pin)) { header.maxAge = 0 }
        return header
    }

    func covers(_ name: String) -> Bool {
        guard let host = host?.lowercased() else { return true }
        let name = name.lowercased()
        return name == host || includesSubdomains && name.hasSuffix("." + host)
    }

    package var entryNames: [String] { [host].compactMap(\.self) }

    package var pins: [ConfiguredPin] { keys.map { ConfiguredPin(domain: host, pin: $0) } }

    package func mapPins(_ transform: (Pin) -> Pin) -> HPKP {
        var copy = self
        copy.keys = keys.map(transform)
        return copy
    }

    package func rendered() -> String {
        var directives = keys.map { "pin-sha256=\"\($0.base64)\"" }
        if let maxAge { directives.append("max-age=\(maxAge)") }
        if includesSubdomains { directives.append("includeSubDomains") }
        if let reportURI { directives.append("report-uri=\"\(HPKPDirective.quote(reportURI))\"") }
        directives += ignored
        return (isReportOnly ? HPKP.reportOnlyField : HPKP.field) + ": " + directives.joined(separator: "; ") + "\n"
    }

    static let field = "Public-Key-Pins"
    static let reportOnlyField = "Public-Key-Pins-Report-Only"
}
