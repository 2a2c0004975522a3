/// Functions that belong together, because one calls the other, with a piece of evidence in one of them.
struct CodeGroup {
    /// The token by which it was found.
    var evidence: Int
    private(set) var ranges: [Range<Int>]

    /// The head of the type around it, whose kind is named there.
    private var head: Range<Int> = 0..<0

    /// Under which conditions it counts, where it is one way of several.
    var conditions: [Choices.Choice] = []

    /// Whether it is one of several callbacks that Node is given, so that what stands around them may be any one's.
    private(set) var isOneOfSeveral = false

    var tokens: [Int] { ranges.flatMap(Array.init) }

    var context: [Int] { tokens + Array(head) }

    func holds(_ token: Int) -> Bool { ranges.contains { $0.contains(token) } }

    func holds(_ block: Block) -> Bool { block.statements.first.map { holds($0.tokens.lowerBound) } ?? false }

    private init(evidence: Int, ranges: [Range<Int>]) {
        self.evidence = evidence
        self.ranges = ranges
    }

    /// Some tokens of a function, and nothing that they call.
    init(only range: Range<Int>) { self.init(evidence: range.lowerBound, ranges: [range]) }

    /// A place alone.
    init(at place: Int) { self.init(only: place..<(place + 1)) }

    /// Without some of its tokens.
    func without(_ gone: [Range<Int>]) -> CodeGroup {
        var group = self
        for one in gone {
            group.ranges = group.ranges.flatMap { range in
                range.overlaps(one)
                    ? [
                        range.lowerBound..<max(range.lowerBound, one.lowerBound),
                        min(range.upperBound, one.upperBound)..<range.upperBound,
                    ]
                    .filter { !$0.isEmpty } : [range]
            }
        }
        return group
    }

    struct Function {
        var name: String
        var range: Range<Int>
        /// Whether others can call it; a value that is made with a function calls only.
        var isCalled = true
        /// That it is a member of.
        var type: String?
    }

    /// Longer than any file of a person, and a bound for the work.
    private static let mostFunctions = 2000
    private static let mostEvidence = 200

    /// - Parameter steps: how many calls outwards a function is one of the group.
    static func groups(of tree: SyntaxTree, callers steps: Int = 2, _ isEvidence: (Int) -> Bool) -> [CodeGroup] {
        let evidence = tree.tokens.indices.filter(isEvidence).prefix(mostEvidence)
        guard !evidence.isEmpty else { return [] }
        let functions = functions(of: tree)
        let byName = Dictionary(grouping: functions.indices.filter { functions[$0].isCalled }) { functions[$0].name }
        // Where one is declared, no other of its name is called.
        var heads: [Int: Int] = [:]
        for (index, function) in functions.enumerated() {
            if let head = function.range.first(where: { tree.tokens[$0].isName(function.name) }) { heads[head] = index }
        }
        /// Those of several by one name that a type's own code means: the type's own.
        func called(_ others: [Int], at place: Int, in type: String?) -> [Int] {
            let own = others.filter { functions[$0].type == type }
            if ComparisonForm.isGiven(tree.tokens, place) { return [] }
            return own.isEmpty || type == nil || !tree.isOwnMember(at: place) ? others : own
        }
        // Which functions a function names.
        var named: [Int: Set<Int>] = [:]
        func calls(of index: Int) -> Set<Int> {
            if let known = named[index] { return known }
            var found: Set<Int> = []
            for place in functions[index].range {
                if let declared = heads[place] {
                    if functions[declared].isCalled { found.insert(declared) }
                    continue
                }
                // Its own name stands in it, and others may have the same.
                for name in tree.tokens[place].names where name != functions[index].name {
                    found.formUnion(called(byName[name] ?? [], at: place, in: functions[index].type))
                }
            }
            found.remove(index)
            named[index] = found
            return found
        }
        var groups: [(evidence: Int, members: Set<Int>, range: Range<Int>)] = []
        for place in evidence {
            let holder = functions.indices.filter { functions[$0].isCalled && functions[$0].range.contains(place) }
                .min { functions[$0].range.count < functions[$1].range.count }
            guard let holder else {
                let range = statement(around: place, tree)
                if !groups.contains(where: { $0.range.contains(place) }) { groups.append((place, [], range)) }
                continue
            }
            if groups.contains(where: { $0.members.contains(holder) }) { continue }
            var members: Set<Int> = [holder]
            for _ in 0..<steps {
                let callers = functions.indices.filter {
                    !members.contains($0) && !calls(of: $0).isDisjoint(with: members)
                }
                members.formUnion(callers)
            }
            for _ in 0..<2 { for member in members { members.formUnion(calls(of: member)) } }
            groups.append((place, members, functions[holder].range))
        }
        // Those that share a function are one.
        var merged: [(evidence: Int, members: Set<Int>, range: Range<Int>)] = []
        for group in groups {
            if let index = merged.firstIndex(where: { !$0.members.isDisjoint(with: group.members) }) {
                merged[index].members.formUnion(group.members)
            } else {
                merged.append(group)
            }
        }
        return merged.map { group in
            let ranges = group.members.isEmpty ? [group.range] : group.members.sorted().map { functions[$0].range }
            var whole = CodeGroup(evidence: group.evidence, ranges: outermost(ranges))
            whole.head = head(around: group.evidence, tree)
            return whole
        }
    }

