/// Switches of the app's own in Apple's code, whatever they are called.
extension SyntaxTree {
    /// Whether a build, or a switch of the app's own, decides a condition.
    func isSwitch(_ choice: Choices.Choice) -> Bool {
        ComparisonForm.isSwitch(choice) || isOfApple && ownSwitch(choice.condition) != nil
    }

    /// A name that no function declares, by itself or beside what an enum may be: `Security.isEnabled`, `mode == .strict`.
    private struct OwnSwitch {
        var names: [String]
        /// `nil` of a flag.
        var label: String?
        var isEqual = true
    }

    /// What says of a name that it is one.
    private static let ofSwitches = [
        "enabl", "disabl", "mode", "type", "strategy", "allow", "pinning", "mock", "release", "secure",
    ]

    /// What says that it is about a connection, or whether there is anything.
    private static let ofConnections = [
        "trust", "valid", "match", "success", "result", "status", "error", "cert", "pin", "finger", "hash", "digest",
        "key", "host", "domain", "method", "credential", "data", "chain", "session", "delegate", "handler", "path",
        "empty",
    ]

    private func ownSwitch(_ condition: String) -> OwnSwitch? {
        var subject = condition
        var found = OwnSwitch(names: [])
        if let mark = [" == ", " != ", ": "].first(where: condition.contains),
            let place = condition.firstRange(of: mark)
        {
            subject = String(condition[..<place.lowerBound])
            if subject.hasPrefix("("), subject.hasSuffix(")") { subject = String(subject.dropFirst().dropLast()) }
            let label = condition[place.upperBound...]
            guard label.first == "." || label.first?.isUppercase ?? false, label != "NULL", label.isOfNames else {
                return nil
            }
            found.label = label.split(separator: ".").last.map(String.init)
            found.isEqual = mark != " != "
        }
        // `[self isPinning]`
        if language == .objectiveC, subject.hasPrefix("[self "), subject.hasSuffix("]") {
            subject = String(subject.dropFirst().dropLast()).replacing(" ", with: ".")
        }
        guard subject[...].isOfNames else { return nil }
        found.names = subject.split(separator: ".").map(String.init)
        guard let first = found.names.first, let last = found.names.last?.lowercased(), !declaresWithin(first) else {
            return nil
        }
        if Self.ofSwitches.contains(where: last.contains) { return found }
        guard !Self.ofConnections.contains(where: last.contains) else { return nil }
        // Objects of Objective-C are asked for like flags.
        let isFlag = ["is", "has", "use", "should"].contains(where: last.hasPrefix)
        return language == .swift && first.first != "$" || isFlag ? found : nil
    }

    /// Whether a condition of Apple's code holds by what its switch is, and can never be otherwise; `nil` where it may.
    func holds(_ choice: Choices.Choice, _ evaluator: Evaluator) -> Bool? {
        guard isOfApple else { return nil }
        if let flag = answered(choice.condition) ?? flag(choice.condition, evaluator) {
            return flag == (choice.option == 0)
        }
        guard let own = ownSwitch(choice.condition),
            let label = own.label, let (tree, declaration) = constant(own.names, evaluator.module),
            let known = evaluator.within(tree).value(of: declaration).caseName?.split(separator: ".").last
        else { return nil }
        return ((known == label) == own.isEqual) == (choice.option == 0)
    }

    /// A flag that is always the same: a constant, or a function's own that is written as one.
    private func flag(_ condition: String, _ evaluator: Evaluator) -> Bool? {
        guard condition[...].isOfNames else { return nil }
        let names = condition.split(separator: ".").map(String.init)
        if declaresWithin(names[0]) {
            let declared = blocks.flatMap { $0.declarations[names[0]] ?? [] }
            guard names.count == 1, declared.count == 1, declared[0].isFixed, let value = declared[0].value else {
                return nil
            }
            return value.names("true") ? true : value.names("false") ? false : nil
        }
        guard let (tree, declaration) = constant(names, evaluator.module),
            case .flag(let flag) = evaluator.within(tree).value(of: declaration)
        else { return nil }
        return flag
    }

    /// What a function of the source says that takes nothing, and answers the same whenever it is called: `isDevelopment()`.
    private func answered(_ condition: String) -> Bool? {
        guard condition.hasSuffix("()"), condition.dropLast(2).isOfNames,
            let name = condition.dropLast(2).split(separator: ".").last
        else { return nil }
        let declared = blocks.flatMap { $0.declarations[String(name)] ?? [] }
        guard declared.count == 1, declared[0].kind == .function, declared[0].parameters.isEmpty,
            let answer = answer(of: declared[0]), answer.names("true") || answer.names("false")
        else { return nil }
        return answer.names("true")
    }

    /// What a name stands for: a constant, or a variable of its own source that nothing there changes.
    private func constant(_ names: [String], _ module: SourceModule) -> (SyntaxTree, Declaration)? {
        guard let name = names.last, names.count < 3 else { return nil }
        let type = names.count == 1 || ["self", "Self"].contains(names[0]) ? nil : names[0]
        var found = values(name, of: type).map { (self, $0) }
        if let type, found.isEmpty {
            found = module.others(mentioning: type, than: path, in: language).prefix(20).flatMap { file in
                let other = module.tree(of: file)
                return other.values(name, of: type).map { (other, $0) }
            }
        }
        guard found.count == 1, let (tree, declaration) = found.first,
            declaration.isFixed || tree.changes[name] == nil && tree.isPlain(declaration)
        else { return nil }
        return (tree, declaration)
    }

    /// Those of a type, or of any.
    private func values(_ name: String, of type: String?) -> [Declaration] {
        blocks.filter { block in block.isOutside && (type.map { block.owner == .type($0) } ?? true) }
            .flatMap { $0.declarations[name] ?? [] }.filter { $0.kind == .value && $0.body == nil }
    }

    /// Whether nothing but its own source can change a variable: none that a wrapper keeps, as `@AppStorage("pinning")`.
    private func isPlain(_ declaration: Declaration) -> Bool {
        blocks[declaration.block].statements.contains { statement in
            guard case .declaration(let other) = statement.kind else { return false }
            return other.name == declaration.name && other.line == declaration.line && isPrivate(statement)
                && !isWrapped(statement)
        }
    }

    private func isWrapped(_ statement: Statement) -> Bool {
        attributes(before: statement.tokens.lowerBound).contains { name in
            name.first?.isUppercase ?? false && name != "MainActor"
        }
    }
}

extension Substring {
    /// Names with dots between them.
    fileprivate var isOfNames: Bool {
        !isEmpty && allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" || $0 == "." }
    }
}
