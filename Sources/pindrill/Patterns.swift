import Pinning
import Scenarios

/// The patterns of one option: what they fit, and what to say of one that fits nothing.
struct Patterns {
    let patterns: [String]
    /// How a complaint calls them, as in `--policy`.
    let option: String
    /// The scenario file, for the advice to list it.
    let file: String

    /// All that some pattern fits, in file order; everything where there is no pattern.
    ///
    /// - Throws: where a pattern fits nothing.
    func choose<Value>(
        of values: [Value],
        by name: (Value) -> String,
        or other: (Value) -> String? = { _ in nil }
    ) throws(InputError) -> [Value] {
        let names = values.map(name)
        for pattern in patterns where !names.contains(where: Glob(pattern).matches) {
            throw InputError("\(option) '\(pattern)' matches nothing; \(advice(on: pattern, names))")
        }
        return values.filter { allow(name($0), or: other($0)) }
    }

    /// Whether some pattern fits a name, or the other one that the same thing has.
    func allow(_ name: String, or other: String? = nil) -> Bool {
        patterns.isEmpty || patterns.map(Glob.init).contains { $0.matches(name) || other.map($0.matches) ?? false }
    }

    private func advice(on pattern: String, _ names: [String]) -> String {
        if let nearest = nearest(to: pattern, among: names) { return "did you mean '\(nearest)'?" }
        let part = pattern.lowercased().filter { $0 != "*" && $0 != "?" }
        let similar = part.count < 3 ? [] : names.filter { $0.lowercased().contains(part) }
        guard similar.isEmpty else {
            let quoted = similar.prefix(5).map { "'\($0)'" }
            let last = quoted.last.map { quoted.count > 1 ? " or \($0)" : $0 } ?? ""
            return "did you mean \(quoted.dropLast().joined(separator: ", "))\(last)?"
        }
        guard names.count > 12 else { return "there are: \(names.joined(separator: ", "))" }
        return "'pindrill list \(file)' shows all \(names.count)"
    }
}
