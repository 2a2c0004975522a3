/// Which type code belongs to.
extension SyntaxTree {
    /// The name of the innermost type around a block, or that the block is; of a companion, that of the type around it.
    func typeName(of block: Block) -> String? {
        var place: Block? = block
        while let current = place {
            if case .type(let name) = current.owner, name != "Companion" { return name }
            place = current.parent.map { blocks[$0] }
        }
        return nil
    }

    func typeName(atToken token: Int) -> String? { innermost(around: token).flatMap { typeName(of: blocks[$0.block]) } }

    /// Whether a name is one of its own object, or of what stands around it: `check(…)`, `this.check(…)`.
    func isOwnMember(at place: Int) -> Bool {
        // Objective-C's messages have their receiver before them.
        guard language != .objectiveC else { return false }
        guard place > 0, [".", "?.", "!.", ".."].contains(where: tokens[place - 1].isMark) else { return true }
        return place > 1 && (tokens[place - 2].isName("this") || tokens[place - 2].isName("self"))
    }
}
