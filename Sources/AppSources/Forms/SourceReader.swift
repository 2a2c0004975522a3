/// Finds pins in sources.
package struct SourceReader {
    let module: SourceModule

    package init(_ module: SourceModule) { self.module = module }

    /// Where a form is read from: an expression, and how.
    struct Site {
        var form: FoundPins.Form
        var line: Int
        /// Its first token, where it may stand in a branch.
        var token: Int?
        /// Where a library is given the callback that it is.
        var given: Int?
        /// Where the library is given it, if that is elsewhere, step by step.
        var uses: [SyntaxTree.Use] = []
        /// Under which conditions it counts, beside those.
        var conditions: [Choices.Choice] = []
        /// Whether nothing in the source uses it.
        var isIdle = false
        /// Where code compares a certificate, in the order of the source.
        var evidence: [Int] = []
        /// The code that compares, without what calls it; `nil` of everything else.
        var own: CodeGroup?
        /// What code that compares asks; `nil` of everything else.
        var asked: AskedConditions?
        var read: (Evaluator) -> FoundPins.Content

        var place: String { "\(line) \(form.rawValue)" }
    }

    /// What finds the sites of a form in a source.
    typealias Finder = @Sendable (SyntaxTree) -> [Site]

    private static let finders: [Finder] = [
        OkHttpForm.sites, DictionaryForm.sites, AlamofireForm.sites, ReactNativeForm.sites, DescribedForms.sites,
        ComparisonForm.sites, SecurityPolicyForm.sites, DotNetForm.sites,
    ]

    /// The pins of one source, in the order of its lines.
    package func read(_ file: SourceModule.File) -> [FoundPins] { read(file, Self.finders) }

    /// Where code of one source lets a connection through whatever certificate it shows: each without hosts and pins.
    package func accepting(_ file: SourceModule.File) -> [FoundPins] { read(file, [AcceptingForm.sites]) }

    private func read(_ file: SourceModule.File, _ finders: [Finder]) -> [FoundPins] {
        let tokens = module.tokens(of: file)
        guard let conditions = BuildConditions.conditions(of: tokens) else {
            let tree = Parser.parse(
                BuildConditions.tokens(tokens, holding: []),
                path: file.path,
                language: file.language
            )
            guard let site = sites(of: tree, finders).first else { return [] }
            let gap = FoundPins.Gap(
                line: site.line,
                reason: "more conditions of the build (#if) than can be told apart"
            )
            return [FoundPins(form: site.form, path: file.path, line: site.line, content: .gaps([gap], hosts: []))]
        }
        var order: [FoundPins] = []
        var ways: [FoundPins: [Set<String>]] = [:]
        // A build that asks more is no configuration of its own.
        var asked: [FoundPins: [FoundPins.Question]] = [:]
        let all = 1 << conditions.count
        var builds: [Build] = []
        for way in 0..<all {
            let holding = Set(conditions.indices.filter { way & (1 << $0) != 0 }.map { conditions[$0] })
            let tree = Parser.parse(
                BuildConditions.tokens(tokens, holding: holding),
                path: file.path,
                language: file.language
            )
            builds.append(Build(holding: holding, tree: tree, sites: sites(of: tree, finders)))
        }
        for (build, sites) in zip(builds, sitesThatCount(in: builds)) {
            for var found in sites.flatMap({ read($0, besides: sites, in: build.tree) }) {
                let own = found.asked
                found.asked = []
                // The same comparison, of which another build takes more apart.
                if let other = order.first(where: {
                    $0.isSameComparison(as: found) && !ways[$0, default: []].contains(build.holding)
                }) {
                    found = other
                }
                if ways[found] == nil { order.append(found) }
                ways[found, default: []].append(build.holding)
                asked[found, default: []] += own
            }
        }
        let modelled = order.reduce(into: Set<String>()) { known, found in
            if found.isModelled || found.form == .alamofire { known.formUnion(found.digests) }
        }
        // Code beside a pinner, whose constants are the pinner's.
        let others = Set(order.filter(\.isModelled).flatMap(\.conditions).flatMap(Self.opposites))
        let kept = order.compactMap { found -> FoundPins? in
            guard found.isComparison, !found.namesPins, !found.digests.isEmpty,
                found.digests.isSubset(of: modelled)
            else { return found }
            // A delegate of Apple's compares for itself, with TrustKit or without.
            if found.form == .delegate,
                order.contains(where: { other in
                    other.form == .trustkit && found.digests.isSubset(of: other.digests)
                })
            {
                return found
            }
            // It is asked where the pinner is not, and compares something else.
            guard !others.isDisjoint(with: found.conditions) else { return nil }
            var left = found
            left.content = .gaps([.init(line: found.line, reason: ComparisonForm.untold)], hosts: [])
            ways[left] = ways[found]
            asked[left] = asked[found]
            return left
        }
        return kept.map { found in
            var found = found
            let holding = ways[found] ?? []
            let questions = asked[found] ?? []
            found.asked = questions.uniqued.sorted { $0.line < $1.line }
            if holding.count < all {
                // What all ways to it have in common.
                let words = conditions.compactMap { condition -> String? in
                    if holding.allSatisfy({ $0.contains(condition) }) { return condition }
                    return holding.contains { $0.contains(condition) } ? nil : "not \(condition)"
                }
                found.conditions = words + found.conditions
            }
            return found
        }
        .sorted { ($0.line, $0.conditions.joined()) < ($1.line, $1.conditions.joined()) }
    }

    private static func opposites(of words: String) -> [String] {
        let plain = words.hasPrefix("not ") ? String(words.dropFirst(4)) : words
        guard plain == words else { return [plain, String(plain.dropFirst().dropLast())] }
        return ["not \(words)", "not (\(words))"]
    }

    private func sites(of tree: SyntaxTree, _ finders: [Finder]) -> [Site] {
        finders.flatMap { $0(tree) }.sorted { $0.line < $1.line }
    }

    /// Those of where it is written, and of where the library is given it.
    func conditions(of site: Site, in tree: SyntaxTree, areCallers: Bool = true) -> [Choices.Choice] {
        var all = site.token.map { tree.tested(around: $0) } ?? []
        for use in site.uses {
            guard isOwn(use, tree.path, tree.language) else { break }
            all += use.conditions.filter { one in
                !all.contains { $0.choice == one.choice } && !(site.token == nil && one.choice.saysNothingOfBuilds)
            }
        }
        // In Dart and scripts the functions that call the one in which it stands decide as well.
        if areCallers, [.dart, .script].contains(tree.language), let token = site.token ?? site.given {
            let calls = tree.uses(ofFunctionAround: token)
            // None in its own source, and some in others.
            let others =
                (calls.isEmpty ? sharedByCallers(around: token, in: tree) : [])
                + sharedByMakers(around: token, in: tree)
            all += others.filter { one in !all.contains { $0.choice == one.choice } && one.choice.saysWhichBuild }
            for call in calls {
                let isOwn = isOwn(call, tree.path, tree.language)
                all += (isOwn ? call.conditions : sharedByCallers(around: token, in: tree)).filter { one in
                    !all.contains { $0.choice == one.choice } && one.choice.saysWhichBuild
                }
                if !isOwn { break }
            }
        }
        let own = all.compactMap { decided($0, in: tree) }
        let others = decided(site.conditions, in: tree) + conditionsElsewhere(of: site, in: tree)
        return own + others.uniqued.filter { !own.contains($0) }
    }

    /// Whether no other source uses what is made there.
    func isOwn(_ use: SyntaxTree.Use, _ path: String, _ language: SourceLanguage) -> Bool {
        use.sharedNames.allSatisfy { name in
            let others = module.others(mentioning: name, than: path, in: language)
            // Many sources name the type, and few are given what is made here.
            guard name == "CertificatePinner" else { return others.isEmpty }
            return others.count <= 50 && !others.contains { module.tree(of: $0).takesPinner }
        }
    }

    /// `nil` for one that always holds.
    func decided(_ condition: SyntaxTree.Condition, in tree: SyntaxTree) -> Choices.Choice? {
        // Of a guard, what it asks is no expression.
        if condition.test == nil, tree.isOfApple { return decided([condition.choice], in: tree).first }
        guard let test = condition.test, test.isOfNames, !condition.choice.isNever else { return condition.choice }
        let ways = Choices.explore { choices in
            var evaluator = Evaluator(module, tree, choices)
            evaluator.isDeciding = true
            return evaluator.value(of: test)
        }
        guard let ways, ways.count == 1, case .flag(let flag) = ways[0].result else { return condition.choice }
        return flag == condition.holds ? nil : condition.choice.neverHolding
    }

    /// Those of code that compares, without what always holds.
    private func decided(_ choices: [Choices.Choice], in tree: SyntaxTree) -> [Choices.Choice] {
        guard tree.isOfApple else { return choices }
        return choices.compactMap { choice in
            switch tree.holds(choice, Evaluator(module, tree, .none)) {
            case true?: nil
            case false?: choice.neverHolding
            case nil: choice
            }
        }
    }

    private func read(_ site: Site, besides sites: [Site], in tree: SyntaxTree) -> [FoundPins] {
        let found = read(site, in: tree)
        // What stands beside nothing else is told in any case.
        let others = sites.filter { $0.own == nil }.compactMap(\.token)
        guard let own = site.own, !others.isEmpty else { return found }
        let statements = others.compactMap { tree.innermost(around: $0)?.statement.tokens }
        let group = own.without(statements.filter { !$0.contains(own.evidence) })
        let reading = GroupReading(group, Evaluator(module, tree, .none))
        return found.map { one in
            var one = one
            one.namesPins = !reading.pins.isEmpty
            return one
        }
    }

    private func read(_ site: Site, in tree: SyntaxTree) -> [FoundPins] {
        var fixed = conditions(of: site, in: tree)
        var isUnused = false
        if let never = fixed.first(where: \.isNever) {
            let told = unused(site, never, in: tree)
            guard told.isEmpty, never == SyntaxTree.Condition.unused.choice else { return told }
            // What is not known of it is told as of any other.
            fixed.removeAll { $0 == never }
            isUnused = true
        }
        if site.isUnreached(in: tree) { return unreached(site, in: tree) }
        let ways = Choices.explore(within: fixed) { choices in
            let evaluator = Evaluator(module, tree, choices)
            let content = site.read(evaluator)
            // Where it can never be, there is none.
            if choices.taken.contains(where: evaluator.contradicts) { choices.isAbsent = true }
            return content
        }
        guard let ways else {
            let gap = FoundPins.Gap(line: site.line, reason: "more ways through its conditions than can be told apart")
            return [FoundPins(form: site.form, path: tree.path, line: site.line, content: .gaps([gap], hosts: []))]
        }
        let found = ways.map {
            let content = isUnused ? $0.result.ofUnused : $0.result
            return FoundPins(form: site.form, path: tree.path, line: site.line, conditions: $0.words, content: content)
        }
        return followed(found, site, in: tree).map { found in
            var found = found
            found.asked = questions(site, besides: found.told, in: tree)
            // The rules of .NET's pins have it whether the ordinary checks count.
            if case .library = found.content {
                found.asked.removeAll { $0.condition.contains("SslPolicyErrors.None") }
            }
            found.unreferenced = unreferenced(around: found, site, in: tree)
            return found
        }
    }
}

