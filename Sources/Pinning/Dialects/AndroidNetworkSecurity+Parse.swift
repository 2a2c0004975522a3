public import Foundation

extension AndroidNetworkSecurity {
    /// Reads a file as AOSP's `XmlConfigSource` does, and refuses what that throws at.
    public init(
        parsing data: Data,
        file: String,
        device: Device = Device()
    ) throws(PolicyFileError) {
        let root = try MarkupElement(parsing: data, file: file)
        var reader = AndroidReader()
        var base: Settings?
        var configs: [DomainConfig] = []
        var debug: Settings?
        if root.name == AndroidReader.rootName {
            (base, configs, debug) = reader.read(root, isDebuggable: device.isDebuggable)
        } else {
            reader.refuse(root, "", "Unexpected start tag: found \(root.name), expected \(AndroidReader.rootName)")
        }
        guard reader.problems.isEmpty else { throw PolicyFileError(file: file, reader.problems) }
        self.init(base, configs, debug, device, notes: reader.notes)
    }
}

/// One reading of a file: what was wrong, and what was passed over.
struct AndroidReader {
    static let rootName = "network-security-config"
    typealias Settings = AndroidNetworkSecurity.Settings
    typealias DomainConfig = AndroidNetworkSecurity.DomainConfig

    var problems: [PolicyFileError.Problem] = []
    var notes: [PolicyFileError.Problem] = []
    private var seenDomains: Set<String> = []

    mutating func refuse(_ element: MarkupElement, _ path: String, _ message: String) {
        problems.append(.init(line: element.line, keyPath: path, message))
    }

    mutating func note(_ element: MarkupElement, _ path: String, _ message: String) {
        notes.append(.init(line: element.line, keyPath: path, message))
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
            case "trust-anchors": break
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
            case "trust-anchors": break
            default: note(child, path, "Android passes over this element")
            }
        }
        if !hasDomain { refuse(element, path, "No domain elements in domain-config: expected at least one") }
        return config
    }

    /// The attributes and `trust-anchors` of any of the three.
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
        for (path, child) in paths(element.children, path) where child.name == "trust-anchors" {
            if settings.trustAnchors != nil { refuse(child, path, "Multiple trust-anchor elements not allowed") }
            settings.trustAnchors = readTrustAnchors(child, path)
        }
        return settings
    }

    private mutating func readTrustAnchors(
        _ element: MarkupElement,
        _ path: String
    ) -> [AndroidNetworkSecurity.Certificates] {
        var anchors: [AndroidNetworkSecurity.Certificates] = []
        for (path, child) in paths(element.children, path) {
            guard child.name == "certificates" else {
                note(child, path, "Android passes over this element")
                continue
            }
            let overrides = boolean(child, "overridePins", path, otherwise: nil)
            switch child.attributes["src"] {
            case nil: refuse(child, path, "certificates element missing src attribute")
            case "system": anchors.append(.init(.system, overridesPins: overrides))
            case "user": anchors.append(.init(.user, overridesPins: overrides))
            case "wfa": anchors.append(.init(.wifiAlliance, overridesPins: overrides))
            case .some(let source) where source.wholeMatch(of: /@[^@\/]+\/.+/) != nil:
                anchors.append(.init(.resource(source), overridesPins: overrides))
            case .some(let source):
                refuse(
                    child,
                    path + ".src",
                    "Unknown certificates src. Should be one of system|user|@resourceVal: found '\(source)'"
                )
            }
        }
        return anchors
    }

    private mutating func readDomain(_ element: MarkupElement, _ path: String) -> AndroidNetworkSecurity.Domain? {
        let includes = boolean(element, "includeSubdomains", path, otherwise: false)
        guard let text = loneText(of: element, path, missing: "Domain name missing", holder: "domain") else {
            return nil
        }
        let name = text.lowercased()
        if !seenDomains.insert(name).inserted { refuse(element, path, "\(name) has already been specified") }
        return AndroidNetworkSecurity.Domain(name, includesSubdomains: includes)
    }

    private mutating func readPinSet(_ element: MarkupElement, _ path: String) -> AndroidNetworkSecurity.PinSet {
        var pinSet = AndroidNetworkSecurity.PinSet([])
        if let text = element.attributes["expiration"] {
            pinSet.expiration = AndroidExpiration(parsing: text)
            if let day = pinSet.expiration {
                if day.description != text {
                    note(element, path + ".expiration", "Android reads '\(text)' as \(day)")
                }
            } else {
                refuse(
                    element,
                    path + ".expiration",
                    "Invalid expiration date in pin-set: found '\(text)', expected a day as in 2027-01-31"
                )
            }
        }
        for (path, child) in paths(element.children, path) {
            guard child.name == "pin" else {
                note(child, path, "Android passes over this element")
                continue
            }
            guard child.attributes["digest"] == "SHA-256" else {
                let found = child.attributes["digest"].map { "'\($0)'" } ?? "none"
                refuse(child, path, "Unsupported pin digest algorithm: found \(found), expected 'SHA-256'")
                continue
            }
            guard let text = loneText(of: child, path, missing: "Missing pin digest", holder: "pin") else { continue }
            do {
                pinSet.pins.append(try AndroidPin(parsing: text))
            } catch {
                refuse(child, path, "\(error)")
            }
        }
        return pinSet
    }

    private mutating func readTrustKit(_ element: MarkupElement) -> AndroidNetworkSecurity.TrustKitSettings {
        // java.lang.Boolean.parseBoolean: whatever is not "true" is false.
        func boolean(_ name: String) -> Bool? { element.attributes[name].map { $0.lowercased() == "true" } }
        return AndroidNetworkSecurity.TrustKitSettings(
            enforcesPinning: boolean("enforcePinning"),
            disablesDefaultReportURI: boolean("disableDefaultReportUri"),
            reportURIs: element.children.filter { $0.name == "report-uri" }.map(\.text)
        )
    }

    /// The text of an element that may hold nothing else.
    private mutating func loneText(
        of element: MarkupElement,
        _ path: String,
        missing: String,
        holder: String
    ) -> String? {
        let text = javaTrimmed(element.leadingText)
        if text.isEmpty {
            refuse(element, path, "\(missing): found no text")
        } else if let child = element.children.first {
            refuse(child, path, "\(holder) contains additional elements: found <\(child.name)>, expected text only")
        } else {
            return text
        }
        return nil
    }

    /// As Android's resource compiler reads a boolean: what it cannot read counts as `otherwise`.
    private mutating func boolean(
        _ element: MarkupElement,
        _ name: String,
        _ path: String,
        otherwise: Bool?
    ) -> Bool? {
        guard let text = element.attributes[name] else { return nil }
        switch text {
        case "true", "True", "TRUE": return true
        case "false", "False", "FALSE": return false
        default:
            if let number = Int(text) { return number != 0 }
            note(
                element,
                "\(path).\(name)",
                "found '\(text)', which Android takes for the default, expected true or false"
            )
            return otherwise
        }
    }
}

/// Children with their key paths, as in `domain-config[1].pin-set.pin[0]`.
private func paths(_ children: [MarkupElement], _ parent: String) -> [(String, MarkupElement)] {
    var counts: [String: Int] = [:]
    return children.map { child in
        let index = counts[child.name, default: 0]
        counts[child.name] = index + 1
        let isAlone = children.count { $0.name == child.name } == 1
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
