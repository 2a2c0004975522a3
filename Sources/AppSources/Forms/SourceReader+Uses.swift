/// Where other sources give a library what a source makes.
extension SourceReader {
    /// More sources than these are not looked at.
    private static let mostSources = 12

    /// What must hold wherever other sources use it; of those that use it in its own source, what these have in common.
    func conditionsElsewhere(of site: Site, in tree: SyntaxTree) -> [Choices.Choice] {
        guard site.form == .okhttp, [.kotlin, .java].contains(tree.language), var last = site.token else { return [] }
        var own: [Choices.Choice]?
        for use in site.uses {
            if use.conditions.contains(where: \.choice.isNever) { return [] }
            guard isOwn(use, tree.path, tree.language) else {
                own = use.conditions.compactMap { decided($0, in: tree) }
                break
            }
            guard use.places.count < 2 else { return [] }
            last = use.places.first ?? last
        }
        for holder in tree.holders(of: last) where holder.isShared {
            guard let ways = ways(ofUsing: holder, in: tree) else { return [] }
            guard !ways.isEmpty else { continue }
            let all = (own.map { [$0] } ?? []) + ways
            return all[0].filter { choice in all.allSatisfy { $0.contains(choice) } }
        }
        return []
    }

    /// For each place in another source where it is used, what must hold there; `nil` where that is not known.
    private func ways(ofUsing holder: SyntaxTree.Holder, in tree: SyntaxTree) -> [[Choices.Choice]]? {
        let others = module.others(mentioning: holder.name, than: tree.path, in: tree.language)
        guard others.count <= Self.mostSources else { return nil }
        var ways: [[Choices.Choice]] = []
        for other in others.map(module.tree(of:)) {
            for place in other.places(using: holder.name, of: tree.typeName(of: tree.blocks[holder.block])) {
                // What that source makes of it, it may give a client elsewhere.
                let uses = other.uses(ofWhatHolds: place, in: OkHttpForm.takers).prefix {
                    isOwn($0, other.path, other.language)
                }
                let conditions = other.tested(around: place) + uses.flatMap(\.conditions)
                // A line of another source says nothing here.
                let told = conditions.filter { !$0.choice.isNever && !$0.choice.condition.contains(" on line ") }
                ways.append(told.compactMap { decided($0, in: other) })
            }
        }
        return ways
    }
}

extension SyntaxTree {
    /// Where a member of a type, or a function of no type, is named that another source declares.
    fileprivate func places(using name: String, of type: String?) -> [Int] {
        if let type, !tokens.contains(where: { $0.isName(type) }) { return [] }
        var found: [Int] = []
        visit { part, _ in
            switch part.kind {
            case .name(name):
                if block(declaring: name, from: part.block) == nil { found.append(part.token) }
            case .member(let base, name):
                let owner = base.finalName ?? ""
                let isType = owner.first?.isUppercase ?? false
                if !isType || [type, "Companion", "INSTANCE"].contains(owner) { found.append(part.token) }
            default: break
            }
            return true
        }
        return found
    }
}
