import AppSources
import Foundation
import Pinning
import Scenarios

/// What the audit of a project found: of each configuration by itself, and what was not read.
struct ProjectReport {
    struct Configuration {
        var place: ProjectReading.Place
        var report: AuditReport
        /// `nil` where the system itself would not read it.
        var policy: ImportedPolicy?

        /// What it is written with, where its place does not tell.
        var form: String {
            var named = place
            if place.form == "file" { named.form = report.dialect.rawValue }
            return ([named.remark] + place.questions).joined(separator: "; ")
        }
    }

    /// The configurations as people are shown them, the worst first, and alike ones as they were found.
    var worstFirst: [Configuration] {
        func rank(_ configuration: Configuration) -> Int {
            configuration.report.severity.flatMap(PolicyFinding.Severity.allCases.firstIndex) ?? -1
        }
        return configurations.enumerated().sorted { (rank($1.element), $0.offset) < (rank($0.element), $1.offset) }
            .map(\.element)
    }

    let reading: ProjectReading
    var configurations: [Configuration] = []
    private(set) var unread: [ProjectReading.Unread]
    let instant: Date
    let root: ProjectRoot

    /// Each host takes about a tenth of a second.
    private static let mostHosts = 200

    init(_ reading: ProjectReading, in root: ProjectRoot, _ input: AppCatalogueInput, now: Date) throws {
        self.reading = reading
        self.root = root
        unread = reading.unread
        instant = now
        let production = try input.production()
        var hostCount = 0
        var keys = PKI.Keys()
        for found in reading.configurations {
            guard hostCount < Self.mostHosts else {
                refuse(found, "more than \(Self.mostHosts) hosts stand before it; audit its file by itself")
                continue
            }
            do {
                var policy: ImportedPolicy?
                var report = try AuditReport(
                    found.place.path,
                    dialect: found.dialect,
                    host: input.host ?? found.host,
                    now: now,
                    keys: &keys,
                    policy: {
                        let loaded = try found.load(AppDevice())
                        policy = loaded
                        return loaded
                    },
                    production: { production }
                )
                report.take(found.place, root)
                if let finding = unusedValidator(of: policy, found.place) {
                    let place = report.findings.firstIndex { $0.severity < finding.severity } ?? report.findings.count
                    report.findings.insert(finding, at: place)
                }
                hostCount += report.audit?.hosts.count ?? 0
                configurations.append(Configuration(place: found.place, report: report, policy: policy))
            } catch let error as PolicyFileError {
                for (index, problem) in error.problems.enumerated() {
                    // Once, and not with each reason.
                    refuse(found, problem.description, line: problem.line, isFirst: index == 0)
                }
            } catch {
                refuse(found, "\(error)")
            }
        }
    }

    /// That TrustKit asks nothing by itself, and nothing in the project asks it.
    private func unusedValidator(of policy: ImportedPolicy?, _ place: ProjectReading.Place) -> PolicyFinding? {
        guard !reading.asksTrustKit || reading.ignoresTrustKit,
            let trustKit = policy?.configuration as? TrustKitConfiguration,
            !trustKit.swizzlesNetworkDelegates,
            // React Native's libraries ask it for their apps.
            place.path.hasSuffix(".plist") || [.swift, .objectiveC].contains(SourceLanguage(fileName: place.path))
        else { return nil }
        let message =
            "TrustKit compares nothing by itself here (TSKSwizzleNetworkDelegates is off), and nothing in the project "
            + (reading.ignoresTrustKit ? "heeds what its pinningValidator answers" : "asks its pinningValidator")
        let fix =
            reading.ignoresTrustKit
            ? "cancel the challenge unless it says shouldAllowConnection, or have it handle the challenge"
            : "ask it in the session's delegate, or set TSKSwizzleNetworkDelegates to true"
        return PolicyFinding(.unusedValidator, .warning, line: place.line, message, fix: fix)
    }

    private mutating func refuse(
        _ found: ProjectReading.Configuration,
        _ reason: String,
        line: Int? = nil,
        isFirst: Bool = true
    ) {
        var place = found.place
        place.line = line ?? place.line
        let parts = isFirst ? found.parts() : []
        unread.append(.init(place, parts, hosts: [found.host].compactMap { $0 }, reason: reason))
    }

    /// Whether everything could be read: a host that nobody could read may be among the rest.
    private var isWhole: Bool { unread.isEmpty && reading.described.isEmpty }

    /// All that is told: of each configuration, and of what was not read or has no model.
    var results: [AuditResult] {
        let unread = unread.map { found in
            let host = found.hosts.count == 1 ? found.hosts[0] : nil
            return found.place.result(.notRead, .warning, host: host, found.reason, root)
        }
        let described = reading.described.map { found in
            let host = found.hosts.count == 1 ? found.hosts[0] : nil
            if found.acceptsAll {
                return found.place.result(PolicyFinding.Rule.notPinned, host: host, found.what, root)
            }
            if let rule = found.openRule { return found.place.result(rule, .warning, host: nil, found.what, root) }
            let message = "\(found.what): no verdict"
            return found.place.result(.notModelled, nil, host: host, message, root)
        }
        let differences = PlatformDifference.all(among: configurations, isWhole: isWhole).map { difference in
            let place = difference.place
            let message = difference.description
            return place.result(.platformsDiffer, .warning, host: difference.host, message, root)
        }
        let others = (differences + unread + described).map { root.settings.apply(to: $0, on: Day(instant)) }
        return configurations.flatMap(\.report.results) + others
    }

