/// Fields that statements give what a library is given by them.
extension SyntaxTree {
    /// Where a field is named that a statement gives what stands at a token: `security = SSLSecurity(…)`.
    func uses(ofFieldFilledAt token: Int) -> [Use] {
        guard let place = innermost(around: token), case .assignment(let target, "=", _) = place.statement.kind,
            let name = target.fieldName, let block = block(declaring: name, from: place.block),
            blocks[block].owner.isShared,
            let declared = blocks[block].statements.first(where: { $0.declares(name) })
        else { return [] }
        let isShared = !isPrivate(declared)
        let holder = Holder(name: name, block: block, isShared: isShared, tokens: declared.tokens)
        // `socket.security = …` gives another object's field something.
        let targets = Set(
            blocks.flatMap(\.statements).compactMap { statement -> Int? in
                if case .assignment(let target, "=", _) = statement.kind { target.token } else { nil }
            }
        )
        let found = mentions(of: holder).filter { !place.statement.tokens.contains($0) && !targets.contains($0) }
        return found.isEmpty ? [] : [Use(conditions: common(found), sharedNames: isShared ? [name] : [])]
    }

    /// The field of its own type that a statement gives what is made at a token: `this.client = new OkHttpClient.Builder()…`.
    func fields(filledAt token: Int) -> [Holder] {
        guard language == .kotlin || language == .java, let place = innermost(around: token),
            case .assignment(let target, "=", let value) = place.statement.kind, value.mentions(token),
            let name = target.fieldName, let block = block(declaring: name, from: place.block),
            blocks[block].owner.isShared, let declared = blocks[block].statements.first(where: { $0.declares(name) }),
            // One that is given several things has any of them.
            changes[name]?.count == 1
        else { return [] }
        let filling = place.statement.tokens
        return [
            Holder(name: name, block: block, isShared: !isPrivate(declared), tokens: declared.tokens, filling: filling)
        ]
    }
}

extension Statement {
    fileprivate func declares(_ name: String) -> Bool {
        if case .declaration(let declaration) = kind { declaration.name == name } else { false }
    }
}

extension Expression {
    /// `name` or `self.name`.
    fileprivate var fieldName: String? {
        switch kind {
        case .name(let name): name
        case .member(let base, let name): base.names("self") || base.names("this") ? name : nil
        default: nil
        }
    }
}
