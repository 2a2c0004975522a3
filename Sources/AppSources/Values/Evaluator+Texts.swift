/// More of what is asked of texts and lists: comparisons, and other texts made of them.
extension Evaluator {
    /// `isEmpty`, `isNotEmpty` and their kin.
    func emptiness(of value: Value, _ name: String, _ line: Int) -> Value {
        let isEmpty: Bool
        switch value {
        case .text(let text):
            isEmpty = name.hasSuffix("Blank") ? text.allSatisfy(\.isWhitespace) : text.isEmpty
        case .list(let values): isEmpty = values.isEmpty
        case .table(let entries): isEmpty = entries.isEmpty
        case .nothing: isEmpty = true
        case .unknown(let unknown): return .unknown(unknown)
        default: return unknown("'\(name)' is decided when the app runs", line)
        }
        return .flag(isEmpty != (name.hasPrefix("isNot") || name == "any"))
    }

    /// What is answered with yes or no; `nil` for any other.
    func compare(_ value: Value, _ name: String, _ arguments: [Expression.Argument], _ line: Int) -> Value? {
        switch name {
        case "isEmpty", "isNotEmpty", "isNullOrEmpty", "isNullOrBlank", "isBlank", "isNotBlank":
            guard arguments.isEmpty else { return nil }
            if case .made = value { return nil }
            return emptiness(of: value, name, line)
        case "contains", "containsKey", "Contains", "ContainsKey", "has", "includes":
            guard arguments.count == 1 else { return nil }
            let key = self.value(of: arguments[0].value)
            guard key.firstUnknown == nil else { return nil }
            switch value {
            case .list(let values) where value.firstUnknown == nil: return .flag(values.contains(key))
            case .table(let entries) where entries.allSatisfy({ $0.key.firstUnknown == nil }):
                return .flag(entries.contains { $0.key == key })
            case .text(let text): return key.text.map { .flag(text.contains($0)) }
            default: return nil
            }
        case "startsWith", "hasPrefix", "StartsWith", "endsWith", "hasSuffix", "EndsWith":
            guard case .text(let text) = value, let part = values(of: arguments).first?.text else { return nil }
            let isBeginning = ["startsWith", "hasPrefix", "StartsWith"].contains(name)
            return .flag(isBeginning ? text.hasPrefix(part) : text.hasSuffix(part))
        case "equals", "isEqualToString:", "Equals", "equalsIgnoreCase":
            guard let other = arguments.first.map({ self.value(of: $0.value) }), let isEqual = value.isEqual(to: other)
            else { return nil }
            if name == "equalsIgnoreCase", let a = value.text, let b = other.text {
                return .flag(a.lowercased() == b.lowercased())
            }
            return arguments.count == 1 ? .flag(isEqual) : nil
        default: return nil
        }
    }

