/// The pins, hosts and files that a group of functions names.
struct GroupReading {
    var pins: [String] = []
    var hosts: [String] = []
    var files: [String] = []
    /// What stands where digests belong, and is none: too short, or with a prefix of its own.
    var broken: [String] = []
    /// What a table gives hosts that has digests for others, and is none.
    var misfits: [FoundPins.Part] = []
    /// Whether it names certificates that are refused.
    private(set) var rejectsSome = false
    /// What tables and branches give each host.
    var tables: [FoundPins.Part] = []
    /// What empties the pins that are named, or puts others in their place.
    private(set) var change: FoundPins.Gap?
    /// Lists that have nothing in the end.
    private var emptied: Set<String> = []
    let evaluator: Evaluator
    private let group: CodeGroup
    /// Constants of hosts for which nothing is compared.
    private let letThrough: Set<String>
    /// Of its functions.
    private let ownTypes: [Block.Owner]

    /// Whether it names nothing that could be compared.
    var isEmpty: Bool { pins.isEmpty && files.isEmpty && broken.isEmpty }

    /// All that is named, whatever its order.
    var names: Set<String> { Set(pins).union(hosts).union(files) }

    /// Names of one group that are looked up.
    private static let mostNames = 500

    init(_ group: CodeGroup, _ evaluator: Evaluator, depth: Int = 0) {
        var evaluator = evaluator
        evaluator.isGathering = true
        self.evaluator = evaluator
        self.group = group
        letThrough = evaluator.tree.namesLetThrough(in: group)
        ownTypes = evaluator.tree.blocks.filter { block in
            guard case .type = block.owner else { return false }
            return block.statements.contains { $0.tokens.contains(group.evidence) || group.holds($0.tokens.lowerBound) }
        }
        .map(\.owner)
        let tokens = evaluator.tree.tokens
        var looked: Set<String> = []
        var refused: Set<String> = []
        // Behind the last message that is written to a log.
        var behindLog = 0
        for place in group.tokens {
            switch tokens[place].kind {
            case .text(let pieces):
                guard place >= behindLog, !isOfAnother(tokens, place) else { continue }
                if isUnequal(tokens, place) {
                    rejectsSome = true
                    continue
                }
                guard pieces.count == 1, case .plain(let text) = pieces[0] else {
                    for name in tokens[place].names where looked.count < Self.mostNames {
                        if looked.insert(name).inserted { takeDeclared(name) }
                    }
                    continue
                }
                take(.text(text))
                if PinText.isHostOrEnd(text), isBesideHost(tokens, place) || isCaseOfHost(tokens, place),
                    !evaluator.tree.letsThrough(at: place)
                {
                    hosts.append(text)
                }
                if isBesideComparedURL(tokens, place), let host = evaluator.host(of: text)?.text { hosts.append(host) }
            case .name(let name):
                guard looked.count < Self.mostNames else { continue }
                if isLog(tokens, place) { behindLog = max(behindLog, closing(tokens, place + 1)) }
                if name == "forResource" || name == "pathForResource" || name == "URLForResource" {
                    takeResource(tokens, place)
                }
                if place >= 2, tokens[place - 1].isMark("."), let type = tokens[place - 2].name, type != "Self",
                    type.first?.isUppercase ?? false, looked.insert("\(type).\(name)").inserted
                {
                    take(member(name, of: type, at: place))
                }
                if refusesThose(tokens, place) {
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
        if depth < 2 { takeBranches(of: group) }
        files += ResourceNames.files(evaluator, within: group, and: looked)
        if pins.isEmpty { for name in looked where !emptied.contains(name) { takeAssigned(name, tokens) } }
        if pins.isEmpty { for name in looked.sorted() { takeGiven(name) } }
        if pins.isEmpty, files.isEmpty { takeElsewhere(members(group.tokens)) }
        if pins.isEmpty, files.isEmpty, depth < 2 { takeFunctions(group.tokens, depth) }
        pins = pins.uniqued
        broken = broken.uniqued
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
        let before = pins.count
        // A function's own constant hides the one outside, and a type's own that of another type.
        let own = evaluator.tree.blocks.filter { !$0.isOutside && group.holds($0) }
        takeDeclared(name, in: own)
        if pins.count == before, !isOverridden(name) {
            takeDeclared(name, in: evaluator.tree.blocks.filter { ownTypes.contains($0.owner) })
        }
        guard pins.count == before else { return }
        let isHidden = own.contains { $0.declarations[name] != nil }
        takeDeclared(name, in: evaluator.tree.blocks.filter { !isHidden || $0.owner == .file })
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
                    declaration.value != nil || declaration.body != nil
                else { continue }
                var value = evaluator.value(of: declaration)
                // What is changed later begins with this.
                var begins = false
                if case .unknown = value, let first = declaration.value {
                    value = evaluator.value(of: first)
                    begins = true
                }
                if value == .list([]) { emptied.insert(name) }
                let before = pins.count
                take(value)
                if begins, pins.count > before { change = change ?? replacement(of: declaration) }
                if Self.namesPinnedHosts(name), !letThrough.contains(name) {
                    hosts += value.texts.filter(PinText.isHostOrEnd)
                }
                if !declaration.isFixed || begins { takeFilled(name) }
            }
        }
    }

    /// What a certificate itself has.
    private static let ownWords: Set<String> = [
        "Thumbprint", "PublicKey", "publicKey", "publicKeys", "GetPublicKey", "GetPublicKeyString", "fingerprint",
    ]

    /// Names behind a dot that speak of pins, and that this source does not declare.
    private func members(_ places: [Int]) -> Set<String> {
        let tokens = evaluator.tree.tokens
        var found: Set<String> = []
        for place in places where place > 0 && (tokens[place - 1].isMark(".") || tokens[place - 1].isMark("?.")) {
            guard let name = tokens[place].name, found.count < 20, !Self.ownWords.contains(name) else { continue }
            let word = name.lowercased()
            guard ["pin", "hash", "finger", "thumb", "publickey"].contains(where: word.contains) else { continue }
            let declared = evaluator.tree.blocks.flatMap { $0.declarations[name] ?? [] }
            // `abstract pins: string[]` is for those that inherit it.
            if declared.allSatisfy({ $0.kind == .value && $0.value == nil && $0.body == nil }) { found.insert(name) }
        }
        return found
    }

    /// What members by these names hold in other sources of the module.
    private mutating func takeElsewhere(_ names: Set<String>) {
        let (module, tree) = (evaluator.module, evaluator.tree)
        for name in names.sorted() {
            for file in module.others(mentioning: name, than: tree.path, in: tree.language).prefix(20) {
                let other = module.tree(of: file)
                let reader = evaluator.within(other)
                for block in other.blocks {
                    guard case .type = block.owner else { continue }
                    let before = pins.count
                    for declaration in block.declarations[name] ?? [] where declaration.kind == .value {
                        take(reader.value(of: declaration))
                    }
                    if pins.count > before { takeAddresses(of: block, reader) }
                }
            }
        }
    }

    /// Which server a type speaks to that has pins of its own.
    private mutating func takeAddresses(of block: Block, _ reader: Evaluator) {
        for (name, declared) in block.declarations.sorted(by: { $0.key < $1.key }) {
            let word = name.lowercased()
            guard ["host", "domain", "url", "endpoint"].contains(where: word.contains),
                !["report", "log", "proxy", "redirect"].contains(where: word.contains), declared.count == 1,
                declared[0].kind == .value, let text = reader.value(of: declared[0]).text
            else { continue }
            if let host = reader.host(of: text)?.text ?? (PinText.isHost(text) ? text : nil) { hosts.append(host) }
        }
    }

    /// What a type's constructor is given by those who make such objects.
    private mutating func takeGiven(_ name: String) {
        var open = evaluator
        open.isGathering = false
        for block in evaluator.tree.blocks {
            guard case .type = block.owner else { continue }
            for declaration in block.declarations[name] ?? [] {
                switch declaration.kind {
                case .parameter: if let value = open.given(declaration) { take(value) }
                case .value where declaration.value != nil: take(open.value(of: declaration))
                default: break
                }
            }
        }
    }

    private mutating func takeHosts(_ name: String) {
        let declared = evaluator.tree.blocks.flatMap { $0.declarations[name] ?? [] }.filter { $0.kind == .value }
        if declared.count == 1 { hosts += evaluator.value(of: declared[0]).texts.filter(PinText.isHostOrEnd) }
    }

    /// What another source of the module holds, by the whole of `config.api.pins`.
    private mutating func takeFromElsewhere(_ name: String, at place: Int) {
        let tree = evaluator.tree
        guard tree.language == .script || tree.language == .dart,
            place == 0 || !tree.tokens[place - 1].isMark(".") && !tree.tokens[place - 1].isMark("?."),
            !tree.blocks.contains(where: { $0.declarations[name] != nil })
        else { return }
        var value = tree.language == .script ? evaluator.imported(name) : nil
        if value == nil, tree.language == .dart, name.count > 2, name.first?.isLowercase ?? false || name.first == "_" {
            value = evaluator.lookUpElsewhere(name, tree.tokens[place].line)
        }
        guard value != nil else { return }
        var whole = Expression(kind: .name(name), token: place, line: tree.tokens[place].line, block: 0)
        var next = place + 1
        while next + 1 < tree.tokens.count, tree.tokens[next].isMark("."), let member = tree.tokens[next + 1].name,
            next + 2 >= tree.tokens.count || !tree.tokens[next + 2].isMark("(")
        {
            whole = Expression(kind: .member(whole, member), token: place, line: whole.line, block: 0)
            next += 2
        }
        take(evaluator.value(of: whole))
    }

    /// Texts behind `name =`, wherever that stands: what fills a set in an initialiser.
    private mutating func takeAssigned(_ name: String, _ tokens: [Token]) {
        // A callback that is set elsewhere has pins of its own.
        guard name.count > 2, !ComparisonForm.callbacks.contains(name) else { return }
        for place in tokens.indices.dropLast(2) where tokens[place].isName(name) {
            var next = place + 1
            // A type may stand between; what ends a bracket was an argument's label.
            var open = 0
            while next < min(place + 12, tokens.count), !["=", ";", "{"].contains(where: tokens[next].isMark) {
                if tokens[next].isMark("(") { open += 1 } else if tokens[next].isMark(")") { open -= 1 }
                if open < 0 { break }
                next += 1
            }
            guard next < tokens.count, tokens[next].isMark("="), next == place + 1 || tokens[place + 1].isMark(":")
            else {
                continue
            }
            var depth = 0
            var behind = next + 1
            for token in tokens[(next + 1)...].prefix(400) {
                switch token.kind {
                case .mark("("), .mark("["), .mark("{"): depth += 1
                case .mark(")"), .mark("]"), .mark("}"): depth -= 1
                case .text(let pieces):
                    if pieces.count == 1, case .plain(let text) = pieces[0] { take(.text(text)) }
                case .name(let other) where other != name: takeAssigned(other, to: name, at: behind, tokens)
                default: break
                }
                behind += 1
                if depth < 0 || depth == 0 && token.isMark(";") { break }
                if depth == 0, token.startsLine, token.line > tokens[next].line + 1 || token.beginsStatement { break }
            }
        }
    }

    /// `_pins = pins ?? Pins.active`, where an initialiser fills a field.
    private mutating func takeAssigned(_ other: String, to name: String, at place: Int, _ tokens: [Token]) {
        guard evaluator.tree.language == .dart || evaluator.tree.language == .script else { return }
        var value: Value?
        if place >= 2, tokens[place - 1].isMark("."), let type = tokens[place - 2].name {
            value = type.first?.isUppercase ?? false ? member(other, of: type, at: place) : nil
        } else {
            let declared = evaluator.tree.blocks.flatMap { $0.declarations[other] ?? [] }
            let values = declared.filter { $0.kind == .value }
            value = values.count == 1 ? evaluator.value(of: values[0]) : made(by: declared, at: place, tokens)
        }
        guard let value else { return }
        take(value)
        if Self.namesPinnedHosts(name) { hosts += value.texts.filter(PinText.isHostOrEnd) }
    }

    /// What the one function of a name returns that is called with nothing.
    private func made(by declared: [Declaration], at place: Int, _ tokens: [Token]) -> Value? {
        guard declared.count == 1, declared[0].kind == .function, declared[0].parameters.isEmpty,
            place + 2 < tokens.count, tokens[place + 1].isMark("("), tokens[place + 2].isMark(")")
        else { return nil }
        func expression(_ kind: Expression.Kind) -> Expression {
            Expression(kind: kind, token: place, line: tokens[place].line, block: declared[0].block)
        }
        return evaluator.value(of: expression(.call(expression(.name(declared[0].name)), [])))
    }

    private func member(_ name: String, of type: String, at place: Int) -> Value {
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
        if let file = ResourceNames.file(name, end) { files.append(file) }
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

extension Token {
    /// Whether it is a word by which a declaration or a statement begins.
    fileprivate var beginsStatement: Bool {
        guard let name else { return false }
        return [
            "let", "var", "val", "const", "final", "static", "private", "fileprivate", "public", "internal",
            "protected",
            "override", "lazy", "func", "fun", "if", "guard", "return", "for", "case",
        ].contains(name)
    }
}
