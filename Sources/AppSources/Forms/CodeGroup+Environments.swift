/// `switch (env) { … }` in Dart and scripts, whose branches name pins of their own.
extension CodeGroup {
    /// Words of conditions that ask the connection, or for what is there, and no environment.
    private static let ofConnection = [
        "host", "domain", "url", "uri", "port", "cert", "der", "pem", "digest", "hash", "pin", "finger", "thumb", "sha",
        "null", "undefined", "error", "issuer", "subject", "valid", "match", "path", "platform", "length", "empty",
        "key", "server", "name", "trust", "result",
    ]
    private static let mostWays = 6

    /// A statement with branches, and what is run on each of them.
    private struct Fork {
        var conditions: [String]
        var bodies: [Range<Int>?]
    }

    /// Each environment by itself, where a condition of the app's own decides which pins are named.
    func environments(in tree: SyntaxTree, _ isEvidence: (Int) -> Bool) -> [CodeGroup] {
        let forks = forks(in: tree)
        for fork in forks {
            let bodies = fork.bodies.compactMap { $0 }
            let naming = bodies.filter { namesPins($0, tree) }
            guard naming.count > 1, naming.count <= Self.mostWays, Set(naming.map { texts($0, tree) }).count > 1
            else { continue }
            return naming.compactMap { body -> CodeGroup? in
                guard let index = fork.bodies.firstIndex(of: body) else { return nil }
                // The same is asked elsewhere, for the host.
                let gone = forks.filter { $0.conditions == fork.conditions }.flatMap { other in
                    other.bodies.indices.filter { $0 != index }.compactMap { other.bodies[$0] }
                }
                var group = without(gone)
                guard let place = group.tokens.first(where: isEvidence) else { return nil }
                if !group.holds(evidence) { group.evidence = place }
                group.conditions = tree.conditions(around: body.lowerBound).filter {
                    !Self.isOfConnection($0.condition)
                }
                return group
            }
        }
        return [self]
    }

    /// `isLive ? live : test`
    private func expressions(in tree: SyntaxTree) -> [Fork] {
        var found: [Fork] = []
        tree.visit { expression, _ in
            guard case .conditional(let condition, let first, let second) = expression.kind,
                holds(expression.token), !Self.isOfConnection(condition.words), first.token < second.token - 1
            else { return true }
            var depth = 0
            let end = tree.tokens[second.token...].firstIndex { token in
                if ["(", "[", "{"].contains(where: token.isMark) { depth += 1 }
                if [")", "]", "}"].contains(where: token.isMark) { depth -= 1 }
                return depth < 0 || depth == 0 && (token.isMark(";") || token.isMark(","))
            }
            guard let end, second.token < end else { return true }
            found.append(
                Fork(conditions: [condition.words], bodies: [first.token..<second.token - 1, second.token..<end])
            )
            return true
        }
        return found
    }

    private func forks(in tree: SyntaxTree) -> [Fork] {
        expressions(in: tree)
            + tree.blocks.flatMap { block in
                block.statements.indices.compactMap { index -> Fork? in
                    let statement = block.statements[index]
                    guard holds(statement.tokens.lowerBound), case .branches(let branches, _) = statement.kind,
                        !branches.contains(where: \.fallsThrough),
                        branches.allSatisfy({ !Self.isOfConnection($0.condition) })
                    else { return nil }
                    var fork = Fork(
                        conditions: branches.map(\.condition),
                        bodies: branches.map { tree.range(of: $0.block) }
                    )
                    // `if (isLive) return …;` and what stands behind it.
                    if branches.count == 1, case .returning? = tree.blocks[branches[0].block].statements.last?.kind,
                        index + 1 < block.statements.count, let last = block.statements.last
                    {
                        let start = block.statements[index + 1].tokens.lowerBound
                        fork.bodies.append(start..<max(start, last.tokens.upperBound))
                    }
                    return fork.bodies.count > 1 ? fork : nil
                }
            }
    }

    private static func isOfConnection(_ condition: String) -> Bool {
        let words = condition.lowercased()
        return ofConnection.contains(where: words.contains)
    }

    /// Whether digests stand in it, or names of some.
    private func namesPins(_ range: Range<Int>, _ tree: SyntaxTree) -> Bool {
        range.clamped(to: 0..<tree.tokens.count).contains { place in
            if case .text(let pieces) = tree.tokens[place].kind, pieces.count == 1, case .plain(let text) = pieces[0] {
                return PinText.isDigest(text) || PinText.isBroken(text)
            }
            guard let name = tree.tokens[place].name?.lowercased() else { return false }
            return ["pins", "finger", "hashes", "digests", "thumb"].contains(where: name.contains)
                || name.hasSuffix("pin") || name.hasSuffix("hash") || isConstantPin(at: place, tree)
        }
    }

    private func isConstantPin(at place: Int, _ tree: SyntaxTree) -> Bool {
        guard let name = tree.tokens[place].name, place == 0 || !tree.tokens[place - 1].isMark(".") else {
            return false
        }
        return tree.blocks.contains { block in
            block.declarations[name]?.contains { declaration in
                guard declaration.kind == .value, case .text(let pieces)? = declaration.value?.kind,
                    case .plain(let text)? = pieces.first
                else { return false }
                return PinText.isDigest(text)
            } ?? false
        }
    }

    private func texts(_ range: Range<Int>, _ tree: SyntaxTree) -> [String] {
        tree.tokens[range.clamped(to: 0..<tree.tokens.count)].map { token in
            if case .text(let pieces) = token.kind, case .plain(let text)? = pieces.first { return text }
            return token.name ?? ""
        }
    }
}
