/// Reads values of one kind in one way each, and notes what is wrong with them.
package protocol YAMLReader: AnyObject {
    func report(_ message: @autoclosure () -> String, at node: YAMLNode)
}

extension YAMLReader {
    /// The values of a mapping by key: only `known` ones, and unless a problem says so all the `required` ones.
    package func fields(
        of node: YAMLNode,
        called name: String,
        known: [String],
        required: [String] = []
    ) -> [String: YAMLNode]? {
        let advice = node.kind == .nothing ? "; write {} for none" : ""
        guard let entries = entries(of: node, "the settings of \(name)", advice: advice) else { return nil }
        var fields: [String: YAMLNode] = [:]
        for entry in entries {
            guard let key = text(entry.key, "a key") else { continue }
            if known.contains(key) {
                fields[key] = entry.value
            } else if key == "<<" {
                report("merge keys are not supported; write the entries out", at: entry.key)
            } else {
                report("unknown key '\(key)'\(suggestion(for: key, among: known, most: known.count))", at: entry.key)
            }
        }
        for key in required where fields[key] == nil { report("\(name) has no '\(key)'", at: node) }
        return fields
    }

    /// The entries of a mapping in file order, without a key's second and later ones.
    package func entries(of node: YAMLNode, _ expected: String, advice: String = "") -> [YAMLNode.Entry]? {
        guard case .mapping(let entries) = node.content else {
            report("expected \(expected), found \(node.kind.rawValue)\(advice)", at: node)
            return nil
        }
        var firstLines: [String: Int] = [:]
        return entries.filter { entry in
            guard let key = entry.key.scalar else { return true }
            if let line = firstLines[key] {
                report("'\(key)' is given twice; first on line \(line)", at: entry.key)
                return false
            }
            firstLines[key] = entry.key.mark.line
            return true
        }
    }

    /// Text that is not a number, a boolean or nothing, unless quoted.
    package func text(_ node: YAMLNode, _ expected: String) -> String? {
        guard let text = node.scalar, node.kind == .text else {
            let advice = [.number, .boolean].contains(node.kind) ? "; quote it if it is meant" : ""
            report("expected \(expected), found \(node.kind.rawValue)\(advice)", at: node)
            return nil
        }
        return text
    }

    /// Text for people or programs, where `8080` and `true` need no quotes.
    package func prose(_ node: YAMLNode, _ expected: String) -> String? {
        guard let text = node.scalar, node.kind != .nothing else {
            let advice =
                if case .mapping(let entries) = node.content, entries.count == 1, entries[0].value.kind == .nothing {
                    "; a text that begins with a brace needs quotes"
                } else {
                    ""
                }
            report("expected \(expected), found \(node.kind.rawValue)\(advice)", at: node)
            return nil
        }
        return text
    }

    package func list(_ node: YAMLNode, of expected: String) -> [YAMLNode]? {
        guard case .list(let values) = node.content else {
            report("expected a list of \(expected), found \(node.kind.rawValue)", at: node)
            return nil
        }
        return values
    }

    package func boolean(_ node: YAMLNode) -> Bool? {
        guard let text = node.scalar, node.kind == .boolean else {
            report("expected true or false, found \(node.kind.rawValue)", at: node)
            return nil
        }
        return text.lowercased() == "true"
    }

    package func integer(_ node: YAMLNode, in range: ClosedRange<Int>, _ expected: String) -> Int? {
        guard case .scalar(let text, isPlain: true) = node.content, node.kind == .number else {
            report("expected \(expected), found \(node.kind.rawValue)", at: node)
            return nil
        }
        guard let number = Int(text), range.contains(number) else {
            report(
                "expected \(expected) from \(range.lowerBound) to \(range.upperBound), found \(text)",
                at: node
            )
            return nil
        }
        return number
    }

    /// One of the words that `Choice` knows.
    package func choice<Choice: RawRepresentable<String> & CaseIterable>(_ node: YAMLNode, _ expected: String)
        -> Choice?
    {
        choice(node, expected, among: Choice.allCases.map { ($0.rawValue, $0) })
    }

    package func choice<Choice>(_ node: YAMLNode, _ expected: String, among words: [(String, Choice)]) -> Choice? {
        guard let word = node.scalar, node.kind == .text else {
            let words = words.map(\.0).joined(separator: ", ")
            report("expected \(expected) (\(words)), found \(node.kind.rawValue)", at: node)
            return nil
        }
        guard let choice = words.first(where: { $0.0 == word })?.1 else {
            report("'\(word)' is not \(expected)\(suggestion(for: word, among: words.map(\.0)))", at: node)
            return nil
        }
        return choice
    }

    /// What may have been meant: the nearest candidate, or else what there is to choose from.
    package func suggestion(for name: String, among candidates: [String], most count: Int = 12) -> String {
        if let nearest = nearest(to: name, among: candidates) { return "; did you mean '\(nearest)'?" }
        if candidates.isEmpty { return "; the file declares none" }
        let shown = candidates.prefix(count).joined(separator: ", ")
        return "; known here: \(shown)\(candidates.count > count ? ", ..." : "")"
    }
}
