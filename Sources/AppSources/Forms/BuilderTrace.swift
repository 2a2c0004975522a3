/// What a builder is given, call by call: along its chain, and wherever the variable that holds it is used.
struct BuilderTrace {
    var evaluator: Evaluator
    var entries: [FoundPins.Entry] = []
    var gaps: [FoundPins.Gap] = []
    var hosts: [String] = []
    /// What the calls were given, as far as that is known.
    var parts: [FoundPins.Part] = []
    private(set) var isBuilt = false
    /// Whether `build()` was called: what is built does not have what is added from then on.
    private var hasBuilt = false
    /// How many functions are gone into: what these return is their caller's.
    var isInFunction = 0
    /// The names of the builder.
    var names: Set<String> = []
    /// Tokens by which it is named and whose use was understood.
    var accounted: Set<Int> = []
    var depth = 0
    /// Whether a `return` was reached: what stands behind it is for other ways through.
    var hasLeft = false
    /// Whether a `continue` was reached: the next round comes.
    var skipsRest = false
    /// Under what the element at hand is gone past, where only the running app knows.
    var provisos: [String] = []
    /// Whether the statements are those of a loop, and not of a closure.
    var isLooping = false
    /// Whether the statements are those of a closure that may be left before its end.
    var isLeaving = false
    /// Functions within the function that add to the builder.
    var helpers: Set<String> = []

    init(_ evaluator: Evaluator) { self.evaluator = evaluator }

    var tree: SyntaxTree { evaluator.tree }

    var content: FoundPins.Content {
        if gaps.isEmpty { return .pinner(entries) }
        var known: [FoundPins.Part] = []
        for part in parts {
            if let index = known.firstIndex(where: { $0.isOfSameHost(as: part) }) {
                known[index].pins = (known[index].pins + part.pins).uniqued
            } else {
                known.append(part)
            }
        }
        return .gaps(gaps, hosts: hosts.uniqued, known: known)
    }

    mutating func refuse(_ reason: String, _ line: Int) {
        if gaps.count < 20, !gaps.contains(where: { $0.line == line && $0.reason == reason }) {
            gaps.append(.init(line: line, reason: reason))
        }
    }

    // MARK: Calls

    /// - Parameter isImplicit: whether they stand where the builder is the receiver, and need not be named.
    mutating func run(_ calls: [Expression.Call], _ isImplicit: Bool = false) {
        for call in calls {
            // What Xamarin calls `Add` and `Build`.
            let name = tree.language == .cSharp ? call.name.lowercased() : call.name
            switch name {
            case "add":
                if hasBuilt { refuse("pins are added behind 'build()'", call.expression.line) }
                add(call)
            case "apply", "run", "also", "let":
                guard let closure = call.arguments.last?.value else {
                    return refuse("'\(call.name)' is not understood here", call.expression.line)
                }
                let isReceiver = call.name == "apply" || call.name == "run"
                runClosure(closure, isImplicit: isImplicit || isReceiver, of: call.name)
                // What these give back is what their closure does, where it builds.
                if call.name == "let" || call.name == "run" { isBuilt = true }
            case "build":
                isBuilt = true
                hasBuilt = true
                return
            default:
                guard runExtension(call) else {
                    return refuse("'\(call.name)' is a call that is not known of a builder", call.expression.line)
                }
            }
        }
    }

    mutating func add(_ call: Expression.Call) {
        let line = call.arguments.first?.value.line ?? call.expression.line
        var values = evaluator.values(of: call.arguments)
        if values.first?.text == nil, let host = call.arguments.first, !host.isSpread {
            // Which entry of a table the pins are may tell the host.
            values[0] = evaluator.value(of: host.value)
        }
        guard let first = values.first else { return refuse("'add' is given nothing", line) }
        var reasons = provisos
        let host: String? = first.text
        if let host {
            hosts.append(host)
        } else {
            reasons.append("the host: " + (first.firstUnknown?.reason ?? "it is no text"))
        }
        var pins: [String] = []
        func take(_ value: Value) -> String? {
            switch value {
            case .text(let text):
                pins.append(text)
                return nil
            case .list(let more): return more.lazy.compactMap { take($0) }.first
            default: return value.firstUnknown?.reason ?? "it is no text"
            }
        }
        for value in values.dropFirst() {
            guard let reason = take(value) else { continue }
            reasons.append("a pin: \(reason)")
        }
        guard entries.count < Evaluator.mostElements, pins.count < Evaluator.mostElements else {
            return refuse("more pins than can be read", line)
        }
        if let host, reasons.isEmpty { entries.append(.init(host: host, pins: pins, line: line)) }
        let expression = host == nil ? call.arguments.first?.value.template : nil
        if !pins.isEmpty { parts.append(.init(host: host, pins: pins, line: line, expression: expression)) }
        for reason in reasons { refuse(reason, line) }
    }

