import Foundation

/// A log in the Static Analysis Results Interchange Format, SARIF 2.1.0 (OASIS standard of 27 March 2020), with one run.
///
/// Only what is written here is in it. Names are the standard's, and so is every key.
package struct SARIFLog: Encodable, Sendable {
    let schema = "https://json.schemastore.org/sarif-2.1.0.json"
    let version = "2.1.0"
    let runs: [Run]

    enum CodingKeys: String, CodingKey {
        case schema = "$schema"
        case version, runs
    }

    /// - Parameters:
    ///   - version: of pindrill; `nil` where a report does not tell it.
    ///   - rules: those that no result names are left out.
    ///   - results: their rules are among `rules`.
    package init(version: String?, rules: [Rule], results: [Result], invocation: Invocation) {
        let names = Set(results.map(\.ruleId))
        let rules = rules.filter { names.contains($0.id) }
        let indices = Dictionary(rules.enumerated().map { ($1.id, $0) }) { first, _ in first }
        var known: [String: Int] = [:]
        let numbered = results.map { result in
            var result = result
            result.ruleIndex = indices[result.ruleId]
            // Two results that nothing tells apart are told apart by their order.
            let count = known[result.identity, default: 0] + 1
            known[result.identity] = count
            if count > 1 { result.partialFingerprints[Result.fingerprint] = "\(result.identity) #\(count)" }
            return result
        }
        let driver = Driver(semanticVersion: version, rules: rules)
        runs = [Run(tool: Tool(driver: driver), invocations: [invocation], results: numbered)]
    }

    /// UTF-8, indented, keys in a fixed order.
    package func text() throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(self), as: UTF8.self) + "\n"
    }
}

extension SARIFLog {
    struct Run: Encodable, Sendable {
        let tool: Tool
        let invocations: [Invocation]
        let columnKind = "unicodeCodePoints"
        /// Where that lies differs from machine to machine, and is nobody's business.
        let originalUriBaseIds = [Location.root: ["description": Text("The root of the project.")]]
        let results: [Result]
    }

    struct Tool: Encodable, Sendable { let driver: Driver }

    struct Driver: Encodable, Sendable {
        let name = "PinDrill"
        let semanticVersion: String?
        let rules: [Rule]
    }

    /// How the program ended.
    package struct Invocation: Encodable, Sendable {
        let executionSuccessful: Bool
        let exitCode: Int32
        let toolExecutionNotifications: [Notification]?

        /// - Parameter complaint: why not all could be done that was asked for.
        package init(exitStatus: Int32, complaint: String? = nil) {
            executionSuccessful = complaint == nil
            exitCode = exitStatus
            toolExecutionNotifications = complaint.map { [Notification(message: Text($0))] }
        }
    }

    struct Notification: Encodable, Sendable {
        let level = "error"
        let message: Text
    }

    /// A kind of result.
    package struct Rule: Encodable, Sendable {
        package let id: String
        let shortDescription: Text
        let fullDescription: Text
        let help: Text
        /// An absolute address (section 3.49.12): what the rule is part of, by who wrote that down for everybody.
        let helpUri = "https://mas.owasp.org/MASVS/controls/MASVS-NETWORK-2/"
        let properties = ["tags": ["security", "certificate-pinning"]]

        /// - Parameters:
        ///   - summary: a sentence.
        ///   - markdown: what it means and what to do.
        package init(id: String, summary: String, markdown: String) {
            self.id = id
            shortDescription = Text(summary)
            fullDescription = Text(summary)
            help = Text(markdown.replacing("`", with: ""), markdown: markdown)
        }
    }

    package enum Level: String, Encodable, Sendable { case note, warning, error }

    package struct Result: Encodable, Sendable {
        package let ruleId: String
        fileprivate(set) var ruleIndex: Int?
        let level: Level
        let message: Text
        let locations: [Location]
        var partialFingerprints: [String: String]
        let suppressions: [Suppression]

        static let fingerprint = "pindrill/v1"

        /// - Parameters:
        ///   - path: of the file, from the root of the project; an absolute one lies elsewhere.
        ///   - line: 1-based; `nil`: the first, because viewers need one.
        ///   - identity: what makes it this result in the next log, too, though lines have moved.
        ///   - suppression: why it need not be looked at.
        package init(
            rule: String,
            _ level: Level,
            _ message: String,
            path: String,
            line: Int?,
            identity: String,
            suppression: String? = nil
        ) {
            ruleId = rule
            self.level = level
            self.message = Text(message)
            locations = [Location(path, line: line ?? 1)]
            partialFingerprints = [Self.fingerprint: identity]
            // Where one result of a run has the list, all have it (section 3.27.23).
            suppressions = suppression.map { [Suppression(justification: $0)] } ?? []
        }

        fileprivate var identity: String { partialFingerprints[Self.fingerprint] ?? "" }
    }

    /// Decided outside of the sources.
    struct Suppression: Encodable, Sendable {
        let kind = "external"
        let status = "accepted"
        let justification: String
    }

    struct Text: Encodable, Sendable {
        let text: String
        let markdown: String?

        init(_ text: String, markdown: String? = nil) {
            self.text = text
            self.markdown = markdown
        }
    }

    struct Location: Encodable, Sendable {
        struct Place: Encodable, Sendable {
            let artifactLocation: Artifact
            let region: [String: Int]
        }

        struct Artifact: Encodable, Sendable {
            let uri: String
            let uriBaseId: String?
        }

        static let root = "%SRCROOT%"

        let physicalLocation: Place

        init(_ path: String, line: Int) {
            let isAbsolute = path.hasPrefix("/")
            physicalLocation = Place(
                artifactLocation: Artifact(uri: Self.uri(path), uriBaseId: isAbsolute ? nil : Self.root),
                region: ["startLine": line]
            )
        }

        /// A path as a URI reference (RFC 3986): all but unreserved characters are escaped, so no name can be taken for a
        /// scheme, a query or a fragment.
        private static func uri(_ path: String) -> String {
            let path = path.hasPrefix("./") ? String(path.dropFirst(2)) : path
            let plain = CharacterSet(
                charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~/"
            )
            let escaped = path.addingPercentEncoding(withAllowedCharacters: plain) ?? path
            return path.hasPrefix("/") ? "file://" + escaped : escaped
        }
    }
}