extension SourceReader {
    /// What code that compares asks, or, of other pins, what the calls of their function have in common.
    private func questions(_ site: Site, besides told: [String], in tree: SyntaxTree) -> [FoundPins.Question] {
        if let asked = site.asked {
            return asked.questions(besides: told) { condition in
                tree.holds(Choices.choice(condition, holds: true), Evaluator(module, tree, .none)) != nil
            }
        }
        if site.form == .reactNativeFetch, let token = site.token { return tree.unpinnedFetches(around: token) }
        guard tree.language != .dart, tree.language != .script, let token = site.token else { return [] }
        let retries = site.form == .okhttp ? tree.unpinnedRetries + retriesElsewhere(in: tree) : []
        return retries + AskedConditions.questions(callingFunctionAround: token, tree, besides: told)
    }

    /// A pinner that a constant, or another pinner in its place, keeps from every client, where nothing else does.
    private func unused(_ site: Site, _ never: Choices.Choice, in tree: SyntaxTree) -> [FoundPins] {
        guard never.words != Choices.never.words,
            let ways = Choices.explore({ site.read(Evaluator(module, tree, $0)) }), ways.count == 1,
            let known = ways[0].result.parts, !known.isEmpty
        else { return [] }
        var hosts = known.compactMap(\.host)
        if case .described(let own, _, _, _) = ways[0].result { hosts = own + hosts }
        let content = FoundPins.Content.described(
            hosts: hosts.uniqued,
            pins: known.flatMap(\.pins).uniqued,
            what: "\(ways[0].result.name) \(never.words)",
            known: known.filter { $0.host != nil && !$0.pins.isEmpty }
        )
        return [FoundPins(form: site.form, path: tree.path, line: site.line, content: content)]
    }
}

