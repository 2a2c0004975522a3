extension Expression {
    /// With another first token, all the way down.
    func moved(to place: Int) -> Expression {
        var copy = self
        copy.token = place
        func moved(_ value: Expression) -> Expression { value.moved(to: place) }
        switch kind {
        case .member(let base, let name): copy.kind = .member(moved(base), name)
        case .call(let callee, let arguments):
            copy.kind = .call(
                moved(callee),
                arguments.map { Argument(label: $0.label, isSpread: $0.isSpread, value: moved($0.value)) }
            )
        case .index(let base, let key): copy.kind = .index(moved(base), moved(key))
        case .list(let values): copy.kind = .list(values.map(moved))
        case .binary(let mark, let left, let right): copy.kind = .binary(mark, moved(left), moved(right))
        case .prefix(let mark, let value): copy.kind = .prefix(mark, moved(value))
        case .conditional(let condition, let first, let second):
            copy.kind = .conditional(moved(condition), moved(first), moved(second))
        case .tested(let words, let value): copy.kind = .tested(words, moved(value))
        case .text(let pieces):
            copy.kind = .text(
                pieces.map { piece in
                    if case .value(let value) = piece { .value(moved(value)) } else { piece }
                }
            )
        case .table(let pairs): copy.kind = .table(pairs.map { Pair(key: moved($0.key), value: moved($0.value)) })
        case .number, .name, .closure, .opaque: break
        }
        return copy
    }
}

extension Block {
    /// Whether it is a closure that only makes a value.
    var isSimple: Bool {
        owner == .closure && declarations.values.joined().allSatisfy { $0.kind == .parameter }
            && statements.allSatisfy { statement in
                switch statement.kind {
                case .expression, .returning: true
                default: false
                }
            }
    }

    /// A simple one, as if it stood at one token.
    func moved(to place: Int) -> Block {
        var copy = self
        for index in statements.indices {
            copy.statements[index].tokens = place..<(place + 1)
            switch statements[index].kind {
            case .expression(let value): copy.statements[index].kind = .expression(value.moved(to: place))
            case .returning(let value): copy.statements[index].kind = .returning(value?.moved(to: place))
            default: break
            }
        }
        for (name, found) in declarations {
            copy.declarations[name] = found.map { declaration in
                var declaration = declaration
                declaration.value = declaration.value?.moved(to: place)
                return declaration
            }
        }
        return copy
    }
}
