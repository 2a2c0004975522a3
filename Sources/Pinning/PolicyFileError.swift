/// Why a configuration file cannot be used: everything that could be found.
package struct PolicyFileError: Error, Hashable, CustomStringConvertible, Sendable {
    /// One thing that is wrong, and where.
    package struct Problem: Hashable, CustomStringConvertible, Sendable {
        /// 1-based, where the format has lines and the parser tells.
        package var line: Int?
        /// Where in the document, as in `NSPinnedDomains.example.org.NSPinnedCAIdentities[0]`.
        package var keyPath: String
        /// What was found and what was expected, without a full stop.
        package var message: String
        /// What the real system makes of it, where it is that which refuses; `nil` where nobody could read the file.
        package var refusal: PolicyFinding.Rule?

        /// What to do, as an order, where the message does not say it.
        package var fix: String?

        /// A path and a message are one short line each, whatever the file put into them.
        package init(
            line: Int? = nil,
            keyPath: String = "",
            _ message: String,
            refusal: PolicyFinding.Rule? = nil,
            fix: String? = nil
        ) {
            self.line = line
            self.keyPath = keyPath.asOneLine
            self.message = message.asOneLine
            self.refusal = refusal
            self.fix = fix
        }

        package var description: String { keyPath.isEmpty ? message : "\(keyPath): \(message)" }
    }

    /// As its reader named it.
    package var file: String
    /// Never empty.
    package var problems: [Problem]

    package init(file: String, _ problems: [Problem]) {
        self.file = file
        self.problems = problems
    }

    /// The problems as findings, if the file can be read and it is the real system that refuses all of them.
    package var findings: [PolicyFinding]? {
        let found = problems.compactMap { problem in
            problem.refusal.map { rule in
                PolicyFinding(
                    rule,
                    rule == .notPinned ? .breach : .outage,
                    line: problem.line,
                    keyPath: problem.keyPath,
                    problem.message + (rule == .throwsAtStart ? ", so that the app ends when it reads this" : ""),
                    fix: problem.fix ?? "write what is expected there"
                )
            }
        }
        return found.count == problems.count ? found : nil
    }

    /// One line for each problem, as in `Info.plist:12: key.path: found this, expected that`.
    package var description: String {
        problems.map { "\(file):\($0.line.map { "\($0):" } ?? "") \($0)" }.joined(separator: "\n")
    }
}
