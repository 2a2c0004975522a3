/// What code that compares asks beside the certificate, and no rule accounts for.
///
/// A rule knows a condition by what it is about: a switch of the build, a host, a pin. The rest of what decides is told
/// word for word, so that nothing on the way to an answer is passed over in silence.
struct AskedConditions {
    private let tree: SyntaxTree
    private let group: CodeGroup
    private let functions: [CodeGroup.Function]
    /// Where those are declared.
    private let heads: Set<Int>
    /// Names of what a library gives the code: the certificate, its chain, the host, and what is made of them.
    private var taken: Set<String> = []
    /// Names of flags that a caller gives.
    private var flags: Set<String> = []
    /// The functions and closures that a certificate comes through.
    private var bodies: [Range<Int>] = []

    private static let mostSteps = 3
    private static let mostBodies = 24
    private static let mostQuestions = 24
    private static let mostLetters = 160

    /// - Parameter evidence: where a certificate is taken apart.
    init(of evidence: [Int], in group: CodeGroup, _ tree: SyntaxTree) {
        self.tree = tree
        self.group = group
        functions = CodeGroup.functions(of: tree).filter(\.isCalled)
        heads = Set(functions.compactMap { function in function.range.first { tree.tokens[$0].isName(function.name) } })
        bodies = ways(to: evidence)
        for body in bodies { takeParameters(of: body) }
        taken.formUnion(evidence.flatMap { tree.tokens[$0].names })
        // What a function of the system fills: `&result`, `out status`.
        for place in bodies.joined() where place > 0 {
            let before = tree.tokens[place - 1]
            if before.isMark("&") || before.isName("out"), let name = tree.tokens[place].name { taken.insert(name) }
        }
        for _ in 0..<6 where takeNames() {}
    }

    /// Those that no told text has in it, in the order of the source.
    ///
    /// - Parameter isDecided: whether a condition can never be otherwise.
    func questions(besides told: [String], isDecided: (String) -> Bool) -> [FoundPins.Question] {
        var asked: [FoundPins.Question] = []
        var seen: Set<String> = []
        func ask(_ condition: String, _ line: Int) {
            for part in condition.partsOfCondition
            where isOpen(part, told) && !isDecided(part) && seen.insert(part).inserted {
                let isLong = part.count > Self.mostLetters
                asked.append(.init(line: line, condition: isLong ? part.prefix(Self.mostLetters - 1) + "…" : part))
            }
        }
        let ofLogs = questionsOfLogs + questionsOfErrors
        func isAsked(_ place: Int) -> Bool {
            // What another build asks is no question of this one.
            isOnTheWay(place) && (group.conditions.isEmpty || group.holds(place))
                && !ofLogs.contains { $0.contains(place) }
        }
        for block in tree.blocks {
            for statement in block.statements where isAsked(statement.tokens.lowerBound) {
                if let condition = tree.guards[statement.tokens.lowerBound] {
                    ask(whole(condition, statement, nil), statement.line)
                }
                if forgives(statement) {
                    asked.append(
                        .init(line: statement.line, condition: "what is tried fails, and that lets the server through")
                    )
                }
                guard case .branches(let branches, _) = statement.kind else { continue }
                for (index, branch) in branches.enumerated() where !branch.isRest {
                    let before = index > 0 ? branches[index - 1].block : nil
                    ask(
                        whole(branch.condition, statement, branch.block, behind: before),
                        branch.test?.line ?? statement.line
                    )
                }
            }
        }
        tree.visit { expression, _ in
            guard isAsked(expression.token), !tree.isToldToLog(expression.token) else { return true }
            switch expression.kind {
            case .binary(let mark, let left, let right) where mark == "&&" || mark == "||":
                for side in [left, right] { ask(side.words, side.line) }
            case .conditional(let condition, _, _): ask(condition.words, condition.line)
            default: break
            }
            return true
        }
        return Array(asked.sorted { ($0.line, $0.condition) < ($1.line, $1.condition) }.prefix(Self.mostQuestions))
    }

    /// Conditions behind which a log is told, and nothing else: `if (kDebugMode) print('pin')`.
    private var questionsOfLogs: [Range<Int>] {
        tree.blocks.flatMap(\.statements).filter { statement in
            guard isOnTheWay(statement.tokens.lowerBound), case .branches(let branches, _) = statement.kind else {
                return false
            }
            return tree.guards[statement.tokens.lowerBound] == nil && branches.allSatisfy { tree.onlyLogs($0.block) }
        }
        .map(\.tokens)
    }

    /// What a script asks in a `catch` of an error that it throws again in any case.
    private var questionsOfErrors: [Range<Int>] {
        guard tree.language == .script else { return [] }
        return tree.blocks.flatMap(\.statements).filter { statement in
            guard tree.starts(statement, with: "catch"), case .repeated(let body) = statement.kind,
                let last = tree.blocks[body].statements.last, tree.starts(last, with: "throw")
            else { return false }
            let leaving = ["return", "continue", "break", "fetch", "request", "axios"]
            return !tree.tokens[statement.tokens.clamped(to: 0..<tree.tokens.count)].contains { token in
                leaving.contains(where: token.isName)
            }
        }
        .map(\.tokens)
    }

