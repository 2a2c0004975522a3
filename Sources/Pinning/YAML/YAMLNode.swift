/// A value of a YAML file and where it stands: a tree that is never deep, never large and has no aliases left.
package struct YAMLNode: Sendable {
    package enum Content: Sendable {
        /// Plain text may be a number, a boolean or nothing; quoted text is text.
        case scalar(String, isPlain: Bool)
        case list([YAMLNode])
        /// In file order, with keys that are given twice.
        case mapping([Entry])
    }

    package struct Entry: Sendable {
        package var key: YAMLNode
        package var value: YAMLNode
    }

    /// What a reader would call a value.
    package enum Kind: String {
        case nothing
        case boolean = "true or false"
        case number = "a number"
        case text
        case list = "a list"
        case mapping = "a mapping"
    }

    /// The first line and the first column are 1; a column is a Unicode scalar.
    package struct Mark: Hashable, Sendable {
        package var line = 1
        package var column = 1
    }

    package let content: Content
    package let file: String
    package let mark: Mark
    /// As in `hosts.example.org.keys[0]`; a key has that of its value.
    package let keyPath: String

    /// The only document of `text`.
    ///
    /// - Parameters:
    ///   - name: what such a file is called.
    ///   - beginning: what an empty one lacks.
    ///   - takesAliases: whether values may be shared.
    package init(
        parsing text: String,
        file: String,
        called name: String,
        beginning: String,
        takesAliases: Bool
    ) throws(YAMLError) {
        self = try withLargeStack { () -> Result<YAMLNode, YAMLError> in
            do throws(YAMLError) {
                var composition = try YAMLComposition(text, file: file, called: name, takesAliases: takesAliases)
                guard let node = try composition.node() else {
                    throw YAMLError("the file is empty; it should begin with \(beginning)")
                }
                return .success(node)
            } catch {
                return .failure(error)
            }
        }.get()
    }

    init(_ content: Content, file: String, mark: Mark, keyPath: String) {
        self.content = content
        self.file = file
        self.mark = mark
        self.keyPath = keyPath
    }

    /// YAML 1.2's core rules: `yes`, `on` and dates are text.
    package var kind: Kind {
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
    package var scalar: String? {
        if case .scalar(let text, _) = content { text } else { nil }
    }

    /// Whether it is a mapping with this key.
    package func has(_ key: String) -> Bool {
        if case .mapping(let entries) = content { entries.contains { $0.key.scalar == key } } else { false }
    }

    package var isEmptyMapping: Bool {
        if case .mapping(let entries) = content { entries.isEmpty } else { false }
    }

    package var isEmptyList: Bool {
        if case .list(let values) = content { values.isEmpty } else { false }
    }
}

/// Why a text is no YAML, or none that is read here.
package struct YAMLError: Error, Sendable {
    package let message: String
    package let mark: YAMLNode.Mark
    /// Whether two smaller files would be read.
    package let isAboutSize: Bool

    init(_ message: String, at mark: YAMLNode.Mark = YAMLNode.Mark(), isAboutSize: Bool = false) {
        self.message = message
        self.mark = mark
        self.isAboutSize = isAboutSize
    }
}
