/// Under which conditions of a build, or switches of the app's own, a certificate is compared, and others are refused.
extension ComparisonForm {
    /// What says of a condition that a build, or a switch of the app's own, decides it.
    private static let switches = [
        "DEBUG", "Debug", "debug", "BuildConfig", "elease", "IsDevelopment", "IsProduction", "isProd", "IsProd",
        "isDev",
        "IsDev(", "nvironment", "taging", "inningEnabled", "nablePinning", "isablePinning", "kipPinning", "ypass",
        "imulator", "andbox", "llowSelfSigned", "gnoreSsl", "isableSsl",
    ]

    /// What says of one that it decides whether what matches no pin is refused.
    private static let strictness = [
        "nforce", "strict", "Strict", "reportOnly", "ReportOnly", "ailClosed", "ailOpen",
        "allback",
    ]

    static func isSwitch(_ choice: Choices.Choice) -> Bool {
        let condition = choice.condition.withoutTexts
        if switches.contains(where: condition.contains) { return true }
        // `self.usesPinning`, and no answer of a function.
        return choice.condition.lowercased().contains("pinning")
            && choice.condition.allSatisfy { $0.isLetter || $0.isNumber || "._".contains($0) }
    }

    /// The conditions under which a certificate is compared at all: those of builds and of the app's switches, and in .NET
    /// that nothing else lets the server through.
    static func switched(_ evidence: [Int], _ tree: SyntaxTree) -> [Choices.Choice] {
        let evidence = tree.isOfApple ? outer(of: evidence, tree) : evidence
        var found = common(of: evidence, tree).filter { tree.isSwitch($0) || $0.asksForSystem }
        found += tree.conditions(ofDeciding: evidence).map(\.choice).filter { !found.contains($0) }
        if tree.language == .kotlin || tree.language == .java {
            return found + refusing(behind: evidence, tree).filter { !found.contains($0) }
        }
        guard tree.isOfApple else { return found }
        // Those of the functions that ask for it, of the last refusal of each, and of what lets through beside the pins.
        var places = evidence
        for _ in 0..<3 {
            guard let function = tree.namedFunction(around: places) else { break }
            found += strictness(behind: places, in: function.tokens, tree).filter { !found.contains($0) }
            found += tree.alternatives(behind: places, in: function.tokens).filter { !found.contains($0) }
            found += tree.exemptions(before: places, in: function.tokens).filter { !found.contains($0) }
            places = tree.callPlaces(of: function.name, outside: function.tokens)
            guard !places.isEmpty, places.count < 20 else { break }
            found += common(of: places, tree).filter {
                (tree.isSwitch($0) || $0.asksForSystem) && !found.contains($0)
            }
        }
        return found.flatMap(parts).uniqued
    }

    /// Without what stands in functions that others of the same code call.
    private static func outer(of evidence: [Int], _ tree: SyntaxTree) -> [Int] {
        let functions = evidence.map { tree.namedFunction(around: [$0]) }
        let kept = zip(evidence, functions).filter { _, function in
            guard let function else { return true }
            return !tree.callPlaces(of: function.name, outside: function.tokens).contains { place in
                functions.contains { other in
                    other.map { $0.tokens != function.tokens && $0.tokens.contains(place) } ?? false
                }
            }
        }
        return kept.isEmpty ? evidence : kept.map(\.0)
    }

    /// Each part of a condition that must hold as a whole, without those that ask whether there are pins.
    private static func parts(of choice: Choices.Choice) -> [Choices.Choice] {
        guard choice.option == 0, let parts = choice.condition.parts(between: " && "), parts.count > 1 else {
            return [choice]
        }
        return parts.filter { !$0.asksForContents }.map { Choices.choice($0, holds: true) }
    }

    /// The switches of the app's own without which a function of Kotlin or Java throws nothing behind what it compares.
    private static func refusing(behind places: [Int], _ tree: SyntaxTree) -> [Choices.Choice] {
        var places = places
        for _ in 0..<3 {
            guard let start = places.max(), let function = tree.namedFunction(around: places) else { return [] }
            let own = function.tokens.clamped(to: 0..<tree.tokens.count)
            // Where what is thrown stands.
            let refusals = own.dropFirst().filter { place in
                place > start && tree.tokens[place - 1].isName("throw")
                    // What could not be asked is refused as well.
                    && !tree.conditions(around: place).contains { $0.condition.hasPrefix("what is tried") }
            }
            guard refusals.isEmpty else {
                let given = own.dropFirst().filter { tree.tokens[$0].isMark("=") }
                    .compactMap { tree.tokens[$0 - 1].name }
                return common(of: refusals, tree).filter { choice in
                    tree.isOfBuild(choice) && !choice.condition.words.contains { given.contains(String($0)) }
                }
            }
            places = tree.callPlaces(of: function.name, outside: function.tokens)
            guard places.count < 20 else { return [] }
        }
        return []
    }

