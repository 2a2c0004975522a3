package import Pinning

/// Colours for a terminal, or none.
package struct TextStyle: Sendable {
    private let isColoured: Bool

    package init(isColoured: Bool) {
        self.isColoured = isColoured
    }

    /// Whether pictures of blocks can be told from their ground.
    package var isDrawn: Bool { isColoured }

    package func verdict(_ verdict: Verdict, _ text: String) -> String {
        switch verdict {
        case .pass: paint(text, 32)
        case .fail: paint(text, 31)
        case .inconclusive: paint(text, 33)
        case .skipped, .notApplicable: paint(text, 2)
        }
    }

    package func consequence(_ consequence: Consequence, _ text: String) -> String {
        switch consequence {
        case .served, .protected: paint(text, 32)
        case .unknown: paint(text, 33)
        case .lockedOut, .intercepted: paint(text, 31)
        }
    }

    package func severity(_ severity: PolicyFinding.Severity, _ text: String) -> String {
        paint(text, severity == .warning ? 33 : 31)
    }

    package func outcome(_ outcome: PolicyAudit.Outcome, _ text: String) -> String {
        switch outcome {
        case .survives: paint(text, 32)
        case .depends: paint(text, 33)
        case .locksOut, .intercepted: paint(text, 31)
        case .notApplicable, .locksOutRegardless: paint(text, 2)
        }
    }

    package func heading(_ text: String) -> String { paint(text, 1) }
    package func aside(_ text: String) -> String { paint(text, 2) }

    /// Select Graphic Rendition (ECMA-48 section 8.3.117).
    private func paint(_ text: String, _ code: Int) -> String {
        isColoured ? "\u{1B}[\(code)m\(text)\u{1B}[0m" : text
    }
}
