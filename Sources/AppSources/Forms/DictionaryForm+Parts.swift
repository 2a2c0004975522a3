/// What is known of a configuration in the words of TrustKit or of Apple.
extension Value {
    /// The pinned domains with their pins, as far as they are known.
    var parts: [FoundPins.Part] {
        guard case .table(let entries) = self else { return [] }
        return entries.flatMap { entry -> [FoundPins.Part] in
            guard entry.key.text?.hasSuffix("PinnedDomains") ?? false, case .table(let domains) = entry.value else {
                return entry.value.parts
            }
            return domains.map { domain in
                var part = FoundPins.Part(host: domain.key.text, pins: domain.value.hashes, line: domain.line)
                part.end = domain.value.end
                return part
            }
            .filter { !$0.pins.isEmpty }
        }
    }

    /// The pins of a domain.
    private var hashes: [String] {
        switch self {
        case .table(let entries):
            entries.flatMap { entry in
                ["TSKPublicKeyHashes", "SPKI-SHA256-BASE64"].contains(entry.key.text)
                    ? entry.value.texts : entry.value.hashes
            }
        case .list(let values): values.flatMap(\.hashes)
        default: []
        }
    }

    /// The last day of the pins of a domain, as it is written.
    private var end: String? {
        guard case .table(let entries) = self else { return nil }
        return entries.first { $0.key.text == "TSKExpirationDate" }?.value.text
    }

    /// The keys that stand below the pinned domains, without those that are left to ordinary trust.
    var domains: [String] {
        guard case .table(let entries) = self else { return [] }
        return entries.flatMap { entry -> [String] in
            guard entry.key.text?.hasSuffix("PinnedDomains") ?? false, case .table(let domains) = entry.value else {
                return entry.value.domains
            }
            return domains.filter { !$0.value.isExcluded }.compactMap(\.key.text)
        }
    }

    /// A domain of TrustKit's to which its parent's pins do not go down.
    private var isExcluded: Bool {
        guard case .table(let entries) = self else { return false }
        return entries.contains { $0.key.text == "TSKExcludeSubdomainFromParentPolicy" && $0.value == .flag(true) }
    }
}
