internal import CEmbedded
import Pinning

/// What an audit tells beside the findings of a configuration's text. `docs/findings.md` explains both.
package enum AuditRule: String, CaseIterable, Sendable {
    /// An attacker gets in somewhere in the table.
    case attackerGetsIn = "attacker-gets-in"
    /// The server of today is rejected.
    case refusedToday = "refused-today"
    /// A configuration that is there, and that nobody could make anything of.
    case notRead = "not-read"
    /// The apps for two systems pin different keys for one host, or one of them none.
    case platformsDiffer = "platforms-differ"
    /// The pins have a last day.
    case pinsEnd = "pins-end"
    /// Pins in a form whose rules are in no model.
    case notModelled = "not-modelled"
    /// Code beside pins that lets every certificate through.
    case acceptsAny = "accepts-any-certificate"
    /// Code beside pins that takes a certificate whatever host it is for.
    case acceptsAnyName = "accepts-any-name"

    /// What to do, without a full stop; `docs/findings.md` has it with its reasons.
    package var fix: String {
        switch self {
        case .attackerGetsIn: "mend what its findings say, or pin the server's own key and keep the ordinary checks"
        case .refusedToday: "pin a key of the chain that the server shows; give that chain with --chain"
        case .notRead: "read the place yourself, or give what only the build knows with --define NAME=VALUE"
        case .platformsDiffer: "give both apps the same pins"
        case .pinsEnd: "ship the app with a later day and today's pins well before"
        case .notModelled: "try the app itself, with 'pindrill run' or 'pindrill drill'"
        case .acceptsAny, .acceptsAnyName: "take it out, or keep it to builds for the app's makers"
        }
    }

    /// Of all that an audit tells.
    package static let names = PolicyFinding.Rule.allCases.map(\.rawValue) + allCases.map(\.rawValue)

    /// Those that have no severity, so that there is nothing to permit.
    package static let notes: Set<String> = [pinsEnd.rawValue, notModelled.rawValue]

    /// What the page about findings says of each rule, by its name: a sentence, and all in Markdown.
    package static let help: [String: (summary: String, markdown: String)] = {
        let file = CEmbeddedFindings()
        return help(in: String(decoding: UnsafeBufferPointer(start: file.bytes, count: file.count), as: UTF8.self))
    }()

    /// - Parameter page: a section for each rule, with the rule's name in backquotes as its heading of the third level.
    static func help(in page: String) -> [String: (summary: String, markdown: String)] {
        var sections: [String: [Substring]] = [:]
        var open: String?
        for line in page.split(separator: "\n", omittingEmptySubsequences: false) {
            if line.hasPrefix("#") {
                open = line.hasPrefix("### `") ? String(line.dropFirst(5).dropLast()) : nil
            } else if let open {
                sections[open, default: []].append(line)
            }
        }
        return sections.mapValues { lines in
            let paragraphs = lines.split(separator: "").map { $0.joined(separator: " ") }
            let first = paragraphs.first ?? ""
            let end = first.firstRange(of: ". ")?.lowerBound ?? first.endIndex
            let summary = first[..<end].hasSuffix(".") ? String(first[..<end]) : first[..<end] + "."
            return (summary.replacing("`", with: ""), paragraphs.joined(separator: "\n\n"))
        }
    }
}