    private static func common(of places: [Int], _ tree: SyntaxTree) -> [Choices.Choice] {
        let all = places.map(tree.conditions(around:))
        return (all.first ?? []).filter { choice in all.allSatisfy { $0.contains(choice) } && !choice.isNever }
    }

    /// What decides whether a function refuses at all what it has compared.
    private static func strictness(behind places: [Int], in function: Range<Int>, _ tree: SyntaxTree) -> [Choices
        .Choice]
    {
        let refusals: Set<String> = [
            "cancelAuthenticationChallenge", "rejectProtectionSpace", "NSURLSessionAuthChallengeRejectProtectionSpace",
            "NSURLSessionAuthChallengeCancelAuthenticationChallenge", "throw",
        ]
        guard let start = places.max(),
            let last = function.last(where: { $0 > start && tree.tokens[$0].name.map(refusals.contains) ?? false })
        else { return [] }
        return tree.conditions(around: last).filter { choice in
            // What is given a switch with a certificate is no switch: `verify(trust, strict: isStrict)`.
            let isGiven = choice.condition.replacing("()", with: "").contains("(")
            return !choice.isNever && !isGiven && strictness.contains(where: choice.condition.withoutTexts.contains)
        }
    }
}

extension Choices.Choice {
    /// Which version of the system there must be: `#available(iOS 15.0, *)`.
    fileprivate var asksForSystem: Bool { option == 0 && condition.dropFirst().hasPrefix("available(") }
}

extension SyntaxTree {
    /// The smallest function with a name that holds all of some places.
    func namedFunction(around places: [Int]) -> (name: String, tokens: Range<Int>)? {
        var best: (name: String, tokens: Range<Int>)?
        for block in blocks {
            for statement in block.statements where places.allSatisfy(statement.tokens.contains) {
                guard case .declaration(let declaration) = statement.kind, declaration.kind == .function,
                    statement.tokens.count < best?.tokens.count ?? .max
                else { continue }
                best = (declaration.name, statement.tokens)
            }
        }
        return places.isEmpty ? nil : best
    }

    /// Where other functions call one.
    func callPlaces(of name: String, outside own: Range<Int>) -> [Int] {
        let word = name.ofCalls
        return tokens.indices.filter { place in
            tokens[place].isName(word) && !own.contains(place) && place + 1 < tokens.count
                && tokens[place + 1].isMark(language == .objectiveC && name.contains(":") ? ":" : "(")
                && namedFunction(around: [place]).map { $0.name != name } ?? false
        }
    }

    /// What must not hold of the app itself, lest a server is let through whose certificate is no pin:
    /// `if pins.contains(digest) || isDevelopment { completionHandler(.useCredential, …) }`.
    fileprivate func alternatives(behind places: [Int], in function: Range<Int>) -> [Choices.Choice] {
        guard let start = places.min() else { return [] }
        let ofConnection = ["host", "domain", "authenticationmethod", "nil", "null"]
        let ofPins = ["contains", "==", "pin", "hash", "digest", "finger", "match", "isequal"]
        return blocks.flatMap(\.statements).flatMap { statement -> [Choices.Choice] in
            guard function.contains(statement.tokens.lowerBound), statement.tokens.upperBound > start,
                let condition = passing(statement), let parts = condition.parts(between: " || "), parts.count > 1,
                !parts.contains(where: { part in
                    part.asksForContents || ofConnection.contains(where: part.lowercased().contains)
                })
            else { return [] }
            let choices = parts.map { Choices.choice($0, holds: false) }
            let others = choices.filter { !isSwitch($0) }
            let asksForPin = others.contains { other in
                ofPins.contains(where: other.condition.lowercased().contains)
            }
            return asksForPin ? choices.filter { !others.contains($0) } : []
        }
    }

    /// The condition under which a statement lets a server through: a guard's, or that of a branch that says so and nothing else.
    private func passing(_ statement: Statement) -> String? {
        if let condition = guards[statement.tokens.lowerBound] { return condition }
        guard case .branches(let branches, _) = statement.kind, let first = branches.first, !first.isRest,
            let range = range(of: first.block)
        else { return nil }
        let words = tokens[range.clamped(to: 0..<tokens.count)].compactMap(\.name)
        let passes = words.contains { $0.lowercased().hasSuffix("usecredential") || ["true", "YES"].contains($0) }
        let refuses = words.contains { word in
            word.hasSuffix("ancelAuthenticationChallenge") || word.hasSuffix("ejectProtectionSpace")
                || ["false", "NO", "throw"].contains(word)
        }
        return passes && !refuses ? first.condition : nil
    }

