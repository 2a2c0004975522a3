/// Writes a declaration in YAML: mappings, lists and texts, all that a declaration has.
package struct DeclarationWriter {
    private(set) var output = ""
    private var depth = 0
    /// The next line begins an item of a list.
    private var beginsItem = false

    mutating func open(_ key: String) {
        line(Self.quoted(key) + ":")
        depth += 1
    }

    mutating func close() { depth -= 1 }

    mutating func text(_ key: String, _ value: String) { scalar(Self.quoted(key) + ": ", value) }

    mutating func boolean(_ key: String, _ value: Bool) { line("\(Self.quoted(key)): \(value)") }

    /// A list of texts, under the key.
    mutating func list(_ key: String, _ values: [String]) {
        guard !values.isEmpty else { return line(Self.quoted(key) + ": []") }
        open(key)
        for value in values { scalar("- ", value) }
        close()
    }

    /// A list of mappings, under the key.
    mutating func items<Value>(_ key: String, _ values: [Value], write: (inout DeclarationWriter, Value) -> Void) {
        guard !values.isEmpty else { return line(Self.quoted(key) + ": []") }
        open(key)
        for value in values {
            beginsItem = true
            depth += 1
            write(&self, value)
            depth -= 1
        }
        close()
    }

    /// An empty mapping, under the key.
    mutating func emptyMapping(_ key: String) { line(Self.quoted(key) + ": {}") }

    private mutating func line(_ text: String) {
        let indent =
            beginsItem ? String(repeating: "  ", count: depth - 1) + "- " : String(repeating: "  ", count: depth)
        beginsItem = false
        output += indent + text + "\n"
    }

    private mutating func scalar(_ lead: String, _ value: String) {
        let lines = value.split(separator: "\n", omittingEmptySubsequences: false)
        let isBlock = value.hasSuffix("\n") && lines.dropLast().allSatisfy(Self.fitsBlock)
        guard isBlock else { return line(lead + Self.quoted(value)) }
        line(lead + "|")
        depth += 1
        for text in lines.dropLast() { line(String(text)) }
        depth -= 1
    }

    private static func fitsBlock(_ line: Substring) -> Bool {
        guard let first = line.first, first != " " else { return false }
        return line.utf8.allSatisfy { 0x20...0x7E ~= $0 }
    }

    /// Plain where nothing could be misread, else in double quotes.
    package static func quoted(_ text: String) -> String {
        if isPlain(text) { return text }
        var quoted = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": quoted += "\\\""
            case "\\": quoted += "\\\\"
            case "\n": quoted += "\\n"
            case "\r": quoted += "\\r"
            case "\t": quoted += "\\t"
            case _ where 0x20...0x7E ~= scalar.value: quoted.unicodeScalars.append(scalar)
            default:
                let digits = String(scalar.value, radix: 16)
                quoted += "\\U" + String(repeating: "0", count: 8 - digits.count) + digits
            }
        }
        return quoted + "\""
    }

    private static func isPlain(_ text: String) -> Bool {
        guard let first = text.first, first.isASCII, first.isLetter else { return false }
        return !["true", "false", "null"].contains(text.lowercased())
            && text.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "-./+=".contains($0)) }
    }
}
