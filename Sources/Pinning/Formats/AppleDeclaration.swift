import TLSCore

/// The form in YAML of what apps write in code.
enum AppleDeclaration {
    static func render(_ dialect: Dialect, _ fields: KeyValuePairs<String, String> = [:], list: String, _ pins: [Pin])
        -> String
    {
        var lines = ["\(dialect.rawValue):"] + fields.map { "  \($0.key): \($0.value)" }
        lines.append(pins.isEmpty ? "  \(list): []" : "  \(list):")
        lines += pins.map { "    - \($0)" }
        return lines.joined(separator: "\n") + "\n"
    }
}
