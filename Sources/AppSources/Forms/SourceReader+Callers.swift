/// Sites in functions that are given their hosts and pins: each call of such a function is read by itself.
extension SourceReader {
    /// Who calls a function, and with what.
    private struct Caller {
        var function: Declaration
        var tree: SyntaxTree
        var call: Expression
        var arguments: [Expression.Argument]
        /// `hosts.map(check)`: what the function is given instead of arguments, one of the list's elements.
        var element: (list: Expression, index: Int)?
    }

    private static let mostCallers = 12
    private static let mostSteps = 2

    /// What becomes of pins that were not read because a parameter of their function tells them.
    ///
    /// - Returns: `found`, where no call tells more.
    func followed(_ found: [FoundPins], _ site: Site, in tree: SyntaxTree) -> [FoundPins] {
        guard tree.language == .dart || tree.language == .script, let token = site.token,
            found.contains(where: \.dependsOnParameter)
        else { return found }
        if let looped = looped(site, at: token, in: tree) { return looped }
        guard let function = function(around: token, in: tree) else { return found }
        let chains = chains(to: function, in: tree, steps: Self.mostSteps)
        guard !chains.isEmpty, chains.count <= Self.mostCallers else { return found }
        let ownConditions = conditions(of: site, in: tree, areCallers: false)
        var results: [(last: Caller, found: [FoundPins])] = []
        for chain in chains {
            let fixed = ownConditions + chain.flatMap { $0.tree.conditions(around: $0.call.token) }
            let ways = Choices.explore(within: fixed) { choices in
                var evaluator = Evaluator(module, tree, choices)
                bind(chain[...], to: &evaluator)
                return site.read(evaluator)
            }
            guard let ways, let last = chain.last else { return found }
            let read = ways.map {
                FoundPins(
                    form: site.form,
                    path: tree.path,
                    line: site.line,
                    conditions: $0.words,
                    content: $0.result
                )
            }
            results.append((last, read))
        }
        guard results.contains(where: { !$0.found.contains(where: \.dependsOnParameter) }) else { return found }
        // The same for each call: how it is called does not matter.
        if results.allSatisfy({ $0.found == results[0].found }) { return results[0].found }
        return results.flatMap { last, found in
            found.map { one in
                var one = one
                let place = last.tree.path == tree.path ? "" : "\(last.tree.path):"
                // All elements of a list are gone through.
                if last.element == nil {
                    one.conditions.append("\(last.function.name)() on line \(place)\(last.call.line)")
                }
                return one
            }
        }
    }

    /// A site in a loop over what is known: each element by itself.
    ///
    /// - Returns: `nil` where there is no such loop, or its elements tell no more.
    private func looped(_ site: Site, at token: Int, in tree: SyntaxTree) -> [FoundPins]? {
        guard let loop = loop(around: token, in: tree) else { return nil }
        let tested = tree.tested(around: token).filter { $0.test != nil }
        // What is asked of the element decides for each by itself.
        let ofElement = tested.filter { condition in
            let words = condition.choice.condition.split { !($0.isLetter || $0.isNumber || $0 == "_") }.map(String.init)
            return loop.names.contains(where: words.contains)
        }
        let fixed = conditions(of: site, in: tree).filter { choice in !ofElement.contains { $0.choice == choice } }
        var isUndecided = false
        let ways = Choices.explore(within: fixed) { choices -> [FoundPins.Content] in
            let evaluator = Evaluator(module, tree, choices)
            let elements: [Value]
            switch evaluator.value(of: loop.list) {
            case .list(let values): elements = values
            case .table(let entries): elements = entries.map { .list([$0.key, $0.value]) }
            default: return []
            }
            guard elements.count <= Self.mostCallers else { return [] }
            return elements.compactMap { element in
                var inner = evaluator
                inner.bind(element, to: loop.names, in: loop.body)
                for condition in ofElement {
                    guard let test = condition.test, case .flag(let flag) = inner.value(of: test) else {
                        isUndecided = true
                        continue
                    }
                    if flag != condition.holds { return nil }
                }
                return site.read(inner)
            }
        }
        guard !isUndecided, let ways, ways.allSatisfy({ !$0.result.isEmpty }) else { return nil }
        let found = ways.flatMap { way in
            way.result.map {
                FoundPins(form: site.form, path: tree.path, line: site.line, conditions: way.words, content: $0)
            }
        }
        return found.contains(where: \.dependsOnParameter) ? nil : found
    }

