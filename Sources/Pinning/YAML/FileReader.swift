package import Foundation

/// Reads the values of a small YAML file, and notes everything that is wrong with them.
package final class FileReader: YAMLReader {
    private var problems: [(mark: YAMLNode.Mark, text: String)] = []
    private let file: String
    /// More than anybody reads.
    private static let mostProblems = 50

    package init(_ file: String) { self.file = file }

    /// Reads the only document of a text, and throws all that is wrong with it.
    ///
    /// - Parameters:
    ///   - name: what such a file is called.
    ///   - beginning: what an empty one lacks.
    ///   - read: what gives back `nil`, or anything, once something has been reported.
    package static func read<Value>(
        _ text: String,
        file: String,
        called name: String,
        beginning: String = "'version: 1'",
        _ read: (FileReader, YAMLNode) -> Value?
    ) throws(FileError) -> Value {
        let root: YAMLNode
        do throws(YAMLError) {
            root = try YAMLNode(
                parsing: text,
                file: file,
                called: name,
                beginning: beginning,
                takesAliases: false
            )
        } catch {
            throw FileError("\(file):\(error.mark.line):\(error.mark.column) \(error.message)")
        }
        let reader = FileReader(file)
        guard let value = read(reader, root), reader.problems.isEmpty else {
            let sorted = reader.problems.sorted {
                ($0.mark.line, $0.mark.column) < ($1.mark.line, $1.mark.column)
            }
            let lines = sorted.map { "\(file):\($0.mark.line):\($0.mark.column) \($0.text)" }
            throw FileError(lines.isEmpty ? "\(file): nothing can be read" : lines.joined(separator: "\n"))
        }
        return value
    }

    package func report(_ message: @autoclosure () -> String, at node: YAMLNode) {
        guard problems.count < Self.mostProblems else { return }
        problems.append((node.mark, message().asOneLine))
    }

    /// The format's version, which is 1.
    package func checkVersion(_ node: YAMLNode?) {
        guard let node else { return }
        _ = integer(node, in: 1...1, "the version of the format")
    }

    package func day(_ node: YAMLNode) -> Day? {
        guard let text = prose(node, "a day such as 2026-11-30") else { return nil }
        guard let day = Day(parsing: text) else {
            report("'\(text)' is no day from 2000 to 2099; write it as in 2026-11-30", at: node)
            return nil
        }
        return day
    }

    /// A day, or an instant of it.
    package func moment(_ node: YAMLNode) -> Date? {
        guard let text = prose(node, "a day such as 2026-11-30") else { return nil }
        if let day = Day(parsing: text) { return day.noon }
        guard let instant = try? Date(text, strategy: .iso8601), Day(parsing: "\(Day(instant))") != nil else {
            report("'\(text)' is no day from 2000 to 2099; write 2026-11-30 or 2026-11-30T12:00:00Z", at: node)
            return nil
        }
        return instant
    }

    /// The names and values of a mapping, in file order.
    package func named(_ node: YAMLNode?, _ what: String) -> [(name: String, node: YAMLNode)] {
        guard let node else { return [] }
        return (entries(of: node, "a mapping of \(what)") ?? []).compactMap { entry in
            prose(entry.key, "a name").map { ($0, entry.value) }
        }
    }
}

/// What is wrong with a file, in one line: where, which, and what to do.
package struct FileError: Error, Hashable, CustomStringConvertible, Sendable {
    /// One line for each problem.
    package let description: String

    package init(_ description: String) { self.description = description }
}
