import Foundation
import Pinning
import Scenarios

/// What the audit of a project found: of each configuration by itself, and what was not read.
struct ProjectReport {
    struct Configuration {
        var place: ProjectReading.Place
        var report: AuditReport
    }

    let reading: ProjectReading
    private(set) var configurations: [Configuration] = []
    private(set) var unread: [ProjectReading.Unread]
    let instant: Date

    /// Each host takes about a tenth of a second.
    private static let mostHosts = 200

    init(_ reading: ProjectReading, _ input: AppCatalogueInput, now: Date) throws {
        self.reading = reading
        unread = reading.unread
        instant = now
        let production = try input.production()
        var hostCount = 0
        for found in reading.configurations {
            guard hostCount < Self.mostHosts else {
                refuse(found, "more than \(Self.mostHosts) hosts stand before it; audit its file by itself")
                continue
            }
            do {
                let report = try AuditReport(
                    found.place.path,
                    dialect: found.dialect,
                    host: input.host ?? found.host,
                    now: now,
                    policy: { try found.load(AppDevice()) },
                    production: { production }
                )
                hostCount += report.audit?.hosts.count ?? 0
                configurations.append(Configuration(place: found.place, report: report))
            } catch let error as PolicyFileError {
                for problem in error.problems {
                    refuse(found, problem.description, line: problem.line)
                }
            } catch {
                refuse(found, "\(error)")
            }
        }
    }

    private mutating func refuse(_ found: ProjectReading.Configuration, _ reason: String, line: Int? = nil) {
        var place = found.place
        place.line = line ?? place.line
        unread.append(.init(place: place, hosts: [found.host].compactMap { $0 }, reason: reason))
    }

    /// The worst that was found. What could not be read is a warning.
    var severity: PolicyFinding.Severity? {
        (configurations.compactMap(\.report.severity) + (unread.isEmpty ? [] : [.warning])).max()
    }

    /// Why nothing was audited.
    var obstacle: String {
        if !unread.isEmpty { return "\(reading.name): none of its pins can be read" }
        if !reading.described.isEmpty { return "\(reading.name): its pins are in forms whose rules are not modelled" }
        return "\(reading.name): found no pins in \(Self.count(reading.fileCount, "file"))"
    }

    /// `1 outage, 1 warning: 9 of 28 events lock users out`.
    var headline: String {
        guard !configurations.isEmpty else {
            return "No verdict: " + (unread.isEmpty ? "no model has the rules of these pins" : "nothing could be read")
        }
        let severities = configurations.flatMap(\.report.findings).map(\.severity) + unread.map { _ in .warning }
        let counts = PolicyFinding.Severity.allCases.reversed().compactMap { severity -> String? in
            let count = severities.count { $0 == severity }
            guard count > 0 else { return nil }
            let plural = severity == .breach ? "breaches" : "\(severity.rawValue)s"
            return "\(count) \(count == 1 ? severity.rawValue : plural)"
        }
        let events = configurations.map(\.report.eventCounts)
        let all = events.map(\.all).reduce(0, +)
        let lockingOut = events.map(\.lockingOut).reduce(0, +)
        let intercepted = events.map(\.intercepted).reduce(0, +)
        let what =
            all == 0
            ? "no event was tried"
            : "\(lockingOut) of \(all) events lock users out"
                + (intercepted > 0 ? ", and \(intercepted) let an attacker in" : "")
        return (counts.isEmpty ? "No findings" : counts.joined(separator: ", ")) + ": " + what
    }

    /// What was looked at.
    var scope: String {
        let files =
            Self.count(reading.isFolder ? reading.fileCount : 1, "file")
            + (reading.usesGit ? " that git does not ignore" : "")
        let sources = reading.isFolder ? ", \(reading.sourceCount) of them in a language that is read" : ""
        let described =
            reading.described.isEmpty ? "" : ", \(reading.described.count) found whose rules are not modelled"
        let read = Self.count(configurations.count, "configuration")
        return "Looked at \(files)\(sources): \(read) read\(described), \(unread.count) not read."
    }

    private static func count(_ number: Int, _ what: String) -> String { "\(number) \(what)\(number == 1 ? "" : "s")" }
}

extension ProjectReading.Place {
    /// With what it is written, and when it is in force.
    var remark: String { conditions.isEmpty ? form : "\(form), if \(conditions.joined(separator: " and "))" }
}
