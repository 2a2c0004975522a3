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
        case .text, .number, .name, .table, .closure, .opaque: break
        }
        return copy
    }
}
