import Foundation
import TLSCore

/// TrustKit's own checks (`parse_configuration.m`), in its order.
struct TrustKitReader {
    private let document: AppleDocument
    private(set) var problems: [PolicyFileError.Problem] = []
    private(set) var warnings: [PolicyFileError.Problem] = []

    init(_ document: AppleDocument) { self.document = document }

    private typealias Table = [String: AppleDocument.Value]

    mutating func read(_ platform: TrustKitConfiguration.Platform) -> TrustKitConfiguration? {
        guard case .table(var root) = document.root else {
            return refuse([], "found \(document.root.kind), expected a dictionary")
        }
        var path: [String] = []
        if let inner = root["TSKConfiguration"] {
            path = ["TSKConfiguration"]
            guard case .table(let table) = inner else {
                return refuse(path, "found \(inner.kind), expected a dictionary")
            }
            root = table
        }
        let keys = plain(root, path)
        let pinned = keys["TSKPinnedDomains"]
        path.append("TSKPinnedDomains")
        guard case .table(let table) = pinned, !table.isEmpty else {
            let found = pinned.map { $0 == .table([:]) ? "an empty dictionary" : $0.kind } ?? "nothing"
            return refuse(path, "found \(found), expected domains: TrustKit throws when it has no pinned domains")
        }
        var domains: [TrustKitConfiguration.Domain] = []
        for (name, value) in table.sorted(by: { $0.key < $1.key }) {
            if let rule = rule(name, value, path + [name]) { domains.append(.init(name, rule)) }
        }
        let configuration = TrustKitConfiguration(
            domains,
            platform: platform,
            swizzlesNetworkDelegates: flag(keys["TSKSwizzleNetworkDelegates"], false, ["TSKSwizzleNetworkDelegates"]),
            ignoresPinningForUserAnchors: flag(
                keys["TSKIgnorePinningForUserDefinedTrustAnchors"],
                true,
                ["TSKIgnorePinningForUserDefinedTrustAnchors"]
            )
        )
        for domain in domains where domain.rule == .excluded && configuration.domain(for: "a" + domain.name) == nil {
            let message = "found TSKExcludeSubdomainFromParentPolicy, but no parent domain with TSKIncludeSubdomains"
            complain(path + [domain.name], "\(message): TrustKit throws")
        }
        return configuration
    }

    private mutating func rule(
        _ name: String,
        _ value: AppleDocument.Value,
        _ path: [String]
    ) -> TrustKitConfiguration.Rule? {
        let registry = PublicSuffixList.shared.registryLength(name)
        if registry == 0 {
            let problem = "'\(name)' has no public suffix that is known, expected a domain of the public DNS"
            complain(path, "\(problem): TrustKit throws for an invalid domain")
        }
        guard case .table(let table) = value else { return refuse(path, "found \(value.kind), expected a dictionary") }
        let keys = plain(table, path)
        let exclusion = "TSKExcludeSubdomainFromParentPolicy"
        if flag(keys[exclusion], false, path + [exclusion]) {
            guard keys.count == 1 else {
                return refuse(path, "found \(exclusion) with other keys, expected it alone: TrustKit throws")
            }
            return .excluded
        }
        warnUnknown(keys, path)
        func key(_ key: String) -> [String] { path + [key] }
        let includesSubdomains = flag(keys["TSKIncludeSubdomains"], false, key("TSKIncludeSubdomains"))
        if includesSubdomains, registry == name.utf8.count, registry > 0 {
            let problem = "found true for '\(name)', a public suffix, expected a domain that somebody owns"
            complain(key("TSKIncludeSubdomains"), "\(problem): TrustKit throws")
        }
        let enforcesPinning = flag(keys["TSKEnforcePinning"], true, key("TSKEnforcePinning"))
        return .pinned(
            TrustKitConfiguration.Policy(
                keys: pins(keys["TSKPublicKeyHashes"], enforcesPinning, key("TSKPublicKeyHashes")),
                includesSubdomains: includesSubdomains,
                enforcesPinning: enforcesPinning,
                expiration: expiration(keys["TSKExpirationDate"], key("TSKExpirationDate")),
                reportURIs: addresses(keys["TSKReportUris"], key("TSKReportUris")),
                disablesDefaultReportURI: flag(
                    keys["TSKDisableDefaultReportUri"],
                    false,
                    key("TSKDisableDefaultReportUri")
                )
            )
        )
    }

