/// Code that lets a connection through whatever certificate it shows, and names no pin.
///
/// It says nothing of pins, but beside them it is where they do not count.
enum AcceptingForm {
    static func sites(of tree: SyntaxTree) -> [SourceReader.Site] {
        switch tree.language {
        case .kotlin, .java: trusting(tree) + proceeding(tree) + naming(tree)
        case .cSharp, .dart: answering(tree)
        case .swift, .objectiveC: crediting(tree)
        case .script: ignoring(tree)
        case .groovy: []
        }
    }

    static func site(
        _ form: FoundPins.Form,
        at place: Int,
        _ tree: SyntaxTree,
        _ what: String = FoundPins.accepting
    ) -> SourceReader.Site {
        let uses = tree.uses(ofCallbackAround: place)
        return .init(form: form, line: tree.tokens[place].line, token: place, uses: uses.count == 1 ? uses : []) {
            let unmade = ComparisonForm.unmade(at: [place], $0)
            let isForgotten = unmade.isEmpty && tree.goesNowhere(whatHolds: place)
            let unused = isForgotten ? "\(FoundPins.nothing) gives it to a client" : unmade
            return .described(hosts: [], pins: [], what: what + unused)
        }
    }

    /// Trust managers of Kotlin and Java whose `checkServerTrusted` does nothing.
    private static func trusting(_ tree: SyntaxTree) -> [SourceReader.Site] {
        tree.blocks.compactMap { block in
            let functions = tree.functions(of: block, "checkServerTrusted")
            guard let first = functions.first, functions.allSatisfy({ tree.doesNothing($0.tokens, $0.declaration) })
            else {
                return nil
            }
            return site(.trustManager, at: first.tokens.lowerBound, tree)
        }
    }

    /// Web views of Android that go on after any error.
    private static func proceeding(_ tree: SyntaxTree) -> [SourceReader.Site] {
        tree.blocks.flatMap { block in
            tree.functions(of: block, "onReceivedSslError").compactMap { function in
                guard let body = function.declaration.body, let range = tree.range(of: body),
                    let place = range.first(where: { tree.isCall("proceed", at: $0) }),
                    !range.contains(where: { tree.isCall("cancel", at: $0) }),
                    tree.tested(around: place).isEmpty, !tree.takesCertificatesApart(in: range)
                else { return nil }
                return site(.trustManager, at: place, tree)
            }
        }
    }

    private static let callbacks = ["ValidationCallback", "badCertificateCallback", "onBadCertificate"]

    private static func answering(_ tree: SyntaxTree) -> [SourceReader.Site] {
        let form: FoundPins.Form = tree.language == .dart ? .dartFingerprint : .dotNet
        let named = tree.tokens.indices.filter {
            tree.tokens[$0].isName("DangerousAcceptAnyServerCertificateValidator")
                // Exceptionless.
                || tree.isCall("SkipCertificateValidation", at: $0)
        }
        return (places(ofAnswering: tree) + named).map { site(form, at: $0, tree) }
    }

    /// Where C# and Dart give a callback that answers yes, and at most tells a log of it.
    static func places(ofAnswering tree: SyntaxTree) -> [Int] {
        var found: [Int] = []
        tree.visit { expression, _ in
            guard case .closure(let closure) = expression.kind,
                let last = tree.blocks[closure.block].statements.last,
                tree.blocks[closure.block].statements.dropLast().allSatisfy(tree.onlyLogs)
            else { return true }
            var start = expression.token - 1
            while start > 0, tree.tokens[start].isMark("(") { start -= 1 }
            guard start > 0, ["=", "+=", ":"].contains(where: tree.tokens[start].isMark),
                let name = tree.tokens[start - 1].name, callbacks.contains(where: name.hasSuffix)
            else { return true }
            if last.answer?.names("true") ?? false { found.append(start - 1) }
            return true
        }
        return found
            + tree.tokens.indices.filter { place in
                callbacks.contains { tree.tokens[place].name?.hasSuffix($0) ?? false }
                    && tree.isGivenAcceptingFunction(at: place)
            }
    }

    /// Apps of Electron that tell Chromium to take any certificate.
    private static func ignoring(_ tree: SyntaxTree) -> [SourceReader.Site] {
        tree.calls(["appendSwitch"]).compactMap { call, _, arguments in
            guard arguments.first?.value.words == "\"ignore-certificate-errors\"" else { return nil }
            return site(.electronError, at: call.token, tree)
        }
    }

