/// What code asks of a host, beside whether it equals one: `host.contains("acme")`.
extension ComparisonForm {
    private static let tests: Set<String> = [
        "contains", "hasPrefix", "hasSuffix", "localizedCaseInsensitiveContains", "localizedStandardContains",
        "containsString", "includes", "startsWith", "endsWith",
    ]

    /// That a host has a text in it, which is a condition about hosts; any of several.
    static func hostTests(in group: CodeGroup, _ tree: SyntaxTree) -> [Choices.Choice] {
        guard tree.language != .cSharp, tree.language != .groovy else { return [] }
        let hosts = tree.namesOfHosts
        let asking = tree.isOfApple ? nil : asking(in: group, tree)
        let words = group.tokens.compactMap { place -> String? in
            guard let name = tree.tokens[place].name, tests.contains(name), place > 1, place + 2 < tree.tokens.count,
                let asked = tree.tokens[tree.tokens[place - 1].isMark(".") ? place - 2 : place - 1].name,
                asked.lowercased().contains("host") || hosts.contains(asked)
            else { return nil }
            if let asking {
                guard asking.contains(where: { $0.contains(place) }),
                    !isOtherAnswer(place, asking.filter { $0.contains(group.evidence) }, group, tree)
                else { return nil }
            }
            let isCall = tree.tokens[place + 1].isMark("(")
            guard isCall || tree.tokens[place + 1].isMark(":") else { return nil }
            let first = tree.tokens[place + 2].isMark("@") ? place + 3 : place + 2
            guard first < tree.tokens.count, let text = tree.tokens[first].plainText,
                // The end of a host with its dot is told as it is.
                !(["hasSuffix", "endsWith"].contains(name) && text.hasPrefix(".")), !tree.letsThrough(at: first)
            else { return nil }
            let test = "host.\(name)(\"\(text)\")"
            switch (tree.isNegated(before: place), tree.exempts(first, [group.evidence]) && !tree.refuses(first)) {
            // `if !host.contains("acme") { … }`: of all others nothing is compared.
            case (false, false), (true, true): return test
            case (true, false): return "not " + test
            case (false, true): return nil
            }
        }
        .uniqued
        guard !words.isEmpty, words.count < 6 else { return [] }
        let any = words.joined(separator: " or ")
        return [.init(condition: any, option: 0, words: any)]
    }

    /// What asks for the host of a certificate: the function that takes it apart, and the callbacks of Dart and scripts.
    private static func asking(in group: CodeGroup, _ tree: SyntaxTree) -> [Range<Int>] {
        if tree.language == .kotlin || tree.language == .java {
            return tree.bodies(around: group.evidence).min { $0.count < $1.count }.map { [$0] } ?? []
        }
        let given = comparing(in: group, tree)
        let names = Set(given.filter { $0 + 2 < tree.tokens.count }.compactMap { tree.tokens[$0 + 2].name })
        let functions = CodeGroup.functions(of: tree).filter(\.isCalled)
        let own = functions.filter { $0.range.contains(group.evidence) }.min { $0.range.count < $1.range.count }
        return given.compactMap(tree.closure) + functions.filter { names.contains($0.name) }.map(\.range)
            + [own?.range].compactMap { $0 }
    }

    /// `return host.startsWith("192.168.")`, where nothing is compared: what the function says elsewhere.
    private static func isOtherAnswer(
        _ place: Int,
        _ functions: [Range<Int>],
        _ group: CodeGroup,
        _ tree: SyntaxTree
    ) -> Bool {
        guard functions.contains(where: { $0.contains(place) }),
            let statement = tree.innermost(around: place)?.statement, case .returning = statement.kind
        else { return false }
        return !statement.tokens.contains(group.evidence)
    }

