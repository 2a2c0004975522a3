import AppSources
import Pinning

/// A file of YAML as a script that exports the same values, each on its own line: XcodeGen's `project.yml` holds property lists.
struct YAMLScript {
    private(set) var text = "module.exports="
    private var line = 1

    /// `nil` for what is no YAML, or more than that.
    init?(_ yaml: String, path: String) {
        let node = try? YAMLNode(
            parsing: yaml,
            file: path,
            called: "file",
            beginning: "a mapping",
            takesAliases: true
        )
        guard let node else { return nil }
        write(node)
    }

    private mutating func write(_ node: YAMLNode) {
        advance(to: node)
        switch node.content {
        case .scalar(let scalar, _):
            text += node.kind == .boolean || node.kind == .number ? scalar : Self.expression(scalar)
        case .list(let values):
            text += "["
            for value in values {
                write(value)
                text += ","
            }
            text += "]"
        case .mapping(let entries):
            text += "{"
            for entry in entries {
                advance(to: entry.key)
                text += "[" + Self.expression(entry.key.scalar ?? "") + "]:"
                write(entry.value)
                text += ","
            }
            text += "}"
        }
    }

    private mutating func advance(to node: YAMLNode) {
        while line < node.mark.line {
            text += "\n"
            line += 1
        }
    }

    /// In quotes, with what only a build knows, `$(NAME)` and `${NAME}`, as such.
    private static func expression(_ text: String) -> String {
        var parts: [String] = []
        var rest = text[...]
        while let match = rest.firstMatch(of: #/\$[({]([A-Za-z_][A-Za-z0-9_]*)[^)}]*[)}]/#) {
            parts += [quoted(rest[..<match.range.lowerBound]), "\(SourceModule.buildVariables).env.\(match.output.1)"]
            rest = rest[match.range.upperBound...]
        }
        parts.append(quoted(rest))
        if parts.count > 1 { parts.removeAll { $0 == "\"\"" } }
        return parts.joined(separator: "+")
    }

    private static func quoted(_ text: Substring) -> String {
        var quoted = "\""
        for character in text.unicodeScalars {
            switch character {
            case "\"", "\\": quoted += "\\" + String(character)
            case "\n": quoted += "\\n"
            default: quoted.unicodeScalars.append(character)
            }
        }
        return quoted + "\""
    }
}
