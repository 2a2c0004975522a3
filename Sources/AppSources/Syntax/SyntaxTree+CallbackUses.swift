/// Where a callback is given away.
extension SyntaxTree {
    /// The places where a callback is given away: a closure itself, the name of a function in C#, an object of the type in
    /// Swift and of a handler that overrides a member in C#; in Kotlin and Java, what must hold wherever a trust manager is made, or
    /// the function is called that compares.
    func uses(ofCallbackAround token: Int) -> [Use] {
        switch language {
        case .cSharp: uses(ofDelegateAround: token)
        case .swift: uses(ofTypeAround: token)
        case .kotlin, .java: uses(ofTrustAround: token)
        default: []
        }
    }

    /// The conditions of several places are not looked at.
    private func uses(at places: [Int], _ sharedNames: [String]) -> [Use] {
        places.map { place in
            Use(
                conditions: places.count == 1 ? tested(around: place) + conditions(replacing: place, []) : [],
                sharedNames: sharedNames
            )
        }
    }

    private func uses(ofDelegateAround token: Int) -> [Use] {
        let given = delegates(around: token)
        return given.isOverride ? uses(ofTypeAround: token) : uses(at: given.places, given.sharedNames)
    }

    /// Where a closure of .NET stands that compares, or the function is named that does, or the one that calls it; with the names
    /// by which other sources may name it.
    func delegates(around token: Int, steps: Int = 3) -> (places: [Int], sharedNames: [String], isOverride: Bool) {
        var closure: (token: Int, size: Int)?
        visit { expression, _ in
            guard case .closure(let own) = expression.kind,
                own.parameters.count == 4 || own.parameters.count == 1 && isGivenToHandler(expression.token)
            else { return true }
            for statement in blocks[own.block].statements where statement.tokens.contains(token) {
                let size = statement.tokens.count
                if size > closure?.size ?? 0 { closure = (expression.token, size) }
            }
            return true
        }
        if let closure { return ([closure.token], [], false) }
        var function: (name: String, size: Int, isPrivate: Bool, isOverride: Bool)?
        for block in blocks {
            for statement in block.statements where statement.tokens.contains(token) {
                guard case .declaration(let declaration) = statement.kind, declaration.kind == .function else {
                    continue
                }
                if statement.tokens.count < function?.size ?? .max {
                    let head = tokens[statement.tokens].prefix { !$0.isMark("(") }
                    let isOverride = head.contains { $0.isName("override") }
                    function = (declaration.name, statement.tokens.count, isPrivate(statement), isOverride)
                }
            }
        }
        guard let function else { return ([], [], false) }
        if function.isOverride { return ([], [], true) }
        let places = tokens.indices.filter { isHandedOn(function.name, at: $0) }
        let shared = function.isPrivate ? [] : [function.name]
        guard places.isEmpty, steps > 0, let own = namedFunction(around: [token])?.tokens else {
            return (places, shared, false)
        }
        let calls = callPlaces(of: function.name, outside: own).map { delegates(around: $0, steps: steps - 1) }
        guard let first = calls.first, calls.allSatisfy({ $0.places == first.places }) else {
            return ([], shared, false)
        }
        return (first.places, (shared + first.sharedNames).uniqued, first.isOverride)
    }

    /// MQTTnet's callback has one parameter.
    private func isGivenToHandler(_ place: Int) -> Bool {
        place > 1 && tokens[place - 2].isName("WithCertificateValidationHandler")
    }

    /// Whether a name stands for a function there, and is neither called nor that of a property that is set.
    private func isHandedOn(_ name: String, at place: Int) -> Bool {
        guard tokens[place].isName(name), place + 1 < tokens.count else { return false }
        return !["(", "=", "+=", "-="].contains(where: tokens[place + 1].isMark)
            && !(place > 0 && tokens[place - 1].isMark("-="))
    }

    private func uses(ofTypeAround token: Int) -> [Use] {
        var type: (name: String, size: Int, isPrivate: Bool)?
        for block in blocks {
            for statement in block.statements where statement.tokens.contains(token) {
                guard case .declaration(let declaration) = statement.kind, declaration.kind == .type else { continue }
                if statement.tokens.count < type?.size ?? .max {
                    type = (declaration.name, statement.tokens.count, isPrivate(statement))
                }
            }
        }
        guard let type else { return [] }
        let own = selves(in: type.name)
        guard own.isEmpty else { return uses(at: own, []) }
        let places = tokens.indices.filter { place in
            tokens[place].isName(type.name) && place + 1 < tokens.count && tokens[place + 1].isMark("(")
        }
        return uses(at: places, type.isPrivate ? [] : [type.name])
    }

    /// Where an object of a type of Swift makes itself a session's delegate: `URLSession(…, delegate: isPinned ? self : nil, …)`.
    private func selves(in type: String) -> [Int] {
        let bodies = blocks.flatMap(\.statements).filter { statement in
            guard case .declaration(let declaration) = statement.kind else { return false }
            return declaration.kind == .type && declaration.name == type
        }
        return bodies.map(\.tokens).joined().filter { place in
            guard language == .swift, tokens[place].isName("delegate"), place + 1 < tokens.count,
                tokens[place + 1].isMark(":")
            else { return false }
            let value = tokens[(place + 2)...].prefix(12).prefix { !$0.isMark(",") && !$0.isMark(")") }
            return value.contains { $0.isName("self") }
        }
        .compactMap { place in tokens[place...].prefix(14).firstIndex { $0.isName("self") } }
    }
}
