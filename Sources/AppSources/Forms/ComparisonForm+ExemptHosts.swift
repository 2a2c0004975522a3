/// Hosts of which a callback of dart:io lets every certificate through.
extension ComparisonForm {
    static func exemptHosts(_ group: CodeGroup, _ tree: SyntaxTree) -> String {
        if tree.isOfApple { return tree.hostsPassed(before: group.evidence) }
        guard tree.language == .dart else { return "" }
        let given = comparing(in: group, tree)
        guard given.allSatisfy({ tree.tokens[$0].isName("badCertificateCallback") }) else { return "" }
        let all = given.map(tree.exemptHosts)
        guard let hosts = all.first, !hosts.isEmpty, all.allSatisfy({ $0 == hosts }) else { return "" }
        return "; let through, whatever they show: \(hosts.sorted().joined(separator: ", "))"
    }
}

extension SyntaxTree {
    /// What is said of hosts for which a delegate of Apple's answers, and returns, before it compares:
    /// `if free.contains(challenge.protectionSpace.host) { completionHandler(.performDefaultHandling, nil); return }`.
    fileprivate func hostsPassed(before evidence: Int) -> String {
        guard let own = function(around: evidence) else { return "" }
        var passed: [String] = []
        var checked: [String] = []
        for block in blocks where !block.owner.isShared {
            for statement in block.statements
            where own.contains(statement.tokens.lowerBound) && statement.tokens.upperBound <= evidence {
                guard case .branches(let branches, _) = statement.kind, branches.count == 1,
                    let test = branches[0].test,
                    case .returning? = blocks[branches[0].block].statements.last?.kind
                else { continue }
                let words = tokens[statement.tokens.clamped(to: 0..<tokens.count)].compactMap(\.name)
                // What is asked there may refuse.
                let refusing = [
                    "ancelAuthenticationChallenge", "ejectProtectionSpace", "guard", "SecTrustEvaluateWithError",
                ]
                guard !words.contains(where: { word in refusing.contains(where: word.hasSuffix) }),
                    words.count(where: { $0 == "if" }) == 1
                else { continue }
                let names = hosts(test) { $0.finalName?.lowercased().hasSuffix("host") ?? false }
                if words.contains(where: { $0.hasSuffix("seCredential") }) {
                    passed += names
                } else if words.contains(where: { $0.hasSuffix("erformDefaultHandling") }) {
                    checked += names
                }
            }
        }
        return (passed.isEmpty ? "" : "; let through, whatever they show: \(passed.uniqued.joined(separator: ", "))")
            + (checked.isEmpty ? "" : "; left to the system's own checks: \(checked.uniqued.joined(separator: ", "))")
    }

    /// `if (hosts.contains(host)) return true`, of the callback that is given at a place, and of nothing else's hosts.
    fileprivate func exemptHosts(givenAt place: Int) -> Set<String> {
        var hosts: Set<String> = []
        visit { expression, _ in
            guard expression.token == place + 2, case .closure(let closure) = expression.kind,
                closure.parameters.count == 3
            else { return true }
            for statement in blocks[closure.block].statements {
                guard case .branches(let branches, _) = statement.kind, branches.count == 1,
                    let test = branches[0].test, answersYes(branches[0].block)
                else { continue }
                hosts.formUnion(self.hosts(test) { $0.names(closure.parameters[1]) })
            }
            return false
        }
        return hosts
    }

    private func answersYes(_ block: Int) -> Bool {
        guard blocks[block].statements.count < 4, case .returning(let value?)? = blocks[block].statements.last?.kind
        else { return false }
        return value.names("true")
    }

    /// Hosts that a condition takes, beside those of this computer and of networks at home.
    private func hosts(_ test: Expression, _ isHost: (Expression) -> Bool) -> [String] {
        switch test.kind {
        case .tested(_, let value): return hosts(value, isHost)
        case .binary("||", let left, let right): return hosts(left, isHost) + hosts(right, isHost)
        case .binary("==", let left, let right):
            guard isHost(left) || isHost(right) else { return [] }
            return texts(isHost(left) ? right : left)
        case .call(let callee, let arguments):
            guard case .member(let base, let name) = callee.kind, arguments.count == 1 else { return [] }
            let argument = arguments[0].value
            if ["contains", "containsObject:"].contains(name), isHost(argument) { return texts(base) }
            if ["contains", "endsWith"].contains(name), isHost(base) { return texts(argument).map { "*\($0)" } }
            // `hosts.any((other) => host.contains(other))`
            guard name == "any", case .closure(let closure) = argument.kind, let other = closure.parameters.first,
                let answer = blocks[closure.block].statements.first, blocks[closure.block].statements.count == 1
            else { return [] }
            switch answer.kind {
            case .returning(let value?), .expression(let value): return isHeld(value, isHost, other) ? texts(base) : []
            default: return []
            }
        default: return []
        }
    }

    /// `host == other`, `host.endsWith(other)`
    private func isHeld(_ test: Expression, _ isHost: (Expression) -> Bool, _ other: String) -> Bool {
        switch test.kind {
        case .tested(_, let value): return isHeld(value, isHost, other)
        case .binary("==", let left, let right):
            return isHost(left) && right.names(other) || left.names(other) && isHost(right)
        case .call(let callee, let arguments):
            guard case .member(let base, let name) = callee.kind else { return false }
            return isHost(base) && ["contains", "endsWith"].contains(name) && arguments.count == 1
                && arguments[0].value.names(other)
        default: return false
        }
    }

    /// Hosts that stand here, or in the only value by a name.
    private func texts(_ value: Expression) -> [String] {
        switch value.kind {
        case .text(let pieces):
            guard pieces.count == 1, case .plain(let text) = pieces[0], PinText.isHostOrEnd(text),
                !PinText.isAddress(text)
            else { return [] }
            return [text]
        case .list(let elements): return elements.flatMap(texts)
        case .name(let name), .member(_, let name):
            let named = blocks.flatMap { $0.declarations[name] ?? [] }
            guard named.count == 1, named[0].kind == .value, let value = named[0].value else { return [] }
            if case .name = value.kind { return [] }
            return texts(value)
        default: return []
        }
    }
}
