/// What an expression comes to, as far as its source tells.
package indirect enum Value: Hashable, Sendable {
    case text(String)
    case number(Int)
    case flag(Bool)
    case nothing
    case list([Value])
    case table([Entry])
    /// Of a type of the app's own, with its fields.
    case object(String, [String: Value])
    /// What a function of somebody else's makes of its arguments.
    case made(Made)
    case unknown(Unknown)

    package struct Entry: Hashable, Sendable {
        package var key: Value
        package var value: Value
        package var line: Int
    }

    package struct Made: Hashable, Sendable {
        /// The last part of its name; the whole of it is `path`.
        package var name: String
        package var path: String
        package var arguments: [Argument]
        package var line: Int

        package subscript(label: String) -> Value? { arguments.first { $0.label == label }?.value }
    }

    package struct Argument: Hashable, Sendable {
        package var label: String?
        package var value: Value
    }

    /// Why something is not known, in words that follow "the host" or "a pin": `'HOST' is a parameter of pinner()`.
    package struct Unknown: Hashable, Sendable {
        package var reason: String
        package var line: Int

        package init(_ reason: String, line: Int) {
            self.reason = reason
            self.line = line
        }

        /// Whether `--define` would give it.
        var isOfBuild: Bool { reason.contains("give it with --define ") }

        /// The name that the reason speaks of first.
        var subject: String? {
            let parts = reason.split(separator: "'", maxSplits: 2, omittingEmptySubsequences: false)
            return parts.count == 3 ? String(parts[1]) : nil
        }
    }

    /// More bytes than a text of a person has, and more parts than a table.
    static let longest = 1 << 18
    private static let mostParts = 20_000

    /// Whether it can be looked through: what stands in it twice counts twice.
    var isSmall: Bool {
        var rest = Self.mostParts
        return isSmall(&rest)
    }

    private func isSmall(_ rest: inout Int) -> Bool {
        rest -= 1
        guard rest > 0 else { return false }
        switch self {
        case .text(let text): return text.utf8.count <= Self.longest
        case .number, .flag, .nothing, .unknown: return true
        case .list(let values):
            for value in values where !value.isSmall(&rest) { return false }
        case .table(let entries):
            for entry in entries where !entry.key.isSmall(&rest) || !entry.value.isSmall(&rest) { return false }
        case .object(_, let fields):
            for field in fields where !field.value.isSmall(&rest) { return false }
        case .made(let made):
            for argument in made.arguments where !argument.value.isSmall(&rest) { return false }
        }
        return true
    }

    /// With more elements, or in place of them, that are not known.
    func with(_ rest: Unknown) -> Value {
        switch self {
        case .list(let known): .list(known + [.unknown(rest)])
        case .table(let known): .table(known + [.init(key: .unknown(rest), value: .unknown(rest), line: rest.line)])
        default: .unknown(rest)
        }
    }

    var isTable: Bool { if case .table = self { true } else { false } }

    /// A text, if it is one.
    package var text: String? { if case .text(let text) = self { text } else { nil } }

    /// The first thing in it that is not known.
    package var firstUnknown: Unknown? {
        switch self {
        case .text, .number, .flag, .nothing: nil
        case .unknown(let unknown): unknown
        case .list(let values): values.lazy.compactMap(\.firstUnknown).first
        case .table(let entries): entries.lazy.compactMap { $0.key.firstUnknown ?? $0.value.firstUnknown }.first
        case .object(_, let fields): fields.sorted { $0.key < $1.key }.lazy.compactMap(\.value.firstUnknown).first
        case .made(let made): Unknown("'\(made.path)()' is computed when the app runs", line: made.line)
        }
    }

    /// All texts in it, keys of tables too.
    package var texts: [String] {
        switch self {
        case .text(let text): [text]
        case .number, .flag, .nothing, .unknown: []
        case .list(let values): values.flatMap(\.texts)
        case .table(let entries): entries.flatMap { $0.key.texts + $0.value.texts }
        case .object(_, let fields): fields.sorted { $0.key < $1.key }.flatMap(\.value.texts)
        case .made(let made): made.arguments.flatMap(\.value.texts)
        }
    }
}
