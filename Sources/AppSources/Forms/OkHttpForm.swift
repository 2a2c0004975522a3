/// Builders of OkHttp's `CertificatePinner`: in a chain, within `apply` and the like, or held by a variable.
enum OkHttpForm {
    /// The functions by which a client is given its pinner.
    static let takers: Set<String> = ["certificatePinner", "setCertificatePinner", "CertificatePinner"]

    static func sites(of tree: SyntaxTree) -> [SourceReader.Site] {
        guard [.kotlin, .java, .cSharp].contains(tree.language), !isOwn(tree) else { return [] }
        var sites: [SourceReader.Site] = []
        var seen: Set<Int> = []
        tree.visit { expression, place in
            if let root = root(of: expression), seen.insert(root.token).inserted {
                if tree.isForOthers(root.token) { return true }
                var site = site(expression, root, place, tree)
                if tree.isUnused(whatHolds: root.token) || tree.goesNowhere(whatHolds: root.token) {
                    site.uses = [.init(conditions: [.unused])]
                } else if let name = tree.keptFromClients(whatHolds: root.token, takers) {
                    site.uses = [.init(conditions: [.unused], sharedNames: [name])]
                } else if tree.isNamedInVain(root.token, takers) {
                    site.uses = [.init(conditions: [.unused], sharedNames: ["CertificatePinner", "certificatePinner"])]
                } else {
                    site.uses = tree.uses(ofWhatHolds: root.token, in: takers)
                }
                site.isIdle = site.uses.isEmpty && tree.isIdle(whatHolds: root.token)
                sites.append(site)
            } else if case .call(let callee, let arguments) = expression.kind, case .name("with") = callee.kind,
                arguments.count == 2, let root = root(of: arguments[0].value), seen.insert(root.token).inserted
            {
                sites.append(site(arguments[0].value, root, place, tree, with: arguments[1].value))
            } else if case .call(let callee, let arguments) = expression.kind,
                case .member(let list, "fold") = callee.kind,
                arguments.count == 2, let root = root(of: arguments[0].value),
                case .closure(let closure) = arguments[1].value.kind,
                seen.insert(root.token).inserted
            {
                sites.append(foldSite(arguments[0].value, root, over: list, closure, tree))
            }
            return true
        }
        // What stands where nothing is understood.
        for place in tree.tokens.indices.dropLast(3)
        where tree.tokens[place].isName("CertificatePinner") && tree.tokens[place + 1].isMark(".")
            && tree.tokens[place + 2].isName("Builder") && tree.tokens[place + 3].isMark("(")
            && !seen.contains(where: { ($0...($0 + 3)).contains(place) })
        {
            let line = tree.tokens[place].line
            let gap = FoundPins.Gap(line: line, reason: "the code around this builder is not understood")
            sites.append(.init(form: .okhttp, line: line) { _ in .gaps([gap], hosts: []) })
        }
        return sites
    }

    /// Whether the source has a class of this name, with a builder, itself.
    private static func isOwn(_ tree: SyntaxTree) -> Bool {
        tree.blocks.contains { block in
            block.owner == .type("CertificatePinner")
                && (block.declarations["Builder"] ?? []).contains { $0.kind == .type }
        }
    }

    /// Ktor's Darwin engine has a class of this name, with rules of its own.
    private static func isOfDarwin(_ tree: SyntaxTree) -> Bool {
        tree.tokens.contains { $0.isName("handleChallenge") || $0.isName("darwin") }
    }

    /// The `CertificatePinner.Builder()` that a chain of calls begins with.
    private static func root(of expression: Expression) -> Expression? {
        switch expression.kind {
        case .call(let callee, let arguments):
            if arguments.isEmpty, case .member(let type, "Builder") = callee.kind {
                switch type.kind {
                case .name("CertificatePinner"), .member(_, "CertificatePinner"): return expression
                default: break
                }
            }
            return root(of: callee)
        case .member(let base, _): return root(of: base)
        default: return nil
        }
    }