    /// Delegates of Apple's that use the server's own trust, and ask nothing of it.
    private static func crediting(_ tree: SyntaxTree) -> [SourceReader.Site] {
        let functions = CodeGroup.functions(of: tree).filter { function in
            function.range.prefix { !tree.tokens[$0].isMark("{") }.contains { place in
                tree.tokens[place].name?.hasSuffix("URLAuthenticationChallenge") ?? false
            }
        }
        return functions.compactMap { function in
            let start = function.range.first { tree.tokens[$0].isMark("{") } ?? function.range.upperBound
            guard let place = function.range.first(where: { tree.tokens[$0].name?.hasSuffix("seCredential") ?? false }),
                function.range.contains(where: { tree.tokens[$0].isName("serverTrust") }),
                !tree.takesCertificatesApart(in: function.range),
                !tree.judged(in: function.range, before: place).contains(where: { next in
                    tree.mayJudge(at: next) || next > start && (tree.handsOver(at: next) || tree.asksShown(at: next))
                })
            else { return nil }
            var found = site(.delegate, at: place, tree)
            found.token = nil
            found.conditions = tree.conditionsOfServer(around: place)
            return found
        }
    }
}

extension FoundPins {
    /// What is told of such code.
    package static let accepting = "lets a connection through whatever certificate the server shows"
    /// What is told of code that asks for no name.
    package static let naming = "takes a certificate whatever host it is for"
}

extension SyntaxTree {
    /// The functions by a name that a block declares.
    func functions(of block: Block, _ name: String) -> [(declaration: Declaration, tokens: Range<Int>)] {
        block.statements.compactMap { statement in
            guard case .declaration(let declaration) = statement.kind, declaration.kind == .function,
                declaration.name == name
            else { return nil }
            return (declaration, statement.tokens)
        }
    }

    /// Whether a function has a body without statements. One of an interface has none.
    fileprivate func doesNothing(_ function: Range<Int>, _ declaration: Declaration) -> Bool {
        guard declaration.body != nil else { return false }
        let own = tokens[function.clamped(to: 0..<tokens.count)]
        // `= Unit`
        if own.last?.isName("Unit") ?? false { return own.dropLast().last?.isMark("=") ?? false }
        // `= verify(chain)` has no braces, and asks another function.
        let body = own.drop { !$0.isMark("{") }
        return !body.isEmpty
            && body.allSatisfy { token in
                ["{", "}", ";"].contains(where: token.isMark) || token.isName("return")
            }
    }

    /// `client.badCertificateCallback = _always`, of the only function by that name, which says yes.
    fileprivate func isGivenAcceptingFunction(at place: Int) -> Bool {
        guard place + 3 < tokens.count, ["=", "+=", ":"].contains(where: tokens[place + 1].isMark),
            let name = tokens[place + 2].name, [";", ",", ")", "}"].contains(where: tokens[place + 3].isMark)
        else { return false }
        let named = blocks.flatMap { $0.declarations[name] ?? [] }
        guard named.count == 1, named[0].kind == .function, let body = named[0].body else { return false }
        let statements = blocks[body].statements
        return statements.last?.answer?.names("true") ?? false && statements.dropLast().allSatisfy(onlyLogs)
    }

    fileprivate func isCall(_ name: String, at place: Int) -> Bool {
        tokens[place].isName(name) && place + 1 < tokens.count && tokens[place + 1].isMark("(")
    }

    fileprivate func takesCertificatesApart(in range: Range<Int>) -> Bool {
        let clues = ComparisonForm.clues(self)
        return range.contains { place in clues.contains { $0.isEvidence(tokens, place) } }
    }

    /// What of a function may judge a server that is let through at a place: all of it, or what stands before where the function
    /// is left there at once.
    fileprivate func judged(in function: Range<Int>, before place: Int) -> Range<Int> {
        guard let (block, statement) = innermost(around: place).map({ ($0.block, $0.statement) }),
            case .expression = statement.kind,
            let next = blocks[block].statements.first(where: { $0.tokens.lowerBound >= statement.tokens.upperBound }),
            case .returning(nil) = next.kind
        else { return function }
        return function.lowerBound..<place
    }

