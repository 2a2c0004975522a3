import Yams

/// Turns text into a `YAMLNode` by way of Yams, and Yams' errors into messages of one line.
struct YAMLComposition {
    /// Far above any file a person writes, far below what hurts the machine.
    private enum Limit {
        static let bytes = 1 << 20
        static let depth = 32
        static let values = 50_000
    }

    private let file: String
    private let name: String
    private var text = ""
    /// Keys that stand twice in a mapping, by where they stand, and what they were before they were made unique.
    private var duplicates: [YAMLNode.Mark: String] = [:]
    private var valueCount = 0

    init(_ text: String, file: String, called name: String, takesAliases: Bool) throws(YAMLError) {
        self.file = file
        self.name = name
        // YAML allows the mark that some editors write (section 5.2 of 1.2.2).
        let text = text.unicodeScalars.first == "\u{FEFF}" ? String(text.unicodeScalars.dropFirst()) : text
        guard text.utf8.count <= Limit.bytes else {
            throw YAMLError("the file is larger than \(Limit.bytes >> 20) MiB", isAboutSize: true)
        }
        try AliasExpansion(of: text).check(takesAliases: takesAliases)
        // Yams hands libyaml a pointer into the string that must outlive the call: not one of the short strings that are
        // kept inline, nor one whose characters are elsewhere.
        self.text.reserveCapacity(max(64, text.utf8.count))
        self.text += text
    }

    /// `nil` for a text without a value.
    mutating func node() throws(YAMLError) -> YAMLNode? {
        while true {
            do {
                // The encoding is named because Yams' default looks at an environment variable; no resolver runs because
                // the node's kind is our own business.
                guard let root = try Yams.compose(yaml: text, .basic, .default, .utf8) else { return nil }
                return try convert(root, keyPath: "", depth: 0)
            } catch let error as YAMLError {
                throw error
            } catch YamlError.duplicatedKeysInMapping(let names, let context) where duplicates.count < 20 {
                guard let name = names.first, makeUnique(name, at: mark(context.mark)) else { throw twice(context) }
            } catch {
                throw diagnosis(error)
            }
        }
    }

    /// Yams stops at a key that is given twice. To find what else is wrong in the file, the first of them gets another
    /// first letter, out of Unicode's private use area, until the text is read.
    private mutating func makeUnique(_ name: String, at mark: YAMLNode.Mark) -> Bool {
        guard var index = YAMLText(text).index(of: mark), index < text.endIndex else { return false }
        if text[index] == "\"" || text[index] == "'" { index = text.unicodeScalars.index(after: index) }
        guard
            let substitute = Unicode.Scalar(0xE000 + UInt32(duplicates.count)),
            !name.isEmpty, text.unicodeScalars[index...].starts(with: name.unicodeScalars)
        else { return false }

        duplicates[mark] = name
        text.unicodeScalars.replaceSubrange(index...index, with: [substitute])
        text.makeContiguousUTF8()
        return true
    }