    /// The innermost loop around a place, as a statement or as a closure that is given each element.
    private func loop(around token: Int, in tree: SyntaxTree) -> (names: [String], list: Expression, body: Int)? {
        var best: (names: [String], list: Expression, body: Int, size: Int)?
        for block in tree.blocks {
            for statement in block.statements where statement.tokens.contains(token) {
                if case .loop(let names, let list, let body) = statement.kind,
                    tree.blocks[body].statements.contains(where: { $0.tokens.contains(token) }),
                    statement.tokens.count < best?.size ?? .max
                {
                    best = (names, list, body, statement.tokens.count)
                }
            }
        }
        if let best { return (best.names, best.list, best.body) }
        var found: (names: [String], list: Expression, body: Int)?
        tree.visit { expression, _ in
            guard case .call(let callee, let arguments) = expression.kind, arguments.count == 1,
                case .member(let list, let name) = callee.kind, ["forEach", "map", "flatMap"].contains(name),
                case .closure(let closure) = arguments[0].value.kind,
                tree.blocks[closure.block].statements.contains(where: { $0.tokens.contains(token) })
            else { return true }
            found = (closure.parameters, list, closure.block)
            return true
        }
        return found
    }

    /// Who calls a function, who calls that one, and so on, as far as it is known.
    private func chains(to function: Declaration, in tree: SyntaxTree, steps: Int) -> [[Caller]] {
        let all = callers(of: function, in: tree)
        // One that hands on what it was given says nothing that its own callers do not.
        let others = all.filter { !isRepeated($0, function, in: tree) }
        return (others.isEmpty ? all : others).flatMap { caller -> [[Caller]] in
            guard steps > 0, caller.element == nil,
                let around = self.function(around: caller.call.token, in: caller.tree), around.name != function.name
            else { return [[caller]] }
            let outer = chains(to: around, in: caller.tree, steps: steps - 1)
            return outer.isEmpty || outer.count > Self.mostCallers ? [[caller]] : outer.map { [caller] + $0 }
        }
    }

    /// Whether a function calls itself there with its own parameters: `retry(host, attempt + 1)`.
    private func isRepeated(_ caller: Caller, _ function: Declaration, in tree: SyntaxTree) -> Bool {
        guard caller.tree.path == tree.path, caller.element == nil, caller.arguments.count <= function.parameters.count,
            let body = function.body.flatMap(tree.range(of:)), body.contains(caller.call.token)
        else { return false }
        return zip(caller.arguments, function.parameters).allSatisfy { argument, parameter in
            // A counter may differ: `left - 1`, `++count`.
            let rest = argument.value.words.replacing(parameter.name, with: "")
            return argument.value.words.words.contains { $0 == parameter.name }
                && rest.allSatisfy { $0.isNumber || "+- ".contains($0) }
        }
    }

    /// Gives a function's parameters what a call gives them, and those of the caller what its own caller does.
    private func bind(_ chain: ArraySlice<Caller>, to evaluator: inout Evaluator) {
        guard let caller = chain.first, let body = caller.function.body else { return }
        var outer = Evaluator(module, caller.tree, evaluator.choices)
        bind(chain.dropFirst(), to: &outer)
        var bound = outer.bind(caller.arguments, to: caller.function.parameters, caller.call.line)
        if let (list, index) = caller.element, let first = caller.function.parameters.first {
            guard case .list(let elements) = outer.value(of: list), elements.indices.contains(index) else { return }
            bound = [first.name: elements[index]]
        }
        evaluator.bindings[body] = bound.filter { $0.value.isKnownInPart }
    }

    /// The innermost function with a name around a place.
    private func function(around token: Int, in tree: SyntaxTree) -> Declaration? {
        var best: (function: Declaration, size: Int)?
        for block in tree.blocks {
            for statement in block.statements where statement.tokens.contains(token) {
                guard case .declaration(let declaration) = statement.kind,
                    let function = declaration.function(in: tree.language), !function.parameters.isEmpty,
                    statement.tokens.count < best?.size ?? .max
                else { continue }
                best = (function, statement.tokens.count)
            }
        }
        return best?.function
    }

    /// Its calls in the module, if its name is that of no other function.
    private func callers(of function: Declaration, in tree: SyntaxTree) -> [Caller] {
        let others = module.others(mentioning: function.name, than: tree.path, in: tree.language).prefix(50)
        let trees = [tree] + others.map(module.tree(of:))
        let declared = trees.reduce(0) { count, tree in
            count
                + tree.blocks.reduce(0) { count, block in
                    count
                        + (block.declarations[function.name] ?? []).count { $0.function(in: tree.language) != nil }
                }
        }
        guard declared == 1 else { return [] }
        let type = tree.typeName(of: tree.blocks[function.block])
        return trees.flatMap { other in
            other.calls([function.name]).compactMap { call, _, arguments -> Caller? in
                guard case .call(let callee, _) = call.kind else { return nil }
                // `HttpCertificatePinning.check` is none of the app's own `check`.
                if case .member(let base, _) = callee.kind, let name = base.finalName, name.first?.isUppercase ?? false,
                    name != type
                {
                    return nil
                }
                return Caller(function: function, tree: other, call: call, arguments: arguments)
            } + elements(givenTo: function, in: other)
        }
    }

