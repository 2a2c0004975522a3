/// The pins, hosts and files that a group of functions names.
struct GroupReading {
    var pins: [String] = []
    var hosts: [String] = []
    var files: [String] = []
    /// What stands where digests belong, and is none: too short, or with a prefix of its own.
    var broken: [String] = []
    /// What a table gives hosts that has digests for others, and is none.
    var misfits: [FoundPins.Part] = []
    /// What a table gives hosts that are all without digests: words that tell what belongs there.
    private(set) var placeholders: [FoundPins.Part] = []
    /// Whether it names certificates that are refused.
    private(set) var rejectsSome = false
    /// What tables and branches give each host.
    var tables: [FoundPins.Part] = []
    /// What empties the pins that are named, or puts others in their place.
    private(set) var change: FoundPins.Gap?
    /// What adds to them that this source does not tell, in words.
    var additions: [String] = []
    /// Names that pins are found by.
    private var sources: Set<String> = []
    /// Lists that have nothing in the end, and texts of the functions' own.
    private var settled: Set<String> = []
    /// Of these, lists that code asks for a digest.
    private(set) var emptyLists: [String] = []
    let evaluator: Evaluator
    let group: CodeGroup
    /// Constants of hosts for which nothing is compared.
    private let letThrough: Set<String>
    /// Of its functions.
    let ownTypes: [Block.Owner]
    /// Lists that code asks for something.
    private let asked: Set<String>

    /// Whether it names nothing that could be compared.
    var isEmpty: Bool { pins.isEmpty && files.isEmpty && broken.isEmpty }

    /// All that is named, whatever its order.
    var names: Set<String> { Set(pins).union(hosts).union(files) }

    /// What is the same whichever way is taken.
    struct Circumstances {
        fileprivate let letThrough: Set<String>
        fileprivate let ownTypes: [Block.Owner]
        fileprivate let ways: Set<Int>
        fileprivate let passed: [Range<Int>]
        fileprivate let evidence: [Int]
        /// Of these hosts, other certificates are let through as well.
        fileprivate let alternatives: [Expression]
        fileprivate let asked: Set<String>

        init(_ group: CodeGroup, _ tree: SyntaxTree) {
            letThrough = tree.namesLetThrough(in: group)
            ownTypes = tree.blocks.filter { block in
                guard case .type = block.owner else { return false }
                return block.statements.contains {
                    $0.tokens.contains(group.evidence) || group.holds($0.tokens.lowerBound)
                }
            }
            .map(\.owner)
            ways = tree.waysOfHosts(in: group)
            passed = tree.leftBefore(comparing: group)
            evidence = ComparisonForm.evidence(in: group, tree)
            alternatives = tree.alternatives(to: evidence)
            asked = tree.listsAsked(in: group.tokens)
        }
    }

    /// Names of one group that are looked up.
    private static let mostNames = 500

