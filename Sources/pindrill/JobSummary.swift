import Foundation
import Scenarios

/// The page that GitHub shows of a job, where this is one: the file that `GITHUB_STEP_SUMMARY` names.
enum JobSummary {
    /// Whether there is such a page.
    static var isAsked: Bool { path != nil }

    private static var path: String? {
        ProcessInfo.processInfo.environment["GITHUB_STEP_SUMMARY"].flatMap { $0.isEmpty ? nil : $0 }
    }

    /// Adds what a run found out. A page that cannot be written is told of, and fails nothing.
    static func append(_ report: Report, exitStatus: Int32, failingOn conditions: Set<FailureCondition>) {
        guard let path else { return }
        do {
            if !FileManager.default.fileExists(atPath: path) { try Data().write(to: URL(filePath: path)) }
            let file = try FileHandle(forWritingTo: URL(filePath: path))
            defer { try? file.close() }
            // Others may have written to it.
            let room = MarkdownReport.limit - Int(try file.seekToEnd())
            guard room > 2000 else {
                return Terminal.remark("GITHUB_STEP_SUMMARY: there is no room left for this run's page")
            }
            let page = MarkdownReport(failingOn: conditions, limit: room)
                .document(RecordedReport(report, exitStatus: exitStatus))
            try file.write(contentsOf: Data("\n\(page)".utf8))
        } catch {
            Terminal.remark("GITHUB_STEP_SUMMARY: \(error.localizedDescription)")
        }
    }
}
