/// Something about a configuration that will hurt somebody, and what to do about it.
package struct PolicyFinding: Hashable, Sendable {
    /// Whom it hurts.
    package enum Severity: String, CaseIterable, Comparable, Sendable {
        /// Nobody yet, or somebody who cannot be told from the configuration alone.
        case warning
        /// The app's own users, who are locked out today or by the next change of the server.
        case outage
        /// The same users, whose connections somebody else can read.
        case breach

        package static func < (left: Severity, right: Severity) -> Bool { left.rank < right.rank }

        private var rank: Int {
            switch self {
            case .warning: 0
            case .outage: 1
            case .breach: 2
            }
        }
    }

    /// Stable names, explained in `docs/findings.md`.
    package enum Rule: String, CaseIterable, Sendable {
        /// Nothing is pinned: in the whole file, in an entry, or for the host that was asked about.
        case notPinned = "not-pinned"
        /// An entry that is for no host at all, as it is written.
        case deadEntry = "dead-entry"
        /// A mismatch is reported, and the connection goes on.
        case reportOnly = "report-only"
        /// A library that compares where it is asked, and that nothing asks.
        case unusedValidator = "unused-validator"
        /// The pins have ended.
        case expired
        /// An ordinary check is left out.
        case skippedCheck = "skipped-check"
        /// Pins are looked for in what the server sends.
        case presentedChain = "presented-chain"
        /// The pins are compared where they do not guard the app's own request.
        case unguardedRequest = "unguarded-request"
        /// Paths to some anchors are held to no pins.
        case exemptAnchors = "exempt-anchors"
        /// The system or the library throws, and the app ends.
        case throwsAtStart = "throws-at-start"
        /// Nobody can get in.
        case locksOut = "locks-out"
        /// Production's own chain is turned away.
        case refusesKnownChain = "refuses-known-chain"
        /// A key of production's chain of which the library cannot compute the pin.
        case unhashableKey = "unhashable-key"
        /// A leaf pin that is an authority's, or the other way round.
        case wrongPosition = "wrong-position"
        /// A pin that nothing can match.
        case unusablePin = "unusable-pin"
        /// Every pin is of one chain.
        case noWayOut = "no-way-out"
        /// Certificates are pinned, and not keys.
        case certificatePin = "certificate-pin"
        /// A pinned certificate has expired, or soon will.
        case certificateExpires = "certificate-expires"
        /// One pin, or the same one several times.
        case singlePin = "single-pin"
        /// A pin that stands twice in one list.
        case duplicatePin = "duplicate-pin"
        /// A pin that nobody computed from a key.
        case placeholderPin = "placeholder-pin"
        /// A pinned public root that devices no longer trust, or only for what it issued.
        case distrustedAuthority = "distrusted-authority"
        /// A pinned public root that has ended, or ends before the pins do.
        case endedAuthority = "ended-authority"
        /// Two pins that differ only in letters that look alike.
        case confusablePin = "confusable-pin"
        /// A pin that no certificate of production's chain has.
        case unverifiedBackup = "unverified-backup"
        /// A pin of an authority between leaf and root.
        case intermediatePin = "intermediate-pin"
        /// The pins end within a month.
        case expiresSoon = "expires-soon"
        /// Hosts next to the pinned ones that are not pinned.
        case scopeGap = "scope-gap"
        /// An entry for a public suffix, or for a name that ends in none.
        case publicSuffix = "public-suffix"
        /// Anchors that the user installed are trusted.
        case userAnchors = "user-anchors"
        /// Connections without TLS are allowed.
        case cleartext
        /// Resumed sessions are not checked.
        case resumption
        /// A pin that is a digest of a kind that has been broken.
        case weakDigest = "weak-digest"
        /// A pin in a form that not every reader takes.
        case oddPin = "odd-pin"
        /// A value that is taken for something else than it seems.
        case misreadValue = "misread-value"
        /// Something that the system passes over.
        case ignoredEntry = "ignored-entry"
        /// Reports go to somebody else.
        case foreignReports = "foreign-reports"
    }

    package var rule: Rule
    package var severity: Severity
    /// 1-based, where the format has lines and the parser tells.
    package var line: Int?
    /// Where in the document, or the domain; empty where it is about the whole file.
    package var keyPath: String
    /// The entry that it is about, as the configuration writes its name, or the host that was asked about; `nil`: it is about
    /// the whole file.
    package var domain: String?
    /// What is wrong and whom it hurts, without a full stop.
    package var message: String
    /// What to do, as an order, without a full stop.
    package var fix: String

    package init(
        _ rule: Rule,
        _ severity: Severity,
        line: Int? = nil,
        keyPath: String = "",
        domain: String? = nil,
        _ message: String,
        fix: String
    ) {
        self.rule = rule
        self.severity = severity
        self.line = line
        self.keyPath = keyPath
        self.domain = domain
        self.message = message
        self.fix = fix
    }
}

extension PolicyFinding {
    /// What a reader came across.
    init(_ rule: Rule, _ severity: Severity, _ problem: PolicyFileError.Problem, fix: String) {
        self.init(rule, severity, line: problem.line, keyPath: problem.keyPath, problem.message, fix: fix)
    }
}

extension PolicyFinding: CustomStringConvertible {
    /// As a problem of a file describes itself: where, and what.
    package var description: String { keyPath.isEmpty ? message : "\(keyPath): \(message)" }
}