    /// Whether hosts below those that are named count as well: `host.hasSuffix("." + domain)`, `host.endsWith(`.${domain}`)`.
    static func takesSubdomains(_ group: CodeGroup, _ tree: SyntaxTree) -> Bool {
        guard [.swift, .objectiveC, .dart, .script].contains(tree.language) else { return false }
        let test = tree.isOfApple ? "hasSuffix" : "endsWith"
        return group.tokens.contains { place in
            guard tree.tokens[place].isName(test), place + 3 < tree.tokens.count,
                // `if (host.endsWith(…)) return true`: of these nothing is compared.
                tree.isOfApple || tree.isNegated(before: place) == tree.exempts(place, [group.evidence])
            else { return false }
            let near = tree.tokens[(place + 1)..<min(place + 8, tree.tokens.count)].prefix { !$0.isMark(")") }
            return near.contains { token in
                guard case .text(let pieces) = token.kind, case .plain(let start)? = pieces.first else { return false }
                return start == "." && (pieces.count > 1 || near.contains { $0.isMark("+") }) || start == ".%@"
            }
        }
    }

    /// Whether any host counts that ends as one that is named: `domains.contains { host.hasSuffix($0) }`.
    private static func takesEndings(_ group: CodeGroup, _ tree: SyntaxTree) -> Bool {
        if tree.language == .dart || tree.language == .script { return takesEndings(ofScript: tree, group) }
        guard tree.language == .swift else { return false }
        let tokens = tree.tokens
        return group.tokens.contains { place in
            guard tokens[place].isName("hasSuffix"), place > 4, place + 3 < tokens.count,
                tokens[place - 1].isMark("."), tokens[place - 2].name?.lowercased().contains("host") ?? false,
                tokens[place + 1].isMark("("), tokens[place + 2].isName("$0"), tokens[place + 3].isMark(")"),
                let open = (0..<place - 2).last(where: { tokens[$0].isMark("{") }), open > 4
            else { return false }
            // `contains(where: {` and `contains {`
            let call = tokens[open - 1].isMark(":") ? open - 4 : open - 1
            guard place == open + 3, call > 1, tokens[call].isName("contains"), let list = tokens[call - 2].name else {
                return false
            }
            return tree.asksForPinned(at: call, of: list)
        }
    }

    /// `domains.any((domain) => host.endsWith(domain))`, `domains.some(domain => host.endsWith(domain))`
    private static func takesEndings(ofScript tree: SyntaxTree, _ group: CodeGroup) -> Bool {
        let tokens = tree.tokens
        return group.tokens.contains { place in
            guard tokens[place].isName("endsWith"), place > 8, place + 3 < tokens.count, tokens[place - 1].isMark("."),
                tokens[place - 2].name?.lowercased().contains("host") ?? false, tokens[place - 3].isMark("=>"),
                tokens[place + 1].isMark("("), let other = tokens[place + 2].name, tokens[place + 3].isMark(")")
            else { return false }
            let isBare = tokens[place - 4].isName(other)
            guard isBare || tokens[place - 5].isName(other) && tokens[place - 6].isMark("(") else { return false }
            let call = place - (isBare ? 6 : 8)
            guard ["any", "some"].contains(where: tokens[call].isName), tokens[call - 1].isMark("."),
                let list = tokens[call - 2].name, !tree.namesExempt(list, around: call)
            else { return false }
            return tree.isNegated(before: call) == tree.exempts(call, [group.evidence])
        }
    }

    /// Whether Apple's code lets other hosts through, and nothing looks at what they show:
    /// `guard domains.contains(host) else { return true }`.
    static func letsOtherHostsThrough(_ group: CodeGroup, _ tree: SyntaxTree) -> Bool {
        let asking = ["evaluat", "performdefault", "istrusted", "isvalid", "verif"]
        func word(_ place: Int) -> String { tree.tokens[place].name?.lowercased() ?? "" }
        guard tree.isOfApple, group.tokens.contains(where: { word($0).hasSuffix("usecredential") }) else {
            return false
        }
        let evaluating = group.tokens.filter { place in
            asking.contains(where: word(place).contains) && !tree.isOfOtherChallenges(place)
        }
        return tree.questionsOfHosts.contains { question in
            // What is evaluated behind it is what the pinned hosts show.
            guard group.holds(question.lowerBound), let function = tree.function(around: question.lowerBound),
                evaluating.allSatisfy({ function.contains($0) && $0 >= question.upperBound }),
                !(function.lowerBound..<question.lowerBound).contains(where: { tree.handsOver(at: $0) })
            else { return false }
            let own = tree.tokens[question.clamped(to: 0..<tree.tokens.count)]
            let isGuard = tree.guards[question.lowerBound] != nil
            // `if !domains.contains(host) { return true }`, `if host != "api.acme.example" { return true }`
            let isNegated = own.dropFirst().first?.isMark("!") ?? false || tree.isUnequalHost(question)
            guard isGuard || isNegated && !own.contains(where: { $0.isName("else") }) else { return false }
            let passed = own.drop { isGuard ? !$0.isName("else") : !$0.isMark("{") }.compactMap(\.name)
            return passed.suffix(2) == ["return", "true"]
                || passed.contains("useCredential")
                    && Set(passed).isDisjoint(with: ["cancelAuthenticationChallenge", "rejectProtectionSpace"])
        }
    }

