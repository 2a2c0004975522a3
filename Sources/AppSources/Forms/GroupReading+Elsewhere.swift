/// What stands outside of the group: in other sources, and in what fills its names.
extension GroupReading {
    /// What a certificate itself has.
    private static let ownWords: Set<String> = [
        "Thumbprint", "PublicKey", "publicKey", "publicKeys", "GetPublicKey", "GetPublicKeyString", "fingerprint",
    ]

    /// Names behind a dot that speak of pins, and that this source does not declare.
    func members(_ places: [Int]) -> Set<String> {
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
    mutating func takeElsewhere(_ names: Set<String>) {
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
    mutating func takeGiven(_ name: String) {
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

    /// The names in what those give a type of Swift who make its objects, for its fields of some names:
    /// `Pinning(certificate: loadCertificate())`.
    func namesGiven(to looked: Set<String>) -> Set<String> {
        let tree = evaluator.tree
        var found: Set<String> = []
        func take(type: String, label: String, steps: Int) {
            guard steps > 0 else { return }
            for (_, _, arguments) in tree.calls([type]) {
                for argument in arguments where argument.label == label {
                    // What a maker is given itself.
                    if case .name(let name) = argument.value.kind,
                        let outer = tree.typeName(atToken: argument.value.token),
                        let block = tree.block(declaring: name, from: argument.value.block),
                        tree.blocks[block].declarations[name]?.first?.kind == .parameter
                    {
                        take(type: outer, label: name, steps: steps - 1)
                    } else {
                        found.formUnion(argument.value.ownNames)
                    }
                }
            }
        }
        for block in tree.blocks {
            guard case .type(let type) = block.owner, ownTypes.contains(block.owner) else { continue }
            for name in looked
            where block.declarations[name]?.contains(where: { $0.kind == .value && $0.value == nil }) ?? false {
                take(type: type, label: name, steps: 3)
            }
        }
        return found
    }

    /// What another source of the module holds, by the whole of `config.api.pins`.
    mutating func takeFromElsewhere(_ name: String, at place: Int) {
        let tree = evaluator.tree
        guard [.script, .dart, .kotlin].contains(tree.language),
            place == 0 || !tree.tokens[place - 1].isMark(".") && !tree.tokens[place - 1].isMark("?."),
            !tree.blocks.contains(where: { $0.declarations[name] != nil })
        else { return }
        var value = tree.language == .script ? evaluator.imported(name) : nil
        if value == nil, tree.language == .dart, name.count > 2, name.first?.isLowercase ?? false || name.first == "_" {
            value = evaluator.lookUpElsewhere(name, tree.tokens[place].line)
        }
        // `const val PIN` of a file of the same package.
        if tree.language == .kotlin, name.count > 2, name == name.uppercased(), PinText.namesPins(name),
            !tree.importedNames.contains(name)
        {
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
    mutating func takeAssigned(_ name: String, _ tokens: [Token]) {
        // A callback that is set elsewhere has pins of its own.
        guard name.count > 2, !ComparisonForm.callbacks.contains(name), !name.hasSuffix("ValidationCallback") else {
            return
        }
        for place in tokens.indices.dropLast(2) where tokens[place].isName(name) {
            var next = place + 1
            // A type may stand between; what ends a bracket was an argument's label.
            var open = 0
            while next < min(place + 12, tokens.count), !["=", ";", "{"].contains(where: tokens[next].isMark) {
                if tokens[next].isMark("(") { open += 1 } else if tokens[next].isMark(")") { open -= 1 }
                if open < 0 { break }
                // `let expected: String` has no value, and the next line's is another's.
                if evaluator.tree.language.endsStatementsByLine, tokens[next].startsLine, tokens[next].name != nil,
                    tokens[next - 1].name != nil || ["?", "!", "]", ">", ")"].contains(where: tokens[next - 1].isMark)
                {
                    break
                }
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
                    if pieces.count == 1, case .plain(let text) = pieces[0], !isUnreadFile(tokens, behind) {
                        take(.text(text))
                    }
                case .name(let other) where other != name: takeAssigned(other, to: name, at: behind, tokens)
                default: break
                }
                behind += 1
                if depth < 0 || depth == 0 && token.isMark(";") { break }
                if depth == 0, token.startsLine, token.line > tokens[next].line + 1 || token.beginsStatement { break }
            }
        }
    }

    /// What other objects of C# are made with: `new Settings { Fingerprint = "…" }`.
    mutating func takeInitialised(_ name: String) {
        let tokens = evaluator.tree.tokens
        for place in tokens.indices.dropFirst().dropLast(3)
        where tokens[place].isName(name) && tokens[place + 1].isMark("=") {
            guard tokens[place - 1].isMark("{") || tokens[place - 1].isMark(","),
                tokens[place + 3].isMark("}") || tokens[place + 3].isMark(","), let text = tokens[place + 2].plainText
            else { continue }
            take(.text(text))
        }
    }

    /// The hosts that a table of Swift is filled for: `for host in ["a.acme.example", …] { table[host] = pins }`.
    mutating func takeKeys(of table: String) {
        let tree = evaluator.tree
        let tokens = tree.tokens
        /// Where a name is declared that stands at a place; no function's own is meant.
        func holder(_ place: Int) -> Int? {
            guard let inner = tree.innermost(around: place)?.block,
                let block = tree.block(declaring: table, from: inner)
            else { return nil }
            switch tree.blocks[block].owner {
            case .type, .file: return block
            case .function, .closure, .inner: return nil
            }
        }
        guard let own = holder(group.evidence) else { return }
        for place in tokens.indices.dropLast(4) where tokens[place].isName(table) {
            guard tokens[place + 1].isMark("["), tokens[place + 3].isMark("]"), tokens[place + 4].isMark("="),
                holder(place) == own
            else { continue }
            if let host = tokens[place + 2].plainText, PinText.isHost(host) { hosts.append(host) }
            guard let key = tokens[place + 2].name else { continue }
            for statement in tree.blocks.flatMap(\.statements) where statement.tokens.contains(place) {
                guard case .loop([key], let list, _) = statement.kind else { continue }
                hosts += evaluator.value(of: list).texts.filter(PinText.isHost)
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