    /// Each callback of it by itself, where there are several: closures, and functions with a callback's parameters.
    func callbacks(in tree: SyntaxTree, _ isEvidence: (Int) -> Bool) -> [CodeGroup] {
        guard let count = [.cSharp: 4, .dart: 3, .script: 2][tree.language] else { return [self] }
        var found: [Range<Int>] = []
        // Where a library is given a function of the app's own.
        var given: [Range<Int>: [Range<Int>]] = [:]
        tree.visit { expression, _ in
            guard case .closure(let closure) = expression.kind, closure.parameters.count == count,
                holds(expression.token),
                let body = tree.blocks[closure.block].statements.last?.tokens
            else { return true }
            // With the name of the callback that it is: `validateCertificate: (…) { … }`.
            let isGiven = expression.token > 1 && ComparisonForm.isGiven(tree.tokens, expression.token - 2)
            if tree.language == .script, !isGiven { return true }
            let start = isGiven ? expression.token - 2 : expression.token
            found.append(start..<max(body.upperBound, expression.token + 1))
            return true
        }
        for block in tree.blocks {
            for statement in block.statements where holds(statement.tokens.lowerBound) {
                guard case .declaration(let declaration) = statement.kind, declaration.kind == .function,
                    declaration.parameters.count == count
                else { continue }
                let places = tokens.filter { place in
                    place > 1 && tree.tokens[place].isName(declaration.name)
                        && ComparisonForm.isGiven(tree.tokens, place - 2)
                }
                // In scripts any function may have as many parameters.
                if tree.language == .script, places.isEmpty { continue }
                found.append(statement.tokens)
                given[statement.tokens] = places.map { ($0 - 2)..<($0 + 1) }
            }
        }
        // One that a library is given may leave the certificate to a function that others call, too.
        func isCallback(_ range: Range<Int>) -> Bool {
            if range.contains(where: isEvidence) { return true }
            guard ComparisonForm.isGiven(tree.tokens, range.lowerBound) || !(given[range] ?? []).isEmpty else {
                return false
            }
            return Self.group(of: range, in: tree).tokens.contains(where: isEvidence)
        }
        let groups = Self.outermost(found.filter(isCallback)).map { range in
            var group = Self.group(of: range, in: tree)
            group.ranges += given[range] ?? []
            group.evidence = range.first(where: isEvidence) ?? group.tokens.first(where: isEvidence) ?? evidence
            group.head = head
            return group
        }
        // What stands elsewhere may be any callback's.
        let isTold = tokens.filter(isEvidence).allSatisfy { place in groups.contains { $0.holds(place) } }
        guard groups.count > 1, isTold else { return [self] }
        return groups.map { group in
            var group = group
            group.isOneOfSeveral = tree.language == .script
            return group
        }
    }

