/// What code holds the host of a connection against, but Apple's.
extension GroupReading {
    private static let equal: Set<String> = ["==", "===", "!=", "!=="]
    private static let asking: Set<String> = ["contains", "includes", "endsWith", "startsWith", "has"]

    /// `host == Config.host`, `host.endsWith(isLive ? 'acme.example' : 'test.acme.example')`: hosts that have values of their own.
    mutating func takeComparedHosts(of group: CodeGroup) {
        let tree = evaluator.tree
        guard !tree.isOfApple, tree.language != .groovy else { return }
        var sides: [Expression] = []
        func take(_ expression: Expression) -> Bool {
            guard group.holds(expression.token), sides.count < 40 else { return true }
            switch expression.kind {
            case .binary(let mark, let left, let right) where Self.equal.contains(mark):
                for (host, other) in [(left, right), (right, left)] where host.namesHost && !other.isText {
                    if mark.first == "=", tree.letsThroughEqual(left, right) { continue }
                    sides.append(other)
                }
            case .call(let callee, let arguments):
                guard case .member(let base, let name) = callee.kind, Self.asking.contains(name), arguments.count == 1,
                    base.namesHost, !arguments[0].value.isText
                else { break }
                sides.append(arguments[0].value)
            default: break
            }
            return true
        }
        tree.visit { expression, _ in take(expression) }
        for test in tree.tests(in: group) { test.visit(take) }
        for side in sides {
            hosts += evaluator.value(of: side).texts.compactMap { text in
                evaluator.host(of: text)?.text ?? (PinText.isHostOrEnd(text) ? text : nil)
            }
        }
    }
}

extension SyntaxTree {
    /// Texts that are a way of a condition: which of them counts, only their expression tells.
    func waysOfHosts(in group: CodeGroup) -> Set<Int> {
        guard language == .dart || language == .script else { return [] }
        var places: Set<Int> = []
        func take(_ expression: Expression) -> Bool {
            if case .conditional(_, let first, let second) = expression.kind, group.holds(expression.token) {
                for way in [first, second] where way.isText { places.insert(way.token) }
            }
            return true
        }
        visit { expression, _ in take(expression) }
        for test in tests(in: group) { test.visit(take) }
        return places
    }

    /// What the branches of some functions ask.
    fileprivate func tests(in group: CodeGroup) -> [Expression] {
        blocks.flatMap(\.statements).flatMap { statement -> [Expression] in
            guard case .branches(let branches, _) = statement.kind, group.holds(statement.tokens.lowerBound) else {
                return []
            }
            return branches.compactMap(\.test)
        }
    }

    /// Whether two sides are compared in order to let a host through, and to compare nothing.
    fileprivate func letsThroughEqual(_ left: Expression, _ right: Expression) -> Bool {
        let between = min(left.token, right.token)..<max(left.token, right.token)
        guard let mark = between.last(where: { tokens[$0].isMark("==") || tokens[$0].isMark("===") }) else {
            return false
        }
        return letsThrough(at: mark + 1)
    }
}

extension Expression {
    /// `host`, `request.hostname`, `uri.host`.
    var namesHost: Bool {
        switch kind {
        case .name(let name), .member(_, let name): name.lowercased().contains("host")
        default: false
        }
    }

    var isText: Bool { if case .text = kind { true } else { false } }
}
