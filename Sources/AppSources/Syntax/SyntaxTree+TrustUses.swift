/// Where code comes to run that compares a certificate in Kotlin and Java.
extension SyntaxTree {
    /// What must hold wherever a trust manager is made, or a function is called that compares; one use, or none.
    func uses(ofTrustAround token: Int) -> [Use] {
        var use = Use(conditions: [], sharedNames: [])
        take(around: token, into: &use, steps: 3)
        return use.conditions.isEmpty ? [] : [use]
    }

    private func take(around token: Int, into use: inout Use, steps: Int) {
        guard steps > 0, let function = functions(around: token).last else { return }
        let start = function.tokens.lowerBound
        // An object in a function is made where its conditions hold.
        use.add(tested(around: start))
        if !blocks[function.block].owner.isShared, let object = statement(around: function) {
            for step in ways(ofWhatHolds: object, in: [], steps: 2) { use.add(step) }
            return
        }
        if case .type(let name) = blocks[function.block].owner, isTrustManager(function.block) {
            // Within it, wherever what compares is asked.
            if !Self.asked.contains(function.name) {
                let places = callPlaces(of: function.name, outside: start..<function.tokens.upperBound)
                    .filter { isWithin(function.block, $0) }
                if !places.isEmpty {
                    let conditions = common(places).filter { ComparisonForm.isSwitch($0.choice) }
                    use.add(Use(conditions: conditions, sharedNames: []))
                    take(around: places[0], into: &use, steps: steps - 1)
                    return
                }
            }
            let places = tokens.indices.filter { place in
                tokens[place].isName(name) && place + 1 < tokens.count && tokens[place + 1].isMark("(")
                    && !(place > 0 && ["class", "object"].contains(where: tokens[place - 1].isName))
            }
            guard !places.isEmpty else { return }
            use.add(Use(conditions: common(places), sharedNames: [name]))
            if places.count == 1 { for step in ways(ofWhatHolds: places[0], in: [], steps: 2) { use.add(step) } }
            return
        }
        // What a condition asks is called as well.
        let calls = callPlaces(of: function.name, outside: function.tokens)
        let places = mentions(of: function) + calls.filter { isAsked($0) }
        guard !places.isEmpty else { return }
        let conditions = common(places).filter { ComparisonForm.isSwitch($0.choice) }
        use.add(Use(conditions: conditions, sharedNames: function.isShared ? [function.name] : []))
        // What is compared is also shown: `pinOf(it) in pins`, and `"expected …, got ${pinOf(it)}"` in the same function.
        let callers = Set(places.prefix(5).map { functions(around: $0).last?.tokens })
        if callers.count == 1, places.count <= 5 { take(around: places[0], into: &use, steps: steps - 1) }
    }

    /// The first token of the statement in which an object stands that has a function.
    private func statement(around function: Holder) -> Int? {
        var best: Range<Int>?
        for (number, block) in blocks.enumerated() where number != function.block {
            for statement in block.statements
            where statement.tokens.contains(function.tokens.lowerBound)
                && statement.tokens.count > function.tokens.count && statement.tokens.count < best?.count ?? .max
            { best = statement.tokens }
        }
        return best?.lowerBound
    }

    /// By what a library asks about a certificate.
    private static let asked = ["checkServerTrusted", "verify", "intercept"]

    private func isTrustManager(_ type: Int) -> Bool {
        Self.asked.contains { blocks[type].declarations[$0] != nil }
    }

    /// Whether a place is in the condition of a branch.
    private func isAsked(_ place: Int) -> Bool {
        guard case .branches(let branches, _)? = innermost(around: place)?.statement.kind else { return false }
        return branches.contains { $0.test?.mentions(place) ?? false }
    }

    private func isWithin(_ type: Int, _ place: Int) -> Bool {
        blocks[type].statements.contains { $0.tokens.contains(place) }
    }
}

extension SyntaxTree.Use {
    fileprivate mutating func add(_ more: [SyntaxTree.Condition]) {
        conditions += more.filter { one in !conditions.contains { $0.choice == one.choice } }
    }

    fileprivate mutating func add(_ other: Self) {
        guard !other.conditions.isEmpty else { return }
        add(other.conditions)
        sharedNames += other.sharedNames
    }
}
