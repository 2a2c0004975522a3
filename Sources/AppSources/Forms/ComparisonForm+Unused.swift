/// Whether anything makes the objects that judge a server's certificate in Apple's code, and calls the functions.
extension ComparisonForm {
    private static let delegates = ["SessionDelegate", "TaskDelegate", "ServerTrustEvaluating"]

    /// What is said of a delegate that nothing makes or uses in what was read, or gives a session, and of a function that
    /// nothing calls; empty of any other.
    ///
    /// - Parameter places: those of the code.
    static func unused(at places: some Sequence<Int>, _ evaluator: Evaluator) -> String {
        let (tree, module) = (evaluator.tree, evaluator.module)
        let places = Array(places)
        let evidence = places.filter { place in clues(tree).contains { $0.isEvidence(tree.tokens, place) } }
        let heads = tree.blocks.flatMap(\.statements).compactMap { statement -> (name: String, isDelegate: Bool)? in
            guard case .declaration(let declaration) = statement.kind, declaration.kind == .type,
                places.contains(where: statement.tokens.contains)
            else { return nil }
            let head = tree.tokens[statement.tokens.clamped(to: 0..<tree.tokens.count)].prefix { !$0.isMark("{") }
            let isDelegate = head.contains { token in delegates.contains { token.name?.hasSuffix($0) ?? false } }
            return (declaration.name, isDelegate)
        }
        var names = Set(heads.filter(\.isDelegate).map(\.name))
        if names.isEmpty, let first = evidence.first, let own = tree.madeType(around: first) { names = [own] }
        if names.isEmpty { return uncalled(evidence, evaluator) }
        guard tree.language == .swift, names.count == 1, let name = names.first, !tree.isOfOthers(name) else {
            return ""
        }
        let others = module.others(mentioning: name, than: tree.path, in: .swift)
        let making = tree.making(name)
        if making != .elsewhere, !others.contains(where: { module.tree(of: $0).making(name) == .elsewhere }) {
            return making == .byItself
                ? "\(FoundPins.nothing) uses '\(name)' but itself" : "\(FoundPins.unmade)'\(name)'"
        }
        if others.isEmpty, !tree.hasHeirs(name) {
            let makers = tree.makers(of: name)
            let uncalled = uncalled(makers, evaluator)
            if !uncalled.isEmpty { return uncalled }
            if let member = tree.lateMember(around: makers), isUnnamed(member.name, member.tokens, evaluator) {
                return "\(FoundPins.nothing) uses '\(member.name)'"
            }
        }
        // A delegate may have a function that it never asks.
        if !tree.isAsked(evidence) {
            let uncalled = uncalled(evidence, evaluator, isOfDelegate: true)
            if !uncalled.isEmpty { return uncalled }
        }
        let isGiven =
            !heads.contains { $0.isDelegate } || !tree.makesBareSessions(name) || tree.givesDelegates
            || others.contains { module.tree(of: $0).givesDelegates }
        return isGiven ? "" : "\(FoundPins.nothing) gives a session '\(name)' as its delegate"
    }

    /// What is said of a function that takes a certificate apart, where nothing in what was read calls it, or those that do.
    private static func uncalled(_ evidence: [Int], _ evaluator: Evaluator, isOfDelegate: Bool = false) -> String {
        let tree = evaluator.tree
        guard var function = tree.namedFunction(around: evidence) else { return "" }
        for _ in 0..<4 {
            let places = tree.callPlaces(of: function.name, outside: function.tokens)
            guard !places.isEmpty else { break }
            guard let next = tree.namedFunction(around: places) else { return "" }
            function = next
        }
        let name = function.name.ofCalls
        // What makes objects is called by its type's name.
        guard name != "init", tree.isCalledByItsOwnApp(function.tokens, isOfDelegate: isOfDelegate),
            isUnnamed(name, function.tokens, evaluator)
        else {
            return ""
        }
        return "\(FoundPins.nothing) calls '\(name)'"
    }