    /// What must hold of the app itself, lest a delegate of Apple's leaves every server to the system's own checks:
    /// `guard posture.rank >= Posture.strict.rank else { completionHandler(.performDefaultHandling, nil); return }`.
    fileprivate func exemptions(before places: [Int], in function: Range<Int>) -> [Choices.Choice] {
        guard let start = places.min() else { return [] }
        var found: [Choices.Choice] = []
        for block in blocks {
            guard let place = block.statements.firstIndex(where: { $0.tokens.contains(start) }) else { continue }
            for statement in block.statements[..<place] where function.contains(statement.tokens.lowerBound) {
                let words = tokens[statement.tokens.clamped(to: 0..<tokens.count)].compactMap(\.name)
                guard words.contains(where: { $0.hasSuffix("erformDefaultHandling") }),
                    !words.contains(where: {
                        $0.hasSuffix("uthenticationChallenge") || $0.hasSuffix("ejectProtectionSpace")
                    })
                else { continue }
                found += conditions(behind: statement).flatMap { [$0.choice] + asked(by: $0.choice) }
            }
        }
        guard !found.isEmpty else { return [] }
        let ofConnection = wordsOfConnection(in: function)
        // Whether there is a pin says the list of pins itself.
        let ofContents: Set<String> = ["nil", "isEmpty", "count", "length", "let", "NULL"]
        return found.filter { choice in
            !choice.isNever && choice.condition.utf8.count < 120
                && ofConnection.union(ofContents).isDisjoint(with: choice.condition.words.map(String.init))
        }
    }

    /// What a function of the source asks of the app beside the host that it is given: `shouldPin(host)`, which is
    /// `hosts.contains(host) && Date() < end`.
    private func asked(by choice: Choices.Choice) -> [Choices.Choice] {
        guard choice.condition.last == ")", let open = choice.condition.firstIndex(of: "("),
            !choice.condition.contains("&&"), !choice.condition.contains("||")
        else { return [] }
        let names = choice.condition[..<open].split { !$0.isLetter && !$0.isNumber && $0 != "_" }
        let declared = names.last.flatMap { name in blocks.flatMap { $0.declarations[String(name)] ?? [] } } ?? []
        guard declared.count == 1, declared[0].kind == .function, let value = answer(of: declared[0]) else { return [] }
        let holds = choice.option == 0
        /// All that must hold, or must not.
        func parts(_ expression: Expression, _ depth: Int) -> [Expression] {
            guard depth < 8, case .binary(let mark, let left, let right) = expression.kind,
                mark == (holds ? "&&" : "||")
            else { return [expression] }
            return parts(left, depth + 1) + parts(right, depth + 1)
        }
        let given = Set(declared[0].parameters.map(\.name))
        return parts(value, 0).filter { given.isDisjoint(with: $0.words.words.map(String.init)) }
            .map { Choices.choice($0.words, holds: holds) }
    }

    /// What a function answers that is one expression.
    func answer(of function: Declaration) -> Expression? {
        guard let body = function.body else { return function.value }
        guard blocks[body].statements.count == 1 else { return function.value }
        switch blocks[body].statements[0].kind {
        case .returning(let value): return value
        case .expression(let value): return value
        default: return nil
        }
    }

    /// The parameters of a function, and what it derives from them or changes.
    private func wordsOfConnection(in function: Range<Int>) -> Set<String> {
        let own = function.clamped(to: 0..<tokens.count)
        let head = tokens[own].prefix { !$0.isMark("{") }
        var found = Set(head.compactMap(\.name))
        for place in own.dropFirst() where tokens[place - 1].isMark("&") || tokens[place - 1].isName("var") {
            if let name = tokens[place].name { found.insert(name) }
        }
        let declared = blocks.flatMap { $0.declarations.values.joined() }.filter { declaration in
            declaration.kind == .value && declaration.value.map { own.contains($0.token) } ?? false
        }
        for _ in 0..<4 {
            for declaration in declared where !found.contains(declaration.name) {
                guard let value = declaration.value,
                    language == .objectiveC || !found.isDisjoint(with: value.words.words.map(String.init))
                        || !found.isDisjoint(with: words(declaring: value))
                else { continue }
                found.insert(declaration.name)
            }
        }
        return found
    }

    /// Those of closures as well: `let isPinned = domains.contains { host.hasSuffix($0) }`.
    private func words(declaring value: Expression) -> [String] {
        guard let statement = innermost(around: value.token)?.statement, case .declaration = statement.kind else {
            return []
        }
        return tokens[statement.tokens.clamped(to: 0..<tokens.count)].compactMap(\.name)
    }
}