    /// A condition that was cut off, as a whole.
    private func whole(_ condition: String, _ statement: Statement, _ block: Int?, behind before: Int? = nil) -> String
    {
        guard condition.hasSuffix("…") else { return condition }
        let start = before.flatMap(tree.range)?.upperBound ?? statement.tokens.lowerBound
        let end = block.flatMap(tree.range)?.lowerBound ?? statement.tokens.upperBound
        guard start < end else { return condition }
        let around = ["}", ","].map(Token.Kind.mark) + ["else", "if", "guard"].map(Token.Kind.name)
        let own = tree.tokens[start..<end].drop { around.contains($0.kind) }
        guard block != nil else { return own.prefix { !$0.isName("else") }.words }
        return own.dropLast(own.reversed().prefix { $0.isMark("{") }.count).words
    }

    /// Whether a `catch` lets a server through: `catch (_) { return true; }`.
    private func forgives(_ statement: Statement) -> Bool {
        guard tree.tokens[statement.tokens.lowerBound].isName("catch") else { return false }
        let words = tree.tokens[statement.tokens.clamped(to: 0..<tree.tokens.count)].compactMap(\.name)
        return zip(words, words.dropFirst()).contains { $0 == "return" && ($1 == "true" || $1 == "YES") }
            || words.contains { $0.lowercased().hasSuffix("usecredential") }
    }

    /// Those under which the source calls the function around a place, wherever it does.
    static func questions(
        callingFunctionAround place: Int,
        _ tree: SyntaxTree,
        besides told: [String]
    ) -> [FoundPins.Question] {
        guard let function = tree.namedFunction(around: [place]) else { return [] }
        let calls = tree.callPlaces(of: function.name, outside: function.tokens)
        guard let first = calls.first, calls.count < 20 else { return [] }
        let all = calls.map(tree.conditions(around:))
        let shared = all[0].filter { choice in !choice.isNever && all.allSatisfy { $0.contains(choice) } }
        let asking = Self(of: [], in: CodeGroup(at: place), tree)
        return shared.flatMap(\.condition.partsOfCondition).filter { asking.isOpen($0, told) }.uniqued
            .map { .init(line: tree.tokens[first].line, condition: $0) }
    }

    private func isOnTheWay(_ place: Int) -> Bool { bodies.contains { $0.contains(place) } }

    // MARK: Ways

    /// The bodies around some places, those that call them, and the functions of the source that a condition in one asks.
    private func ways(to places: [Int]) -> [Range<Int>] {
        var found: [Range<Int>] = []
        var open = places
        for _ in 0...Self.mostSteps {
            let new = open.compactMap(body).uniqued.filter { !found.contains($0) }
            found += new
            open = new.flatMap(calls)
            if open.isEmpty || found.count > Self.mostBodies { break }
        }
        return Array(found.prefix(Self.mostBodies))
    }

    /// A function, or a closure that is given more than one thing, as callbacks are.
    private func body(around place: Int) -> Range<Int>? {
        let around = tree.bodies(around: place).sorted { $0.count < $1.count }
        return around.first { isCallback($0) } ?? around.last
    }

    private func isCallback(_ body: Range<Int>) -> Bool {
        blocks(of: body).contains { block in
            switch block.owner {
            case .function: true
            case .closure: block.declarations.values.joined().count { $0.kind == .parameter } > 1
            case .file, .type, .inner: false
            }
        }
    }

    private func blocks(of body: Range<Int>) -> [Block] {
        tree.blocks.indices.filter { tree.blocks[$0].owner != .inner && tree.range(of: $0) == body }
            .map { tree.blocks[$0] }
    }

    /// Where the code calls the function that a body is of.
    private func calls(of body: Range<Int>) -> [Int] {
        guard
            let function = functions.filter({ $0.range.contains(body.lowerBound) })
                .min(by: { $0.range.count < $1.range.count })
        else { return [] }
        return group.tokens.filter { place in
            // One that is handed on is called elsewhere.
            tree.tokens[place].names.contains(function.name) && !function.range.contains(place)
                && !heads.contains(place) && (tree.language == .objectiveC || tree.isCalled(at: place))
        }
    }

    // MARK: Names

    private mutating func takeParameters(of body: Range<Int>) {
        taken.formUnion(
            blocks(of: body).flatMap { $0.declarations.values.joined() }.filter { $0.kind == .parameter }.map(\.name)
        )
        for case .declaration(let declaration) in tree.blocks.flatMap(\.statements).map(\.kind) {
            guard declaration.kind == .function, let own = declaration.body, tree.range(of: own) == body else {
                continue
            }
            let given = declaration.parameters.filter { ["bool", "boolean"].contains($0.typeName?.lowercased() ?? "") }
            taken.subtract(given.map(\.name))
            flags.formUnion(given.map(\.name))
        }
    }