    /// A function by itself, and those of its source that it calls.
    static func group(of function: Range<Int>, in tree: SyntaxTree) -> CodeGroup {
        let others = functions(of: tree).filter(\.isCalled)
        let type = tree.typeName(atToken: function.lowerBound)
        var ranges = [function]
        for _ in 0..<2 {
            let places = ranges.flatMap(Array.init).filter { !ComparisonForm.isGiven(tree.tokens, $0) }
            let names = Set(places.flatMap { tree.tokens[$0].names })
            // Those that are meant by their type's own code alone.
            let own = Set(places.filter(tree.isOwnMember).flatMap { tree.tokens[$0].names })
                .subtracting(places.filter { !tree.isOwnMember(at: $0) }.flatMap { tree.tokens[$0].names })
            ranges += others.filter { other in
                guard names.contains(other.name), !ranges.contains(other.range) else { return false }
                return !own.contains(other.name) || type == nil || other.type == type
                    || !others.contains { $0.name == other.name && $0.type == type }
            }
            .map(\.range)
        }
        return CodeGroup(evidence: function.lowerBound, ranges: outermost(ranges))
    }

    private static func head(around place: Int, _ tree: SyntaxTree) -> Range<Int> {
        var best: Range<Int>?
        for block in tree.blocks {
            for statement in block.statements where statement.tokens.contains(place) {
                guard case .declaration(let declaration) = statement.kind, declaration.kind == .type,
                    statement.tokens.count < best?.count ?? .max
                else { continue }
                best = statement.tokens
            }
        }
        guard let best else { return 0..<0 }
        let end = best.first { tree.tokens[$0].isMark("{") } ?? best.lowerBound
        return best.lowerBound..<end
    }

    /// Without those that lie in others.
    private static func outermost(_ ranges: [Range<Int>]) -> [Range<Int>] {
        var kept: [Range<Int>] = []
        for range in ranges.sorted(by: { ($0.lowerBound, $1.upperBound) < ($1.lowerBound, $0.upperBound) })
        where range.upperBound > kept.last?.upperBound ?? -1 { kept.append(range) }
        return kept
    }

    static func functions(of tree: SyntaxTree) -> [Function] {
        var found: [Function] = []
        for block in tree.blocks {
            let type = tree.typeName(of: block)
            let isOutside: Bool
            switch block.owner {
            case .file, .type: isOutside = true
            case .function, .closure, .inner: isOutside = false
            }
            for statement in block.statements where found.count < mostFunctions {
                guard case .declaration(let declaration) = statement.kind else {
                    // A namespace is no code that calls.
                    if isOutside, !tree.starts(statement, with: "namespace") {
                        found.append(Function(name: "", range: statement.tokens, isCalled: false))
                    }
                    continue
                }
                let isFunction: Bool
                switch declaration.kind {
                case .function: isFunction = true
                case .value:
                    if case .closure? = declaration.value?.kind {
                        isFunction = true
                    } else {
                        // A getter.
                        isFunction = tree.language == .dart && declaration.body != nil
                    }
                case .type, .parameter, .entry: isFunction = false
                }
                if isFunction {
                    found.append(
                        Function(name: declaration.name.ofCalls, range: statement.tokens, type: type)
                    )
                } else if isOutside, declaration.kind == .value {
                    found.append(Function(name: declaration.name, range: statement.tokens, isCalled: false))
                }
            }
        }
        return found
    }

    private static func statement(around place: Int, _ tree: SyntaxTree) -> Range<Int> {
        var best = 0..<tree.tokens.count
        for block in tree.blocks where block.owner != .inner {
            for statement in block.statements
            where statement.tokens.contains(place) && statement.tokens.count < best.count {
                if case .declaration(let declaration) = statement.kind, declaration.kind == .type { continue }
                if block.owner == .closure { continue }
                best = statement.tokens
            }
        }
        return best
    }
}

extension String {
    /// The word by which calls name a function: of a selector of Objective-C the longest part, which tells the most.
    var ofCalls: String {
        guard contains(":") else { return self }
        let parts: [Substring] = split(separator: ":")
        return parts.max { $0.count < $1.count }.map { String($0) } ?? self
    }
}