    /// - Parameter takesRefused: whether what code refuses counts, too.
    init(
        _ group: CodeGroup,
        _ evaluator: Evaluator,
        depth: Int = 0,
        takesRefused: Bool = false,
        circumstances: Circumstances? = nil
    ) {
        var evaluator = evaluator
        evaluator.isGathering = true
        self.evaluator = evaluator
        self.group = group
        let circumstances = circumstances ?? Circumstances(group, evaluator.tree)
        letThrough = circumstances.letThrough
        ownTypes = circumstances.ownTypes
        asked = circumstances.asked
        let tokens = evaluator.tree.tokens
        var looked = takeEntries(of: group)
        var refused: Set<String> = []
        // Behind the last message that is written to a log.
        var behindLog = 0
        let (ways, passed, evidence) = (circumstances.ways, circumstances.passed, circumstances.evidence)
        let alternatives = circumstances.alternatives
        for place in group.tokens where !passed.contains(where: { $0.contains(place) }) {
            switch tokens[place].kind {
            case .text(let pieces):
                guard place >= behindLog, !isOfAnother(tokens, place), !isUnreadFile(tokens, place),
                    !tokens.isPartOfDigits(place)
                else { continue }
                if isUnequal(tokens, place) {
                    // `host != "api.acme.example" || isPinned(certificate)`
                    if let host = tokens[place].plainText, PinText.isHost(host), isBesideHost(tokens, place),
                        place + 1 < tokens.count, tokens[place + 1].isMark("||")
                    {
                        hosts.append(host)
                    } else {
                        rejectsSome = true
                    }
                    continue
                }
                guard pieces.count == 1, case .plain(let text) = pieces[0] else {
                    for name in tokens[place].names where looked.count < Self.mostNames {
                        if looked.insert(name).inserted { takeDeclared(name) }
                    }
                    continue
                }
                take(.text(text))
                if alternatives.contains(where: { $0.mentions(place) }) { continue }
                let isHost =
                    PinText.isHostOrEnd(text)
                    ? isBesideHost(tokens, place) || isCaseOfHost(tokens, place)
                    : isComparedAsHost(tokens, place, with: evidence)
                if isHost, !ways.contains(place), !evaluator.tree.letsThrough(at: place) {
                    hosts += hostsOfList(tokens, place) ?? [text]
                }
                if isBesideComparedURL(tokens, place), let host = evaluator.host(of: text)?.text { hosts.append(host) }
            case .name(let name):
                guard looked.count < Self.mostNames else { continue }
                if Self.isLog(tokens, place) { behindLog = max(behindLog, Self.closing(tokens, place + 1)) }
                if name == "forResource" || name == "pathForResource" || name == "URLForResource",
                    !evaluator.tree.isOfUnreadFile(at: place)
                {
                    takeResource(tokens, place)
                }
                if place >= 2, tokens[place - 1].isMark("."), let type = tokens[place - 2].name, type != "Self",
                    type.first?.isUppercase ?? false, looked.insert("\(type).\(name)").inserted
                {
                    take(member(name, of: type, at: place))
                }
                if !takesRefused, refusesThose(tokens, place) {
                    refused.insert(name)
                    rejectsSome = true
                }
                if !refused.contains(name), looked.insert(name).inserted { takeDeclared(name) }
                if refusesOthers(tokens, place) { takeHosts(name) }
                takeFromElsewhere(name, at: place)
            default: break
            }
        }
        takeTables(of: group)
        takeComparedHosts(of: group)
        if depth < 2 { takeBranches(of: group) }
        files += ResourceNames.files(evaluator, within: group, and: looked)
        if pins.isEmpty, files.isEmpty, evaluator.tree.language == .swift {
            let given = namesGiven(to: looked)
            if !given.isEmpty { files += ResourceNames.files(evaluator, within: group, and: given, calling: given) }
        }
        if pins.isEmpty {
            for name in looked where !settled.contains(name) {
                let before = pins.count
                takeAssigned(name, tokens)
                if pins.count > before { sources.insert(name) }
            }
        }
        if evaluator.tree.language == .cSharp { for name in sources.sorted() { takeInitialised(name) } }
        if hosts.isEmpty, evaluator.tree.language == .swift {
            for name in looked.sorted() where !settled.contains(name) { takeKeys(of: name) }
        }
        if pins.isEmpty { for name in looked.sorted() where !settled.contains(name) { takeGiven(name) } }
        if pins.isEmpty, files.isEmpty { takeElsewhere(members(group.tokens)) }
        if pins.isEmpty, files.isEmpty, depth < 2 { takeFunctions(group.tokens, depth) }
        for name in sources.union(pins.isEmpty ? [] : asked.intersection(looked)).sorted() {
            additions += untoldChanges(of: name)
        }
        pins = pins.uniqued
        takeGivenByBuild()
        // A part of a pin is none by itself: `'AB:CD:' + 'EF:…'`.
        broken = broken.uniqued.filter { part in !pins.contains { $0.contains(part) } }
        hosts = hosts.uniqued
        files = files.uniqued
    }

    /// Tables that its functions write: pins below a host are that host's.
    private mutating func takeTables(of group: CodeGroup) {
        var tables: [Expression] = []
        evaluator.tree.visit { expression, _ in
            guard case .table = expression.kind, group.holds(expression.token) else { return true }
            tables.append(expression)
            return false
        }
        for table in tables { take(evaluator.value(of: table)) }
    }

    private mutating func takeDeclared(_ name: String) {
        let before = (pins.count, hosts.count)
        defer { if pins.count > before.0 { sources.insert(name) } }
        /// Whether what is nearer hides all by this name that is farther away.
        func isFound() -> Bool { pins.count > before.0 || hosts.count > before.1 }
        // A function's own constant hides the one outside, and a type's own that of another type.
        let own = evaluator.tree.blocks.filter { !$0.isOutside && group.holds($0) }
        takeDeclared(name, in: own)
        if !isFound(), isOwnText(name, own) {
            settled.insert(name)
            return
        }
        if !isFound(), !isOverridden(name) {
            takeDeclared(name, in: evaluator.tree.blocks.filter { ownTypes.contains($0.owner) })
        }
        guard !isFound() else { return }
        let isHidden = own.contains { $0.declarations[name] != nil }
        takeDeclared(name, in: evaluator.tree.blocks.filter { !isHidden || $0.owner == .file })
    }

    /// Whether a name stands for a text of the function's own, wherever the functions have it: another by this name is not meant.
    private func isOwnText(_ name: String, _ own: [Block]) -> Bool {
        let tree = evaluator.tree
        let declared = own.compactMap { $0.declarations[name] }.joined()
        guard !declared.isEmpty,
            declared.allSatisfy({ $0.kind == .value && $0.value?.isText ?? false && tree.changes[name] == nil })
        else { return false }
        let blocks = Set(declared.map(\.block))
        return group.tokens.allSatisfy { place in
            guard tree.tokens[place].names.contains(name), let inner = tree.innermost(around: place)?.block else {
                return true
            }
            return tree.block(declaring: name, from: inner).map(blocks.contains) ?? false
        }
    }