    /// Whether nothing that was read has a name in it, but what is declared by it.
    private static func isUnnamed(_ name: String, _ own: Range<Int>, _ evaluator: Evaluator) -> Bool {
        let tree = evaluator.tree
        return !tree.tokens.indices.contains { !own.contains($0) && tree.tokens[$0].names.contains(name) }
            && evaluator.module.others(mentioning: name, than: tree.path, in: tree.language).isEmpty
    }
}

extension SyntaxTree {
    fileprivate enum Making {
        case none
        /// An object of its own, that it gives to no session.
        case byItself
        case elsewhere
    }

    /// Whether a source may make an object of a type, by its name or by that of a type made from it.
    fileprivate func making(_ type: String) -> Making {
        guard language == .swift else { return .elsewhere }
        guard !hasHeirs(type), makers(of: type).isEmpty else { return .elsewhere }
        let own = bodies(of: type).joined()
        guard own.contains(where: { isNamed(type, at: $0) && tokens[$0 + 1].isMark("(") }) else { return .none }
        return own.contains(where: givesDelegate) ? .elsewhere : .byItself
    }

    /// Whether another type of the source is made from a type.
    fileprivate func hasHeirs(_ type: String) -> Bool {
        blocks.contains { $0.declarations.values.joined().contains { $0.supers.contains(type) } }
    }

    /// Where anything but a type of Swift itself makes an object of it, or asks it for one.
    fileprivate func makers(of type: String) -> [Int] {
        let bodies = bodies(of: type)
        return tokens.indices.filter { place in isNamed(type, at: place) && !bodies.contains { $0.contains(place) } }
    }

    /// `Pinning(…)`, `Pinning.shared`
    private func isNamed(_ type: String, at place: Int) -> Bool {
        place + 1 < tokens.count && tokens[place].isName(type) && ["(", "."].contains(where: tokens[place + 1].isMark)
    }

    /// `delegate: self`, and neither `delegate: nil` nor `weak var delegate: Delegate?`.
    private func givesDelegate(at place: Int) -> Bool {
        place + 2 < tokens.count && tokens[place].isName("delegate") && tokens[place + 1].isMark(":")
            && !tokens[place + 2].isName("nil")
            && !(place > 0 && ["let", "var"].contains(where: tokens[place - 1].isName))
    }

    fileprivate var givesDelegates: Bool { language != .swift || tokens.indices.contains(where: givesDelegate) }

    /// Whether a type makes sessions that have no delegate.
    fileprivate func makesBareSessions(_ type: String) -> Bool {
        bodies(of: type).joined().contains { place in
            place + 2 < tokens.count && tokens[place].isName("delegate") && tokens[place + 1].isMark(":")
                && tokens[place + 2].isName("nil")
        }
    }

    /// The member of a type of Swift whose value is made where something asks for it, around some places: `static var pinned:
    /// URLSession { … }`; none that a protocol, Objective-C or another type may ask for.
    fileprivate func lateMember(around places: [Int]) -> (name: String, tokens: Range<Int>)? {
        guard language == .swift, !places.isEmpty else { return nil }
        for block in blocks {
            guard case .type = block.owner else { continue }
            for statement in block.statements where places.allSatisfy(statement.tokens.contains) {
                guard case .declaration(let declaration) = statement.kind, declaration.kind == .value else { continue }
                let own = tokens[statement.tokens.clamped(to: 0..<tokens.count)]
                let head = own.prefix { !$0.isMark("{") && !$0.isMark("=") }
                let isLate = head.contains { $0.isName("static") || $0.isName("lazy") || $0.isName("class") }
                guard isLate || own.dropFirst(head.count).first?.isMark("{") ?? false,
                    !head.contains(where: { $0.isMark("@") }), attributes(before: statement.tokens.lowerBound).isEmpty,
                    isCalledByItsOwnApp(statement.tokens)
                else { return nil }
                return (declaration.name, statement.tokens)
            }
        }
        return nil
    }

