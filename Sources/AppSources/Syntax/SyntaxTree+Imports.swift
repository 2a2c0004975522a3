extension SyntaxTree {
    /// Tells what is imported by name, once for all who ask: there may be many thousands of them.
    mutating func noteImports() {
        for (index, token) in tokens.enumerated() {
            if token.isName("import") {
                importedNames.formUnion(namesImported(at: index))
            } else if token.isName("BuildConfig"), index + 2 < tokens.count, tokens[index + 1].isMark("."),
                let name = tokens[index + 2].name, isImported(index + 2)
            {
                buildImports.insert(name)
            }
        }
    }

    /// By one `import`: the last words, and in scripts all of what stands in brackets.
    private func namesImported(at index: Int) -> [String] {
        var names: [String] = []
        var last: String?
        for next in tokens[(index + 1)...].prefix(24) where !next.isMark("*") {
            if next.isMark(";") || next.startsLine && language != .script { break }
            if let name = next.name {
                if name == "from" { break }
                if language == .script { names.append(name) }
                last = name
            }
        }
        return names + (last.map { [$0] } ?? [])
    }

    /// Whether a token stands in an `import`.
    func isImported(_ token: Int) -> Bool { startsLine(of: token).isName("import") }

    /// Whether a token of Kotlin or Java is a part of its package's name.
    func namesPackage(_ token: Int) -> Bool {
        (language == .kotlin || language == .java) && startsLine(of: token).isName("package")
    }

    private func startsLine(of token: Int) -> Token {
        var place = token
        while place > 0, place > token - 24, !tokens[place].startsLine { place -= 1 }
        return tokens[place]
    }
}