    /// - Parameter name: of the function that is given the closure, by which a `return` may name it.
    mutating func runClosure(_ expression: Expression, isImplicit: Bool, of name: String = "with") {
        guard case .closure(let closure) = expression.kind, depth < 12 else {
            return refuse("what the builder is handed to is not understood", expression.line)
        }
        let isLeft = tree.isLeftEarly(closure.block)
        guard !isLeft || tree.leavesItself(closure.block, name) else {
            return refuse("the closure that fills the builder can be left early", expression.line)
        }
        let outer = (names, hasLeft, isLeaving)
        names.formUnion(closure.parameters.prefix(1) + (isImplicit ? ["this"] : []))
        isLeaving = isLeft
        runBlock(closure.block, isImplicit: isImplicit)
        (names, hasLeft, isLeaving) = outer
    }

    mutating func runBlock(_ block: Int, isImplicit: Bool) {
        depth += 1
        if depth < 12 {
            for statement in tree.blocks[block].statements {
                if hasLeft || skipsRest { account(for: statement.tokens) } else { run(statement, isImplicit) }
            }
        } else {
            refuse("the code is nested too deep", tree.blocks[block].statements.first?.line ?? 1)
        }
        depth -= 1
    }

    // MARK: Variables

    /// Goes on with the statements behind the one that makes the builder.
    mutating func follow(from chain: Expression, at place: SyntaxTree.Place) {
        guard place.statement >= 0 else { return refuse("the builder is handed on", chain.line) }
        let block = tree.blocks[place.block]
        let statement = block.statements[place.statement]
        var name: String?
        switch statement.kind {
        case .declaration(let declaration) where declaration.value?.token == chain.token: name = declaration.name
        case .assignment(let target, "=", let value) where value.token == chain.token:
            if case .name(let held) = target.kind { name = held }
        case .returning(let value) where value?.token == chain.token:
            return refuse("the builder is handed on by 'return'", chain.line)
        default: break
        }
        guard let name else { return refuse("the builder is handed on and not built here", chain.line) }
        switch block.owner {
        case .type, .file:
            guard tree.language == .kotlin, block.owner == .file else {
                return refuse("the builder is held by '\(name)', which is used in more than one place", chain.line)
            }
        case .function, .closure, .inner: break
        }
        names = [name]
        let range = tokens(of: place.block, from: place.statement + 1)
        for statement in block.statements.dropFirst(place.statement + 1) {
            if hasLeft { account(for: statement.tokens) } else { run(statement, false) }
        }
        for token in mentions(in: range) + mentions(ofHelpersIn: range) where !accounted.contains(token) {
            refuse("the builder '\(name)' is used in a way that is not understood", tree.tokens[token].line)
        }
        if tree.blocks[place.block].owner == .inner, !isBuilt {
            refuse("the builder '\(name)' is not built in this block", chain.line)
        }
    }

    func tokens(of block: Int, from statement: Int) -> Range<Int> {
        let statements = tree.blocks[block].statements.dropFirst(statement)
        guard let first = statements.first?.tokens.lowerBound, let last = statements.map(\.tokens.upperBound).max()
        else {
            return 0..<0
        }
        return first..<last
    }

    func mentions(in range: Range<Int>) -> [Int] {
        range.clamped(to: 0..<tree.tokens.count).filter { place in
            guard let name = tree.tokens[place].name, names.contains(name) else { return false }
            return place == 0 || !tree.tokens[place - 1].isMark(".")
        }
    }

    mutating func account(for range: Range<Int>, but kept: Range<Int> = 0..<0) {
        for token in mentions(in: range) + mentions(ofHelpersIn: range) where !kept.contains(token) {
            accounted.insert(token)
        }
    }

    func isConcerned(_ range: Range<Int>, _ isImplicit: Bool) -> Bool {
        if !mentions(in: range).isEmpty || !mentions(ofHelpersIn: range).isEmpty { return true }
        return isImplicit
            && range.clamped(to: 0..<tree.tokens.count).contains { place in
                guard let name = tree.tokens[place].name, tree.tokens.indices.contains(place + 1) else { return false }
                if isHandedOn(place) { return true }
                guard tree.tokens[place + 1].isMark("(") else { return false }
                return name == "add" || name == "build" || isOwnExtension(name, place)
            }
    }

