extension FoundPins {
    /// What becomes of pins that were found.
    package enum Reading: Sendable {
        /// A text in a dialect's own format, its entries on the lines of the source, and the hosts that it is used for if it
        /// names none itself.
        case policy(dialect: String, text: String, hosts: [String])
        /// No model has the rules.
        case described(hosts: [String], pins: [String], what: String, known: [Part] = [])
        case gaps([Gap], hosts: [String], known: [Part] = [])
    }

    /// - Parameter assets: the certificate files of the project by name, each with its path; `nil` where a name is
    ///   that of several.
    package func reading(assets: [String: String?]) -> Reading {
        switch content {
        case .pinner(let entries): pinner(entries)
        case .dictionary(let value): dictionary(value)
        case .evaluators(let value, let allHosts): evaluators(value, allHosts, assets)
        case .library(let library): library.reading(at: line, assets: assets)
        case .described(let hosts, let pins, let what, let known):
            .described(hosts: hosts, pins: pins, what: what, known: known)
        case .gaps(let gaps, let hosts, let known): .gaps(gaps, hosts: hosts, known: known)
        }
    }

    // MARK: OkHttp

    private func pinner(_ entries: [Entry]) -> Reading {
        var text = LinedText()
        text.write("CertificatePinner.Builder()", at: line)
        for entry in entries.enumerated().sorted(by: { ($0.element.line, $0.offset) < ($1.element.line, $1.offset) })
            .map(\.element)
        {
            let arguments = [entry.host] + entry.pins
            guard arguments.allSatisfy({ !$0.contains(where: \.isNewline) }) else {
                return .gaps([Gap(line: entry.line, reason: "a text holds a line break")], hosts: [])
            }
            text.write(".add(" + arguments.map(Self.literal).joined(separator: ", ") + ")", at: entry.line)
        }
        text.write(".build()\n")
        return .policy(dialect: "okhttp", text: text.text, hosts: [])
    }

    private static func literal(_ text: String) -> String {
        var escaped = ""
        for character in text {
            if "\\\"$".contains(character) { escaped += "\\" }
            escaped.append(character)
        }
        return "\"\(escaped)\""
    }

    // MARK: Property lists

    private func dictionary(_ value: Value) -> Reading {
        var text = LinedText()
        text.write("<plist version=\"1.0\"><dict>")
        guard case .table(let entries) = value else {
            return .gaps([Gap(line: line, reason: "it is no dictionary")], hosts: [])
        }
        if form == .ats { text.write("<key>NSAppTransportSecurity</key><dict>") }
        let own = entries.filter { entry in
            // What stands beside the pins in a dictionary for several systems is none of this one's.
            guard let key = entry.key.text else { return false }
            return key.hasPrefix(form == .ats ? "NS" : "TSK")
        }
        guard write(own, to: &text) else {
            return .gaps(
                [Gap(line: line, reason: "a value in the dictionary is of a kind that no property list has")],
                hosts: []
            )
        }
        text.write(form == .ats ? "</dict></dict></plist>\n" : "</dict></plist>\n")
        return .policy(dialect: form == .ats ? "ats" : "trustkit", text: text.text, hosts: [])
    }

    private func write(_ entries: [Value.Entry], to text: inout LinedText) -> Bool {
        for entry in entries {
            guard let key = entry.key.text else { return false }
            text.write("<key>\(Self.escaped(key))</key>", at: entry.line)
            guard write(entry.value, to: &text) else { return false }
        }
        return true
    }

    private func write(_ value: Value, to text: inout LinedText) -> Bool {
        switch value {
        case .text(let string): text.write("<string>\(Self.escaped(string))</string>")
        case .flag(let flag): text.write(flag ? "<true/>" : "<false/>")
        case .number(let number): text.write("<integer>\(number)</integer>")
        case .list(let values):
            text.write("<array>")
            for value in values { guard write(value, to: &text) else { return false } }
            text.write("</array>")
        case .table(let entries):
            text.write("<dict>")
            guard write(entries, to: &text) else { return false }
            text.write("</dict>")
        case .nothing, .object, .made, .unknown: return false
        }
        return true
    }

    private static func escaped(_ text: String) -> String {
        var escaped = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": escaped += "&amp;"
            case "<": escaped += "&lt;"
            case ">": escaped += "&gt;"
            case "\n", "\r", "\t": escaped += "&#\(scalar.value);"
            default:
                if scalar.value >= 0x20, scalar.value != 0xFFFE, scalar.value != 0xFFFF {
                    escaped.unicodeScalars.append(scalar)
                }
            }
        }
        return escaped
    }
}