    /// `hosts.map(check)`, `hosts.forEach(check)`
    private func elements(givenTo function: Declaration, in tree: SyntaxTree) -> [Caller] {
        tree.calls(["map", "forEach"]).flatMap { call, _, arguments -> [Caller] in
            guard arguments.count == 1, case .name(function.name) = arguments[0].value.kind,
                case .call(let callee, _) = call.kind, case .member(let list, _) = callee.kind,
                let ways = Choices.explore({ Evaluator(module, tree, $0).value(of: list) }), ways.count == 1,
                case .list(let elements) = ways[0].result
            else { return [] }
            return elements.indices.map { index in
                Caller(function: function, tree: tree, call: call, arguments: [], element: (list, index))
            }
        }
    }

    /// What must hold of all calls of the function around a place, in whichever source they stand.
    func sharedByCallers(around token: Int, in tree: SyntaxTree) -> [SyntaxTree.Condition] {
        guard let holder = tree.functions(around: token).last, holder.isShared else { return [] }
        let others = module.others(mentioning: holder.name, than: tree.path, in: tree.language)
        guard 1...20 ~= others.count else { return [] }
        let trees = [tree] + others.map(module.tree(of:))
        var all: [[SyntaxTree.Condition]] = []
        for other in trees {
            // Of several by one name it is not known which is called.
            let declared = other.blocks.flatMap { $0.declarations[holder.name] ?? [] }.filter { $0.kind == .function }
            guard declared.count == (other.path == tree.path ? 1 : 0) else { return [] }
            let calls = other.calls([holder.name]).map(\.0.token)
            let mentions = other.tokens.indices.filter { place in
                other.tokens[place].isName(holder.name) && !other.isImported(place)
                    && !(other.path == tree.path && holder.tokens.contains(place))
            }
            // What is handed on is called elsewhere.
            guard mentions.count == calls.count else { return [] }
            all += calls.map { other.tested(around: $0) }
        }
        return Self.common(of: all)
    }

    /// What must hold wherever an object of the type around a place is made, in whichever source.
    func sharedByMakers(around token: Int, in tree: SyntaxTree) -> [SyntaxTree.Condition] {
        guard let type = tree.typeName(atToken: token) else { return [] }
        let others = module.others(mentioning: type, than: tree.path, in: tree.language)
        guard others.count <= 20 else { return [] }
        var all: [[SyntaxTree.Condition]] = []
        for other in [tree] + others.map(module.tree(of:)) {
            let tokens = other.tokens
            // Of several by one name it is not known which is made.
            let declared = other.blocks.flatMap { $0.declarations[type] ?? [] }.filter { $0.kind == .type }
            guard declared.count == (other.path == tree.path ? 1 : 0) else { return [] }
            let heads = other.blocks.flatMap(\.statements).compactMap { statement -> Int? in
                guard case .declaration(let own) = statement.kind, own.kind == .function else { return nil }
                return statement.tokens.prefix(4).first { tokens[$0].isName(type) }
            }
            for place in tokens.indices.dropLast() where tokens[place].isName(type) && !other.isImported(place) {
                // Its heirs are made elsewhere.
                if place > 0, ["extends", "with", "implements"].contains(where: tokens[place - 1].isName) { return [] }
                guard !heads.contains(place), tokens[place + 1].isMark("(") || tokens[place + 1].isMark(".") else {
                    continue
                }
                all.append(other.tested(around: place))
            }
        }
        return Self.common(of: all)
    }

    private static func common(of calls: [[SyntaxTree.Condition]]) -> [SyntaxTree.Condition] {
        (calls.first ?? []).filter { one in
            calls.allSatisfy { call in call.contains { $0.choice == one.choice } }
        }
    }
}

extension FoundPins {
    /// Whether a parameter keeps it from being read.
    fileprivate var dependsOnParameter: Bool {
        switch content {
        case .gaps(let gaps, _, _): gaps.contains { $0.reason.contains("is a parameter") }
        case .described(_, _, let what, _): what.contains("is a parameter")
        case .library(let library): library.hosts.isEmpty && library.key == "fingerprints"
        case .pinner, .dictionary, .evaluators: false
        }
    }
}

extension Value {
    /// Whether a call tells anything by it.
    fileprivate var isKnownInPart: Bool { if case .unknown = self { false } else { true } }
}
