import AppSources
import Foundation
import Pinning
import Scenarios

extension ProjectReport {
    /// For programs: `docs/audit.md` describes it. UTF-8, indented, keys in a fixed order.
    func json() throws -> String {
        let configurations: [[String: Any]] = try self.configurations.map { configuration in
            let text = try configuration.report.json()
            var object = try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any] ?? [:]
            object["form"] = configuration.place.form
            object["line"] = configuration.place.line
            object["conditions"] = configuration.place.conditions
            object["unreferenced"] = configuration.place.unreferenced
            object["asked"] = questions(configuration.place)
            return object
        }
        var object: [String: Any] = [
            "version": 1,
            "project": reading.name,
            "at": instant.formatted(.iso8601),
            "headline": headline,
            "files": reading.fileCount,
            "configurations": configurations,
            "not_modelled": describedResults.map { found, result -> [String: Any] in
                var object = place(found.place, ["hosts": found.hosts, "pins": found.pins, "what": found.what])
                object["known"] = found.known.map(part)
                if let severity = result.severity {
                    object["severity"] = severity.rawValue
                    object["rule"] = result.rule
                    object["fix"] = result.fix
                    object["permitted"] = result.permission.map(permission)
                }
                return object
            },
            "not_read": zip(unread, results.filter { $0.rule == AuditRule.notRead.rawValue }).map {
                found,
                result -> [String: Any] in
                var object = place(found.place, ["hosts": found.hosts, "pins": found.pins, "reason": found.reason])
                object["known"] = found.known.map(part)
                object["fix"] = result.fix
                object["permitted"] = result.permission.map(permission)
                return object
            },
            "between_platforms": results.filter { $0.rule == AuditRule.platformsDiffer.rawValue }
                .map { result -> [String: Any] in
                    var object: [String: Any] = ["file": result.file, "message": result.message]
                    object["line"] = result.line
                    object["host"] = result.host
                    object["fix"] = result.fix
                    object["permitted"] = result.permission.map(permission)
                    return object
                },
            "left_out": reading.tests,
            "unused_permissions": unusedPermissions.map { unused -> [String: Any] in
                var object: [String: Any] = permission(unused)
                object["file"] = root.settings.file
                object["line"] = unused.line
                object["host"] = unused.host
                return object
            },
        ]
        object["severity"] = severity?.rawValue
        let data = try JSONSerialization.data(
            withJSONObject: object,
            options: [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        )
        return String(decoding: data, as: UTF8.self) + "\n"
    }

    private func part(_ part: FoundPins.Part) -> [String: Any] {
        var object: [String: Any] = ["pins": part.pins, "line": part.line]
        object["host"] = part.host
        object["expression"] = part.expression
        object["end"] = part.end
        return object
    }

    private func permission(_ permission: AuditSettings.Permission) -> [String: String] {
        ["rule": permission.rule, "until": "\(permission.until)", "because": permission.because]
    }

    private func place(_ place: ProjectReading.Place, _ other: [String: Any]) -> [String: Any] {
        var object = other
        object["file"] = place.path
        object["line"] = place.line
        object["form"] = place.form
        object["conditions"] = place.conditions
        object["unreferenced"] = place.unreferenced
        object["asked"] = questions(place)
        return object
    }

    private func questions(_ place: ProjectReading.Place) -> [[String: Any]] {
        place.asked.map { ["line": $0.line, "condition": $0.condition] }
    }
}
