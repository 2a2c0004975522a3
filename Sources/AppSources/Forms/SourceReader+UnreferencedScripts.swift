/// Functions, classes and constants of scripts that nothing else names.
extension SourceReader {
    /// The function, class or constant that a place stands in, or a method of a class, where no other code of what was read
    /// names it, and nothing calls it by itself.
    func unreferencedScript(around place: Int, in tree: SyntaxTree) -> String? {
        var place = place
        for _ in 0..<3 {
            let around = tree.ownDeclarations(around: place)
            for (declaration, own) in around where isUnnamedScript(declaration.name, own, in: tree) {
                return declaration.name
            }
            // The function that calls it, where it is the only one.
            guard let (inner, own) = around.last else { return nil }
            // A method of something else by that name, as of a library, calls it no more than a stranger does.
            let calls = tree.callPlaces(of: inner.name, outside: own).filter { call in
                call < 2 || !tree.tokens[call - 1].isMark(".") || tree.tokens[call - 2].isName("this")
            }
            guard calls.count == 1 else { return nil }
            place = calls[0]
        }
        return nil
    }

    private func isUnnamedScript(_ name: String, _ own: Range<Int>, in tree: SyntaxTree) -> Bool {
        let named = tree.tokens.indices.filter { tree.tokens[$0].names.contains(name) && !own.contains($0) }
        guard named.allSatisfy(tree.isExport), module.others(mentioning: name, than: tree.path, in: .script).isEmpty
        else { return false }
        // What a source exports as a whole has any name elsewhere.
        return !(named + [own.lowerBound]).contains(where: tree.isWholeExport) || !isWholeTaken(tree)
    }

    /// Whether another source, or a tool that starts files by their places, takes what a source exports as a whole.
    private func isWholeTaken(_ tree: SyntaxTree) -> Bool {
        let parts = tree.path.split(separator: "/").map(String.init)
        let folders = ["app", "pages", "routes", "api", "plugins", "functions", "screens", "views", "migrations"]
        guard let last = parts.last, !parts.dropLast().contains(where: folders.contains),
            !tree.tokens.contains(where: { $0.plainText?.hasSuffix("config-plugins") ?? false })
        else { return true }
        var name = String(last.prefix { $0 != "." })
        if name == "index", parts.count > 1 { name = parts[parts.count - 2] }
        guard !last.dropFirst(name.count).contains(".config."), !["App", "main", "index", "server"].contains(name)
        else {
            return true
        }
        let word = String(name.split { !$0.isLetter && !$0.isNumber && $0 != "_" && $0 != "$" }.first ?? "")
        return module.others(mentioning: word, than: tree.path, in: .script).contains { file in
            module.tokens(of: file).contains { token in
                guard let text = token.plainText, let end = text.split(separator: "/").last else { return false }
                let kinds = ["js", "ts", "jsx", "tsx", "mjs", "cjs", "mts", "vue", "svelte"]
                return end == name || kinds.contains { end == "\(name).\($0)" }
            }
        }
    }
}

extension SyntaxTree {
    /// The functions, classes and constants around a place, the outer ones first; none where a library calls one of them.
    fileprivate func ownDeclarations(around place: Int) -> [(declaration: Declaration, tokens: Range<Int>)] {
        let around = blocks.flatMap(\.statements).compactMap {
            statement -> (declaration: Declaration, tokens: Range<Int>)? in
            guard statement.tokens.contains(place), case .declaration(let declaration) = statement.kind,
                [.function, .type, .value].contains(declaration.kind)
            else { return nil }
            return (declaration, statement.tokens)
        }
        .sorted { $0.tokens.count > $1.tokens.count }
        // A constant within a function is the function's, and within a method of an object that method's.
        let kept = around.enumerated().filter { offset, element in
            element.declaration.isCallable || offset == 0 && !isWithinFunction(element.declaration.block)
        }
        .map(\.element)
        // Of what a screen has, React calls some methods alone.
        let own = kept.filter { !isScreen($0.declaration) }
        return own.contains { isCalledByOthers($0.declaration, $0.tokens) } ? [] : own
    }

    private func isWithinFunction(_ block: Int) -> Bool {
        var next: Int? = block
        while let current = next {
            switch blocks[current].owner {
            case .closure, .function: return true
            case .file, .type, .inner: next = blocks[current].parent
            }
        }
        return false
    }

    private func isScreen(_ declaration: Declaration) -> Bool {
        declaration.kind == .type && ["Component", "PureComponent"].contains(where: declaration.supers.contains)
    }

    /// What frameworks and libraries call by its name, or by what is said of it: `componentDidMount`, `@Injectable()`.
    private func isCalledByOthers(_ declaration: Declaration, _ own: Range<Int>) -> Bool {
        var first = own.lowerBound
        let words = ["export", "default", "abstract", "async", "declare", "public", "private"]
        while first > 0, words.contains(where: tokens[first - 1].isName) { first -= 1 }
        if first > 0, tokens[first - 1].isMark(")") || first > 1 && tokens[first - 2].isMark("@") { return true }
        if tokens[own.clamped(to: 0..<tokens.count)].prefix(6).contains(where: { $0.isMark("@") }) { return true }
        if declaration.kind == .type {
            return declaration.supers.contains { name in
                ["Element", "Plugin", "Application", "Command"].contains(
                    where: name.hasSuffix
                )
            }
        }
        let names: Set<String> = [
            "constructor", "render", "main", "handler", "activate", "setup", "install", "apply", "register", "run",
            "up", "down", "loader", "action", "middleware", "default", "exports", "config", "options", "get", "set",
        ]
        let starts = ["component", "ng", "ionView", "on", "should", "getServer", "getStatic", "handle", "with"]
        return names.contains(declaration.name)
            || starts.contains { start in
                declaration.name.hasPrefix(start)
                    && (declaration.name.dropFirst(start.count).first?.isUppercase ?? true)
            }
    }

    /// Whether a name only stands where a source says what others may take: `export { name }`, `module.exports = { name }`.
    fileprivate func isExport(_ place: Int) -> Bool {
        if place + 1 < tokens.count, tokens[place + 1].isMark("(") || tokens[place + 1].isMark(".") { return false }
        return start(ofExportAt: place) != nil
    }

    /// `export default name`, `module.exports = name`, `module.exports = { name }`
    fileprivate func isWholeExport(_ place: Int) -> Bool {
        guard let start = start(ofExportAt: place) else { return false }
        return !tokens[start].isName("export") || tokens[start + 1].isName("default")
    }

    private func start(ofExportAt place: Int) -> Int? {
        let around = blocks.flatMap(\.statements).filter { $0.tokens.contains(place) }
        guard let whole = around.max(by: { $0.tokens.count < $1.tokens.count }) else { return nil }
        // What stands before a declaration is not always its own.
        let first = (max(0, whole.tokens.lowerBound - 2)...whole.tokens.lowerBound).first {
            tokens[$0].isName("export")
        }
        let start = first ?? whole.tokens.lowerBound
        guard start + 1 < tokens.count else { return nil }
        if tokens[start].isName("export") {
            return tokens[start + 1].isName("default") || tokens[start + 1].isMark("{") ? start : nil
        }
        let isCommon =
            tokens[start].isName("exports") && tokens[start + 1].isMark(".")
            || tokens[start].isName("module") && start + 2 < tokens.count && tokens[start + 2].isName("exports")
        return isCommon ? start : nil
    }
}

extension Declaration {
    /// Whether it is a function, a class, or a constant for a function.
    fileprivate var isCallable: Bool {
        guard kind == .value else { return true }
        if case .closure? = value?.kind { return true }
        return false
    }
}