    /// Whether a function is called at a place that is given what the server showed, and may judge it: `isOK(trust)`.
    func handsOver(at place: Int, depth: Int = 0) -> Bool {
        guard depth < 3, place + 2 < tokens.count, let name = tokens[place].name,
            tokens[place + 1].isMark("(") || language == .objectiveC && startsMessage(at: place),
            !GroupReading.isLog(tokens, place), !Self.takingTrust.contains(where: name.lowercased().contains),
            !Self.keywords.contains(name), !name.hasPrefix("init"), !isThrownAway(place, name),
            // Where it is declared.
            !(place > 0 && (tokens[place - 1].isName("func") || tokens[place - 1].isMark(")")))
        else { return false }
        let end =
            tokens[place + 1].isMark("(") ? GroupReading.closing(tokens, place + 1) : min(place + 12, tokens.count)
        let given = ((place + 2)..<max(place + 2, end)).prefix { !tokens[$0].isMark("]") && !tokens[$0].isMark(";") }
        let shown = namesOfShown
        // `return callback(.useCredential, URLCredential(trust: trust))` is the answer.
        let isAnswer = given.contains { tokens[$0].isName("URLCredential") || tokens[$0].isName("NSURLCredential") }
        let isGiven = given.contains { next in
            guard let own = tokens[next].name, case let word = own.lowercased(), next + 1 < tokens.count,
                !tokens[next + 1].isMark(".") && !tokens[next + 1].isMark("?.") && !tokens[next + 1].isMark(":")
            else { return false }
            // Which question it is.
            guard !word.hasPrefix("nsurlauthenticationmethod") else { return false }
            return word.hasSuffix("trust") || word.hasSuffix("certificates") || shown.contains(own)
        }
        guard isGiven, !isAnswer else { return false }
        let own = CodeGroup.functions(of: self).filter { $0.name == name || $0.name.hasPrefix("\(name):") }
        // One that another source has may judge.
        return own.isEmpty
            || own.contains { function in
                takesCertificatesApart(in: function.range)
                    || function.range.drop { !tokens[$0].isMark("{") }.contains {
                        mayJudge(at: $0) || handsOver(at: $0, depth: depth + 1)
                    }
            }
    }

    /// What Apple's delegate asks around a place. Which question it is given, and that there is an answer, are no conditions
    /// of a server.
    func conditionsOfServer(around place: Int) -> [Choices.Choice] {
        conditions(around: place).filter { choice in
            !["authenticationmethod", "servertrust"].contains(where: choice.condition.lowercased().contains)
        }
    }

    /// Whether Swift asks what the server showed for something that neither the system nor the type itself tells: `trust.isOurs`.
    fileprivate func asksShown(at place: Int) -> Bool {
        guard language == .swift, place + 2 < tokens.count, let shown = tokens[place].name,
            tokens[place + 1].isMark(".") || tokens[place + 1].isMark("?."), let name = tokens[place + 2].name,
            shown.lowercased().hasSuffix("trust") || namesOfShown.contains(shown), !Self.told.contains(name),
            isAsked(at: place)
        else { return false }
        let own = blocks.flatMap { $0.declarations[name] ?? [] }
        // One that another source has may judge, unless it says which question it is.
        let word = name.lowercased()
        if own.isEmpty {
            return !word.hasSuffix("name") && !["method", "servertrust", "credential"].contains(where: word.contains)
        }
        return own.contains { declaration in
            guard let body = declaration.body.flatMap(range(of:)) else { return false }
            return takesCertificatesApart(in: body) || body.contains { mayJudge(at: $0) || handsOver(at: $0) }
        }
    }

    /// Whether what stands at a place decides which way Swift goes: in a `guard`, in an `if` that leaves or answers, or in what one of
    /// these asks later.
    private func isAsked(at place: Int) -> Bool {
        guard let statement = innermost(around: place)?.statement else { return false }
        let range = statement.tokens.clamped(to: 0..<tokens.count)
        if starts(statement, with: "guard") { return true }
        if range.contains(where: { $0 > place && tokens[$0].isMark("?") }) { return true }
        switch statement.kind {
        case .returning: return true
        case .branches(let branches, _):
            return branches.contains { branch in
                (self.range(of: branch.block) ?? 0..<0).contains { next in
                    guard let name = tokens[next].name?.lowercased() else { return false }
                    return ["return", "throw", "break"].contains(name) || name.hasSuffix("credential")
                        || name.contains("completion") || name.hasSuffix("challenge")
                }
            }
        case .declaration(let declaration):
            let function = self.function(around: place) ?? 0..<0
            return function.contains { next in
                next >= range.upperBound && tokens[next].isName(declaration.name)
                    && innermost(around: next).map { around in
                        starts(around.statement, with: "guard") || starts(around.statement, with: "if")
                    } ?? false
            }
        default: return false
        }
    }