    /// Names that stand for something of what is taken, or that the code itself counts with; whether there are more than
    /// before.
    private mutating func takeNames() -> Bool {
        let before = taken.count
        for block in tree.blocks {
            for statement in block.statements where isOnTheWay(statement.tokens.lowerBound) {
                switch statement.kind {
                case .declaration(let declaration) where declaration.kind == .value:
                    if isTaken(statement.tokens) { taken.insert(declaration.name) }
                case .assignment(let target, _, _):
                    if case .name(let name) = target.kind, isTaken(statement.tokens) { taken.insert(name) }
                case .loop(let names, _, _): taken.formUnion(names)
                // `hex.append(…)`, `CC_SHA256(data, length, digest)`
                case .expression where isTaken(statement.tokens): taken.formUnion(filled(by: statement))
                default: break
                }
            }
            for declaration in block.declarations.values.joined() where !flags.contains(declaration.name) {
                guard let first = declaration.value?.token, isOnTheWay(first) else {
                    // Those of closures within the way.
                    if declaration.kind == .parameter,
                        block.statements.contains(where: { isOnTheWay($0.tokens.lowerBound) })
                    {
                        taken.insert(declaration.name)
                    }
                    continue
                }
                let isOwn = declaration.kind == .value && tree.changes[declaration.name] != nil
                if isOwn || declaration.value.map({ isTaken($0.words) }) ?? false { taken.insert(declaration.name) }
            }
        }
        return taken.count > before
    }

    /// Names that a call changes: what it is asked of, and what has no value yet.
    private func filled(by statement: Statement) -> [String] {
        let names = tree.tokens[statement.tokens.clamped(to: 0..<tree.tokens.count)].flatMap(\.names)
        return names.enumerated().filter { index, name in
            tree.blocks.contains { block in
                block.declarations[name]?.contains { declaration in
                    declaration.kind == .value && (index == 0 || declaration.value == nil)
                        && isOnTheWay(block.statements.first?.tokens.lowerBound ?? -1)
                } ?? false
            }
        }
        .map(\.element)
    }

    private func isTaken(_ range: Range<Int>) -> Bool {
        tree.tokens[range.clamped(to: 0..<tree.tokens.count)].dropFirst().contains { token in
            token.names.contains(where: taken.contains)
        }
    }

    private func isTaken(_ words: String) -> Bool { words.words.contains { taken.contains(String($0)) } }

    // MARK: What is told

    private func isOpen(_ condition: String, _ told: [String]) -> Bool {
        let names = condition.withoutTexts.words.map(String.init)
        guard !condition.asksForContents, names.contains(where: { $0.first?.isLetter ?? false || $0.hasPrefix("_") }),
            !names.contains(where: Self.ofNothing.contains), !condition.hasSuffix("…"),
            !["the condition on line", "#", "@available"].contains(where: condition.hasPrefix),
            !told.contains(where: { $0.holdsCondition(condition) })
        else { return false }
        // What .NET's own checks found decides what else the pinned server must show.
        if names.contains("SslPolicyErrors") { return true }
        guard !Self.ofSystem.contains(where: { start in names.contains { $0.hasPrefix(start) } }) else { return false }
        // What a super type asks of a server is in no source of these: `[super mayAsk:challenge]`.
        if names.contains("super") { return true }
        let texts = condition.textsOfCondition
        guard names.contains(where: isOfConnection) else { return texts.isEmpty || texts.contains { !$0.isEmpty } }
        // What is asked of a certificate by its words is told, too; so is a port.
        return names.contains("port")
            || texts.contains { text in
                !text.isEmpty && !told.contains { $0.contains(text) } && !isOfKeys(text)
            }
    }

    /// What says whether there is something, or of which kind; and what is done where a server is refused.
    private static let ofNothing: Set<String> = [
        "null", "nil", "NULL", "is", "as", "instanceof", "typeof", "let", "var", "case", "Error",
    ]

    /// How the system's own answers about a connection begin.
    private static let ofSystem = [
        "kSecTrustResult", "SecTrust", "proceed", "unspecified", "errSec", "noErr", "X509ChainStatus",
        "NSURLAuthenticationMethod",
        "kSecAttr",
    ]

    private func isOfConnection(_ name: String) -> Bool {
        if taken.contains(name) { return true }
        let words = name.partsOfName
        return ["host", "hostname", "domain"].contains(words.last ?? "") || name.hasPrefix("$")
    }

    /// `RSA`, `sha256/`, `-----BEGIN CERTIFICATE-----`
    private func isOfKeys(_ text: String) -> Bool {
        let small = text.lowercased()
        return [
            "rsa", "ec", "x.509", "x509", "ecdhe_rsa", "https", "http", ":", "*.", "*", "=", "/", ".", "wss",
            "base64", "base64url", "hex", "utf8", "utf-8", "latin1", "binary", "ascii",
        ]
        .contains(small)
            || ["sha", "-----", "net::", "ecdsa"].contains(where: small.hasPrefix) || PinText.isDigest(text)
            || text.utf8.count > 40 && !text.contains(" ")
    }
}

extension SyntaxTree {
    /// Whether brackets stand behind a name, or it stands in a text.
    fileprivate func isCalled(at place: Int) -> Bool {
        tokens[place].name == nil || place + 1 < tokens.count && tokens[place + 1].isMark("(")
    }
}
