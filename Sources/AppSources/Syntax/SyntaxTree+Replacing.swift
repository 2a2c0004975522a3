/// What takes the place of a pinner, a client or a callback behind the statement that gives it.
extension SyntaxTree {
    /// What must hold for what stands at a token to stay: that nothing else is put in its place behind it.
    ///
    /// - Parameter takers: the functions by which a client is given it; the last one counts.
    func conditions(replacing token: Int, _ takers: Set<String>) -> [Condition] {
        guard let place = innermost(around: token) else { return [] }
        let scope = scope(around: token)
        let places =
            assignments(replacing: place, in: scope) + calls(replacing: token, place.statement, takers, in: scope)
        if places.isEmpty { return [] }
        let own = tested(around: token, areAll: true)
        var found: [Condition] = []
        for later in places {
            let others = tested(around: later, areAll: true).filter { one in
                !own.contains { $0.choice == one.choice }
            }
            if others.contains(where: \.choice.isNever) { continue }
            // It is the other way of the same condition.
            if others.contains(where: { one in own.contains { $0.choice.condition == one.choice.condition } }) {
                continue
            }
            if others.isEmpty { return [.replaced] }
            // Where it is asked whether there is one, there is.
            let told = tested(around: later).filter { one in others.contains { $0.choice == one.choice } }
            guard told.count == others.count else { continue }
            found.append(Self.negation(of: others))
        }
        return found
    }

    struct Around {
        var block: Int
        var statement: Statement
    }

    /// The smallest statement around a token.
    func innermost(around token: Int) -> Around? {
        var best: Around?
        for (number, block) in blocks.enumerated() {
            guard let statement = block.statements.first(where: { $0.tokens.contains(token) }) else { continue }
            if statement.tokens.count < best?.statement.tokens.count ?? .max {
                best = Around(block: number, statement: statement)
            }
        }
        return best
    }

    /// The innermost block of a function or a closure around a token.
    func scope(around token: Int) -> Int? {
        var best: (block: Int, size: Int)?
        for (number, block) in blocks.enumerated() {
            switch block.owner {
            case .function, .closure: break
            case .file, .type, .inner: continue
            }
            guard let first = block.statements.first?.tokens.lowerBound,
                let last = block.statements.last?.tokens.upperBound, first <= token, token < last,
                last - first < best?.size ?? .max
            else { continue }
            best = (number, last - first)
        }
        return best?.block
    }

    /// The innermost function with a name.
    func function(around token: Int) -> Range<Int>? {
        var best: Range<Int>?
        for block in blocks {
            guard let statement = block.statements.first(where: { $0.tokens.contains(token) }),
                case .declaration(let declaration) = statement.kind, declaration.kind == .function,
                statement.tokens.count < best?.count ?? .max
            else { continue }
            best = statement.tokens
        }
        return best?.clamped(to: 0..<tokens.count)
    }

    /// `pinner = other` behind `pinner = …`, and `handler.Callback = other`.
    private func assignments(replacing place: Around, in scope: Int?) -> [Int] {
        let name: String
        switch place.statement.kind {
        case .declaration(let declaration) where declaration.kind == .value && !blocks[place.block].owner.isShared:
            name = declaration.name
        case .assignment(let target, let mark, _) where replaces(mark, target): name = target.words
        default: return []
        }
        guard let base = name.words.first(where: { $0 != "this" && $0 != "self" }).map(String.init) else { return [] }
        var found: [Int] = []
        for block in blocks {
            for statement in block.statements where statement.tokens.lowerBound >= place.statement.tokens.upperBound {
                guard case .assignment(let target, let mark, _) = statement.kind, replaces(mark, target),
                    target.words == name,
                    self.scope(around: statement.tokens.lowerBound) == scope,
                    tokens[statement.tokens].count(where: { $0.isName(base) }) == 1,
                    !isUsed(base, in: place.statement.tokens.upperBound..<statement.tokens.lowerBound, name == base)
                else { continue }
                found.append(target.token)
            }
        }
        return found
    }

    /// Whether an assignment puts something in the place of what was there: of several callbacks of .NET, the last one's answer counts.
    private func replaces(_ mark: String, _ target: Expression) -> Bool {
        mark == "=" || mark == "+=" && language == .cSharp && target.finalName?.hasSuffix("ValidationCallback") ?? false
    }

    /// Whether a variable is given away between two places; what is done to a part of it is no matter.
    private func isUsed(_ name: String, in range: Range<Int>, _ isWhole: Bool) -> Bool {
        range.clamped(to: 0..<tokens.count).contains { place in
            guard tokens[place].isName(name) else { return false }
            let next = place + 1 < tokens.count ? tokens[place + 1] : tokens[place]
            // The assignments themselves.
            if next.isMark("=") || next.isMark("+=") { return false }
            return isWhole || !next.isMark(".")
        }
    }

    /// `builder.certificatePinner(other)` behind `builder.certificatePinner(pinner)`.
    private func calls(replacing token: Int, _ statement: Statement, _ takers: Set<String>, in scope: Int?) -> [Int] {
        let all = calls(takers).filter { $0.name.first?.isLowercase ?? false }
        guard
            let own = all.first(where: { call in
                call.arguments.contains { argument in
                    var isIt = false
                    argument.value.visit { part in
                        isIt = isIt || part.token == token
                        return !isIt
                    }
                    return isIt
                }
            }), let receiver = receiver(of: own.call)
        else { return [] }
        let given = own.arguments.map(\.value.words)
        return all.compactMap { call, _, arguments in
            guard call.token >= statement.tokens.upperBound, self.receiver(of: call) == receiver,
                arguments.map(\.value.words) != given,
                !isBuilt(receiver, in: statement.tokens.lowerBound..<call.token),
                let last = arguments.first?.value.token, self.scope(around: last) == scope
            else { return nil }
            return last
        }
    }

    /// The variable whose builder a chain of calls begins with; empty where it is that of the closure.
    private func receiver(of call: Expression) -> String? {
        guard case .call(let callee, _) = call.kind else { return nil }
        if case .name = callee.kind { return "" }
        guard case .name(let name) = call.base.kind, name.first?.isLowercase ?? false else { return nil }
        return name
    }

    /// Whether the variable's builder makes a client between two places.
    private func isBuilt(_ receiver: String, in range: Range<Int>) -> Bool {
        calls(["build", "Build", "newBuilder", "NewBuilder"]).contains { call, _, _ in
            let base = call.base
            guard range.contains(base.token), case .name(let name) = base.kind else { return false }
            return name == receiver || receiver.isEmpty && ["build", "Build"].contains(name)
        }
    }
}