    /// `hosts.forEach(::add)`, where the builder is the receiver.
    private func isHandedOn(_ place: Int) -> Bool {
        guard place > 1, tree.tokens[place].isName("add"), tree.tokens[place - 1].isMark("::") else { return false }
        return tree.tokens[place - 2].isMark("(") || tree.tokens[place - 2].isMark(",")
    }

    /// `pinAll("api.acme.example")`, where an extension of builders is called on the receiver.
    private func isOwnExtension(_ name: String, _ place: Int) -> Bool {
        (place == 0 || !tree.tokens[place - 1].isMark("."))
            && isExtension(name, from: tree.innermost(around: place)?.block ?? 0)
    }

    mutating func run(_ statement: Statement, _ isImplicit: Bool) {
        let goesOn = isLooping && tree.goesOn(statement.tokens)
        if goesOn, case .expression(let value) = statement.kind, case .name("continue") = value.kind {
            skipsRest = true
            return
        }
        let leaves = isLeaving && statement.tokens.contains { tree.tokens[$0].isName("return") }
        guard goesOn || leaves || isConcerned(statement.tokens, isImplicit) else { return }
        if isImplicit, let place = statement.tokens.first(where: isHandedOn) {
            refuse("'add' is handed to another function", tree.tokens[place].line)
        }
        switch statement.kind {
        case .expression(let value): use(value, isImplicit)
        case .returning(let value):
            if let value, isInFunction > 0, isBuilder(value) {
                accounted.insert(value.token)
            } else if let value {
                use(value, isImplicit)
            }
            hasLeft = true
        case .declaration(let declaration):
            if isHelper(declaration) {
                helpers.insert(declaration.name)
                return account(for: statement.tokens)
            }
            guard declaration.kind == .value, let value = declaration.value else {
                return refuse("the builder is used in '\(declaration.name)', which may run at any time", statement.line)
            }
            use(value, isImplicit)
        case .assignment(let target, _, let value):
            if case .name(let name) = target.kind, names.contains(name) {
                accounted.insert(target.token)
                guard value.calls(behind: isBuilder) != nil else {
                    return refuse("'\(name)' becomes another builder", statement.line)
                }
            }
            use(value, isImplicit)
        case .loop(let bound, let list, let body):
            loop(over: evaluator.value(of: list), bound, body, statement, isImplicit)
        case .count(let counter, let limit, let body):
            guard case .number(let count) = evaluator.value(of: limit), 0...Evaluator.mostElements ~= count else {
                account(for: statement.tokens)
                return refuse("how often the loop runs is not known", statement.line)
            }
            loop(over: .list((0..<count).map(Value.number)), [counter], body, statement, isImplicit)
        case .branches(let branches, let isExhaustive):
            let way = evaluator.way(through: branches, isExhaustive)
            guard case .block(let chosen) = way else {
                account(for: statement.tokens)
                if case .undecided(let condition) = way, isLooping, branches.count == 1, isSkip(branches[0].block) {
                    // Which elements it leaves out is known when the app runs.
                    provisos.append("left out where '\(condition)', which this source does not tell")
                    return
                }
                if case .onward(let condition) = way {
                    refuse("the case '\(condition)' goes on with the next one", statement.line)
                }
                if case .undecided(let condition) = way {
                    refuse("'\(condition)' is not the same for each element", statement.line)
                }
                return
            }
            account(for: statement.tokens, but: tokens(of: chosen, from: 0))
            runBlock(chosen, isImplicit: isImplicit)
        case .block(let body): runBlock(body, isImplicit: isImplicit)
        case .repeated(let body):
            account(for: statement.tokens)
            // What a handler makes of a builder that it does not fill.
            let range = tokens(of: body, from: 0)
            if !isImplicit, mentions(in: range).allSatisfy({ onlyBuilds($0) }) { return }
            refuse("the builder is used in a loop or a handler whose rounds are not known", statement.line)
        }
    }

    /// `{ continue }`
    private func isSkip(_ block: Int) -> Bool {
        guard tree.blocks[block].statements.count == 1,
            case .expression(let value) = tree.blocks[block].statements[0].kind, case .name("continue") = value.kind
        else { return false }
        return true
    }

    /// `builder.build()`
    private func onlyBuilds(_ token: Int) -> Bool {
        token + 2 < tree.tokens.count && tree.tokens[token + 1].isMark(".") && tree.tokens[token + 2].isName("build")
    }
}

extension Array where Element: Hashable {
    /// Each once, in the order of the first.
    var uniqued: [Element] {
        var seen: Set<Element> = []
        return filter { seen.insert($0).inserted }
    }
}
