/// Operators.
extension Evaluator {
    func prefixed(_ mark: String, _ inner: Expression, _ line: Int) -> Value {
        let value = value(of: inner)
        switch (mark, value) {
        case ("!", .flag(let flag)): return .flag(!flag)
        case ("-", .number(let number)): return .number(-number)
        case ("&", _), ("+", .number): return value
        case (_, .unknown): return value
        default: return unknown("'\(mark)' is not understood here", line)
        }
    }

    func combine(_ mark: String, _ left: Expression, _ right: Expression, _ line: Int) -> Value {
        if mark == "||", tree.language == .script, let usual = usual(value(of: left), right) { return usual }
        if mark == "&&" || mark == "||" { return joined(mark, left, right, line) }
        if mark == "+", let text = textOfLines(left, right) { return .text(text) }
        let first = value(of: left)
        switch mark {
        case "to": return .list([first, value(of: right)])
        case "??", "?:":
            if case .nothing = first { return value(of: right) }
            if case .unknown(let unknown) = first, unknown.reason == Self.noKey { return value(of: right) }
            if let usual = usual(first, right) { return usual }
            // A value that may be missing: what stands in for it may be in force, or not.
            return first
        case "+", "plus":
            let second = value(of: right)
            if keepsBeginnings, case .text(let a) = first, second.firstUnknown != nil {
                return .text(beginning(a, before: right))
            }
            switch (first, second) {
            case (.text(let a), .text(let b)): return .text(a + b)
            case (.text(let a), .number(let b)): return .text(a + "\(b)")
            case (.list(let a), .list(let b)): return .list(a + b)
            case (.table(let a), .table(let b)) where tree.language == .kotlin:
                let keys = Set(b.map(\.key))
                return .table(a.filter { !keys.contains($0.key) } + b)
            case (.table(let a), .list(let pair)) where tree.language == .kotlin && pair.count == 2:
                return .table(a.filter { $0.key != pair[0] } + [.init(key: pair[0], value: pair[1], line: line)])
            case (.list(let a), .text):
                return tree.language == .kotlin ? .list(a + [second]) : unknown("'+' is not understood here", line)
            case (.number(let a), .number(let b)):
                let (sum, overflow) = a.addingReportingOverflow(b)
                return overflow ? unknown("the sum is too large", line) : .number(sum)
            case (.unknown(let unknown), _), (_, .unknown(let unknown)): return .unknown(unknown)
            default:
                return .unknown(
                    first.firstUnknown ?? second.firstUnknown ?? .init("'+' is not understood here", line: line)
                )
            }
        case "..<", "...", "..", "until":
            guard case .number(let a) = first, case .number(let b) = value(of: right), a <= b, b - a < Self.mostElements
            else {
                return unknown("the range is not known", line)
            }
            let isOpen = mark == "..<" || mark == "until"
            return .list((isOpen ? Array(a..<b) : Array(a...b)).map(Value.number))
        case "==", "!=", "===", "!==":
            let second = value(of: right)
            guard let isEqual = first.isEqual(to: second) else {
                return unknown("'\(mark)' is decided when the app runs", line)
            }
            return .flag(isEqual == mark.hasPrefix("="))
        case "<", ">", "<=", ">=":
            guard case .number(let a) = first, case .number(let b) = value(of: right) else {
                return unknown("'\(mark)' is decided when the app runs", line)
            }
            return .flag(mark == "<" ? a < b : mark == ">" ? a > b : mark == "<=" ? a <= b : a >= b)
        default: return unknown("'\(mark)' is decided when the app runs", line)
        }
    }

    /// A text of many lines that are joined, as certificates are written: one within the other, they would lead too far.
    private func textOfLines(_ left: Expression, _ right: Expression) -> String? {
        var parts = [right]
        var rest = left
        while case .binary("+", let first, let second) = rest.kind {
            parts.append(second)
            rest = first
        }
        parts.append(rest)
        guard parts.count > 8 else { return nil }
        let texts = parts.reversed().map { value(of: $0).text }
        return texts.contains(nil) ? nil : texts.compactMap(\.self).joined()
    }

