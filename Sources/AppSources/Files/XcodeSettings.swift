/// Variables of a build, as `.xcconfig` files and definitions give them to property lists.
///
/// Source: Xcode's help, "Build settings reference" and "Adding a build configuration file": `NAME = value`, `#include`, comments
/// behind `//`. What has another value for some systems or builds (`NAME[config=Debug] = …`) is not known.
package struct XcodeSettings: Sendable {
    /// By path: what it sets itself, and what it includes.
    private var files: [String: (values: [String: String], includes: [String])] = [:]
    private let definitions: [String: String]

    /// - Parameters:
    ///   - files: `.xcconfig` files, by their paths.
    ///   - definitions: what a user gives; these win.
    package init(_ files: [(path: String, text: String)], definitions: [String: String]) {
        self.definitions = definitions
        for file in files { self.files[file.path] = Self.parse(file.text) }
    }

    /// A text, and how it came to be.
    package struct Way: Sendable {
        package var text: String
        /// What stands in it now.
        package var values: [String] = []
        package var conditions: [String] = []

        fileprivate init(_ text: String, _ value: (String) -> String?) {
            var values: [String] = []
            self.text = XcodeSettings.replaced(text) { name in
                value(name).map { found in
                    values.append(found)
                    return found.escaped
                }
            }
            self.values = values
        }
    }

    private static func parse(_ text: String) -> (values: [String: String], includes: [String]) {
        var (values, includes): ([String: String], [String]) = ([:], [])
        var conditional: Set<String> = []
        for line in text.split(whereSeparator: \.isNewline) {
            let line = (line.firstRange(of: "//").map { line[..<$0.lowerBound] } ?? line).trimmed
            if line.hasPrefix("#include") {
                includes += line.split(separator: "\"").dropFirst().prefix(1).map(String.init)
            } else if let equals = line.firstIndex(of: "="), line[..<equals].trimmed.isVariable {
                var value = line[line.index(after: equals)...].trimmed
                while value.hasSuffix(";") { value = value.dropLast().trimmed }
                values[String(line[..<equals].trimmed)] = String(value)
            } else if let bracket = line.firstIndex(of: "["), line[..<bracket].trimmed.isVariable {
                conditional.insert(String(line[..<bracket].trimmed))
            }
        }
        // It stands for what nobody gives.
        for name in conditional { values[name] = "$(\(name)_FOR_SOME)" }
        return (values, includes)
    }

    /// A text of XML with the variables that are known filled in: once for each file that no other includes, where these differ.
    ///
    /// - Parameter usesFiles: whether Xcode fills it in, or definitions alone do.
    /// - Returns: never empty. A variable that nobody gives stays as it is written.
    package func fill(_ text: String, usesFiles: Bool) -> [Way] {
        let asked = Self.variables(of: text).filter { definitions[$0] == nil }
        var settings: [(root: String, values: [String: String])] = []
        for root in usesFiles && !asked.isEmpty ? roots : [] {
            var seen: Set<String> = []
            let values = resolved(flattened(root, &seen))
            if asked.contains(where: { values[$0] != nil }) { settings.append((root, values)) }
        }
        var found: [(way: Way, roots: [String])] = []
        for (root, values) in settings {
            let way = Way(text) { name in
                // A project's file and a target's go together, and nothing in them says so.
                let others = Set(settings.compactMap { $0.values[name] })
                return definitions[name] ?? values[name] ?? (others.count == 1 ? others.first : nil)
            }
            if let same = found.firstIndex(where: { $0.way.text == way.text }) {
                found[same].roots.append(root)
            } else {
                found.append((way, [root]))
            }
        }
        if found.isEmpty { return [Way(text) { definitions[$0] }] }
        return found.map { way, roots in
            var way = way
            if found.count > 1 { way.conditions = ["the settings are those of \(roots.joined(separator: " or "))"] }
            return way
        }
    }

    /// Files that no other includes.
    private var roots: [String] {
        let included = Set(
            files.flatMap { path, file in file.includes.compactMap { Self.path($0, from: path, among: files.keys) } }
        )
        return files.keys.filter { !included.contains($0) }.sorted()
    }

    /// What a file sets, and what the files set that it includes; its own wins.
    private func flattened(_ path: String, _ seen: inout Set<String>, _ depth: Int = 0) -> [String: String] {
        guard let file = files[path], depth < Self.deepest, seen.insert(path).inserted else { return [:] }
        var values: [String: String] = [:]
        for include in file.includes {
            guard let below = Self.path(include, from: path, among: files.keys) else { continue }
            values.merge(flattened(below, &seen, depth + 1)) { $1 }
        }
        for (name, value) in file.values {
            let below = values[name] ?? ""
            values[name] = Self.replaced(value) { ["inherited", name].contains($0) ? below : nil }
        }
        return values.filter { $0.value.utf8.count <= Self.longest }
    }

    /// Each value with the others in it; without those that stand for themselves or are not known.
    private func resolved(_ values: [String: String]) -> [String: String] {
        var known: [String: String?] = [:]
        func resolve(_ name: String, _ depth: Int = 0) -> String? {
            if let value = definitions[name] { return value }
            if let value = known[name] { return value }
            guard depth < Self.deepest else { return nil }
            known[name] = .some(nil)
            guard let value = values[name] else { return nil }
            var isKnown = true
            let result = Self.replaced(value) { other in
                let value = resolve(other, depth + 1)
                isKnown = isKnown && value != nil
                return value
            }
            if isKnown, result.utf8.count <= Self.longest { known[name] = .some(result) }
            return known[name] ?? nil
        }
        for name in values.keys { _ = resolve(name) }
        return known.compactMapValues { $0 }
    }

    private static let longest = 4096
    private static let deepest = 64

    /// Beside the file itself, or the only one of that name.
    private static func path(_ include: String, from file: String, among paths: some Sequence<String>) -> String? {
        let folder = file.split(separator: "/").dropLast()
        var parts = folder.map(String.init)
        for part in include.split(separator: "/") where part != "." {
            if part == ".." { _ = parts.popLast() } else { parts.append(String(part)) }
        }
        let beside = parts.joined(separator: "/")
        let name = include.split(separator: "/").last.map { "/" + $0 } ?? include
        let alike = paths.filter { $0 == beside || ("/" + $0).hasSuffix(name) }
        return alike.contains(beside) ? beside : alike.count == 1 ? alike[0] : nil
    }

    // MARK: Variables in a text

    /// Names in `$(NAME)` and `${NAME}`.
    package static func variables(of text: String) -> Set<String> {
        var found: Set<String> = []
        _ = replaced(text) { name in
            found.insert(name)
            return nil
        }
        return found
    }

    fileprivate static func replaced(_ text: String, _ value: (String) -> String?) -> String {
        var result = ""
        var rest = text[...]
        while let start = rest.firstIndex(of: "$") {
            result += rest[..<start]
            let tail = rest[rest.index(after: start)...]
            let closing: Character? = tail.first == "(" ? ")" : tail.first == "{" ? "}" : nil
            guard let closing, let end = tail.firstIndex(of: closing) else {
                result += "$"
                rest = tail
                continue
            }
            let name = String(tail[tail.index(after: tail.startIndex)..<end])
            // `$()` is how a setting writes two slashes, which would begin a comment.
            let filled = name.isEmpty ? "" : name.isVariable ? value(name) : nil
            result += filled ?? String(rest[start...end])
            rest = tail[tail.index(after: end)...]
        }
        return result + rest
    }
}

extension StringProtocol {
    fileprivate var trimmed: SubSequence {
        let start = firstIndex { !$0.isWhitespace } ?? endIndex
        let end = lastIndex { !$0.isWhitespace }.map(index(after:)) ?? start
        return self[start..<end]
    }

    fileprivate var isVariable: Bool {
        first.map { $0.isLetter || $0 == "_" } ?? false
            && allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" || $0 == "." }
    }
}

extension String {
    /// As a text of XML.
    fileprivate var escaped: String { replacing("&", with: "&amp;").replacing("<", with: "&lt;") }
}