    /// Texts and lists made of others; `nil` for any other method.
    func reshape(_ value: Value, _ name: String, _ arguments: [Expression.Argument], _ line: Int) -> Value? {
        switch (value, name) {
        case (.text(let text), "replace"), (.text(let text), "replaceAll"), (.text(let text), "Replace"),
            (.text(let text), "replacingOccurrences"), (.text(let text), "replaceFirst"):
            let parts = values(of: arguments)
            guard parts.count == 2, let old = parts[0].text, let new = parts[1].text, !old.isEmpty else { return nil }
            // A pattern that means more than itself.
            guard
                !["replaceAll", "replaceFirst"].contains(name)
                    || !old.contains(where: { "[]().*+?\\^$|{}".contains($0) })
            else { return nil }
            let isOnce = name == "replaceFirst" || name == "replace" && tree.language == .script
            return .text(text.replacing(old, with: new, maxReplacements: isOnce ? 1 : .max))
        case (.text(let text), "substringAfter"), (.text(let text), "substringBefore"):
            guard arguments.count == 1, let part = values(of: arguments)[0].text else { return nil }
            guard let found = text.firstRange(of: part) else { return value }
            return .text(String(name == "substringAfter" ? text[found.upperBound...] : text[..<found.lowerBound]))
        case (.text(let text), "uppercase"), (.text(let text), "uppercased"), (.text(let text), "toUpperCase"),
            (.text(let text), "ToUpper"), (.text(let text), "ToUpperInvariant"):
            return .text(text.uppercased())
        case (.text, "toString"), (.text, "trimmingCharacters"), (.list, "toSet"), (.list, "distinct"),
            (.list, "mutableCopy"), (.table, "mutableCopy"), (.text, "mutableCopy"), (.text, "copy"),
            (.list, "toHashSet"), (.list, "ToHashSet"), (.list, "Distinct"), (.list, "unmodifiable"),
            (.list, "toMutableSet"):
            if name == "trimmingCharacters", case .text(let text) = value, text.contains(where: \.isWhitespace) {
                return nil
            }
            return value
        case (.list(let values), "joinToString"), (.list(let values), "joined"), (.list(let values), "join"),
            (.list(let values), "componentsJoinedByString:"):
            let texts = values.compactMap(\.text)
            guard arguments.count <= 1, texts.count == values.count else { return nil }
            let usual = name == "joinToString" ? ", " : name == "join" && tree.language == .script ? "," : ""
            guard let mark = arguments.isEmpty ? usual : self.values(of: arguments)[0].text else { return nil }
            return .text(texts.joined(separator: mark))
        case (.text, "append"), (.text, "Append"): return appended(value, arguments)
        case (.list, "withIndex") where arguments.isEmpty: return indexed(value)
        case (.text(let text), "drop"), (.text(let text), "take"), (.text(let text), "dropLast"),
            (.text(let text), "substring"), (.text(let text), "takeLast"):
            let numbers = values(of: arguments).compactMap { if case .number(let number) = $0 { number } else { nil } }
            guard numbers.count == arguments.count, let first = numbers.first, 0...text.count ~= first else {
                return nil
            }
            switch (name, numbers.count) {
            case ("drop", 1), ("substring", 1): return .text(String(text.dropFirst(first)))
            case ("take", 1): return .text(String(text.prefix(first)))
            case ("dropLast", 1): return .text(String(text.dropLast(first)))
            case ("takeLast", 1): return .text(String(text.suffix(first)))
            case ("substring", 2) where first <= numbers[1] && numbers[1] <= text.count && tree.language != .dart:
                return .text(String(text.prefix(numbers[1]).dropFirst(first)))
            default: return nil
            }
        case (.list(let values), "flatten") where arguments.isEmpty:
            return .list(values.flatMap { value in if case .list(let inner) = value { inner } else { [value] } })
        case (.list(let values), "reversed"), (.list(let values), "reverse"):
            return arguments.isEmpty ? .list(values.reversed()) : nil
        case (.list(let values), "filter"), (.list(let values), "where"):
            return filtered(values, arguments)
        case (.list(let values), "toMap") where arguments.isEmpty: return table(values, line)
        default: return nil
        }
    }

    /// Without what all lines begin with, and without an empty first and last one.
    static func unindented(_ text: String) -> String {
        var lines = text.split(separator: "\n", omittingEmptySubsequences: false)[...]
        if lines.first?.allSatisfy(\.isWhitespace) ?? false { lines = lines.dropFirst() }
        if lines.last?.allSatisfy(\.isWhitespace) ?? false { lines = lines.dropLast() }
        let indents = lines.filter { !$0.allSatisfy(\.isWhitespace) }.map { $0.prefix(while: \.isWhitespace).count }
        let shared = indents.min() ?? 0
        return lines.map { $0.dropFirst(min(shared, $0.prefix(while: \.isWhitespace).count)) }.joined(separator: "\n")
    }

    /// Each element behind its number.
    func indexed(_ value: Value) -> Value {
        guard case .list(let values) = value else { return value }
        return .list(values.enumerated().map { .list([.number($0), $1]) })
    }

