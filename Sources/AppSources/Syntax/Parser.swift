/// Reads any of the languages as far as pins are written in it. What is not understood becomes an opaque expression,
/// and never something else.
struct Parser {
    let tokens: [Token]
    let language: SourceLanguage
    /// Where each bracket's other half stands.
    let partners: [Int?]
    var tree: SyntaxTree
    var index = 0
    /// The block that is being read.
    var block = 0
    var depth = 0
    /// The types that stand in this source.
    var ownTypes: Set<String> = []
    /// Whether `{` behind a call begins a body, as in a condition of Swift.
    var bodiesFollow = false

    static let deepest = 60

    static func parse(_ tokens: [Token], path: String, language: SourceLanguage) -> SyntaxTree {
        var parser = Parser(tokens, path: path, language: language)
        parser.tree.blocks = [Block(parent: nil, owner: .file)]
        while parser.index < tokens.count {
            parser.readStatements()
            // A closing bracket too many.
            parser.index += 1
        }
        for block in parser.tree.blocks {
            for declaration in block.declarations.values.joined() where declaration.kind == .type {
                guard let body = declaration.body else { continue }
                parser.tree.typeBodies[declaration.name, default: []].append(body)
            }
        }
        parser.tree.noteImports()
        return parser.tree
    }

    init(_ tokens: [Token], path: String, language: SourceLanguage) {
        self.tokens = tokens
        self.language = language
        tree = SyntaxTree(path: path, language: language, tokens: tokens)
        var partners = [Int?](repeating: nil, count: tokens.count)
        var open: [(mark: String, index: Int)] = []
        let pairs = ["(": ")", "[": "]", "{": "}"]
        for (index, token) in tokens.enumerated() {
            guard case .mark(let mark) = token.kind else { continue }
            if pairs[mark] != nil { open.append((mark, index)) }
            guard [")", "]", "}"].contains(mark),
                let last = open.suffix(8).lastIndex(where: { pairs[$0.mark] == mark })
            else { continue }
            partners[index] = open[last].index
            partners[open[last].index] = index
            open.removeSubrange(last...)
        }
        self.partners = partners
        for place in tokens.indices {
            guard case .name(let word) = tokens[place].kind else { continue }
            guard ["class", "record", "struct"].contains(word), let name = token(place + 1)?.name else { continue }
            ownTypes.insert(name)
        }
    }

    // MARK: Tokens

    var current: Token? { index < tokens.count ? tokens[index] : nil }

    func token(_ place: Int) -> Token? { tokens.indices.contains(place) ? tokens[place] : nil }

    func at(_ mark: String) -> Bool { current?.isMark(mark) ?? false }

    func atName(_ name: String) -> Bool { current?.isName(name) ?? false }

    mutating func take(_ mark: String) -> Bool {
        guard at(mark) else { return false }
        index += 1
        return true
    }

    mutating func takeName(_ name: String) -> Bool {
        guard atName(name) else { return false }
        index += 1
        return true
    }

    /// Whether the current token stands on a line of its own, so that it begins a statement.
    var isOnNewLine: Bool { language.endsStatementsByLine && (current?.startsLine ?? true) }

    /// Behind the partner of the bracket at a place; the end of all where it has none.
    func behind(_ place: Int) -> Int { partners[place].map { $0 + 1 } ?? tokens.count }

    /// A few words, for messages.
    func words(_ range: Range<Int>) -> String {
        let text = tokens[range.clamped(to: 0..<tokens.count)].prefix(24).words
        return text.count > 80 ? text.prefix(79) + "…" : text
    }

    // MARK: Blocks

    mutating func openBlock(_ owner: Block.Owner) -> Int {
        tree.blocks.append(Block(parent: block, owner: owner))
        return tree.blocks.count - 1
    }

    mutating func declare(_ declaration: Declaration) {
        tree.blocks[block].declarations[declaration.name, default: []].append(declaration)
        guard declaration.kind == .value else { return }
        switch declaration.value?.kind {
        case .name(let name)?, .member(_, let name)?: tree.aliases[name, default: []].append(declaration)
        default: break
        }
    }

    /// Declares the names of parameters in a block that is being opened.
    mutating func declare(parameters names: [String], line: Int, in block: Int) {
        for name in names where name != "_" {
            let declaration = Declaration(name: name, kind: .parameter, line: line, block: block)
            tree.blocks[block].declarations[name, default: []].append(declaration)
        }
    }

    /// Statements up to the closing brace of the block that the current token opens; then behind it.
    mutating func readBody(_ body: Int) {
        let outer = (block, bodiesFollow)
        let end = partners[index] ?? tokens.count
        block = body
        bodiesFollow = false
        index += 1
        depth += 1
        if depth < Self.deepest {
            while index < end {
                readStatements(until: end)
                if index < end { index += 1 }
            }
        } else {
            let place = index
            index = end
            add(.expression(opaque(place..<end)), from: place)
        }
        depth -= 1
        index = min(end + 1, tokens.count)
        (block, bodiesFollow) = outer
    }

    mutating func add(_ kind: Statement.Kind, from start: Int) {
        guard start < tokens.count else { return }
        let end = max(start, min(index, tokens.count))
        tree.blocks[block].statements.append(Statement(kind: kind, tokens: start..<end, line: tokens[start].line))
    }

    func expression(_ kind: Expression.Kind, at place: Int) -> Expression {
        let line = token(min(place, tokens.count - 1))?.line ?? 1
        return Expression(kind: kind, token: place, line: line, block: block)
    }

    func opaque(_ range: Range<Int>) -> Expression { expression(.opaque(words(range)), at: range.lowerBound) }
}
