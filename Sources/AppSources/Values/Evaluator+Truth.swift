/// Conditions in Dart and scripts that ask what a text holds.
extension Evaluator {
    /// Whether a condition is not what it has to be: `isLive`, which is `url.contains("live.acme.example")`, of a URL without
    /// that.
    func contradicts(_ choice: Choices.Choice) -> Bool {
        guard tree.language == .dart || tree.language == .script else { return false }
        let declared = tree.blocks.flatMap { $0.declarations[choice.condition] ?? [] }
        guard declared.count == 1, declared[0].kind == .value, let value = declared[0].value,
            declared[0].isFixed || changes(of: declared[0]).isEmpty, let truth = truth(of: value)
        else { return false }
        return truth != (choice.option == 0)
    }

    /// Whether an expression of texts holds; `nil` where that is not known.
    ///
    /// - Parameter countsTexts: whether a text by itself holds unless it is empty, as in scripts.
    func truth(of expression: Expression, countsTexts: Bool = false) -> Bool? {
        func truth(of part: Expression) -> Bool? { self.truth(of: part, countsTexts: countsTexts) }
        switch expression.kind {
        case .prefix("!", let part): return truth(of: part).map(!)
        case .binary("&&", let first, let second):
            let (one, other) = (truth(of: first), truth(of: second))
            return one == false || other == false ? false : one == true && other == true ? true : nil
        case .binary("||", let first, let second):
            let (one, other) = (truth(of: first), truth(of: second))
            return one == true || other == true ? true : one == false && other == false ? false : nil
        case .tested(_, let part): return truth(of: part)
        case .call(let callee, let arguments):
            guard arguments.count == 1, case .member(let base, let name) = callee.kind,
                case .text(let part) = value(of: arguments[0].value), case .text(let text) = value(of: base)
            else { return nil }
            switch name {
            case "contains", "includes": return text.contains(part)
            case "startsWith": return text.hasPrefix(part)
            case "endsWith": return text.hasSuffix(part)
            default: return nil
            }
        default: return countsTexts ? value(of: expression).truthOfScript : nil
        }
    }
}

extension Value {
    /// What a script takes it for where it asks if it is something; `nil` where that is not known.
    var truthOfScript: Bool? {
        switch self {
        case .text(let text): !text.isEmpty
        case .flag(let flag): flag
        case .nothing: false
        default: nil
        }
    }
}
