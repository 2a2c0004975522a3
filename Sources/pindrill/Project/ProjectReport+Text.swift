import AppSources
import Foundation
import Pinning
import Scenarios

extension ProjectReport {
    /// For a terminal.
    func text(_ style: TextStyle, isVerbose: Bool) -> String {
        let width = 100
        var lines = [style.heading(headline), scope]
        for configuration in worstFirst {
            lines += ["", style.heading(configuration.place.description) + " (\(configuration.form))"]
            let body = configuration.report.body(style, width: width - 2, isVerbose: isVerbose)
            lines += body.map { $0.isEmpty ? "" : "  " + $0 }
        }
        let differences = results.filter { $0.rule == AuditRule.platformsDiffer.rawValue }
        if !differences.isEmpty {
            lines += ["", style.heading("Between iOS and Android")]
            lines += differences.flatMap { $0.lines(style, width: width - 2) }.map { "  " + $0 }
        }
        if !reading.described.isEmpty {
            lines += ["", style.heading("Found, and its rules are not modelled: no verdict")]
            for (found, result) in describedResults {
                let severity =
                    word(of: result).map { ($0 == "permitted" ? style.aside($0) : style.heading($0)) + " " } ?? ""
                let rule = severity.isEmpty ? "" : " [\(result.rule)]"
                lines.append("  \(severity)\(found.place.description) (\(found.place.remark)): \(found.what)\(rule)")
                lines += result.permissionWords.map { ["    \($0)"] } ?? []
                lines += fix(of: result).map { ["    \($0)"] } ?? []
                if !found.otherHosts.isEmpty { lines.append("    hosts: \(found.otherHosts.joined(separator: ", "))") }
                lines += (found.parts + found.place.questions).map { "    \($0)" }
            }
        }
        for (heading, group) in unreadGroups {
            lines += ["", style.heading(heading)]
            for (found, result) in group {
                let hosts = found.otherHosts.isEmpty ? "" : " (hosts: \(found.otherHosts.joined(separator: ", ")))"
                let severity = result.permission == nil ? style.heading("warning  ") : style.aside("permitted")
                let place = "\(found.place.description) (\(found.place.remark))"
                lines.append("  \(severity) \(place): \(found.reason)\(hosts) [not-read]")
                lines += (found.parts + found.place.questions).map { String.spaces(12) + $0 }
                lines += result.permissionWords.map { [String.spaces(12) + $0] } ?? []
            }
            lines += group.lazy.compactMap { fix(of: $0.1) }.first.map { [String.spaces(12) + $0] } ?? []
        }
        if !reading.tests.isEmpty {
            lines += ["", "Left out, as tests: \(reading.tests.joined(separator: ", "))"]
        }
        if !unusedPermissions.isEmpty {
            lines += ["", style.heading("Permissions that are about nothing that was found")]
            lines += unusedPermissions.map { permission in
                let host = permission.host.map { ", host \($0)" } ?? ""
                let file = permission.path.map { ", file \($0)" } ?? ""
                return "  \(root.settings.place(of: permission)): \(permission.rule)\(host)\(file)"
            }
        }
        if !isVerbose, configurations.contains(where: { $0.report.audit != nil }) {
            lines += ["", style.aside("--verbose shows every event.")]
        }
        return lines.joined(separator: "\n") + "\n"
    }

