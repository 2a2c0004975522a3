/// What the expressions of one source come to. Whatever it is not sure of is unknown, with the reason.
struct Evaluator {
    let module: SourceModule
    let tree: SyntaxTree
    let choices: Choices
    /// What parameters of closures, loops and functions stand for, by block.
    var bindings: [Int: [String: Value]] = [:]
    var depth = 0
    /// Whether a condition is decided: by what nothing can assign to again alone.
    var isDeciding = false
    /// Whether all that a group of functions names is gathered: what decides between entries of a table is left open.
    var isGathering = false
    /// Whether a text whose end is not known is given as far as it is, with `cut` behind it.
    var keepsBeginnings = false
    /// Of which type the object is whose members are looked at, where that is told.
    var ownType: String?
    static let noKey = "the table has no such key"
    static let cut = "\u{FFFC}"
    /// Constants of a library, which stand for themselves.
    static let ownPrefixes = ["kTSK", "TSK"]

    static let deepest = 24
    /// Far above any list that a person writes.
    static let mostElements = 2000

    init(_ module: SourceModule, _ tree: SyntaxTree, _ choices: Choices) {
        self.module = module
        self.tree = tree
        self.choices = choices
    }

    /// The same, another way through the conditions.
    func choosing(_ choices: Choices) -> Evaluator {
        var copy = Evaluator(module, tree, choices)
        copy.bindings = bindings
        return copy
    }

    func unknown(_ reason: String, _ line: Int) -> Value { .unknown(.init(reason, line: line)) }

    /// In another source, whose names are its own.
    func within(_ other: SyntaxTree) -> Evaluator {
        var copy = Evaluator(module, other, choices)
        copy.depth = depth
        copy.isDeciding = isDeciding
        copy.isGathering = isGathering
        copy.keepsBeginnings = keepsBeginnings
        copy.ownType = ownType
        if other.path == tree.path { copy.bindings = bindings }
        return copy
    }

    func value(of expression: Expression) -> Value {
        guard depth < Self.deepest else { return unknown("its value leads too far", expression.line) }
        guard choices.step() else { return unknown("its value takes too long to find", expression.line) }
        var inner = self
        inner.depth += 1
        let value = inner.evaluate(expression)
        return value.isSmall ? value : unknown("its value is too large", expression.line)
    }

    func evaluate(_ expression: Expression) -> Value {
        switch expression.kind {
        case .text(let pieces): return text(of: pieces, expression.line)
        case .number(let text):
            let digits = text.filter { $0 != "_" && $0 != "L" }
            let number = digits.lowercased().hasPrefix("0x") ? Int(digits.dropFirst(2), radix: 16) : Int(digits)
            return number.map(Value.number)
                ?? unknown("'\(text)' is no whole number", expression.line)
        case .name(let name): return lookUp(name, from: expression)
        case .member: return member(expression)
        case .call(let callee, let arguments): return call(callee, arguments, expression)
        case .index(let base, let key):
            let (owner, expressed, key) = (value(of: base), key, value(of: key))
            // `Host['live']` of an enum
            if case .object(let type, [:]) = owner, let name = key.text,
                let value = member(name, ofType: type, expression)
            {
                return value
            }
            return element(of: owner, at: key, expression.line, expressed)
        case .list(let values): return list(values)
        case .table(let pairs):
            return table(pairs)
        case .binary(let mark, let left, let right): return combine(mark, left, right, expression.line)
        case .prefix(let mark, let inner): return prefixed(mark, inner, expression.line)
        case .conditional(let condition, let first, let second):
            guard let holds = holds(condition) else {
                return unknown("'\(condition.words)' is decided for each element or call", expression.line)
            }
            return value(of: holds ? first : second)
        case .tested(_, let value): return self.value(of: value)
        case .closure: return unknown("it is computed when the app runs", expression.line)
        case .opaque(let text):
            if expression.isThrow { choices.isImpossible = true }
            return unknown("'\(text)' is not understood", expression.line)
        }
    }

    func table(_ pairs: [Expression.Pair]) -> Value {
        var entries: [Value.Entry] = []
        func put(_ more: [Value.Entry]) {
            let keys = Set(more.map(\.key))
            entries.removeAll { keys.contains($0.key) }
            entries += more
        }
        for pair in pairs {
            guard case .prefix("...", let inner) = pair.key.kind else {
                entries.append(.init(key: value(of: pair.key), value: value(of: pair.value), line: pair.key.line))
                continue
            }
            switch value(of: inner) {
            case .table(let more): put(more)
            // What a loop within a map of Dart makes.
            case .list(let parts) where tree.language == .dart && parts.allSatisfy(\.isTable):
                for case .table(let more) in parts { put(more) }
            case let other:
                let unknown = Value.unknown(other.firstUnknown ?? .init("it is no object", line: pair.key.line))
                entries.append(.init(key: unknown, value: unknown, line: pair.key.line))
            }
            if entries.count > Self.mostElements { return unknown("the table is too long", pair.key.line) }
        }
        return .table(entries)
    }

    func text(of pieces: [Expression.TextPiece], _ line: Int) -> Value {
        var text = ""
        for piece in pieces {
            switch piece {
            case .plain(let plain): text += plain
            case .value(let inner):
                guard text.utf8.count <= Value.longest else { return unknown("the text is too long", line) }
                switch value(of: inner) {
                case .text(let part): text += part
                case .number(let number): text += "\(number)"
                case let other where keepsBeginnings && other.text == nil: return .text(beginning(text, before: inner))
                case .unknown(let unknown): return .unknown(unknown)
                case let other:
                    return .unknown(other.firstUnknown ?? .init("what is put into the text is no text", line: line))
                }
            }
        }
        return .text(text)
    }

    func list(_ values: [Expression]) -> Value {
        var found: [Value] = []
        for expression in values {
            if case .prefix("...", let inner) = expression.kind {
                switch value(of: inner) {
                case .list(let more): found += more
                case let other:
                    found.append(.unknown(other.firstUnknown ?? .init("it is no list", line: expression.line)))
                }
            } else {
                found.append(value(of: expression))
            }
        }
        return found.count > Self.mostElements ? unknown("the list is too long", values[0].line) : .list(found)
    }

    /// - Parameter expression: of the key, where it stands in the source.
    func element(of value: Value, at key: Value, _ line: Int, _ expression: Expression? = nil) -> Value {
        switch (value, key) {
        case (.list(let values), .number(let index)):
            return values.indices.contains(index) ? values[index] : unknown("the list has no element \(index)", line)
        case (.table(let entries), _):
            if let unknown = key.firstUnknown { return chosen(of: entries, by: unknown, expression) }
            if let found = entries.last(where: { $0.key == key }) { return found.value }
            if let unknown = entries.lazy.compactMap(\.key.firstUnknown).first { return .unknown(unknown) }
            return unknown(Self.noKey, line)
        case (.object(_, let fields), .text(let name)): return fields[name] ?? unknown("it has no '\(name)'", line)
        case (.unknown(let unknown), _), (_, .unknown(let unknown)): return .unknown(unknown)
        default: return unknown("an element is taken of what is no list", line)
        }
    }
}