    private func bodies(of type: String) -> [Range<Int>] {
        blocks.flatMap(\.statements).compactMap { statement in
            guard case .declaration(let declaration) = statement.kind, declaration.kind == .type,
                declaration.name == type
            else { return nil }
            return statement.tokens
        }
    }

    /// Whether a storyboard, the system or a library may make objects of a type: a view, its controller, what an app starts
    /// with, a plugin.
    fileprivate func isOfOthers(_ type: String) -> Bool {
        let made = ["Controller", "View", "Cell", "Responder", "Document", "Plugin", "Module"]
        let ofOthers: Set<String> = ["objc", "main", "UIApplicationMain", "NSApplicationMain"]
        return blocks.contains { block in
            block.declarations[type]?.contains { declaration in
                declaration.kind == .type
                    && declaration.supers.contains { base in made.contains(where: base.hasSuffix) }
            } ?? false
        }
            || bodies(of: type).contains { !ofOthers.isDisjoint(with: attributes(before: $0.lowerBound)) }
    }

    /// The type of Swift of whose objects a place is: none of an enum or a protocol, and none of what a type has itself.
    fileprivate func madeType(around place: Int) -> String? {
        guard language == .swift, let type = typeName(atToken: place),
            let function = namedFunction(around: [place])?.tokens,
            !tokens[function.clamped(to: 0..<tokens.count)].prefix(while: { !$0.isName("func") })
                .contains(where: { $0.isName("static") || $0.isName("class") })
        else { return nil }
        let isMade = bodies(of: type).contains { body in
            let head = tokens[body.clamped(to: 0..<tokens.count)].prefix { !$0.isMark("{") }
            return head.contains { $0.isName("class") || $0.isName("struct") || $0.isName("actor") }
        }
        return isMade ? type : nil
    }

    /// Whether nothing but the app's own code can call a function: in Swift none of a protocol, of another type's or of
    /// Objective-C; in Objective-C one of a class itself.
    ///
    /// - Parameter isOfDelegate: whether a session's delegate may have it beside those that its session asks.
    func isCalledByItsOwnApp(_ function: Range<Int>, isOfDelegate: Bool = false) -> Bool {
        let head = tokens[function.clamped(to: 0..<tokens.count)].prefix { !$0.isMark("{") }
        if language == .objectiveC { return head.first?.isMark("+") ?? false }
        let asked = ["hallenge", "completionHandler"]
        guard !head.contains(where: { $0.isName("override") || $0.isName("objc") || $0.isName("IBAction") }),
            !head.contains(where: { token in asked.contains { token.name?.contains($0) ?? false } })
        else { return false }
        let plain: Set<String> = [
            "NSObject", "Sendable", "ObservableObject", "Equatable", "Hashable", "UIViewController", "UIView",
            "NSViewController",
        ]
        let delegates: Set<String> = ["URLSessionDelegate", "URLSessionTaskDelegate", "URLSessionDataDelegate"]
        let types = blocks.flatMap { $0.declarations.values.joined() }.filter { declaration in
            declaration.kind == .type && declaration.name == typeName(atToken: function.lowerBound)
        }
        return types.allSatisfy { (isOfDelegate ? plain.union(delegates) : plain).isSuperset(of: $0.supers) }
    }

    /// The names of the attributes before a declaration of Swift: `objc` of `@objc(Pinning) class Pinning`.
    func attributes(before start: Int) -> [String] {
        var found: [String] = []
        var place = start - 1
        while place > 0 {
            if tokens[place].isMark(")") {
                while place > 0, !tokens[place].isMark("(") { place -= 1 }
                place -= 1
            }
            guard place > 0, let name = tokens[place].name, tokens[place - 1].isMark("@") else { break }
            found.append(name)
            place -= 2
        }
        return found
    }
}
