/// Types that are made from others: whose member counts, where more than one of them has it by the same name.
extension Evaluator {
    /// A type of the app's own.
    struct OwnType {
        var evaluator: Evaluator
        var declaration: Declaration

        var name: String { declaration.name }
        var body: Int { declaration.body ?? 0 }

        /// Its own members by a name, which types that are made from it have as well.
        func members(_ name: String) -> [Declaration] {
            let tree = evaluator.tree
            return (tree.blocks[body].declarations[name] ?? []).filter { member in
                switch member.kind {
                case .value, .function: !tree.isPrivate(member)
                case .parameter: true
                case .type, .entry: false
                }
            }
        }

        /// Those of them that other types can have a member in the place of.
        func declarations(of name: String) -> [Declaration] {
            members(name).filter { $0.kind == .parameter || !evaluator.tree.isOfTypeAlone($0) }
        }

        /// Of an enum, its cases.
        var entries: [Declaration]? {
            let block = evaluator.tree.blocks[body]
            guard !block.entries.isEmpty else { return nil }
            return block.entries.compactMap { name in block.declarations[name]?.first { $0.kind == .entry } }
        }

        /// Whether it says what the member is.
        func gives(_ name: String) -> Bool {
            declarations(of: name).contains { $0.kind == .parameter || $0.value != nil || $0.body != nil }
        }
    }

    /// More types than these are not told apart.
    private static let mostTypes = 8

    /// What an inherited or an overridden member is for an object whose function is looked at: each type of such objects is a
    /// configuration of its own.
    ///
    /// - Returns: `nil` where the type's own member counts, or where it has none.
    func overridden(_ name: String, in block: Int, _ line: Int) -> Value? {
        overriding(name, in: block)?.value(of: name, line)
    }

    func overriddenSomewhere(_ name: String, in block: Int, _ line: Int) -> Value? {
        namelessOverride(of: name, in: block).map { path, line in
            unknown("'\(name)' is overridden on line \(line)" + (path == tree.path ? "" : " of \(path)"), line)
        }
    }

    func inherited(_ name: String, in block: Int, _ line: Int) -> Value? {
        inheriting(name, in: block)?.value(of: name, line)
    }

    /// The type whose member counts in the place of the one that stands in a block; `nil` where that one does.
    func overriding(_ name: String, in block: Int) -> OwnType? {
        guard !isGathering, case .type = tree.blocks[block].owner, let own = type(of: block),
            own.evaluator.tree.blocks[block].declarations[name] != nil, !own.declarations(of: name).isEmpty
        else { return nil }
        let heirs = heirs(of: own)
        guard heirs.contains(where: { $0.gives(name) }), let object = objectType(of: own, heirs),
            object.name != own.name
        else { return nil }
        return owner(of: name, from: object, below: own, heirs)
    }

    /// Where an object without a type of its own has a member in the place of one: `object : Base() {…}`, `new Base() {…}`.
    func namelessOverride(of name: String, in block: Int) -> (path: String, line: Int)? {
        guard [.kotlin, .java].contains(tree.language), case .type(let type) = tree.blocks[block].owner,
            let own = self.type(of: block), !own.declarations(of: name).isEmpty
        else { return nil }
        let trees =
            [tree]
            + module.others(mentioning: type, than: tree.path, in: tree.language).prefix(100).map(module.tree(of:))
        for tree in trees {
            for place in tree.tokens.indices.dropFirst(2) where tree.tokens[place].isName(type) {
                let isNameless =
                    tree.language == .java
                    ? tree.tokens[place - 1].isName("new")
                    : tree.tokens[place - 1].isMark(":") && tree.tokens[place - 2].isName("object")
                guard isNameless, let line = tree.line(of: name, inBodyBehind: place) else { continue }
                return (tree.path, line)
            }
        }
        return nil
    }

    /// The line on which a type has a member in the place of one, where it is not told of which type the object is.
    func untoldOverride(of member: Declaration) -> Int? {
        guard let own = type(of: member.block),
            own.declarations(of: member.name).contains(where: { $0.line == member.line })
        else { return nil }
        let heirs = heirs(of: own)
        guard let heir = heirs.first(where: { $0.gives(member.name) }), isGathering || objectType(of: own, heirs) == nil
        else { return nil }
        return heir.declarations(of: member.name).first?.line
    }

    /// The type that gives one its member by a name, which it has not itself.
    ///
    /// - Parameter isSuper: `super.name`, whether it has one or not.
    func inheriting(_ name: String, in block: Int, isSuper: Bool = false) -> OwnType? {
        guard case .type(let type) = tree.blocks[block].owner,
            isSuper || tree.blocks[block].declarations[name] == nil, let own = self.type(of: block),
            !own.declaration.supers.isEmpty
        else { return nil }
        return inheriting(name, own, ownType ?? type, steps: 4)
    }

