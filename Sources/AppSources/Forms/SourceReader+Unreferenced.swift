/// Types and functions with pins that nothing else names.
extension SourceReader {
    /// The type that pins stand in, or the function, where no other code of what was read names it and no system starts with
    /// it; `nil` of any other.
    func unreferenced(around found: FoundPins, _ site: Site, in tree: SyntaxTree) -> String? {
        let first = site.token ?? site.evidence.first ?? tree.tokens.firstIndex { $0.line == found.line }
        guard tree.language != .groovy, !found.saysNothing, let first else { return nil }
        if tree.language == .script { return unreferencedScript(around: first, in: tree) }
        if let (name, own) = tree.outermost(around: first), isUnnamed(name, own, in: tree) { return name }
        if let name = unreferencedFunction(around: first, in: tree) { return name }
        // Where several functions take a digest, the one that gives the callback counts.
        guard tree.language == .dart, let given = site.given else { return nil }
        return unreferencedFunction(around: given, in: tree)
    }

    /// The function around a place, or the one that calls it.
    private func unreferencedFunction(around first: Int, in tree: SyntaxTree) -> String? {
        var place = first
        for _ in 0..<3 {
            guard let (name, own) = tree.ownFunction(around: place) else { return nil }
            if isUnnamed(name, own, in: tree) { return name }
            let calls = tree.callPlaces(of: name, outside: own.first { $0.contains(place) } ?? own[0])
            guard calls.count == 1 else { return nil }
            place = calls[0]
        }
        return nil
    }

    /// Whether code of some sources has such a name in it, which is no word of a comment or a text.
    package func names(in paths: Set<String>, _ isMeant: (String) -> Bool) -> Bool {
        module.files.contains { file in
            paths.contains(file.path) && module.tokens(of: file).contains { $0.name.map(isMeant) ?? false }
        }
    }

    /// Whether code of some sources asks TrustKit's validator, and nowhere does anything with what that answers.
    package func ignoresValidator(in paths: Set<String>) -> Bool {
        var isAsked = false
        for file in module.files
        where paths.contains(file.path) && (file.language == .swift || file.language == .objectiveC) {
            let tree = module.tree(of: file)
            for place in tree.tokens.indices.dropLast() {
                // One that handles a challenge answers it.
                if tree.tokens[place].isName("handle") || tree.tokens[place].isName("handleChallenge") { return false }
                guard tree.tokens[place].isName("evaluateTrust") else { continue }
                guard tree.isUnheeded(at: place) else { return false }
                isAsked = true
            }
        }
        return isAsked
    }

    private func isUnnamed(_ name: String, _ own: [Range<Int>], in tree: SyntaxTree) -> Bool {
        !tree.tokens.indices.contains { place in
            tree.tokens[place].names.contains(name) && !own.contains { $0.contains(place) }
                && !(tree.language == .cSharp && tree.tokens.isOfNamespace(at: place))
        }
            && module.others(mentioning: name, than: tree.path, in: tree.language)
                .allSatisfy { other in
                    other.isHeader(of: tree.path)
                        || other.language == .cSharp && module.tokens(of: other).nameNamespaceAlone(name)
                }
    }
}

extension SyntaxTree {
    /// Whether what is called at a place stands for itself, and is no answer of a function: `_ = validator.evaluateTrust(…)`.
    fileprivate func isUnheeded(at place: Int) -> Bool {
        guard let inner = innermost(around: place), blocks[inner.block].statements.count > 1 else { return false }
        switch inner.statement.kind {
        case .expression(let value):
            guard case .call(let callee, _) = value.kind else { return false }
            return callee.finalName?.hasPrefix("evaluateTrust") ?? false
        case .assignment(let target, "=", let value):
            guard target.names("_"), case .call(let callee, _) = value.kind else { return false }
            return callee.finalName?.hasPrefix("evaluateTrust") ?? false
        default: return false
        }
    }
}

extension FoundPins {
    /// Whether it is told already that nothing makes, calls or uses it.
    fileprivate var saysNothing: Bool {
        let marks = ["nothing in", "which nothing", "nothing uses", "uses nothing"]
        return told.contains { text in marks.contains(where: text.contains) }
    }
}

extension [Token] {
    /// `using System.Net.Security;`, `namespace Acme.Security`: whether a name is a part of a namespace's.
    fileprivate func isOfNamespace(at place: Int) -> Bool {
        var before = place - 1
        while before > 0, self[before].isMark("."), self[before - 1].name != nil { before -= 2 }
        return before >= 0 && ["using", "namespace"].contains(where: self[before].isName)
    }