    /// For a page, or a comment on a change.
    func markdown() -> String {
        var parts = ["# \(escaped(reading.name))", "**\(escaped(headline))**", escaped(scope)]
        for configuration in worstFirst {
            // Its own heading is that of its file.
            let lines = configuration.report.markdown().split(separator: "\n", omittingEmptySubsequences: false)
                .dropFirst()
            parts.append("# \(escaped("\(configuration.place.description) (\(configuration.form))"))")
            parts.append(lines.joined(separator: "\n").trimmingCharacters(in: .newlines))
        }
        let differences = results.filter { $0.rule == AuditRule.platformsDiffer.rawValue }
        if !differences.isEmpty {
            parts.append("# Between iOS and Android")
            let rows = differences.map { result in
                let words = result.permissionWords.map { " (\($0))" } ?? ""
                let severity = result.permission == nil ? "**warning**" : "permitted"
                return "- \(severity) \(escaped("\(result.file): \(result.text)\(words)")) `\(result.rule)`"
            }
            parts.append(rows.joined(separator: "\n"))
            parts += differences.lazy.compactMap(fix).first.map { [escaped($0)] } ?? []
        }
        if !reading.described.isEmpty {
            parts.append("# Found, and its rules are not modelled")
            let rows = describedResults.map { found, result in
                let pins = (found.otherHosts + found.parts + found.place.questions).map(escaped).joined(separator: ", ")
                let words = [result.permissionWords, fix(of: result)].compactMap(\.self).map { " \(escaped($0))" }
                    .joined()
                let severity = word(of: result).map { $0 == "permitted" ? "\($0) " : "**\($0)** " } ?? ""
                let rule = severity.isEmpty ? "" : " `\(result.rule)`"
                let place = "\(found.place.description) (\(found.place.remark))"
                return "- \(severity)\(escaped("\(place): \(found.what)")): \(pins)\(rule)\(words)"
            }
            parts.append(rows.joined(separator: "\n"))
        }
        for (heading, group) in unreadGroups {
            parts.append("# \(heading)")
            let rows = group.map { found, result in
                let hosts = found.otherHosts.isEmpty ? "" : " (hosts: \(found.otherHosts.joined(separator: ", ")))"
                let place = "\(found.place.description) (\(found.place.remark))"
                let words = result.permissionWords.map { " \(escaped($0))" } ?? ""
                let severity = result.permission == nil ? "**warning**" : "permitted"
                let parts = (found.parts + found.place.questions).map { "\n  - \(escaped($0))" }.joined()
                return "- \(severity) \(escaped("\(place): \(found.reason)\(hosts)")) `not-read`\(words)\(parts)"
            }
            parts.append(rows.joined(separator: "\n"))
            parts += group.lazy.compactMap { fix(of: $0.1) }.first.map { [escaped($0)] } ?? []
        }
        return parts.joined(separator: "\n\n") + "\n"
    }

    /// What to do about something that counts for the exit status.
    func fix(of result: AuditResult) -> String? { result.openSeverity == nil ? nil : result.fix.map { "Fix: \($0)" } }

    /// How bad it is that something without a model was found; `nil`: it is only worth knowing.
    private func word(of result: AuditResult) -> String? {
        result.severity.map { result.permission == nil ? $0.rawValue : "permitted" }
    }

    /// What was not read with its results: those of which hosts and pins are known first.
    private var unreadGroups: [(heading: String, found: [(ProjectReading.Unread, AuditResult)])] {
        let all = Array(zip(unread, results.filter { $0.rule == AuditRule.notRead.rawValue }))
        return [
            ("Read in part: no verdict", all.filter { !$0.0.known.isEmpty }),
            ("Not read", all.filter(\.0.known.isEmpty)),
        ].filter { !$0.1.isEmpty }
    }

    /// What a source says is text, and neither marks nor a tag.
    private func escaped(_ text: String) -> String {
        var escaped = ""
        for character in text {
            if "\\`*_[]<>|#".contains(character) { escaped += "\\" }
            escaped.append(character.isNewline ? " " : character)
        }
        return escaped
    }
}

/// Something that was found with hosts and pins, of which a verdict cannot be had.
protocol HostsAndPins {
    var place: ProjectReading.Place { get }
    var hosts: [String] { get }
    var pins: [String] { get }
    /// Those of the pins whose host is known, or that stand in one entry.
    var known: [FoundPins.Part] { get }
}

extension ProjectReading.Unread: HostsAndPins {}
extension ProjectReading.Described: HostsAndPins {}

extension HostsAndPins {
    /// Hosts of which no pins are known.
    var otherHosts: [String] { hosts.filter { host in !known.contains { $0.host == host } } }

    /// What is known, a line each: pins with their host where a source says so.
    var parts: [String] {
        let told = Set(known.flatMap(\.pins))
        return known.map { part in
            let expression = part.expression.map { ", '\($0)'" } ?? ""
            let pins = part.pins.map(Self.line).joined(separator: ", ")
            let end = part.end.map { "; they end on \($0)" } ?? ""
            return "\(part.host ?? "a host that is not known\(expression)"): \(pins)\(end)"
        }
            + pins.filter { !told.contains($0) }.map { "pin: \(Self.line($0))" }
    }

    /// A certificate in PEM stands in several.
    private static func line(_ pin: String) -> String { pin.filter { !$0.isNewline } }
}
