/// A value of a YAML file and where it stands: a tree that is never deep, never large and has no aliases left.
struct YAMLNode: Sendable {
    enum Content: Sendable {
        /// Plain text may be a number, a boolean or nothing; quoted text is text.
        case scalar(String, isPlain: Bool)
        case list([YAMLNode])
        /// In file order, with keys that are given twice.
        case mapping([Entry])
    }

    struct Entry: Sendable {
        var key: YAMLNode
        var value: YAMLNode
    }

    /// What a reader would call a value.
    enum Kind: String {
        case nothing
        case boolean = "true or false"
        case number = "a number"
        case text
        case list = "a list"
        case mapping = "a mapping"
    }

    var content: Content
    var location: SourceLocation

    /// YAML 1.2's core rules: `yes`, `on` and dates are text.
    var kind: Kind {
        switch content {
        case .list: return .list
        case .mapping: return .mapping
        case .scalar(_, isPlain: false): return .text
        case .scalar(let text, isPlain: true):
            if ["", "~", "null", "Null", "NULL"].contains(text) { return .nothing }
            if ["true", "True", "TRUE", "false", "False", "FALSE"].contains(text) { return .boolean }
            return Double(text) == nil || text.contains(where: \.isLetter) ? .text : .number
        }
    }

    /// The text of a scalar, quoted or not.
    var scalar: String? {
        if case .scalar(let text, _) = content { text } else { nil }
    }

    /// Whether it is a mapping with this key.
    func has(_ key: String) -> Bool {
        if case .mapping(let entries) = content { entries.contains { $0.key.scalar == key } } else { false }
    }

    var isEmptyList: Bool {
        if case .list(let values) = content { values.isEmpty } else { false }
    }
}
