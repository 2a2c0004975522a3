/// Types and functions with pins that nothing else names.
extension SourceReader {
    /// The type, or the function outside all types, that pins stand in, where no other code of what was read names it and
    /// no system starts with it; `nil` of any other.
    func unreferenced(around found: FoundPins, _ site: Site, in tree: SyntaxTree) -> String? {
        let first = site.token ?? site.evidence.first ?? tree.tokens.firstIndex { $0.line == found.line }
        guard tree.language != .script, tree.language != .groovy, !found.saysNothing, let first,
            let (name, own) = tree.outermost(around: first),
            !tree.tokens.indices.contains(where: { place in
                tree.tokens[place].names.contains(name) && !own.contains { $0.contains(place) }
            }),
            module.others(mentioning: name, than: tree.path, in: tree.language).allSatisfy({
                $0.isHeader(of: tree.path)
            })
        else { return nil }
        return name
    }
}

extension FoundPins {
    /// Whether it is told already that nothing makes, calls or uses it.
    fileprivate var saysNothing: Bool {
        let marks = ["nothing in", "which nothing", "nothing uses", "uses nothing"]
        return told.contains { text in marks.contains(where: text.contains) }
    }
}

extension SourceModule.File {
    /// `PinnedClient.h` of `PinnedClient.m`
    fileprivate func isHeader(of source: String) -> Bool {
        guard path.hasSuffix(".h"), let end = source.lastIndex(of: ".") else { return false }
        return path.dropLast(2) == source[..<end]
    }
}

extension SyntaxTree {
    /// The name of the outermost type around a place, or else of the function or value, and where it is declared.
    fileprivate func outermost(around place: Int) -> (name: String, declared: [Range<Int>])? {
        if language == .objectiveC { return implementation(around: place) }
        let around = blocks.flatMap(\.statements).compactMap {
            statement -> (declaration: Declaration, tokens: Range<Int>)? in
            guard statement.tokens.contains(place), case .declaration(let declaration) = statement.kind else {
                return nil
            }
            return (declaration, statement.tokens)
        }
        .sorted { $0.tokens.count > $1.tokens.count }
        guard let outer = (around.first { $0.declaration.kind == .type } ?? around.first)?.declaration else {
            return nil
        }
        let declared = blocks.flatMap(\.statements).compactMap { statement -> (Declaration, Range<Int>)? in
            guard case .declaration(let declaration) = statement.kind, declaration.name == outer.name,
                declaration.kind == outer.kind
            else { return nil }
            return (declaration, statement.tokens)
        }
        // Of a type that another source declares, that source says what it is.
        guard !declared.allSatisfy({ words(of: $0.1).contains { $0.isName("extension") } }),
            !declared.contains(where: isStart)
        else { return nil }
        return (outer.name, declared.map(\.1))
    }

    /// What stands before a declaration, and up to its body.
    private func words(of own: Range<Int>) -> [Token] {
        let before = tokens[..<own.lowerBound].suffix(40).reversed().prefix { token in
            !["{", "}", ";"].contains(where: token.isMark)
        }
        return tokens[own.clamped(to: 0..<tokens.count)].prefix { !$0.isMark("{") } + before
    }

    /// Of Objective-C, whose classes have their functions between two words.
    private func implementation(around place: Int) -> (name: String, declared: [Range<Int>])? {
        let starts = tokens.indices.dropLast().filter { place in
            place > 0 && tokens[place - 1].isMark("@")
                && ["implementation", "interface"].contains(where: tokens[place].isName)
        }
        guard let start = starts.last(where: { $0 < place && tokens[$0].isName("implementation") }),
            let name = tokens[start + 1].name
        else { return nil }
        let declared = starts.filter { tokens[$0 + 1].isName(name) }.map { start in
            start..<(tokens[start...].firstIndex { $0.isName("end") } ?? tokens.count)
        }
        let isStart = declared.contains { range in
            let words = tokens[range].compactMap(\.name)
            return ["load", "initialize", "main"].contains(where: words.contains)
                || words.dropFirst(2).first.map(Self.isOfSystem) ?? false
        }
        return isStart || Self.starts.contains(name) || !declared.contains(where: { $0.contains(place) })
            ? nil : (name, declared)
    }

    private static let starts: Set<String> = [
        "main", "Main", "Program", "Startup", "App", "AppDelegate", "MauiProgram",
    ]

    /// Whether a system, a library or a build may start with it: what an attribute says something of, a screen, a plugin.
    private func isStart(_ declaration: Declaration, _ own: Range<Int>) -> Bool {
        if Self.starts.contains(declaration.name) { return true }
        let isMarked =
            words(of: own).contains { $0.isMark("@") || $0.isName("partial") }
            || own.lowerBound > 0 && tokens[own.lowerBound - 1].isMark("]") || tokens[own.lowerBound].isMark("[")
        if isMarked || declaration.supers.contains(where: Self.isOfSystem) { return true }
        // `Bundle.main` and `Dispatchers.Main` start nothing.
        return own.clamped(to: 0..<tokens.count).dropLast().contains { place in
            (tokens[place].isName("main") || tokens[place].isName("Main")) && tokens[place + 1].isMark("(")
        }
    }

    /// `MainActivity`, `RootViewController`, `PinnedModule`
    private static func isOfSystem(_ type: String) -> Bool {
        [
            "Activity", "Application", "Fragment", "Service", "Receiver", "Provider", "Worker", "Controller",
            "Responder",
            "Delegate", "View", "Cell", "App", "Scene", "Widget", "State", "Behaviour", "Page", "Window", "Module",
            "Plugin", "Package", "Startup", "Base", "Command", "Test", "TestCase", "Initializer",
        ].contains { type.hasSuffix($0) } && !type.hasSuffix("SessionDelegate") && !type.hasSuffix("TaskDelegate")
    }
}
