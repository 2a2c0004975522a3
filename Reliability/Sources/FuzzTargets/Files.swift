import AppSources
import Forecast
import Foundation
import Pinning
import Scenarios
import TLSCore

extension FuzzTarget {
    /// What people write, or export: every reader of a file.
    static let files: [FuzzTarget] =
        Dialect.allCases.map { dialect in
            FuzzTarget(name: "policy-\(dialect.rawValue)") { readPolicy($0, as: dialect) }
        } + [
            FuzzTarget(name: "policy-unknown") { readPolicy($0, as: nil) },
            FuzzTarget(name: "scenario-file", run: readScenarioFile),
            FuzzTarget(name: "key-material", run: readKeyMaterial),
            FuzzTarget(name: "report", run: readReport),
            FuzzTarget(name: "project-settings") { bytes in
                _ = try? AuditSettings.parse(String(decoding: bytes, as: UTF8.self), file: ".pindrill.yml")
            },
            FuzzTarget(name: "fleet") { bytes in
                _ = try? Fleet.parse(String(decoding: bytes, as: UTF8.self), file: "fleet.yaml") { _ in
                    throw Absent()
                }
            },
            FuzzTarget(name: "plan") { bytes in
                _ = try? Plan.parse(String(decoding: bytes, as: UTF8.self), file: "plan.yaml") { _ in
                    throw Absent()
                }
            },
            FuzzTarget(name: "usage", run: readUsage),
        ]

    private struct Absent: Error {}

    /// What is read is written and read again as the same policy; what is refused has reasons, on lines that are there.
    private static func readPolicy(_ bytes: [UInt8], as dialect: Dialect?) {
        let policy: any PinConfiguration
        do {
            policy = try PolicyFile.load(Data(bytes), file: "policy", dialect: dialect)
        } catch {
            require(!error.problems.isEmpty, "refused without a reason")
            for problem in error.problems {
                require(!problem.message.isEmpty && !problem.description.utf8.contains(0x0A), "no line: \(problem)")
                require((1...lineCount(bytes) + 1).contains(problem.line ?? 1), "a line that is not there: \(problem)")
            }
            return
        }
        let rendered = policy.rendered()
        do {
            let again = try PolicyFile.load(Data(rendered.utf8), file: "policy", dialect: type(of: policy).dialect)
            require(policy.equals(again), "written and read again, it is another policy: \(rendered)")
        } catch {
            fatalError("it cannot be read again: \(error): \(rendered)")
        }
    }

    /// Problems have one line each, and a place that is there.
    private static func readScenarioFile(_ bytes: [UInt8]) {
        do {
            _ = try ScenarioFile(parsing: String(decoding: bytes, as: UTF8.self), file: "f.yaml")
        } catch {
            require(!error.problems.isEmpty, "refused without a reason")
            for problem in error.problems {
                require(!problem.message.contains(where: \.isNewline), "more than a line: \(problem)")
                require((1...lineCount(bytes) + 1).contains(problem.location.line), "no such line: \(problem)")
            }
        }
    }

    /// What is read can be shown in every way, and read again.
    private static func readReport(_ bytes: [UInt8]) {
        guard let report = try? RecordedReport(parsing: Data(bytes)) else { return }
        do {
            for kind in ReportKind.allCases where kind != .conformance { _ = try report.document(kind) }
            let again = try RecordedReport(parsing: Data(report.document(.json).utf8))
            require(again == report, "written and read again, it is another report")
        } catch {
            fatalError("it cannot be written: \(error)")
        }
    }

    /// PEM, DER, PKCS #7, #8 and #12.
    private static func readKeyMaterial(_ bytes: [UInt8]) {
        do {
            require(try !KeyMaterial.parse(bytes).isEmpty, "nothing is found, and nothing refused")
        } catch {
            require(!error.description.isEmpty && !error.description.utf8.contains(0x0A), "no line: \(error)")
            require((1...lineCount(bytes) + 1).contains(error.line ?? 1), "a line that is not there: \(error)")
        }
    }

    /// The first byte says in which pieces it comes.
    private static func readUsage(_ bytes: [UInt8]) {
        guard let first = bytes.first, let today = Day(parsing: "2026-11-01") else { return }
        var reader = UsageReader(versions: ["1.0", "2.*"], today: today)
        let size = Int(first) + 1
        do {
            for start in stride(from: 1, to: bytes.count, by: size) {
                try bytes[start..<min(start + size, bytes.count)].withUnsafeBufferPointer { try reader.take($0) }
            }
            try reader.end()
        } catch {
            require(!"\(error)".isEmpty, "refused without a reason")
        }
    }
}

extension PinConfiguration {
    fileprivate func equals(_ other: any PinConfiguration) -> Bool {
        (self as? any (PinConfiguration & Equatable))?.isSame(as: other) ?? false
    }
}

extension Equatable {
    fileprivate func isSame(as other: Any) -> Bool { self == other as? Self }
}
