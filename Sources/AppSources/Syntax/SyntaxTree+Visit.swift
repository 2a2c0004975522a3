extension SyntaxTree {
    /// Where an expression stands: in which statement of which block.
    struct Place: Hashable {
        var block: Int
        var statement: Int
    }

    /// Every expression, the outer ones first. Those of closures stand in the closures' own blocks.
    ///
    /// - Parameter isEntered: asked for each; `false` leaves out what is in it.
    func visit(_ isEntered: (Expression, Place) -> Bool) {
        for (number, block) in blocks.enumerated() {
            for (index, statement) in block.statements.enumerated() {
                for expression in statement.expressions {
                    expression.visit { isEntered($0, Place(block: number, statement: index)) }
                }
            }
            for declaration in block.declarations.values.joined() where declaration.kind == .entry {
                for argument in declaration.arguments {
                    argument.value.visit { isEntered($0, Place(block: number, statement: -1)) }
                }
                declaration.value?.visit { isEntered($0, Place(block: number, statement: -1)) }
            }
        }
    }
}

extension Statement {
    /// Those that stand in it itself, and not in a block of it.
    var expressions: [Expression] {
        switch kind {
        case .declaration(let declaration):
            [declaration.value, declaration.base].compactMap { $0 } + declaration.parameters.compactMap(\.usual)
        case .expression(let value): [value]
        case .assignment(let target, _, let value): [target, value]
        case .returning(let value): [value].compactMap { $0 }
        case .loop(_, let value, _), .count(_, let value, _): [value]
        case .branches, .block, .repeated: []
        }
    }

    /// What a function answers with it; in one of a single expression, that.
    var answer: Expression? {
        switch kind {
        case .returning(let value): value
        case .expression(let value): value
        default: nil
        }
    }

    /// The blocks that stand in it itself, and not in an expression of it.
    var blocks: [Int] {
        switch kind {
        case .declaration(let declaration): [declaration.body].compactMap { $0 }
        case .expression, .assignment, .returning: []
        case .loop(_, _, let body), .count(_, _, let body), .block(let body), .repeated(let body): [body]
        case .branches(let branches, _): branches.map(\.block)
        }
    }
}

extension Expression {
    func visit(_ isEntered: (Expression) -> Bool) {
        guard isEntered(self) else { return }
        for child in children { child.visit(isEntered) }
    }

    var children: [Expression] {
        switch kind {
        case .text(let pieces): pieces.compactMap { if case .value(let value) = $0 { value } else { nil } }
        case .member(let base, _): [base]
        case .call(let callee, let arguments): [callee] + arguments.map(\.value)
        case .index(let base, let key): [base, key]
        case .list(let values): values
        case .table(let pairs): pairs.flatMap { [$0.key, $0.value] }
        case .binary(_, let left, let right): [left, right]
        case .prefix(_, let value): [value]
        case .conditional(let condition, let first, let second): [condition, first, second]
        case .tested(_, let value): [value]
        case .number, .name, .closure, .opaque: []
        }
    }

    /// What a chain of calls begins with.
    var base: Expression {
        switch kind {
        case .member(let base, _), .index(let base, _): base.base
        case .call(let callee, _): callee.base
        default: self
        }
    }

    /// The calls of a chain behind an expression, the first one first; `nil` where something else is in it.
    func calls(behind isRoot: (Expression) -> Bool) -> [Call]? {
        if isRoot(self) { return [] }
        switch kind {
        case .call(let callee, let arguments):
            guard case .member(let inner, let name) = callee.kind, let before = inner.calls(behind: isRoot) else {
                return nil
            }
            return before + [Call(name: name, arguments: arguments, expression: self)]
        case .member(let inner, let name):
            // A property is a call without arguments.
            return inner.calls(behind: isRoot).map { $0 + [Call(name: name, arguments: [], expression: self)] }
        default: return nil
        }
    }

    struct Call {
        var name: String
        var arguments: [Argument]
        var expression: Expression
    }
}
