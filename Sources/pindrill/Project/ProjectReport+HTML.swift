import Pinning
import Scenarios

extension ProjectReport {
    /// As one page.
    func html() throws -> String {
        func word(_ result: AuditResult) -> String {
            result.permission == nil ? result.severity?.rawValue ?? "note" : "permitted"
        }
        func rows(_ rule: AuditRule) -> [AuditPage.Remark] {
            results.filter { $0.rule == rule.rawValue }.enumerated().map { index, result in
                let place = result.line.map { "\(result.file):\($0)" } ?? result.file
                let found = rule == .notRead ? unread[index] : nil
                let remark =
                    found.map { " (\($0.place.remark))" }
                    ?? (result.conditions.isEmpty ? "" : " (if \(result.conditions.allInWords))")
                let words = result.permissionWords.map { " \($0)" } ?? ""
                let parts = (found?.parts ?? []) + (found?.place.questions ?? []) + [fix(of: result)].compactMap(\.self)
                let text = (["\(place)\(remark): \(result.text)\(words)"] + parts).joined(separator: "; ")
                return .init(severity: word(result), text: text, rule: rule.rawValue)
            }
        }
        let described =
            describedResults.map { found, result in
                let all = found.otherHosts + found.parts + found.place.questions + [fix(of: result)].compactMap(\.self)
                let pins = all.joined(separator: "; ")
                let words = result.permissionWords.map { " \($0)" } ?? ""
                let text = "\(found.place.description) (\(found.place.remark)): \(found.what)\(words)"
                let severity = result.severity == nil ? "" : word(result)
                return .init(severity: severity, text: pins.isEmpty ? text : "\(text): \(pins)", rule: result.rule)
            } as [AuditPage.Remark]
        let unused = unusedPermissions.map { permission in
            let host = permission.host.map { ", host \($0)" } ?? ""
            let file = permission.path.map { ", file \($0)" } ?? ""
            return AuditPage.Remark(
                severity: "",
                text: "\(root.settings.place(of: permission)): \(permission.rule)\(host)\(file)"
            )
        }
        return try AuditPage(
            reading.name,
            headline: headline,
            severity: configurations.isEmpty ? max(.warning, severity ?? .warning) : severity,
            sentences: [scope, "Audited as of \(Day(instant))."],
            configurations: worstFirst.map { ("\($0.place.description) (\($0.form))", $0.report) },
            remarks: [
                ("Not read", rows(.notRead)), ("Between iOS and Android", rows(.platformsDiffer)),
                ("Found, and its rules are not modelled: no verdict", described),
                ("Left out, as tests", reading.tests.map { .init(severity: "", text: $0) }),
                ("Permissions that are about nothing that was found", unused),
            ]
        ).html()
    }
}
