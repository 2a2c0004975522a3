import Pinning
import Scenarios

/// What an audit says, of one configuration or of several.
protocol AuditAnswer {
    var results: [AuditResult] { get }
    /// Why nothing was audited; `nil`: something was.
    var failure: String? { get }

    func text(_ style: TextStyle, isVerbose: Bool) -> String
    func json() throws -> String
    func markdown() -> String
    func html() throws -> String
}

extension AuditReport: AuditAnswer {
    var failure: String? { nil }

    func text(_ style: TextStyle, isVerbose: Bool) -> String { text(style, width: 100, isVerbose: isVerbose) }
}

extension ProjectReport: AuditAnswer {
    // A breach is an answer, whatever has a model.
    var failure: String? {
        configurations.isEmpty && describedResults.allSatisfy { $0.result.openSeverity == nil } ? obstacle : nil
    }
}

extension SARIFLog {
    /// Of files that could not be audited.
    init(failed error: any Error, _ files: [String]) {
        var results: [AuditResult] = []
        if let error = error as? PolicyFileError, let root = try? ProjectRoot(of: files) {
            results = error.problems.map { problem in
                let path = root.path(of: error.file)
                return AuditResult(
                    rule: AuditRule.notRead.rawValue,
                    .warning,
                    file: error.file,
                    path: path,
                    line: problem.line,
                    "\(problem)"
                )
            }
        }
        let invocation = Invocation(exitStatus: 65, complaint: "\(error)")
        self.init(results, version: PinDrill.version, invocation: invocation)
    }
}
