/// What stands behind an expression: members, calls, elements, closures.
extension Parser {
    mutating func readPostfix(_ first: Expression, from start: Int) -> Expression {
        var value = first
        var count = 0
        while let token = current, count < 10_000 {
            count += 1
            switch token.kind {
            case .mark("."), .mark("?."), .mark("::"):
                // A cascade of Dart speaks to the same value again.
                if token.isMark("."), self.token(index + 1)?.isMark(".") ?? false { return value }
                guard case .name(let name)? = self.token(index + 1)?.kind else {
                    if self.token(index + 1)?.isMark("[") ?? false, token.isMark("?.") {
                        index += 1
                        continue
                    }
                    index += 1
                    return skipExpression(from: start)
                }
                index += 2
                // `forEach(pins::add)`
                if token.isMark("::"), Self.fillers.contains(name) { note(change: value, at: start, line: token.line) }
                value = expression(.member(value, name), at: start)
                if at("<") {
                    let before = index
                    if !skipGenerics() || !(at("(") || at(".") || at("::")) { index = before }
                }
            case .mark("!!"): index += 1
            case .mark("..") where language == .dart: readCascade(value, start)
            case .mark("!") where [.swift, .script, .dart, .cSharp].contains(language) && !token.startsLine:
                index += 1
            case .mark("?") where language == .swift && (self.token(index + 1)?.isMark(".") ?? false): index += 1
            case .mark("("):
                if isOnNewLine { return value }
                if case .member(let receiver, let name) = value.kind, Self.fillers.contains(name) {
                    note(change: receiver, at: start, line: token.line)
                }
                let arguments = readArguments()
                noteHanded(arguments, to: value, start, token.line)
                value = expression(.call(value, arguments), at: start)
            case .mark("["):
                if isOnNewLine || language == .objectiveC && !isSubscriptOfObjectiveC { return value }
                let end = partners[index] ?? tokens.count
                index += 1
                let key = readExpression()
                if index != end { return skipBracket(to: end, start) }
                index = end + 1
                value = expression(.index(value, key), at: start)
            case .mark("{"):
                guard language.hasTrailingClosures, !bodiesFollow,
                    !token.startsLine || language == .kotlin && isCallee(value),
                    mayHaveClosure(value)
                else { return value }
                if token.startsLine { return value }
                if case .member(let receiver, let name) = value.kind, Self.fillers.contains(name) {
                    note(change: receiver, at: start, line: token.line)
                }
                value = addClosure(to: value, start)
            case .mark("<"):
                let before = index
                guard skipGenerics(), at("(") || at(".") || at("{") && language.hasTrailingClosures, !isOnNewLine else {
                    index = before
                    return value
                }
            case .name("switch") where language == .cSharp && (self.token(index + 1)?.isMark("{") ?? false):
                let subject = words(start..<index)
                index += 1
                readArms(start, subject, value)
                value = switchValue(start)
            case .text where isText(value) && joinsTexts: value = joined(value, start)
            case .name(let label)
            where language == .swift && (self.token(index + 1)?.isMark(":") ?? false)
                && (self.token(index + 2)?.isMark("{") ?? false) && isCallWithClosure(value):
                index += 2
                value = addClosure(to: value, start, label: label)
            default: return value
            }
        }
        return value
    }

    private mutating func noteHanded(
        _ arguments: [Expression.Argument],
        to callee: Expression,
        _ start: Int,
        _ line: Int
    ) {
        guard let function = callee.finalName else { return }
        // `Collections.addAll(pins, …)`, `hosts.mapTo(pins) { … }`
        let isFilled: Bool =
            if case .member(let base, let name) = callee.kind, name == "addAll" || name == "assign" {
                base.finalName == (name == "assign" ? "Object" : "Collections")
            } else {
                ["mapTo", "toCollection", "filterTo", "flatMapTo", "mapNotNullTo", "associateTo"].contains(function)
            }
        if isFilled, let first = arguments.first { note(change: first.value, at: start, line: line) }
        for (position, argument) in arguments.enumerated() {
            guard case .name(let name) = argument.value.kind else { continue }
            let change = SyntaxTree.Change(token: start, line: line, block: block)
            tree.handedOn[name, default: []].append(.init(function: function, position: position, change: change))
        }
    }

