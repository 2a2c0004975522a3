/// Something about a configuration that will hurt somebody, and what to do about it.
public struct Finding: Hashable, Sendable {
    /// Whom it hurts.
    public enum Severity: String, CaseIterable, Comparable, Sendable {
        /// Nobody yet, or somebody who cannot be told from the configuration alone.
        case warning
        /// The app's own users, who are locked out today or by the next change of the server.
        case outage
        /// The same users, whose connections somebody else can read.
        case breach

        public static func < (left: Severity, right: Severity) -> Bool { left.rank < right.rank }

        private var rank: Int {
            switch self {
            case .warning: 0
            case .outage: 1
            case .breach: 2
            }
        }
    }

    /// Stable names, explained in `docs/findings.md`.
    public enum Rule: String, CaseIterable, Sendable {
        /// Nothing is pinned: in the whole file, in an entry, or for the host that was asked about.
        case notPinned = "not-pinned"
        /// A mismatch is reported, and the connection goes on.
        case reportOnly = "report-only"
        /// One pin, or the same one several times.
        case singlePin = "single-pin"
        /// A pin that stands twice in one list.
        case duplicatePin = "duplicate-pin"
        /// Two pins that differ only in letters that look alike.
        case confusablePin = "confusable-pin"
    }

    public var rule: Rule
    public var severity: Severity
    /// 1-based, where the format has lines and the parser tells.
    public var line: Int?
    /// Where in the document, or the domain; empty where it is about the whole file.
    public var keyPath: String
    /// What is wrong and whom it hurts, without a full stop.
    public var message: String
    /// What to do, as an order, without a full stop.
    public var fix: String

    public init(
        _ rule: Rule,
        _ severity: Severity,
        line: Int? = nil,
        keyPath: String = "",
        _ message: String,
        fix: String
    ) {
        self.rule = rule
        self.severity = severity
        self.line = line
        self.keyPath = keyPath
        self.message = message
        self.fix = fix
    }
}

extension Finding: CustomStringConvertible {
    /// As a problem of a file describes itself: where, and what.
    public var description: String { keyPath.isEmpty ? message : "\(keyPath): \(message)" }
}