    /// What stands in for a variable of the build that is not given; that it is given is another configuration.
    func usual(_ value: Value, _ right: Expression) -> Value? {
        guard case .unknown(let unknown) = value, unknown.isOfBuild else { return nil }
        let usual = self.value(of: right)
        guard let text = usual.text, !text.isEmpty else { return isGathering ? usual : nil }
        // Each by itself would be many ways, of which one is known.
        let ways = ["no variable of the build is given", "a variable of the build is given"]
        return isGathering || choices.choose("variables of the build", ways) == 0 ? usual : value
    }

    /// What the build may give in the place of a value: `PIN` of `process.env.PIN || "…"`.
    func replacement(of declaration: Declaration) -> String? {
        guard case .binary(let mark, let first, _)? = declaration.value?.kind, mark == "??" || mark == "||",
            tree.language == .script, case .unknown(let unknown) = value(of: first), unknown.isOfBuild
        else { return nil }
        return first.words
    }

    /// What a closure comes to; where that is not known, what stands in for it is another configuration.
    func attempted(_ closure: Expression.Closure, else other: Expression, _ line: Int) -> Value {
        let value = result(of: closure.block, line: line)
        guard case .unknown = value else { return value }
        let usual =
            if case .closure(let inner) = other.kind { result(of: inner.block, line: line) } else {
                self.value(of: other)
            }
        guard let text = usual.text, !text.isEmpty else { return value }
        return isGathering || choices.holds("what is tried on line \(line) fails") ? usual : value
    }

    /// What a table has for a parameter: each of its keys is a configuration of its own.
    func chosen(of entries: [Value.Entry], by unknown: Value.Unknown, _ expression: Expression?) -> Value {
        guard !isGathering, unknown.reason.contains("is a parameter"), let name = unknown.subject,
            1...8 ~= entries.count,
            !bindings.values.contains(where: { $0[name].map { $0 != .unknown(unknown) } ?? false })
        else { return .unknown(unknown) }
        // The parameter itself, and nothing that is made of it.
        let isItself = if case .name(name)? = expression?.kind { true } else { false }
        // An element of a list may be each of several hosts.
        if case .name(let element)? = expression?.kind, element != name,
            bindings.values.contains(where: { $0[element] != nil })
        {
            return .unknown(unknown)
        }
        // Those that a condition says it is not are none.
        let entries = entries.filter { entry in
            guard isItself, let key = entry.key.text else { return true }
            return choices.known("\(name) == \"\(key)\"") != false
        }
        guard !entries.isEmpty else { return .unknown(unknown) }
        let keys = entries.enumerated().map { index, entry in
            entry.key.text ?? entry.key.caseName ?? "entry \(index + 1)"
        }
        return entries[choices.choose("the key \(isItself ? "" : "of ")\(name)", keys.map { "\(name) is \($0)" })].value
    }

    /// One side alone can decide.
    private func joined(_ mark: String, _ left: Expression, _ right: Expression, _ line: Int) -> Value {
        let sides = [value(of: left), value(of: right)]
        let deciding = Value.flag(mark == "||")
        if sides.contains(deciding) { return deciding }
        if sides.allSatisfy({ $0 == .flag(mark == "&&") }) { return .flag(mark == "&&") }
        return unknown("'\(mark)' is decided when the app runs", line)
    }
}

extension Value {
    /// `nil` where that is not known.
    func isEqual(to other: Value) -> Bool? {
        if isPlain, other.isPlain { return self == other }
        if self == .nothing, other.isThere || other == .nothing { return other == .nothing }
        if other == .nothing, isThere { return false }
        guard let name = caseName, let second = other.caseName else { return nil }
        return name == second
    }

    /// Of an enum's case, however it is written.
    var caseName: String? {
        switch self {
        case .object(_, let fields): fields["name"]?.text
        case .made(let made): made.arguments.isEmpty && made.path.hasPrefix(".") ? made.name : nil
        default: nil
        }
    }

    /// Whether it cannot be missing.
    private var isThere: Bool {
        switch self {
        case .object, .list, .table: true
        case .text, .number, .flag, .nothing, .made, .unknown: false
        }
    }

    /// A text, a number or a truth value: what can be compared.
    var isPlain: Bool {
        switch self {
        case .text, .number, .flag, .nothing: true
        case .list, .table, .object, .made, .unknown: false
        }
    }
}