    /// `..name = value` and `..name(…)` of Dart: statements of their own, and the receiver stays what it is.
    mutating func readCascade(_ receiver: Expression, _ start: Int) {
        let place = index
        index += 1
        guard case .name(let name)? = current?.kind else { return }
        index += 1
        let member = expression(.member(receiver, name), at: start)
        if take("=") {
            let value = readExpression()
            add(.assignment(member, "=", value), from: place)
        } else if at("(") {
            if Self.fillers.contains(name) { note(change: receiver, at: place, line: tokens[place].line) }
            let call = expression(.call(member, readArguments()), at: start)
            add(.expression(call), from: place)
        }
    }

    /// Methods after which their receiver is not what it was.
    static let fillers: Set<String> = [
        "add", "addAll", "append", "put", "putAll", "putIfAbsent", "push", "pop", "insert", "remove", "removeAll",
        "clear", "write", "Append",
        "set", "setValue", "updateValue", "unshift", "splice", "removeFirst", "removeLast", "removeAt", "Add",
        "AddRange",
        "Insert", "Remove", "merge", "extend", "plusAssign", "computeIfAbsent", "setdefault", "removeValue", "removeIf",
        "retainAll", "popFirst", "popLast", "formUnion", "formIntersection", "subtract", "swapAt", "Clear", "RemoveAll",
        "RemoveAt", "UnionWith", "ExceptWith", "IntersectWith", "shift", "fill", "copyWithin", "removeWhere",
        "retainWhere",
        "removeRange", "replaceRange", "fillRange", "insertAll", "setAll", "setRange", "addEntries", "addFirst",
        "addLast",
        "updateAll", "replaceAll", "removeSubrange", "replaceSubrange", "RemoveRange", "RemoveWhere", "InsertRange",
    ]

    var isSubscriptOfObjectiveC: Bool {
        guard let before = token(index - 1) else { return false }
        if case .name(let name) = before.kind { return !["return", "in", "case"].contains(name) }
        return before.isMark("]") || before.isMark(")")
    }

    mutating func skipBracket(to end: Int, _ start: Int) -> Expression {
        index = min(end + 1, tokens.count)
        return opaque(start..<index)
    }

    /// Dart and Objective-C put texts together that stand beside each other.
    var joinsTexts: Bool { language == .dart || language == .objectiveC }

    func isText(_ value: Expression) -> Bool { if case .text = value.kind { true } else { false } }

    mutating func joined(_ value: Expression, _ start: Int) -> Expression {
        let next = readPrimary()
        return expression(.binary("+", value, next), at: start)
    }

    func isCallee(_ value: Expression) -> Bool {
        switch value.kind {
        case .call, .name, .member: true
        default: false
        }
    }

    func isCallWithClosure(_ value: Expression) -> Bool {
        guard case .call(_, let arguments) = value.kind, case .closure? = arguments.last?.value.kind else {
            return false
        }
        return true
    }

    func mayHaveClosure(_ value: Expression) -> Bool {
        switch value.kind {
        case .call, .member: true
        case .name(let name): !["else", "do", "try", "finally", "return"].contains(name)
        default: false
        }
    }

    mutating func addClosure(to value: Expression, _ start: Int, label: String? = nil) -> Expression {
        let closure = Expression.Argument(label: label, value: readClosure())
        if case .call(let callee, let arguments) = value.kind, !isClosureOnly(arguments) || label != nil {
            return expression(.call(callee, arguments + [closure]), at: start)
        }
        return expression(.call(value, [closure]), at: start)
    }

    func isClosureOnly(_ arguments: [Expression.Argument]) -> Bool {
        if case .closure? = arguments.last?.value.kind { true } else { false }
    }

    /// From the opening bracket to behind the closing one.
    mutating func readArguments() -> [Expression.Argument] {
        guard let end = partners[index] else {
            let rest = opaque(index..<tokens.count)
            index = tokens.count
            return [.init(value: rest)]
        }
        let outer = bodiesFollow
        bodiesFollow = false
        defer { bodiesFollow = outer }
        index += 1
        var arguments: [Expression.Argument] = []
        while index < end {
            let start = index
            var label: String?
            if case .name(let name)? = current?.kind, let next = token(index + 1) {
                if next.isMark(":") && language != .kotlin && language != .java
                    || next.isMark("=") && (language == .kotlin || language == .groovy)
                {
                    label = name
                    index += 2
                }
            }
            let isSpread = at("*") && language == .kotlin || at("...") && language == .script
            if isSpread { index += 1 }
            let value = readExpression()
            arguments.append(.init(label: label, isSpread: isSpread, value: value))
            if index < end, !take(",") {
                index = end
                arguments[arguments.count - 1].value = opaque(start..<end)
            }
        }
        index = end + 1
        return arguments
    }
}