    private mutating func pins(_ value: AppleDocument.Value?, _ enforces: Bool, _ path: [String]) -> [Pin] {
        var pins: [Pin] = []
        var areReadable = true
        for (index, text) in texts(value, path).enumerated() {
            switch ApplePin(text) {
            case .pin(let pin): pins.append(pin)
            case .flaw(let flaw):
                areReadable = false
                complain(path + ["[\(index)]"], "\(flaw): TrustKit throws for an invalid pin")
            }
        }
        let needed = enforces ? 2 : 1
        let count = Set(pins).count
        if areReadable, count < needed {
            let found = pins.count == count ? "\(count)" : "\(count) distinct (\(pins.count) written)"
            let why = enforces ? "without a backup pin TrustKit throws" : "TrustKit throws"
            complain(path, "found \(found), expected at least \(needed) pins: \(why)")
        }
        return pins
    }

    private mutating func expiration(_ value: AppleDocument.Value?, _ path: [String]) -> Date? {
        guard let value else { return nil }
        guard case .text(let text) = value else {
            return refuse(path, "found \(value.kind), expected a day: TrustKit throws")
        }
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        let isDay = parts.count == 3 && parts.allSatisfy { !$0.isEmpty && $0.utf8.allSatisfy { 0x30...0x39 ~= $0 } }
        if isDay, let date = try? Date(text, strategy: .iso8601.year().month().day()) { return date }
        let message = "found '\(text)', expected a day as in 2026-11-30"
        warnings.append(document.problem(path, "\(message); TrustKit takes it for no expiration at all"))
        return nil
    }

    private mutating func addresses(_ value: AppleDocument.Value?, _ path: [String]) -> [String] {
        let addresses = texts(value, path)
        for (index, text) in addresses.enumerated() where URL(string: text) == nil {
            complain(path + ["[\(index)]"], "found '\(text)', expected an address: TrustKit throws")
        }
        return addresses
    }

    private mutating func texts(_ value: AppleDocument.Value?, _ path: [String]) -> [String] {
        guard let value else { return [] }
        guard case .list(let list) = value else {
            return refuse(path, "found \(value.kind), expected an array of strings: TrustKit throws") ?? []
        }
        return list.enumerated().compactMap { index, entry in
            guard case .text(let text) = entry else {
                return refuse(path + ["[\(index)]"], "found \(entry.kind), expected a string: TrustKit throws")
            }
            return text
        }
    }

    /// `boolValue`, which numbers and strings have too.
    private mutating func flag(_ value: AppleDocument.Value?, _ usual: Bool, _ path: [String]) -> Bool {
        switch value {
        case nil: return usual
        case .flag(let flag): return flag
        case .number(let number): return number != 0
        case .text(let text):
            let unsigned = text[...].drop { $0 == " " }.drop { "+-".contains($0) }
            let digits = Substring(unsigned).drop { $0 == "0" }
            let flag = digits.first.map { "YyTt123456789".contains($0) } ?? false
            let message = "found \(AppleDocument.Value.text(text).kind), expected true or false"
            warnings.append(document.problem(path, "\(message); TrustKit takes it for \(flag)"))
            return flag
        case .some(let other):
            return refuse(path, "found \(other.kind), expected true or false: TrustKit throws") ?? usual
        }
    }

    private static let known: Set<String> = [
        "TSKPublicKeyHashes", "TSKEnforcePinning", "TSKIncludeSubdomains", "TSKExcludeSubdomainFromParentPolicy",
        "TSKReportUris", "TSKDisableDefaultReportUri", "TSKExpirationDate", "TSKAdditionalTrustAnchors",
        // Of versions before 1.6; today TrustKit tells the kind of a key by itself.
        "TSKPublicKeyAlgorithms",
    ]

    private mutating func warnUnknown(_ keys: Table, _ path: [String]) {
        for key in keys.keys.sorted() where !TrustKitReader.known.contains(key) {
            warnings.append(document.problem(path + [key], "TrustKit knows no such key and ignores it"))
        }
    }

    /// Keys as files spell them.
    private mutating func plain(_ table: Table, _ path: [String]) -> Table {
        var plain: Table = [:]
        for (key, value) in table.sorted(by: { $0.key < $1.key }) {
            let name = key.hasPrefix("kTSK") ? String(key.dropFirst()) : key
            if plain.updateValue(value, forKey: name) != nil {
                complain(path + [key], "found both \(name) and k\(name), expected one of them")
            }
        }
        return plain
    }

    private mutating func complain(_ path: [String], _ message: String) {
        problems.append(document.problem(path, message))
    }

    private mutating func refuse<Value>(_ path: [String], _ message: String) -> Value? {
        complain(path, message)
        return nil
    }
}
