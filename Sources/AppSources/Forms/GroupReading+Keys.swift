/// Tables with pins for each environment, of which one entry is compared.
extension GroupReading {
    /// `pins[env]`: the entry that is known, or each by itself, as a configuration of its own.
    ///
    /// - Returns: the names of such tables.
    mutating func takeEntries(of group: CodeGroup) -> Set<String> {
        let tree = evaluator.tree
        guard tree.language == .dart || tree.language == .script else { return [] }
        var found: [(name: String, table: Expression, key: Expression)] = []
        tree.visit { expression, _ in
            if case .index(let table, let key) = expression.kind, group.holds(expression.token),
                let name = table.finalName, key.isOfNames, found.count < 20
            {
                found.append((name, table, key))
            }
            return true
        }
        var names: Set<String> = []
        for (name, table, key) in found {
            guard case .table(let entries) = evaluator.value(of: table), 2...8 ~= entries.count,
                entries.allSatisfy({ !($0.key.text.map(PinText.isKeyOfPins) ?? false) }),
                entries.contains(where: { !$0.value.texts.filter(PinText.isDigest).isEmpty })
            else { continue }
            let value = evaluator.value(of: key)
            names.insert(name)
            if let entry = entries.first(where: { $0.key == value }) {
                take(entry.value)
                continue
            }
            let words = key.words.hasPrefix("this.") ? String(key.words.dropFirst(5)) : key.words
            let keys = entries.enumerated().map { index, entry in
                "\(words) is \(entry.key.text ?? entry.key.caseName ?? "entry \(index + 1)")"
            }
            take(entries[evaluator.choices.choose("the key \(words)", keys)].value)
        }
        return names
    }
}
