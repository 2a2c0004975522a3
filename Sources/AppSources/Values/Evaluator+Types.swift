/// Types of the app's own, and what they hold.
extension Evaluator {
    /// The bodies of a type of the app's own, in this source or in another one, with what reads them.
    func bodies(ofType name: String, from block: Int) -> [(evaluator: Evaluator, body: Int)] {
        var place: Int? = block
        while let current = place {
            let found = tree.blocks[current].declarations[name]?.filter { $0.kind == .type && $0.body != nil } ?? []
            if !found.isEmpty { return found.map { (self, $0.body ?? 0) } }
            place = tree.blocks[current].parent
        }
        // Types within types are named by their own name, too.
        if let inner = tree.typeBodies[name] { return inner.map { (self, $0) } }
        return module.typeBodies(name, for: tree).map { (within($0.tree), $0.body) }
    }

    /// A member of a type by its name; `nil` where no such type is known.
    func member(_ name: String, ofType type: String, _ expression: Expression) -> Value? {
        let bodies = bodies(ofType: type, from: expression.block)
        guard !bodies.isEmpty else { return nil }
        let found = bodies.flatMap { other, body -> [(Value, String)] in
            var evaluator = other
            evaluator.ownType = type
            var blocks = [body]
            for declaration in evaluator.tree.blocks[body].declarations.values.joined()
            where declaration.typeName == "companion" {
                if let body = declaration.body { blocks.append(body) }
            }
            return blocks.flatMap { block in
                (evaluator.tree.blocks[block].declarations[name] ?? [])
                    .filter { $0.kind == .value || $0.kind == .entry || $0.kind == .type && $0.value != nil }
                    .map { (evaluator.value(of: $0), "\(evaluator.tree.path):\($0.line)") }
            }
        }
        guard found.isEmpty else { return single(found, "\(type).\(name)", expression.line) }
        guard bodies.count == 1 else { return nil }
        var inner = bodies[0].evaluator
        inner.ownType = type
        return inner.inherited(name, in: bodies[0].body, expression.line)
    }
}
