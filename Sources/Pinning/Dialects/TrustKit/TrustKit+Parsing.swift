package import Foundation
import TLSCore

extension TrustKitConfiguration {
    /// Reads a property list or JSON: an `Info.plist` with `TSKConfiguration` in it, or that dictionary alone. Keys may
    /// be spelled as in files, `TSKPinnedDomains`, or as the constants of code, `kTSKPinnedDomains`.
    ///
    /// It refuses what makes TrustKit throw when the app starts, and tells all of it, not the first alone.
    package init(parsing data: Data, file: String, platform: Platform = .iOS) throws(PolicyFileError) {
        let document = try AppleDocument(parsing: data, file: file, readsJSON: true)
        var reader = TrustKitReader(document)
        let configuration = reader.read(platform)
        guard let configuration, reader.problems.isEmpty else { throw PolicyFileError(file: file, reader.problems) }
        self = configuration
        warnings = reader.warnings
        domainLines = EntryLines(document.lines(of: domains.map(\.name), below: reader.path))
        keyPath = reader.path.joined(separator: ".")
    }

    /// The property list, with `TSKConfiguration` in it.
    package func rendered() -> String {
        var text = PropertyListText()
        text.dictionary {
            $0.dictionary("TSKConfiguration") {
                if !ignoresPinningForUserAnchors { $0.boolean("TSKIgnorePinningForUserDefinedTrustAnchors", false) }
                $0.dictionary("TSKPinnedDomains") { for domain in domains { domain.write(to: &$0) } }
                $0.boolean("TSKSwizzleNetworkDelegates", swizzlesNetworkDelegates)
            }
        }
        return text.finished()
    }
}

extension TrustKitConfiguration.Domain {
    fileprivate func write(to text: inout PropertyListText) {
        text.dictionary(name) {
            switch rule {
            case .excluded: $0.boolean("TSKExcludeSubdomainFromParentPolicy", true)
            case .pinned(let policy): policy.write(to: &$0)
            }
        }
    }
}

extension TrustKitConfiguration.Policy {
    fileprivate func write(to text: inout PropertyListText) {
        if disablesDefaultReportURI { text.boolean("TSKDisableDefaultReportUri", true) }
        text.boolean("TSKEnforcePinning", enforcesPinning)
        if let expiration { text.string("TSKExpirationDate", expiration.trustKitDay) }
        text.boolean("TSKIncludeSubdomains", includesSubdomains)
        text.array("TSKPublicKeyHashes") { list in for key in keys { list.string(nil, key.base64) } }
        guard !reportURIs.isEmpty else { return }
        text.array("TSKReportUris") { list in for address in reportURIs { list.string(nil, address) } }
    }
}
