import Yams

/// Turns text into a `YAMLNode` by way of Yams, and Yams' errors into problems of one line.
struct YAMLComposition {
    private let file: String
    private var text: String
    /// Keys that stand twice in a mapping, by where they stand, and what they were before they were made unique.
    private var duplicates: [SourceLocation: String] = [:]
    private var valueCount = 0

    init(text: String, file: String) {
        self.file = file
        // Yams hands libyaml a pointer into the string that must outlive the call: not one of the short strings that are
        // kept inline, nor one whose characters are elsewhere.
        self.text = ""
        self.text.reserveCapacity(max(64, text.utf8.count))
        self.text += text
    }

    mutating func node() throws(ScenarioFileError) -> YAMLNode {
        guard let root = try compose() else {
            let message = "the file is empty; it should begin with 'version: 1'"
            throw ScenarioFileError([ScenarioProblem(message, at: SourceLocation(file: file, line: 1, column: 1))])
        }
        return try convert(root, depth: 0)
    }

    private mutating func compose() throws(ScenarioFileError) -> Node? {
        while true {
            do {
                // The encoding is named because Yams' default looks at an environment variable; no resolver runs because
                // the node's kind is our own business.
                return try Yams.compose(yaml: text, .basic, .default, .utf8)
            } catch YamlError.duplicatedKeysInMapping(let names, let context) where duplicates.count < 20 {
                let location = location(context.mark)
                guard let name = names.first, makeUnique(name, at: location) else {
                    throw ScenarioFileError([ScenarioProblem("a key of this mapping is given twice", at: location)])
                }
            } catch {
                throw ScenarioFileError([problem(error)])
            }
        }
    }

    /// Yams stops at a key that is given twice. To find what else is wrong in the file, the first of them gets another
    /// first letter, out of Unicode's private use area, until the text is read.
    private mutating func makeUnique(_ name: String, at location: SourceLocation) -> Bool {
        guard
            var index = YAMLText(text).index(line: location.line, column: location.column),
            index < text.endIndex
        else { return false }
        if text[index] == "\"" || text[index] == "'" { index = text.unicodeScalars.index(after: index) }
        guard
            let substitute = Unicode.Scalar(0xE000 + UInt32(duplicates.count)),
            !name.isEmpty, text.unicodeScalars[index...].starts(with: name.unicodeScalars)
        else { return false }

        duplicates[location] = name
        text.unicodeScalars.replaceSubrange(index...index, with: [substitute])
        text.makeContiguousUTF8()
        return true
    }

    private mutating func convert(_ node: Node, depth: Int) throws(ScenarioFileError) -> YAMLNode {
        let location = location(node.mark)
        valueCount += 1
        if depth >= YAMLNode.Limit.depth {
            throw ScenarioFileError([
                ScenarioProblem("nested more than \(YAMLNode.Limit.depth) levels deep", at: location)
            ])
        }
        if valueCount > YAMLNode.Limit.values {
            throw ScenarioFileError([
                ScenarioProblem("the file has more than \(YAMLNode.Limit.values) values", at: location)
            ])
        }

        switch node {
        case .scalar(let scalar):
            try refuseTag(scalar.tag, at: location)
            let text = duplicates[location] ?? scalar.string
            return YAMLNode(content: .scalar(text, isPlain: scalar.style == .plain), location: location)
        case .sequence(let sequence):
            try refuseTag(sequence.tag, at: location)
            var values: [YAMLNode] = []
            for value in sequence { values.append(try convert(value, depth: depth + 1)) }
            return YAMLNode(content: .list(values), location: location)
        case .mapping(let mapping):
            try refuseTag(mapping.tag, at: location)
            var entries: [YAMLNode.Entry] = []
            for (key, value) in mapping {
                entries.append(
                    YAMLNode.Entry(
                        key: try convert(key, depth: depth + 1),
                        value: try convert(value, depth: depth + 1)
                    )
                )
            }
            return YAMLNode(content: .mapping(entries), location: location)
        case .alias:
            // Yams replaces aliases while it composes.
            throw ScenarioFileError([ScenarioProblem("aliases are not supported here", at: location)])
        }
    }

    /// A tag would change what a value means, and nothing here has a meaning to change.
    private func refuseTag(_ tag: Tag, at location: SourceLocation) throws(ScenarioFileError) {
        let standard = ["", "!", "tag:yaml.org,2002:str", "tag:yaml.org,2002:seq", "tag:yaml.org,2002:map"]
        guard !standard.contains(tag.description) else { return }
        throw ScenarioFileError([ScenarioProblem("tags such as '\(tag.description)' are not supported", at: location)])
    }

    private func problem(_ error: any Error) -> ScenarioProblem {
        switch error as? YamlError {
        case .scanner(let context, let reason, let mark, _), .parser(let context, let reason, let mark, _):
            let location = location(mark)
            if reason.hasPrefix("Maximum nesting level") {
                return ScenarioProblem("nested more than \(YAMLNode.Limit.depth) levels deep", at: location)
            }
            if let index = YAMLText(text).index(line: mark.line, column: mark.column), index < text.endIndex,
                text[index] == "\t"
            {
                return ScenarioProblem("a tab cannot indent or begin a value; use spaces", at: location)
            }
            let origin = context.map { " (\($0.text), line \($0.mark.line))" } ?? ""
            return ScenarioProblem("not valid YAML: \(reason)\(origin)", at: location)
        case .composer(let context, _, let mark, _) where context != nil:
            return ScenarioProblem("a second document begins here; a scenario file has one", at: location(mark))
        case .composer(_, let reason, let mark, _):
            return ScenarioProblem("not valid YAML: \(reason)", at: location(mark))
        case .reader(let reason, _, let value, _):
            let position = YAMLText(text).position { $0.value == UInt32(bitPattern: value) } ?? (1, 1)
            let location = SourceLocation(file: file, line: position.line, column: position.column)
            return ScenarioProblem("not valid YAML: \(reason)", at: location)
        case .duplicatedKeysInMapping(_, let context):
            return ScenarioProblem("a key of this mapping is given twice", at: location(context.mark))
        default:
            return ScenarioProblem("not valid YAML", at: SourceLocation(file: file, line: 1, column: 1))
        }
    }

    private func location(_ mark: Mark?) -> SourceLocation {
        SourceLocation(file: file, line: mark?.line ?? 1, column: mark?.column ?? 1)
    }
}