    /// What Apple's system says of a challenge, of where it comes from, and of any value.
    private static let told: Set<String> = [
        "protectionSpace", "proposedCredential", "previousFailureCount", "failureResponse", "error", "sender",
        "serverTrust",
        "host", "port", "protocol", "realm", "authenticationMethod", "distinguishedNames", "proxyType", "isProxy",
        "receivesCredentialSecurely", "self", "description", "debugDescription", "hash", "hashValue", "map", "flatMap",
    ]

    /// What the challenges are called, and the trust that is taken out of one: `didReceive challenge: URLAuthenticationChallenge`,
    /// `let shown = challenge.protectionSpace.serverTrust`.
    private var namesOfShown: Set<String> {
        var names: Set<String> = ["challenge"]
        for place in tokens.indices {
            guard let word = tokens[place].name else { continue }
            if word.hasSuffix("URLAuthenticationChallenge") {
                if place > 1, tokens[place - 1].isMark(":"), let name = tokens[place - 2].name { names.insert(name) }
                // `(NSURLAuthenticationChallenge *)challenge`
                if place + 3 < tokens.count, tokens[place + 1].isMark("*"), tokens[place + 2].isMark(")"),
                    let name = tokens[place + 3].name
                {
                    names.insert(name)
                }
            }
            guard word == "serverTrust", let statement = innermost(around: place)?.statement,
                case .declaration(let declaration) = statement.kind, declaration.kind == .value
            else { continue }
            names.insert(declaration.name)
        }
        return names
    }

    /// Parts of the names of what is given a trust, and judges nothing.
    private static let takingTrust = ["credential", "completionhandler", "completion", "print"]
    private static let keywords: Set<String> = [
        "if", "guard", "while", "switch", "case", "return", "for", "in", "some", "let", "var", "where", "catch", "try",
    ]

    /// Whether the first part of a message of Objective-C stands at a place: `[self isOK:trust]`, and not `forChallenge:` in one.
    private func startsMessage(at place: Int) -> Bool {
        guard place + 1 < tokens.count, tokens[place + 1].isMark(":") else { return false }
        var depth = 0
        for next in (max(0, place - 60)..<place).reversed() {
            if tokens[next].isMark("]") { depth += 1 }
            if tokens[next].isMark("[") {
                if depth == 0 { return true }
                depth -= 1
            }
            if depth == 0, [":", ";", "{", "}"].contains(where: tokens[next].isMark) { return false }
        }
        return false
    }

    /// Whether nothing takes the answer of a call, and it may throw nothing that is heeded.
    private func isThrownAway(_ place: Int, _ name: String) -> Bool {
        guard let statement = innermost(around: place)?.statement else { return false }
        let called: Expression
        switch statement.kind {
        case .expression(let value): called = value
        case .assignment(let target, "=", let value) where target.names("_"): called = value
        default: return false
        }
        let start = statement.tokens.lowerBound
        let isTried = start + 1 < tokens.count && tokens[start].isName("try")
        if isTried, !tokens[start + 1].isMark("?") { return false }
        if isTried { return true }
        guard case .call(let callee, _) = called.kind, let own = callee.finalName else { return false }
        return own == name || own.hasPrefix("\(name):")
    }

    /// Whether something is asked of the server at a place, or may be by a function that is called there.
    fileprivate func mayJudge(at place: Int) -> Bool {
        guard let name = tokens[place].name else { return false }
        // What holds one asks nothing: `SecTrustRef trust = challenge.protectionSpace.serverTrust;`.
        let types = ["SecTrust", "SecTrustRef", "SecCertificate", "SecCertificateRef", "SecPolicy", "SecPolicyRef"]
        if types.contains(name) { return false }
        if name.hasPrefix("SecTrust") || name.hasPrefix("SecPolicy") || name.hasPrefix("SecCertificate") { return true }
        let word = name.lowercased()
        if ["hash", "sha256", "sha1", "digest", "fingerprint", "certificate"].contains(where: word.contains) {
            return true
        }
        // `[method isEqualToString:NSURLAuthenticationMethodServerTrust]` asks which question it is.
        if place + 2 < tokens.count, tokens[place + 2].name?.hasPrefix("NSURLAuthenticationMethod") ?? false {
            return false
        }
        let isCalled = place + 1 < tokens.count && (tokens[place + 1].isMark("(") || tokens[place + 1].isMark(":"))
        let words = ["valid", "verif", "evaluat", "check", "pin", "trusted", "match", "isequal", "contains", "handle"]
        return isCalled && word != "escaping" && !word.hasSuffix("completionhandler")
            && words.contains(where: word.contains)
    }
}