    /// What is said of such hosts behind what the code does.
    static func subdomains(_ group: CodeGroup, _ tree: SyntaxTree) -> String {
        guard takesSubdomains(group, tree) else {
            return takesEndings(group, tree) ? "; hosts that end so count, too" : ""
        }
        let flag = tree.tokens.lazy.compactMap(\.name).first { name in
            ["includesubdomains", "includessubdomains"].contains(name.lowercased())
        }
        return "; hosts below those count, too" + (flag.map { " where \($0) says so" } ?? "")
    }
}

extension SyntaxTree {
    /// Names of values that are the host of the server that is asked about: `let domain = challenge.protectionSpace.host`.
    var namesOfHosts: Set<String> {
        let declared = blocks.flatMap { $0.declarations.values.joined() }.filter { declaration in
            guard declaration.kind == .value, var value = declaration.value else { return false }
            if case .call(let callee, let arguments) = value.kind, arguments.isEmpty { value = callee }
            guard case .member(let base, "host") = value.kind else { return false }
            return base.words.contains("rotectionSpace")
        }
        return Set(declared.map(\.name))
    }

    /// Statements of Swift that ask which host it is, and nothing else: `guard let pins = table[host] else { … }`.
    var questionsOfHosts: [Range<Int>] {
        guard language == .swift else { return [] }
        return blocks.flatMap(\.statements).compactMap { statement in
            let isQuestion: Bool
            if case .branches = statement.kind {
                isQuestion = true
            } else {
                isQuestion = guards[statement.tokens.lowerBound] != nil
            }
            return isQuestion && (asksForHost(statement) || isUnequalHost(statement.tokens)) ? statement.tokens : nil
        }
    }

    /// Whether a statement asks if the host is another one than a text, and nothing else: `if host != "api.acme.example" { … }`.
    fileprivate func isUnequalHost(_ question: Range<Int>) -> Bool {
        blocks.flatMap(\.statements).contains { statement in
            guard statement.tokens == question, case .branches(let branches, _) = statement.kind, branches.count == 1,
                case .binary("!=", let left, let right)? = branches[0].test?.kind
            else { return false }
            return left.namesHost && right.isText || right.namesHost && left.isText
        }
    }

    /// Whether a place answers challenges that are not about a server's certificate, and asks for no host:
    /// `guard challenge.protectionSpace.authenticationMethod == NSURLAuthenticationMethodServerTrust else { … }`.
    fileprivate func isOfOtherChallenges(_ place: Int) -> Bool {
        blocks.flatMap(\.statements).contains { statement in
            guard statement.tokens.contains(place), guards[statement.tokens.lowerBound] != nil else { return false }
            let names = tokens[statement.tokens.clamped(to: 0..<tokens.count)].prefix { !$0.isName("else") }
                .compactMap(\.name)
            // That the host is given a name says nothing of it: `let host = challenge.protectionSpace.host`.
            let asked = tokens[statement.tokens.clamped(to: 0..<tokens.count)].prefix { !$0.isName("else") }
            let isNamed =
                !asked.contains { $0.isMark("[") || $0.isMark("(") }
                && asked.count { $0.isMark("==") || $0.isMark("!=") }
                    <= names.count { $0.hasPrefix("NSURLAuthenticationMethod") }
            return names.contains { $0 == "authenticationMethod" || $0 == "serverTrust" }
                && (isNamed
                    || !names.contains { name in ["host", "domain"].contains(where: name.lowercased().contains) })
        }
    }