    /// Of what has no model.
    var describedResults: [(found: ProjectReading.Described, result: AuditResult)] {
        Array(zip(reading.described, results.suffix(reading.described.count)))
    }

    /// The worst that was found, and that is not permitted. What could not be read is a warning.
    var severity: PolicyFinding.Severity? { results.compactMap(\.openSeverity).max() }

    /// Permissions that are about nothing that was found; none where others may be about the rest of the project.
    var unusedPermissions: [AuditSettings.Permission] {
        root.isWhole(reading.name) ? root.settings.unused(by: results) : []
    }

    /// Why nothing was audited.
    var obstacle: String {
        if unread.contains(where: { !$0.parts.isEmpty }) {
            return "\(reading.name): none of its configurations can be read as a whole"
        }
        if !unread.isEmpty, !reading.described.isEmpty {
            return "\(reading.name): its pins are in forms whose rules are not modelled, or cannot be read"
        }
        if !unread.isEmpty { return "\(reading.name): none of its pins can be read" }
        if !reading.described.isEmpty { return "\(reading.name): its pins are in forms whose rules are not modelled" }
        return "\(reading.name): found no pins in \(Self.count(reading.fileCount, "file"))"
    }

    var headline: String {
        guard !configurations.isEmpty else {
            if unread.isEmpty, reading.described.isEmpty { return "No verdict: no pins were found" }
            let count = describedResults.count { $0.result.openSeverity == .breach }
            if count > 0 { return "\(count) breach\(count == 1 ? "" : "es"): code accepts whatever a server shows" }
            if unread.isEmpty { return "No verdict: no model has the rules of these pins" }
            if !reading.described.isEmpty {
                return "No verdict: no model has the rules of these pins, and not all were read"
            }
            let isInPart = unread.contains { !$0.parts.isEmpty }
            return "No verdict: nothing could be read\(isInPart ? " as a whole" : "")"
        }
        return AuditHeadline(results, configurations.map(\.report)).description
    }

    /// What was looked at.
    var scope: String {
        let files =
            Self.count(reading.fileCount, "file")
            + (reading.usesGit ? " that git does not ignore" : "")
        let sources = reading.isFolder ? ", \(reading.sourceCount) of them in a language that is read" : ""
        let described =
            reading.described.isEmpty ? "" : ", \(reading.described.count) found whose rules are not modelled"
        let read = Self.count(configurations.count, "configuration")
        return "Looked at \(files)\(sources): \(read) read\(described), \(unread.count) not read."
    }

    private static func count(_ number: Int, _ what: String) -> String { "\(number) \(what)\(number == 1 ? "" : "s")" }
}

extension AuditReport {
    /// Where it stands in its project, and what the project says of it.
    mutating func take(_ place: ProjectReading.Place, _ root: ProjectRoot) {
        path = root.path(of: place.path)
        line = place.line
        conditions = place.conditions
        asked = place.questionsInLine
        settings = root.settings
    }
}

extension ProjectReading.Described {
    /// Conditions of a build for its makers alone.
    private static let ofMakers: Set<String> = [
        "kDebugMode", "not kReleaseMode", "!kReleaseMode", "__DEV__", "BuildConfig.DEBUG", "DEBUG",
    ]

    /// Whether code accepts whatever a server shows, and not in a build for its makers alone.
    var acceptsAll: Bool { FoundPins.acceptsAll(what) && Self.ofMakers.isDisjoint(with: place.conditions) }

    /// What code without pins does in any build, as far as the source tells.
    var openRule: AuditRule? {
        guard place.conditions.isEmpty, place.unreferenced == nil else { return nil }
        return what == FoundPins.accepting ? .acceptsAny : what == FoundPins.naming ? .acceptsAnyName : nil
    }
}

extension ProjectReading.Place {
    /// What code asks beside what is told, a line each.
    var questions: [String] { asked.map { "also asked: line \($0.line): \($0.condition)" } }

    /// The same within a sentence.
    fileprivate var questionsInLine: [String] { asked.map { "\($0.condition) (line \($0.line))" } }

    fileprivate func result(
        _ rule: PolicyFinding.Rule,
        host: String?,
        _ message: String,
        _ root: ProjectRoot
    ) -> AuditResult {
        var result = result(.notModelled, .breach, host: host, message, root)
        result.rule = rule.rawValue
        result.fix = "reject what no pin matches, and pin the keys of the host"
        return result
    }

    fileprivate func result(
        _ rule: AuditRule,
        _ severity: PolicyFinding.Severity?,
        host: String?,
        _ message: String,
        _ root: ProjectRoot
    ) -> AuditResult {
        let path = root.path(of: path)
        var result = AuditResult(
            rule: rule.rawValue,
            severity,
            file: self.path,
            path: path,
            line: line,
            host: host,
            message
        )
        result.conditions = conditions
        result.asked = questionsInLine
        result.fix = rule.fix
        return result
    }

    /// With what it is written, and when it is in force.
    var remark: String {
        (conditions.isEmpty ? form : "\(form), if \(conditions.allInWords)")
            + (unreferenced.map { "; nothing else names '\($0)'" } ?? "")
    }
}

extension [String] {
    /// Conditions that must all hold: `isLive and (isBeta || isTried)`.
    var allInWords: String {
        guard count > 1 else { return joined() }
        return map { $0.contains(" || ") && !$0.hasPrefix("not (") ? "(\($0))" : $0 }.joined(separator: " and ")
    }
}