extension FoundPins.Content {
    /// The same, of what nothing in its source uses.
    fileprivate var ofUnused: Self {
        guard case .gaps(let gaps, let hosts, let known) = self else { return self }
        let told = gaps.map { gap in
            FoundPins.Gap(line: gap.line, reason: "\(gap.reason); nothing in this source uses what it is for")
        }
        return .gaps(told, hosts: hosts, known: known)
    }

    /// Its entries, where all of them are told.
    fileprivate var parts: [FoundPins.Part]? {
        switch self {
        case .pinner(let entries): entries.map(FoundPins.Part.init)
        case .dictionary(let value): value.parts
        case .library(let library): [.init(host: nil, pins: library.pins, line: 0)]
        case .described(_, let pins, _, let known):
            known.isEmpty && !pins.isEmpty ? [.init(host: nil, pins: pins, line: 0)] : known
        case .evaluators(.table(let hosts), _):
            hosts.map { .init(host: $0.key.text, pins: $0.value.assetNames, line: $0.line) }
        case .evaluators, .gaps: nil
        }
    }

    fileprivate var name: String {
        switch self {
        case .pinner: "a pinner"
        case .evaluators: "a trust manager"
        case .library(let library): library.what + ","
        case .described(_, _, let what, _): what + ","
        default: "a configuration"
        }
    }
}

extension Expression {
    /// A flag by its name, or the opposite of one.
    var isOfNames: Bool {
        switch kind {
        case .name: true
        case .member(let base, _): base.isOfNames
        case .prefix("!", let value), .tested(_, let value): value.isOfNames
        // `isActive()`
        case .call(let callee, let arguments): if case .name = callee.kind { arguments.isEmpty } else { false }
        default: false
        }
    }
}

extension Choices.Choice {
    /// One that never holds, with its own words.
    fileprivate var neverHolding: Self {
        var never = Choices.never
        never.words = "for '\(words)' alone, which never holds"
        return never
    }

    /// Whether it is about the build, or pinning; what a person did in the app is not.
    fileprivate var saysWhichBuild: Bool {
        let names = condition.lowercased()
        return [
            "debug", "release", "prod", "dev__", "isdev", "stag", "env", "flavo", "live", "pinning", "ssl", "mock",
            "test", "kisweb",
        ].contains(where: names.contains)
    }

    /// What is bound, and whether there are pins, says nothing of a build.
    fileprivate var saysNothingOfBuilds: Bool {
        isNever || condition.asksForContents || condition.words.contains { ["let", "var", "is"].contains($0) }
    }
}