    private func asksForHost(_ statement: Statement) -> Bool {
        let around: Set<String> = [
            "challenge", "protectionSpace", "self", "Self", "lowercased", "lowercaseString", "where", "for", "in",
            "hasSuffix", "hasPrefix",
        ]
        var depth = 0
        var isAsked = false
        let own = tokens[statement.tokens.clamped(to: 0..<tokens.count)].dropFirst()
        for (place, token) in zip(own.indices, own) {
            if token.isMark("{") || token.isName("else") { break }
            if token.isMark("(") || token.isMark("[") { depth += 1 }
            if token.isMark(")") || token.isMark("]") { depth -= 1 }
            // Several questions, of which another may be about the certificate.
            let isPart = ["&&", "||", "==", "!="].contains(where: token.isMark)
            // Whether the host has any pins is no question of its own: `guard let pins = table[host], !pins.isEmpty else`.
            if depth == 0, token.isMark(","), isAsked, asksForContents(behind: place) { return true }
            if isPart || depth == 0 && token.isMark(",") { return false }
            guard let name = token.name else { continue }
            let isHost = ["host", "domain"].contains(where: name.lowercased().contains)
            let isChallenge = place + 2 < tokens.count && tokens[place + 2].isName("protectionSpace")
            if depth > 0, !isHost, !isChallenge, !around.contains(name), !name.hasPrefix("$") { return false }
            isAsked = isAsked || isHost && depth > 0
        }
        return isAsked
    }

    /// `, !pins.isEmpty else {`, which ends what is asked.
    private func asksForContents(behind comma: Int) -> Bool {
        guard comma + 5 < tokens.count, tokens[comma + 1].isMark("!"), tokens[comma + 2].name != nil,
            tokens[comma + 3].isMark("."), tokens[comma + 4].isName("isEmpty")
        else { return false }
        return tokens[comma + 5].isName("else") || tokens[comma + 5].isMark("{")
    }

    /// Whether what a list is asked at a place must hold, lest nothing is compared.
    func asksForPinned(at place: Int, of list: String) -> Bool {
        guard let statement = innermost(around: place)?.statement, !namesExempt(list, around: place) else {
            return false
        }
        if case .declaration = statement.kind { return !letsThrough(at: place) }
        if case .returning = statement.kind { return true }
        return guards[statement.tokens.lowerBound] != nil
    }

    /// Whether a list, or the function that asks it, is by its name of hosts that are not pinned.
    fileprivate func namesExempt(_ list: String, around place: Int) -> Bool {
        let exempting = ["exempt", "exclu", "skip", "bypass", "ignor", "except", "unpinned", "local"]
        let names = [list, namedFunction(around: [place])?.name ?? ""].map { $0.lowercased() }
        return names.contains { name in exempting.contains(where: name.contains) }
    }

    /// Whether a `!` stands before what a member at a place is asked of.
    fileprivate func isNegated(before place: Int) -> Bool {
        var start = start(ofMemberAt: tokens[place - 1].isMark(".") ? place - 2 : place - 1)
        if start > 0, tokens[start - 1].isMark("[") { start -= 1 }
        return start > 0 && tokens[start - 1].isMark("!")
    }

    /// Whether the statement around a place of Kotlin or Java refuses where something else holds as well:
    /// `if (host.endsWith("acme.example") && digest != PIN) throw …`, or a condition within it.
    fileprivate func refuses(_ place: Int) -> Bool {
        guard language == .kotlin || language == .java, let statement = innermost(around: place)?.statement,
            case .branches(let branches, _) = statement.kind, branches.count == 1,
            let body = range(of: branches[0].block)
        else { return false }
        let own = tokens[body.clamped(to: 0..<tokens.count)]
        return own.contains { $0.isName("throw") || $0.isName("false") }
            && (branches[0].condition.contains(" && ") || own.contains { $0.isName("if") })
    }
}