    private func inheriting(_ name: String, _ own: OwnType, _ object: String, steps: Int) -> OwnType? {
        guard steps > 0 else { return nil }
        for parent in own.declaration.supers {
            let found = own.evaluator.types(named: parent, from: own.declaration.block)
            guard found.count == 1, var type = found.first, type.name != own.name else { continue }
            type.evaluator.ownType = object
            if type.members(name).contains(where: { $0.kind == .parameter || $0.value != nil || $0.body != nil }) {
                return type
            }
            if let further = inheriting(name, type, object, steps: steps - 1) { return further }
        }
        return nil
    }

    /// The type that `super` speaks of at a place, for a member.
    func superType(of name: String, from block: Int) -> OwnType? {
        var place: Int? = block
        while let current = place {
            if case .type = tree.blocks[current].owner { return inheriting(name, in: current, isSuper: true) }
            place = tree.blocks[current].parent
        }
        return nil
    }

    /// A member of what is declared to be of a type of the app's own.
    func member(_ name: String, ofObject base: Expression, _ expression: Expression) -> Value? {
        guard let own = declaredType(of: base), !isGathering else { return nil }
        if let entries = own.entries {
            guard let chosen = choose(among: entries.map(\.name), for: base.words) else { return nil }
            let entry = own.evaluator.value(of: entries[chosen])
            let value = property(name, of: entry, expression)
            if case .unknown = value { return nil } else { return value }
        }
        let heirs = heirs(of: own)
        guard own.gives(name) || heirs.contains(where: { $0.gives(name) }),
            let object = objectType(of: own, heirs, named: base.words)
        else { return nil }
        return owner(of: name, from: object, below: own, heirs)?.value(of: name, expression.line)
    }

    /// Which of several an object is, each a configuration of its own, as far as the conditions that were come past allow;
    /// `nil` where what they say of it is not understood.
    private func choose(among names: [String], for base: String) -> Int? {
        guard 1...Self.mostTypes ~= names.count else { return nil }
        let options = names.map { "\(base) is \($0)" }
        if let known = choices.taken.lazy.compactMap({ options.firstIndex(of: $0.words) }).first { return known }
        var left = Set(names.indices)
        let subject = base.split(separator: ".").last.map(String.init) ?? base
        for choice in choices.taken {
            let words = Set(choice.condition.split { !($0.isLetter || $0.isNumber || $0 == "_") }.map(String.init))
            guard words.contains(subject) else { continue }
            let meant = Set(names.indices.filter { words.contains(names[$0]) })
            let isEqual = choice.condition.contains("==") || choice.condition.contains(": ")
            guard isEqual != choice.condition.contains("!="), !meant.isEmpty, !choice.condition.contains("&&"),
                !choice.condition.contains("||")
            else { return nil }
            if isEqual == (choice.option == 0) { left.formIntersection(meant) } else { left.subtract(meant) }
        }
        let rest = left.sorted()
        guard rest.count > 1 else { return rest.first }
        return rest[choices.choose("what \(base) is", rest.map { options[$0] })]
    }

    /// The function that is called of what is declared to be of a type of the app's own.
    func function(_ name: String, ofObject base: Expression) -> (evaluator: Evaluator, declaration: Declaration)? {
        guard let own = declaredType(of: base), own.entries == nil, !isGathering else { return nil }
        let heirs = heirs(of: own)
        guard own.gives(name) || heirs.contains(where: { $0.gives(name) }),
            let object = objectType(of: own, heirs, named: base.words),
            let owner = owner(of: name, from: object, below: own, heirs)
        else { return nil }
        let found = owner.declarations(of: name).filter { $0.kind == .function && $0.body != nil }
        return found.count == 1 ? (owner.evaluator, found[0]) : nil
    }

    /// The type that a variable, a field or a parameter is declared with.
    private func declaredType(of base: Expression) -> OwnType? {
        let name: String
        switch base.kind {
        case .name(let own): name = own
        case .member(let owner, let own):
            guard case .name(let receiver) = owner.kind, ["this", "self"].contains(receiver) else { return nil }
            name = own
        default: return nil
        }
        guard name.first?.isLowercase ?? false || name.hasPrefix("_"),
            let block = tree.block(declaring: name, from: base.block),
            let declared = tree.blocks[block].declarations[name], declared.count == 1
        else { return nil }
        var type = declared[0].typeName
        if declared[0].kind == .parameter {
            type = parameters(of: block).first { $0.name == name }?.typeName
        }
        guard let type, type.first?.isUppercase ?? false else { return nil }
        let found = types(named: type, from: base.block)
        return found.count == 1 ? found[0] : nil
    }

    /// Those of the function or the type whose block it is.
    private func parameters(of block: Int) -> [Parameter] {
        guard let parent = tree.blocks[block].parent else { return [] }
        return tree.blocks[parent].declarations.values.joined().first { $0.body == block }?.parameters ?? []
    }

    // MARK: Types

    /// The type whose body a block is.
    func type(of block: Int) -> OwnType? {
        guard case .type(let name) = tree.blocks[block].owner, let parent = tree.blocks[block].parent else {
            return nil
        }
        let found = tree.blocks[parent].declarations[name]?.first { $0.kind == .type && $0.body == block }
        return found.map { OwnType(evaluator: self, declaration: $0) }
    }

