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
        let first = value(of: left)
        switch mark {
        case "to": return .list([first, value(of: right)])
        case "??", "?:":
            if case .nothing = first { return value(of: right) }
            // A value that may be missing: what stands in for it may be in force, or not.
            return first
        case "+", "plus":
            let second = value(of: right)
            switch (first, second) {
            case (.text(let a), .text(let b)): return .text(a + b)
            case (.text(let a), .number(let b)): return .text(a + "\(b)")
            case (.list(let a), .list(let b)): return .list(a + b)
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
            guard first.isPlain, second.isPlain else { return unknown("'\(mark)' is decided when the app runs", line) }
            return .flag((first == second) == mark.hasPrefix("="))
        default: return unknown("'\(mark)' is decided when the app runs", line)
        }
    }
}

extension Value {
    /// A text, a number or a truth value: what can be compared.
    fileprivate var isPlain: Bool {
        switch self {
        case .text, .number, .flag, .nothing: true
        case .list, .table, .object, .made, .unknown: false
        }
    }
}