    /// Whether a type that is made from one around the code has a member of this name.
    private func isOverridden(_ name: String) -> Bool {
        let blocks = evaluator.tree.blocks
        return blocks.contains { block in
            guard case .type(let type) = block.owner, block.declarations[name] != nil else { return false }
            return blocks.contains { outer in
                outer.declarations[type]?.contains { $0.supers.contains { ownTypes.contains(.type($0)) } } ?? false
            }
        }
    }

    private mutating func takeDeclared(_ name: String, in blocks: [Block]) {
        for block in blocks {
            for declaration in block.declarations[name] ?? [] {
                // What an object is taken apart into has a value, too.
                guard declaration.kind == .value || declaration.kind == .parameter && declaration.value != nil,
                    declaration.value != nil || declaration.body != nil || isGiven(declaration)
                else { continue }
                var value = evaluator.value(of: declaration)
                // What is changed later begins with this.
                var begins = false
                if case .unknown = value, let first = declaration.value {
                    value = evaluator.value(of: first)
                    begins = true
                }
                if value == .list([]) {
                    settled.insert(name)
                    if asked.contains(name) { emptyLists.append(name) }
                }
                if value.texts.contains(where: PinText.isCertificateFile), let first = declaration.value,
                    evaluator.tree.isOfUnreadFile(at: first.token)
                {
                    continue
                }
                let before = pins.count
                take(value)
                if pins.count > before, let first = evaluator.replacement(of: declaration) {
                    additions.append("where the build gives '\(first)', that stands in the place of '\(name)'")
                }
                if evaluator.tree.isOfApple || evaluator.tree.language == .dart && value.isListOfTexts,
                    pins.count == before, PinText.namesDigests(name)
                {
                    takePlaceholders(value)
                }
                if begins, pins.count > before { change = change ?? replacement(of: declaration) }
                if Self.namesPinnedHosts(name), !letThrough.contains(name) {
                    hosts += value.texts.filter(PinText.isHostOrEnd)
                }
                guard !declaration.isFixed || begins else { continue }
                let filling = takeFilled(name)
                if !filling.isEmpty { change = change ?? replacement(of: declaration, besides: filling) }
            }
        }
    }

    private mutating func takePlaceholders(_ value: Value) {
        broken += value.texts.filter(PinText.isOfWords)
        guard case .table(let entries) = value else { return }
        for entry in entries {
            let words = entry.value.texts.filter(PinText.isOfWords)
            guard !words.isEmpty, let host = entry.key.text, PinText.isKeyOfPins(host) else { continue }
            placeholders.append(.init(host: host, pins: words, line: entry.line))
            hosts.append(host)
        }
    }

    /// Whether an initialiser of Swift may be given what a field is.
    private func isGiven(_ declaration: Declaration) -> Bool {
        guard evaluator.tree.language == .swift, declaration.kind == .value else { return false }
        if case .type = evaluator.tree.blocks[declaration.block].owner { return true }
        return false
    }

    private mutating func takeHosts(_ name: String) {
        let declared = evaluator.tree.blocks.flatMap { $0.declarations[name] ?? [] }.filter { $0.kind == .value }
        if declared.count == 1 { hosts += evaluator.value(of: declared[0]).texts.filter(PinText.isHostOrEnd) }
    }

    func member(_ name: String, of type: String, at place: Int) -> Value {
        let line = evaluator.tree.tokens[place].line
        let base = Expression(kind: .name(type), token: place, line: line, block: 0)
        return evaluator.member(Expression(kind: .member(base, name), token: place, line: line, block: 0))
    }

    /// `forResource: "acme", ofType: "cer"`.
    private mutating func takeResource(_ tokens: [Token], _ place: Int) {
        guard place + 2 < tokens.count, tokens[place + 1].isMark(":"), let name = text(tokens, place + 2) else {
            return
        }
        var end: String?
        for next in (place + 3)..<max(place + 3, min(place + 8, tokens.count - 2))
        where tokens[next].isName("ofType") || tokens[next].isName("withExtension") {
            end = text(tokens, next + 2)
        }
        let tree = evaluator.tree
        if let file = ResourceNames.file(name, end, isCertificate: tree.isOfCertificate(at: place)) {
            files.append(file)
        }
    }

    /// A text, or what a name of the file stands for; in Objective-C behind an `@`.
    private func text(_ tokens: [Token], _ place: Int) -> String? {
        guard place < tokens.count else { return nil }
        switch tokens[place].kind {
        case .mark("@"): return text(tokens, place + 1)
        case .text(let pieces):
            if pieces.count == 1, case .plain(let text) = pieces[0] { return text }
            return nil
        case .name(let name):
            guard place + 1 < tokens.count, !tokens[place + 1].isMark("."), !tokens[place + 1].isMark("(") else {
                return nil
            }
            return evaluator.lookUp(name, block: 0, line: tokens[place].line).text
        default: return nil
        }
    }
}
