extension AndroidReader {
    mutating func readTrustAnchors(
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
            case .some(let source) where source.hasPrefix("@") && source.dropFirst().contains("/"):
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

    mutating func readDomain(_ element: MarkupElement, _ path: String) -> AndroidNetworkSecurity.Domain? {
        let includes = boolean(element, "includeSubdomains", path, otherwise: false)
        guard let text = loneText(of: element, path, missing: "Domain name missing", holder: "domain") else {
            return nil
        }
        let domain = AndroidNetworkSecurity.Domain(text, includesSubdomains: includes)
        if !seenDomains.insert(domain.name).inserted {
            refuse(element, path, "\(domain.name) has already been specified")
        }
        return domain
    }

    mutating func readPinSet(_ element: MarkupElement, _ path: String) -> AndroidNetworkSecurity.PinSet {
        var pinSet = AndroidNetworkSecurity.PinSet([])
        if let text = element.attributes["expiration"] {
            pinSet.expiration = AndroidExpiration(parsing: text)
            if let day = pinSet.expiration {
                if day.description != text {
                    let message = "Android reads '\(text)' as \(day)"
                    note(element, path + ".expiration", message, .misreadValue, fix: "write \(day)")
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
            guard let digest = child.attributes["digest"], digest.uppercased() == "SHA-256" else {
                let found = child.attributes["digest"].map { "'\($0)'" } ?? "none"
                refuse(child, path, "Unsupported pin digest algorithm: found \(found), expected 'SHA-256'")
                continue
            }
            guard let text = loneText(of: child, path, missing: "Missing pin digest", holder: "pin") else { continue }
            do {
                pinSet.pins.append(try AndroidPin(parsing: javaTrimmed(text), digestName: digest))
            } catch {
                refuse(child, path, "\(error)")
            }
        }
        return pinSet
    }

    mutating func readTrustKit(_ element: MarkupElement) -> AndroidNetworkSecurity.TrustKitSettings {
        // java.lang.Boolean.parseBoolean: whatever is not "true" is false.
        func boolean(_ name: String) -> Bool? { element.attributes[name].map { $0.lowercased() == "true" } }
        return AndroidNetworkSecurity.TrustKitSettings(
            enforcesPinning: boolean("enforcePinning"),
            disablesDefaultReportURI: boolean("disableDefaultReportUri"),
            reportURIs: element.children.filter { $0.name == "report-uri" }.map(\.text)
        )
    }

    /// `certificateTransparency`, which is off where it does not say that it is on.
    mutating func readTransparency(_ element: MarkupElement, _ path: String) -> Bool {
        if element.attributes["enabled"] == nil {
            let message = "found no 'enabled', and Android takes it for false"
            note(element, path, message, .misreadValue, fix: "write enabled=\"true\" or enabled=\"false\"")
        }
        return boolean(element, "enabled", path, otherwise: false) ?? false
    }

    /// The text of an element that may hold nothing else, with the white space around it.
    private mutating func loneText(
        of element: MarkupElement,
        _ path: String,
        missing: String,
        holder: String
    ) -> String? {
        let text = element.leadingText
        if javaTrimmed(text).isEmpty {
            refuse(element, path, "\(missing): found no text")
        } else if let child = element.children.first {
            refuse(child, path, "\(holder) contains additional elements: found <\(child.name)>, expected text only")
        } else {
            return text
        }
        return nil
    }

    /// As Android's resource compiler reads a boolean: what it cannot read counts as `otherwise`.
    mutating func boolean(
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
                "found '\(text)', which Android takes for the default, expected true or false",
                .misreadValue,
                fix: "write true or false"
            )
            return otherwise
        }
    }
}