    private mutating func convert(_ node: Node, keyPath: String, depth: Int) throws(YAMLError) -> YAMLNode {
        let mark = mark(node.mark)
        valueCount += 1
        if depth >= Limit.depth { throw tooDeep(mark) }
        if valueCount > Limit.values {
            throw YAMLError("the file has more than \(Limit.values) values", at: mark, isAboutSize: true)
        }

        let content: YAMLNode.Content
        switch node {
        case .scalar(let scalar):
            try refuseTag(scalar.tag, at: mark)
            content = .scalar(duplicates[mark] ?? scalar.string, isPlain: scalar.style == .plain)
        case .sequence(let sequence):
            try refuseTag(sequence.tag, at: mark)
            var values: [YAMLNode] = []
            for value in sequence {
                // Short, or else many values under a long key are more than memory holds.
                let path = "\(keyPath)[\(values.count)]".asOneLine
                values.append(try convert(value, keyPath: path, depth: depth + 1))
            }
            content = .list(values)
        case .mapping(let mapping):
            try refuseTag(mapping.tag, at: mark)
            var entries: [YAMLNode.Entry] = []
            for (key, value) in mapping {
                let name = key.scalar.map { duplicates[self.mark($0.mark)] ?? $0.string } ?? ""
                let path = (keyPath.isEmpty || name.isEmpty ? keyPath + name : "\(keyPath).\(name)").asOneLine
                entries.append(
                    YAMLNode.Entry(
                        key: try convert(key, keyPath: path, depth: depth + 1),
                        value: try convert(value, keyPath: path, depth: depth + 1)
                    )
                )
            }
            content = .mapping(entries)
        case .alias:
            // Yams replaces aliases while it composes.
            throw YAMLError("aliases are not supported here", at: mark)
        }
        return YAMLNode(content, file: file, mark: mark, keyPath: keyPath)
    }

    /// A tag would change what a value means, and nothing here has a meaning to change.
    private func refuseTag(_ tag: Tag, at mark: YAMLNode.Mark) throws(YAMLError) {
        let standard = ["", "!", "tag:yaml.org,2002:str", "tag:yaml.org,2002:seq", "tag:yaml.org,2002:map"]
        guard !standard.contains(tag.description) else { return }
        throw YAMLError("tags such as '\(tag.description)' are not supported", at: mark)
    }

    private func diagnosis(_ error: any Error) -> YAMLError {
        switch error as? YamlError {
        case .scanner(let context, let reason, let mark, _), .parser(let context, let reason, let mark, _):
            let mark = self.mark(mark)
            if reason.hasPrefix("Maximum nesting level") { return tooDeep(mark) }
            if let index = YAMLText(text).index(of: mark), index < text.endIndex, text[index] == "\t" {
                return YAMLError("a tab cannot indent or begin a value; use spaces", at: mark)
            }
            let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
            let first = context.map { self.mark($0.mark).line } ?? mark.line
            for line in (first...max(first, mark.line)).reversed() where lines.indices.contains(line - 1) {
                guard let value = lines[line - 1].firstMatch(of: /:[ ]+(\{[a-z][a-z0-9.]*\}[^\s,}]*)/) else { continue }
                let column = lines[line - 1].distance(from: lines[line - 1].startIndex, to: value.1.startIndex) + 1
                return YAMLError(
                    "a value that begins with a brace needs quotes, as in \"\(String(value.1).asOneLine) …\"",
                    at: YAMLNode.Mark(line: line, column: column)
                )
            }
            let origin = context.map { " (\($0.text), line \($0.mark.line))" } ?? ""
            return YAMLError("not valid YAML: \(reason)\(origin)", at: mark)
        case .composer(let context, _, let mark, _) where context != nil:
            return YAMLError("a second document begins here; \(name) has one", at: self.mark(mark))
        case .composer(_, let reason, let mark, _):
            return YAMLError("not valid YAML: \(reason)", at: self.mark(mark))
        case .reader(let reason, _, let value, _):
            let mark = YAMLText(text).mark { $0.value == UInt32(bitPattern: value) }
            return YAMLError("not valid YAML: \(reason)", at: mark ?? YAMLNode.Mark())
        case .duplicatedKeysInMapping(_, let context): return twice(context)
        default: return YAMLError("not valid YAML")
        }
    }

    private func twice(_ context: YamlError.Context) -> YAMLError {
        YAMLError("a key of this mapping is given twice", at: mark(context.mark))
    }

    private func tooDeep(_ mark: YAMLNode.Mark) -> YAMLError {
        YAMLError("nested more than \(Limit.depth) levels deep", at: mark)
    }

    private func mark(_ mark: Mark?) -> YAMLNode.Mark {
        YAMLNode.Mark(line: mark?.line ?? 1, column: mark?.column ?? 1)
    }
}