    /// `reduce(into: [:]) { result, element in … }`
    ///
    /// The same of scripts, `reduce((result, element) => …, {})`, and `fold({}, (result, element) => …)`.
    func reduced(_ values: [Value], _ arguments: [Expression.Argument], _ line: Int) -> Value? {
        if arguments.count == 2, arguments[0].label == nil {
            let isFirst = if case .closure = arguments[0].value.kind { true } else { false }
            let (first, second) = (arguments[0].value, arguments[1].value)
            return folded(values, isFirst ? second : first, isFirst ? first : second, line)
        }
        guard arguments.count == 2, arguments[0].label == "into", values.count <= Self.mostElements,
            case .closure(let closure) = arguments[1].value.kind, closure.parameters.count >= 2,
            !tree.isLeftEarly(closure.block)
        else { return nil }
        let statements = tree.blocks[closure.block].statements
        let changes = (tree.changes[closure.parameters[0]] ?? [])
            .filter { change in statements.contains { $0.tokens.contains(change.token) } }
        var total = value(of: arguments[0].value)
        for value in values {
            var inner = self
            inner.bind(value, to: Array(closure.parameters.dropFirst()), in: closure.block)
            var trace = AssignmentTrace(inner, closure.parameters[0], total, changes)
            guard choices.step(), trace.run(statements, before: .max), let new = trace.value
            else { return unknown("what is reduced is computed when the app runs", line) }
            total = new
        }
        return total
    }

    private func folded(_ values: [Value], _ start: Expression, _ function: Expression, _ line: Int) -> Value? {
        guard values.count <= Self.mostElements, case .closure(let closure) = function.kind,
            closure.parameters.count >= 2, !tree.isLeftEarly(closure.block, butAtEnd: true)
        else { return nil }
        let name = closure.parameters[0]
        var statements = tree.blocks[closure.block].statements[...]
        guard let last = statements.popLast() else { return nil }
        let result: Expression
        switch last.kind {
        case .returning(let value?), .expression(let value): result = value
        default: return nil
        }
        let changes = (tree.changes[name] ?? [])
            .filter { change in statements.contains { $0.tokens.contains(change.token) } }
        var total = value(of: start)
        for (index, value) in values.enumerated() {
            var inner = self
            inner.bind(value, to: Array(closure.parameters.dropFirst()), at: index, in: closure.block)
            var trace = AssignmentTrace(inner, name, total, changes)
            guard choices.step(), trace.run(statements, before: .max), let changed = trace.value
            else { return unknown("what is reduced is computed when the app runs", line) }
            inner.bindings[closure.block]?[name] = changed
            total = inner.value(of: result)
        }
        return total
    }

    private func filtered(_ values: [Value], _ arguments: [Expression.Argument]) -> Value? {
        guard arguments.count == 1, values.count <= Self.mostElements else { return nil }
        var kept: [Value] = []
        for (index, value) in values.enumerated() {
            guard let isKept = isKept(value, at: index, by: arguments[0].value) else { return nil }
            if isKept { kept.append(value) }
        }
        return .list(kept)
    }

    /// What a filter says of an element; in scripts it may be a text: `filter(Boolean)`, `filter((pin) => pin && …)`.
    private func isKept(_ value: Value, at index: Int, by filter: Expression) -> Bool? {
        if case .flag(let flag)? = applied(filter, to: value, at: index) { return flag }
        guard tree.language == .script else { return nil }
        if filter.names("Boolean") { return value.truthOfScript }
        guard case .closure(let closure) = filter.kind, tree.blocks[closure.block].statements.count == 1 else {
            return nil
        }
        switch tree.blocks[closure.block].statements[0].kind {
        case .returning(let answer?), .expression(let answer):
            var inner = self
            inner.bind(value, to: closure.parameters, at: index, in: closure.block)
            return inner.truth(of: answer, countsTexts: true)
        default: return nil
        }
    }
}
