/// Where places and blocks of a source are.
extension SyntaxTree {
    /// The tokens of the functions and closures around a place.
    func bodies(around place: Int) -> [Range<Int>] {
        blocks.indices.compactMap { index in
            switch blocks[index].owner {
            case .function, .closure: break
            case .file, .type, .inner: return nil
            }
            return range(of: index).flatMap { $0.contains(place) ? $0 : nil }
        }
    }

    /// Those of the innermost one.
    func body(around place: Int) -> Range<Int>? { bodies(around: place).min { $0.count < $1.count } }

    /// Whether a block is a function's own, or of a branch in it.
    func isInside(_ block: Int, _ body: Int) -> Bool {
        var block = block
        while block != body, blocks[block].owner == .inner, let parent = blocks[block].parent { block = parent }
        return block == body
    }

    /// Where what a member at a place is asked of begins: `certificate` of `certificate.fingerprint`.
    func start(ofMemberAt place: Int) -> Int {
        var start = place
        while start > 1, tokens[start - 1].isMark(".") || tokens[start - 1].isMark("?."), tokens[start - 2].name != nil
        {
            start -= 2
        }
        return start
    }
}
