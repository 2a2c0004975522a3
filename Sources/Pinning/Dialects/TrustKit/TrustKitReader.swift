/// TrustKit's own checks (`parse_configuration.m`), in its order.
struct TrustKitReader {
    private let document: AppleDocument
    private(set) var problems: [PolicyFileError.Problem] = []
    private(set) var warnings: [PolicyFinding] = []

    /// Of the dictionary with the domains.
    private(set) var path: [String] = []

    init(_ document: AppleDocument) { self.document = document }

    private typealias Table = [String: AppleDocument.Value]

    mutating func read(_ platform: TrustKitConfiguration.Platform) -> TrustKitConfiguration? {
        guard case .table(var root) = document.root else {
            return fail([], "found \(document.root.kind), expected a dictionary")
        }
        if let inner = root["TSKConfiguration"] {
            path = ["TSKConfiguration"]
            guard case .table(let table) = inner else {
                return fail(path, "found \(inner.kind), expected a dictionary")
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
        // TrustKit's list lacks the suffixes of younger companies. Those that it takes are a finding of any scope.
        if includesSubdomains, registry == name.utf8.count, registry > 0,
            PublicSuffixList.shared.isOfRegistry(name) || Self.longKnown.contains(name.lowercased())
        {
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

    /// Suffixes of companies that are older than TrustKit's list (`registry_tables.h`, of about 2017).
    private static let longKnown: Set<String> = [
        "uk.com", "us.com", "eu.com", "de.com", "gb.net", "appspot.com", "blogspot.com", "github.io", "herokuapp.com",
        "cloudfront.net", "azurewebsites.net", "elasticbeanstalk.com", "googleapis.com", "googlecode.com",
        "codespot.com", "withgoogle.com", "firebaseapp.com", "githubusercontent.com",
        "s3.amazonaws.com", "ngrok.io", "gitlab.io", "pantheonsite.io", "gotpantheon.com", "meteorapp.com",
    ]

    private static let known: Set<String> = [
        "TSKPublicKeyHashes", "TSKEnforcePinning", "TSKIncludeSubdomains", "TSKExcludeSubdomainFromParentPolicy",
        "TSKReportUris", "TSKDisableDefaultReportUri", "TSKExpirationDate", "TSKAdditionalTrustAnchors",
        // Of versions before 1.6; today TrustKit tells the kind of a key by itself.
        "TSKPublicKeyAlgorithms",
    ]

    private mutating func warnUnknown(_ keys: Table, _ path: [String]) {
        for key in keys.keys.sorted() where !TrustKitReader.known.contains(key) {
            let message = "TrustKit knows no such key and ignores it"
            warn(.ignoredEntry, path + [key], message, fix: "take it out, or spell it as TrustKit does")
        }
    }

    /// Keys as files spell them.
    private mutating func plain(_ table: Table, _ path: [String]) -> Table {
        var plain: Table = [:]
        for (key, value) in table.sorted(by: { $0.key < $1.key }) {
            let name = key.hasPrefix("kTSK") ? String(key.dropFirst()) : key
            if plain.updateValue(value, forKey: name) != nil {
                problems.append(
                    document.problem(path + [key], "found both \(name) and k\(name), expected one of them")
                )
            }
        }
        return plain
    }

    mutating func warn(_ rule: PolicyFinding.Rule, _ path: [String], _ message: String, fix: String) {
        warnings.append(PolicyFinding(rule, .warning, document.problem(path, message), fix: fix))
    }

    /// What TrustKit throws at.
    mutating func complain(_ path: [String], _ message: String, fix: String? = nil) {
        var problem = document.problem(path, message)
        problem.refusal = .throwsAtStart
        problem.fix = fix
        problems.append(problem)
    }

    /// What nobody can read as it is.
    mutating func report(_ path: [String], _ message: String) { problems.append(document.problem(path, message)) }

    /// What is no configuration.
    private mutating func fail(_ path: [String], _ message: String) -> TrustKitConfiguration? {
        report(path, message)
        return nil
    }

    mutating func refuse<Value>(_ path: [String], _ message: String) -> Value? {
        complain(path, message)
        return nil
    }
}
