import Foundation

/// One reading of a file: what was wrong, and what was passed over.
struct AndroidReader {
    static let rootName = "network-security-config"
    typealias Settings = AndroidNetworkSecurity.Settings
    typealias DomainConfig = AndroidNetworkSecurity.DomainConfig

    var problems: [PolicyFileError.Problem] = []
    var notes: [PolicyFinding] = []
    /// Where each `domain-config` starts, by its name.
    var lines = EntryLines()
    var seenDomains: Set<String> = []

    mutating func refuse(_ element: MarkupElement, _ path: String, _ message: String) {
        problems.append(.init(line: element.line, keyPath: path, message, refusal: .throwsAtStart))
    }

    mutating func note(
        _ element: MarkupElement,
        _ path: String,
        _ message: String,
        _ rule: PolicyFinding.Rule = .ignoredEntry,
        fix: String = "take it out, or spell it as Android does"
    ) {
        notes.append(PolicyFinding(rule, .warning, line: element.line, keyPath: path, message, fix: fix))
    }

    mutating func read(
        _ root: MarkupElement,
        isDebuggable: Bool
    ) -> (Settings?, [DomainConfig], Settings?) {
        var base: Settings?
        var debug: Settings?
        var configs: [DomainConfig] = []
        for (path, child) in paths(root.children, "") {
            switch child.name {
            case "base-config":
                if base != nil { refuse(child, path, "Only one base-config allowed: found another") }
                base = readSettings(child, path)
            case "domain-config":
                configs.append(readDomainConfig(child, path))
            case "debug-overrides":
                if debug != nil { refuse(child, path, "Only one debug-overrides allowed: found another") }
                let known = problems
                debug = readSettings(child, path)
                // A build that cannot be debugged skips the element unread.
                if !isDebuggable { problems = known }
            default: note(child, path, "Android passes over this element")
            }
        }
        return (base, configs, debug)
    }

    /// A `base-config` or `debug-overrides`.
    private mutating func readSettings(_ element: MarkupElement, _ path: String) -> Settings {
        for (path, child) in paths(element.children, path) {
            switch child.name {
            case "domain": refuse(child, path, "domain element not allowed in \(element.name)")
            case "pin-set": refuse(child, path, "pin-set element not allowed in \(element.name)")
            case "domain-config": refuse(child, path, "Nested domain-config not allowed in \(element.name)")
            case "certificateTransparency" where element.name == "debug-overrides":
                refuse(child, path, "certificateTransparency not allowed in \(element.name)")
            case "trust-anchors", "certificateTransparency", "domainEncryption": break
            default: note(child, path, "Android passes over this element")
            }
        }
        return settings(of: element, path)
    }

    private mutating func readDomainConfig(_ element: MarkupElement, _ path: String) -> DomainConfig {
        var config = DomainConfig([], settings: settings(of: element, path))
        var hasDomain = false
        for (path, child) in paths(element.children, path) {
            switch child.name {
            case "domain":
                hasDomain = true
                if let domain = readDomain(child, path) { config.domains.append(domain) }
            case "pin-set":
                if config.pinSet != nil { refuse(child, path, "Multiple pin-set elements not allowed") }
                config.pinSet = readPinSet(child, path)
            case "domain-config": config.nested.append(readDomainConfig(child, path))
            case "trustkit-config": config.trustKit = readTrustKit(child)
            case "trust-anchors", "certificateTransparency", "domainEncryption": break
            default: note(child, path, "Android passes over this element")
            }
        }
        lines[config.name] = element.line
        if !hasDomain { refuse(element, path, "No domain elements in domain-config: expected at least one") }
        return config
    }

    /// The attributes, `trust-anchors` and `certificateTransparency` of any of the three. `domainEncryption`, of which
    /// Android 17 knows, is about what others see of a name, and not about trust.
    private mutating func settings(of element: MarkupElement, _ path: String) -> Settings {
        var settings = Settings()
        for name in element.attributes.keys.sorted() where !name.contains(":") && name != "xmlns" {
            switch name {
            case "cleartextTrafficPermitted":
                settings.permitsCleartext = boolean(element, name, path, otherwise: true)
            case "hstsEnforced": note(element, path, "hstsEnforced is not documented, and says nothing of trust")
            default: note(element, path, "Android passes over the attribute '\(name)'")
            }
        }
        for (path, child) in paths(element.children, path) {
            switch child.name {
            case "trust-anchors":
                if settings.trustAnchors != nil { refuse(child, path, "Multiple trust-anchor elements not allowed") }
                settings.trustAnchors = readTrustAnchors(child, path)
            case "certificateTransparency": settings.demandsTransparency = readTransparency(child, path)
            default: break
            }
        }
        return settings
    }
}

/// Children with their key paths, as in `domain-config[1].pin-set.pin[0]`.
func paths(_ children: [MarkupElement], _ parent: String) -> [(String, MarkupElement)] {
    let total = Dictionary(children.map { ($0.name, 1) }, uniquingKeysWith: +)
    var counts: [String: Int] = [:]
    return children.map { child in
        let index = counts[child.name, default: 0]
        counts[child.name] = index + 1
        let isAlone = total[child.name] == 1
        return ((parent.isEmpty ? "" : parent + ".") + child.name + (isAlone ? "" : "[\(index)]"), child)
    }
}

/// `java.lang.String.trim`: every character up to the space.
func javaTrimmed(_ text: String) -> String {
    let scalars = text.unicodeScalars
    guard let first = scalars.firstIndex(where: { $0.value > 0x20 }),
        let last = scalars.lastIndex(where: { $0.value > 0x20 })
    else { return "" }
    return String(scalars[first...last])
}