    func types(named name: String, from block: Int) -> [OwnType] {
        bodies(ofType: name, from: block).compactMap { $0.evaluator.type(of: $0.body) }
    }

    /// The types that are made from one, and those that are made from these.
    func heirs(of own: OwnType) -> [OwnType] {
        var found: [OwnType] = []
        var open = [own.name]
        while let name = open.popLast(), found.count <= Self.mostTypes {
            for (tree, declaration) in module.types(from: name, for: own.evaluator.tree)
            where declaration.name != own.name && !found.contains(where: { $0.name == declaration.name }) {
                var evaluator = within(tree)
                evaluator.ownType = declaration.name
                found.append(OwnType(evaluator: evaluator, declaration: declaration))
                open.append(declaration.name)
            }
        }
        return found
    }

    /// Of which type an object is that has a type's functions; `nil` where there are too many.
    func objectType(of own: OwnType, _ heirs: [OwnType], named base: String? = nil) -> OwnType? {
        let options = ((own.declaration.isAbstract ? [] : [own]) + heirs.filter { !$0.declaration.isAbstract })
            .sorted { ($0.evaluator.tree.path, $0.declaration.line) < ($1.evaluator.tree.path, $1.declaration.line) }
        guard let first = options.first, options.count <= Self.mostTypes else { return nil }
        if options.count == 1 { return first }
        if let base { return choose(among: options.map(\.name), for: base).map { options[$0] } }
        if let ownType, let known = options.first(where: { $0.name == ownType }) { return known }
        return options[choices.choose("the type of the object", among: options.map { "in \($0.name)" })]
    }

    /// The nearest type above that of an object that gives it a member.
    private func owner(of name: String, from object: OwnType, below own: OwnType, _ heirs: [OwnType]) -> OwnType? {
        var current = object
        for _ in 0..<Self.mostTypes {
            if current.gives(name) {
                var found = current
                found.evaluator.ownType = object.name
                return found
            }
            let parents = current.declaration.supers
            guard current.name != own.name,
                let next = heirs.first(where: { parents.contains($0.name) && $0.name != current.name })
                    ?? (parents.contains(own.name) ? own : nil)
            else { return nil }
            current = next
        }
        return nil
    }
}

extension Evaluator.OwnType {
    func value(of name: String, _ line: Int) -> Value? {
        let found = members(name).filter { $0.kind != .function }
        return found.isEmpty ? nil : evaluator.value(of: found, line, before: .max)
    }
}

extension SourceModule {
    /// The types that say that they are made from another, in the sources that a source sees.
    func types(from name: String, for tree: SyntaxTree) -> [(tree: SyntaxTree, declaration: Declaration)] {
        let key = "\(tree.path) \(name)"
        if let known = typesBySuper[key] { return known }
        let trees =
            [tree] + others(mentioning: name, than: tree.path, in: tree.language).prefix(100).map(self.tree(of:))
        let found = trees.flatMap { tree in
            tree.blocks.flatMap { $0.declarations.values.joined() }
                .filter { $0.kind == .type && $0.body != nil && $0.supers.contains(name) }
                .map { (tree, $0) }
        }
        typesBySuper[key] = found
        return found
    }
}

extension SyntaxTree {
    /// The line on which a name stands in the braces behind a type's name and what it is made with.
    fileprivate func line(of name: String, inBodyBehind place: Int) -> Int? {
        var depth = (round: 0, brace: 0)
        for next in tokens.indices[(place + 1)...].prefix(2000) {
            let token = tokens[next]
            if token.isMark("(") { depth.round += 1 }
            if token.isMark(")") { depth.round -= 1 }
            if token.isMark("{"), depth.round == 0 { depth.brace += 1 }
            if token.isMark("}"), depth.round == 0 { depth.brace -= 1 }
            if depth.brace == 0, depth.round <= 0, !["(", ")", "}"].contains(where: token.isMark) { return nil }
            if depth.brace == 0, token.isMark("}") || depth.round < 0 { return nil }
            if depth.brace == 1, token.isName(name) { return token.line }
        }
        return nil
    }

    /// Whether no other type can have a member in the place of one: `static`, a field of Java.
    fileprivate func isOfTypeAlone(_ member: Declaration) -> Bool {
        language == .java && member.kind == .value || isDeclared(member, ["static", "const"])
    }

    fileprivate func isPrivate(_ member: Declaration) -> Bool { isDeclared(member, ["private", "fileprivate"]) }

    /// Whether one of the words stands before a member's name.
    private func isDeclared(_ member: Declaration, _ words: [String]) -> Bool {
        let statement = blocks[member.block].statements.first {
            guard case .declaration(let own) = $0.kind else { return false }
            return own.name == member.name && own.line == member.line
        }
        guard let statement else { return false }
        return tokens[statement.tokens.clamped(to: 0..<tokens.count)].prefix { !$0.isName(member.name) }.contains {
            words.contains(where: $0.isName)
        }
    }
}