    /// Whether a source of C# has a name in it only as a part of a namespace's.
    fileprivate func nameNamespaceAlone(_ name: String) -> Bool {
        indices.allSatisfy { !self[$0].names.contains(name) || isOfNamespace(at: $0) }
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
    /// The function around a place that no library or system calls: one of a type that is made from no other, and that nothing
    /// is said of beside it.
    fileprivate func ownFunction(around place: Int) -> (name: String, declared: [Range<Int>])? {
        guard [.dart, .kotlin, .java, .cSharp, .swift].contains(language) else { return nil }
        let around = blocks.flatMap(\.statements).compactMap {
            statement -> (declaration: Declaration, tokens: Range<Int>)? in
            guard statement.tokens.contains(place), case .declaration(let declaration) = statement.kind,
                declaration.kind == .function || declaration.kind == .type
            else { return nil }
            return (declaration, statement.tokens)
        }
        .sorted { $0.tokens.count < $1.tokens.count }
        guard let (function, own) = around.first, function.kind == .function,
            language == .swift
                ? isCalledByItsOwnApp(own)
                : around.allSatisfy({ one in
                    one.declaration.kind == .function
                        || one.declaration.name != function.name
                            && (one.declaration.supers.isEmpty || isCalledByName(function, in: one.declaration)
                                || isExtensionOfDart(one.tokens))
                }),
            !around.contains(where: { isMarked($0.tokens) }), !Self.starts.contains(function.name),
            !function.name.contains("."),
            // What an event or a library calls.
            !function.name.lowercased().hasPrefix("on"),
            language == .dart
                || !["init", "get", "set", "configure"].contains(where: function.name.lowercased().hasPrefix)
        else { return nil }
        let declared = blocks.flatMap(\.statements).filter { statement in
            guard case .declaration(let declaration) = statement.kind else { return false }
            return declaration.name == function.name && declaration.kind == .function
        }
        return (function.name, declared.map(\.tokens))
    }

    /// Whether nothing but code of its source, or what names it, calls a function of a type of Dart that is made from another: a
    /// private one, or one of a widget, which the system calls by names of its own.
    private func isCalledByName(_ function: Declaration, in type: Declaration) -> Bool {
        guard language == .dart else { return false }
        if function.name.hasPrefix("_") { return true }
        let ofWidgets: Set<String> = [
            "build", "createState", "initState", "dispose", "activate", "deactivate", "reassemble",
            "didChangeDependencies",
            "didUpdateWidget", "debugFillProperties", "createElement", "wantKeepAlive",
        ]
        return type.supers.allSatisfy { $0.hasSuffix("State") || $0.hasSuffix("Widget") || $0.hasSuffix("Mixin") }
            && !ofWidgets.contains(function.name)
    }

    /// `extension PinnedDio on Dio { … }`: what it extends calls none of its methods.
    private func isExtensionOfDart(_ own: Range<Int>) -> Bool {
        language == .dart && words(of: own).contains { $0.isName("extension") }
    }

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
    private func words(of own: Range<Int>) -> [Token] { Array(tokens[head(of: own)]) }

    private func head(of own: Range<Int>) -> Range<Int> {
        let before = tokens[..<own.lowerBound].suffix(40).reversed().prefix { token in
            !["{", "}", ";"].contains(where: token.isMark)
        }
        let body = tokens[own.clamped(to: 0..<tokens.count)].prefix { !$0.isMark("{") }
        return (own.lowerBound - before.count)..<max(own.lowerBound, body.endIndex)
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
        // Of Owin's `Startup`.
        "Configuration",
    ]

    /// Whether a system, a library or a build may start with it: what an attribute says something of, a screen, a plugin.
    private func isStart(_ declaration: Declaration, _ own: Range<Int>) -> Bool {
        if Self.starts.contains(declaration.name) { return true }
        if isMarked(own) || declaration.supers.contains(where: Self.isOfSystem) { return true }
        // `Bundle.main` and `Dispatchers.Main` start nothing.
        return own.clamped(to: 0..<tokens.count).dropLast().contains { place in
            (tokens[place].isName("main") || tokens[place].isName("Main")) && tokens[place + 1].isMark("(")
        }
    }

    /// Whether something is said of a declaration beside it: `@Module`, `[ApiController]`, `override`, or that there is more of it.
    private func isMarked(_ own: Range<Int>) -> Bool {
        let head = head(of: own)
        return head.contains { place in
            let token = tokens[place]
            guard token.isMark("@") else { return token.isName("partial") || token.isName("override") }
            return !(place + 1 < tokens.count && tokens[place + 1].name.map(Self.startNothing.contains) ?? false)
        }
            || own.lowerBound > 0 && tokens[own.lowerBound - 1].isMark("]") || tokens[own.lowerBound].isMark("[")
    }

    /// Attributes by which no system, library or build starts with anything: those that say on which systems or threads it runs,
    /// what a compiler passes over, and how a value is kept or given. Any other may.
    private static let startNothing: Set<String> = [
        // Swift
        "available", "MainActor", "globalActor", "preconcurrency", "unchecked", "retroactive", "Sendable", "concurrent",
        "Observable", "ObservationIgnored", "Published", "State", "StateObject", "ObservedObject", "Environment",
        "EnvironmentObject", "Binding", "AppStorage", "escaping", "autoclosure", "convention", "discardableResult",
        "inlinable", "inline", "usableFromInline", "frozen", "nonobjc", "dynamicMemberLookup", "dynamicCallable",
        "propertyWrapper", "resultBuilder", "TaskLocal", "testable", "unknown",
        // Kotlin and Java
        "Suppress", "SuppressWarnings", "SuppressLint", "Deprecated", "RequiresApi", "TargetApi", "OptIn", "JvmStatic",
        "JvmField", "JvmOverloads", "JvmName", "Throws", "NonNull", "NotNull", "Nullable", "Synchronized", "Volatile",
        "VisibleForTesting", "AnyThread", "WorkerThread", "MainThread", "UiThread", "SafeVarargs", "Slf4j",
        // Dart
        "immutable", "visibleForTesting", "protected", "internal", "sealed", "mustCallSuper", "nonVirtual",
        "deprecated",
    ]

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