    private static func foldSite(
        _ chain: Expression,
        _ root: Expression,
        over list: Expression,
        _ closure: Expression.Closure,
        _ tree: SyntaxTree
    ) -> SourceReader.Site {
        SourceReader.Site(form: .okhttp, line: root.line, token: root.token) { evaluator in
            var trace = BuilderTrace(evaluator)
            if let calls = chain.calls(behind: { $0.token == root.token && $0.isSame(as: root) }) { trace.run(calls) }
            trace.runFold(over: list, closure)
            return content(of: trace, tree)
        }
    }

    private static func content(of trace: BuilderTrace, _ tree: SyntaxTree) -> FoundPins.Content {
        guard case .pinner(let entries) = trace.content, isOfDarwin(tree) else { return trace.content }
        let what = "Ktor's Darwin engine, which takes any of these pins for each of these hosts"
        return .described(hosts: entries.map(\.host).uniqued, pins: entries.flatMap(\.pins).uniqued, what: what)
    }

    private static func site(
        _ chain: Expression,
        _ root: Expression,
        _ place: SyntaxTree.Place,
        _ tree: SyntaxTree,
        with closure: Expression? = nil
    ) -> SourceReader.Site {
        SourceReader.Site(form: .okhttp, line: root.line, token: root.token) { evaluator in
            var trace = BuilderTrace(evaluator)
            guard let calls = chain.calls(behind: { $0.token == root.token && $0.isSame(as: root) }) else {
                return .gaps(
                    [.init(line: root.line, reason: "the builder is used in a way that is not understood")],
                    hosts: []
                )
            }
            trace.run(calls)
            if let closure { trace.runClosure(closure, isImplicit: true) }
            if !trace.isBuilt { trace.follow(from: chain, at: place) }
            return content(of: trace, tree)
        }
    }
}

extension Expression {
    fileprivate func isSame(as other: Expression) -> Bool {
        switch (kind, other.kind) {
        case (.call(let a, let x), .call(let b, let y)):
            x.count == y.count && x.isEmpty && a.isMember("Builder") && b.isMember("Builder")
        default: false
        }
    }

    private func isMember(_ name: String) -> Bool { if case .member(_, name) = kind { true } else { false } }
}

extension SyntaxTree {
    /// Whether a builder without pins is built at once, for a host that a table does not have, beside one with pins in the same
    /// function: `val pins = table[host] ?: return CertificatePinner.Builder().build()`.
    fileprivate func isForOthers(_ root: Int) -> Bool {
        let start = root < tokens.count && tokens[root].isName("new") ? root + 1 : root
        guard root > 1, start + 8 < tokens.count, let own = function(around: root),
            tokens[start..<(start + 9)].words.filter({ !$0.isWhitespace }) == "CertificatePinner.Builder().build()"
        else { return false }
        let others = own.filter { $0 != start && tokens[$0].isName("CertificatePinner") && tokens[$0 + 1].isMark(".") }
        guard !others.isEmpty else { return false }
        if tokens[root - 1].isName("return"), tokens[root - 2].isMark("?:") { return true }
        return tested(around: root, areAll: true).contains { condition in
            let words = condition.choice.condition
            guard condition.choice.option == 0, words.contains("== null") || words.asksForContents,
                !words.contains("!="), !words.contains("&&"), !words.contains("||"),
                let name = words.split(whereSeparator: { !$0.isLetter && !$0.isNumber && $0 != "_" }).first,
                let inner = innermost(around: root)?.block, let block = block(declaring: String(name), from: inner),
                let value = blocks[block].declarations[String(name)]?.first?.value
            else { return false }
            // What a table has for the host.
            switch value.kind {
            case .index: return true
            case .call(let callee, _): return ["get", "getOrNull", "getOrDefault"].contains(callee.finalName ?? "")
            default: return false
            }
        }
    }
}
