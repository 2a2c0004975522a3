/// The callbacks of Dart and of scripts, and when they are set.
extension ComparisonForm {
    static let callbacks: Set<String> = [
        "badCertificateCallback", "validateCertificate", "onBadCertificate", "checkServerIdentity",
        "setCertificateVerifyProc",
    ]

    /// Whether a library is given a callback at a token.
    static func isGiven(_ tokens: [Token], _ place: Int) -> Bool {
        guard let name = tokens[place].name, callbacks.contains(name), place + 1 < tokens.count else { return false }
        return [":", "="].contains(where: tokens[place + 1].isMark)
            || name == "setCertificateVerifyProc" && tokens[place + 1].isMark("(")
    }

    /// Under which conditions a callback is set in Dart and scripts, and those of the build under which it compares.
    static func conditions(_ group: CodeGroup, _ tree: SyntaxTree) -> [Choices.Choice] {
        guard tree.language == .dart || tree.language == .script else {
            return switched(evidence(in: group, tree), tree) + refused(group, tree)
        }
        let given = callbacks(of: group, tree).map { place in
            tree.conditions(around: place) + tree.conditions(replacing: place, []).map(\.choice)
                + tree.tested(around: place, areAll: true).map(\.choice).filter(\.isOfEntry)
        }
        // Where it is set in several places, what they have in common.
        var found = (given.first ?? []).filter { choice in
            // Which adapter there is, whether any is, or whether a pin is a placeholder, says nothing of a build.
            given.allSatisfy { $0.contains(choice) }
                && (choice.isOfEntry
                    || ![" is ", "=>", "undefined", "null"].contains(where: choice.condition.contains))
                // Its hosts are told.
                && !choice.isOfHosts
        }
        let ways = ComparisonWays(group, tree)
        var others = ways.conditions(at: group.evidence).filter { choice in
            tree.isOfApp(choice) && !found.contains { $0.condition.contains(choice.condition) }
        }
        let clues = clues(tree).filter { clue in group.context.contains { clue.isGate(tree.tokens[$0]) } }
        for place in group.tokens where !others.isEmpty && clues.contains(where: { $0.isEvidence(tree.tokens, place) })
        {
            let own = ways.conditions(at: place)
            others.removeAll { !own.contains($0) }
        }
        for choice in others where !found.contains(choice) { found.append(choice) }
        let evidence = group.tokens.filter { place in clues.contains { $0.isEvidence(tree.tokens, place) } }
        let alternatives = tree.alternatives(to: evidence).map { Choices.choice($0.words, holds: false) }
        return found + alternatives.filter { !found.contains($0) }
    }

    /// That Android's web view asks only about certificates that the system refuses; so does what stands behind the system's
    /// own checks where these throw.
    private static func refused(_ group: CodeGroup, _ tree: SyntaxTree) -> [Choices.Choice] {
        func holds(_ name: String) -> Bool { group.context.contains { tree.tokens[$0].isName(name) } }
        let evidence = evidence(in: group, tree)
        // What another callback of the web view compares is asked of every certificate.
        let isOther =
            !evidence.isEmpty
            && evidence.allSatisfy { place in
                tree.namedFunction(around: [place]).map {
                    $0.name.hasPrefix("onPage") || $0.name.hasPrefix("should")
                } ?? false
            }
        let isOfView = holds("onReceivedSslError") && !holds("checkServerTrusted") && !isOther
        let isCaught = !evidence.isEmpty && evidence.allSatisfy { tree.isBehindRefusal($0) }
        return isOfView || isCaught ? [refusedBySystem] : []
    }

    /// Whether a library asks it about a certificate.
    static func judges(_ group: CodeGroup, _ tree: SyntaxTree) -> Bool {
        let asked: Set<String> = ["checkServerTrusted", "verify", "isTrusted", "intercept", "onReceivedSslError"]
        return group.context.contains { tree.tokens[$0].name.map(asked.contains) ?? false }
    }

    /// Where a library is given callbacks; those that call nothing, as `(…) => false`, only where there are no others.
    static func callbacks(of group: CodeGroup, _ tree: SyntaxTree) -> [Int] {
        let calling = comparing(in: group, tree)
        return calling.isEmpty ? group.tokens.filter { isGiven(tree.tokens, $0) } : calling
    }

    /// Where a library is given callbacks that take a certificate apart, or call what may.
    static func comparing(in group: CodeGroup, _ tree: SyntaxTree) -> [Int] {
        let given = group.tokens.filter { isGiven(tree.tokens, $0) }
        let functions = Set(
            tree.blocks.flatMap { $0.declarations.values.flatMap { $0 } }.filter { $0.kind == .function }.map(\.name)
        )
        let clues = clues(tree)
        return given.filter { place in
            let end = given.first { $0 > place } ?? tree.tokens.count
            var depth = 0
            for next in (place + 1)..<min(end, place + 400, tree.tokens.count) {
                switch tree.tokens[next].kind {
                case .mark("("), .mark("{"), .mark("["): depth += 1
                case .mark(")"), .mark("}"), .mark("]"): depth -= 1
                case .mark(","), .mark(";"): if depth == 0 { return false }
                case .name(let name):
                    // `client.badCertificateCallback = badCertificateCallback`
                    let isOwn = !callbacks.contains(name) || isOwnCall(tree, next) || next == place + 2
                    if clues.contains(where: { $0.isEvidence(tree.tokens, next) }) || functions.contains(name) && isOwn
                    {
                        return true
                    }
                // `'sha256/${digestOf(certificate)}'`
                case .text:
                    if clues.contains(where: { $0.isEvidence(tree.tokens, next) })
                        || tree.tokens[next].names.contains(where: functions.contains)
                    {
                        return true
                    }
                default: break
                }
                if depth < 0 { return false }
            }
            return false
        }
    }

    /// `validateCertificate(certificate, host)`, `Pins.validateCertificate(…)`, where the app has a function by a callback's name.
    private static func isOwnCall(_ tree: SyntaxTree, _ place: Int) -> Bool {
        let tokens = tree.tokens
        guard place + 1 < tokens.count, tokens[place + 1].isMark("(") else { return false }
        guard place > 1, tokens[place - 1].isMark(".") else { return true }
        return tokens[place - 2].name.map { $0 == "this" || tree.typeBodies[$0] != nil } ?? false
    }

    /// Callbacks of Dart and of Node that name pins, and take nothing of the certificate to compare.
    static func blindSites(of tree: SyntaxTree) -> [SourceReader.Site] {
        let clues = clues(tree)
        guard tree.language == .dart || tree.language == .script,
            let clue = clues.first(where: { $0.form == .dartFingerprint || $0.form == .nodeIdentity }),
            !tree.tokens.indices.contains(where: { place in clues.contains { $0.isEvidence(tree.tokens, place) } })
        else { return [] }
        let isOfNode = clue.form == .nodeIdentity
        return CodeGroup.groups(of: tree) { place in
            isGiven(tree.tokens, place) && (!isOfNode || tree.tokens[place].isName("checkServerIdentity"))
        }
        .compactMap { group in
            // What else stands in such a function of a script may be any digest.
            guard let own = isOfNode ? tree.closure(givenAt: group.evidence).map(CodeGroup.init(only:)) : group else {
                return nil
            }
            let line = tree.tokens[group.evidence].line
            var site = SourceReader.Site(form: form(of: clue, group, tree), line: line) { evaluator in
                let reading = GroupReading(own, evaluator)
                if reading.pins.isEmpty { evaluator.choices.isAbsent = true }
                let isOpen = callbacks(of: group, tree).allSatisfy(tree.judgesNothing)
                let what =
                    isOpen
                    ? "named beside a callback that looks at nothing of the certificate: where it says yes, "
                        + "every certificate is let through"
                    : "named beside a callback that takes no digest of the certificate in this source"
                let hosts = reading.hosts.isEmpty ? RequestHosts.named(in: group, evaluator) : reading.hosts
                return .described(hosts: hosts, pins: reading.pins, what: what)
            }
            site.conditions = conditions(group, tree)
            site.given = callbacks(of: group, tree).first
            return site
        }
    }
}

extension Choices.Choice {
    /// Whether it asks if a table has an entry of a certain name: `options.extra["client"] != null`.
    fileprivate var isOfEntry: Bool {
        condition.contains("[\"") && [" != null", " == null"].contains(where: condition.hasSuffix)
    }
}

extension SyntaxTree {
    /// The tokens of what a closure does that is given by a name: `checkServerIdentity: (host, certificate) => { … }`.
    func closure(givenAt place: Int) -> Range<Int>? {
        var found: Range<Int>?
        visit { expression, _ in
            guard found == nil, expression.token == place + 2, case .closure(let closure) = expression.kind,
                let body = range(of: closure.block)
            else { return found == nil }
            found = body
            return false
        }
        return found
    }
}

extension SyntaxTree {
    /// Whether a condition is of the build, or asks nothing but the app's own constants: `_pin == PLACEHOLDER`.
    func isOfApp(_ choice: Choices.Choice) -> Bool {
        if isOfBuild(choice) || isNamedSwitch(choice.condition) { return true }
        let condition = choice.condition
        guard condition.contains(" == ") || condition.contains(" != "), condition.utf8.count < 80,
            !condition.asksForContents, !["&&", "||", "(", "null", "undefined"].contains(where: condition.contains)
        else { return false }
        let names = condition.words.map(String.init).filter { $0.first.map { $0.isLetter || $0 == "_" } ?? false }
        let constants = blocks.filter { $0.isOutside }.reduce(into: Set<String>()) { known, block in
            known.formUnion(block.declarations.filter { $0.value.allSatisfy { $0.kind == .value && $0.isFixed } }.keys)
        }
        return names.contains(where: constants.contains) && !names.contains { $0.lowercased().contains("host") }
            && names.allSatisfy { name in !declaresWithin(name) }
    }

    /// Whether a function declares a name for itself.
    func declaresWithin(_ name: String) -> Bool {
        blocks.contains { !$0.isOutside && $0.declarations[name] != nil }
    }

    /// Whether a condition is of the build, or a flag.
    func isOfBuild(_ choice: Choices.Choice) -> Bool {
        let ofBuild = ["kDebugMode", "kReleaseMode", "kProfileMode", "__DEV__", "NODE_ENV", "kIsWeb"]
        return ofBuild.contains(where: choice.condition.contains) || isFlag(choice.condition)
    }

    /// Whether a condition is a name, or the negation of one, that no function declares: `Config.isLive`, `allowsAny`.
    private func isFlag(_ condition: String) -> Bool {
        // `isPlaceholder()`
        let plain = condition.hasSuffix("()") ? String(condition.dropLast(2)) : condition
        guard plain.allSatisfy({ $0.isLetter || $0.isNumber || $0 == "_" || $0 == "." }),
            let name = plain.split(separator: ".").first.map(String.init)
        else { return false }
        // Whether there is a pin says nothing of a build.
        let words = (plain.split(separator: ".").last ?? "").lowercased()
        if ["pin", "cert", "finger", "hash", "digest"].contains(where: words.contains),
            !words.hasPrefix("is"),
            !["abl", "allow", "use", "skip", "ignor", "should", "placeholder"].contains(where: words.contains)
        {
            return false
        }
        return !declaresWithin(name)
    }
}

extension SyntaxTree {
    /// Whether a place of Kotlin or Java is come to where another trust manager refuses alone:
    /// `try { system.checkServerTrusted(chain, type) } catch (e: CertificateException) { … }`, behind `try { …; return } catch …`,
    /// or where that calls its function.
    fileprivate func isBehindRefusal(_ place: Int, steps: Int = 2) -> Bool {
        guard language == .kotlin || language == .java else { return false }
        let isCaught = blocks.contains { block in
            zip(block.statements, block.statements.dropFirst()).contains { first, next in
                guard tokens[next.tokens.lowerBound].isName("catch"), tokens[first.tokens.lowerBound].isName("try"),
                    first.tokens.dropFirst().contains(where: { tried in
                        tokens[tried].isName("checkServerTrusted") && tokens[tried - 1].isMark(".")
                    })
                else { return false }
                if next.tokens.contains(place) { return true }
                guard case .block(let own) = first.kind, case .returning(nil)? = blocks[own].statements.last?.kind
                else { return false }
                return block.statements.contains {
                    $0.tokens.lowerBound > next.tokens.lowerBound && $0.tokens.contains(place)
                }
            }
        }
        guard !isCaught, steps > 0, let (name, range) = namedFunction(around: [place]), name != "checkServerTrusted"
        else { return isCaught }
        let calls = callPlaces(of: name, outside: range)
        return !calls.isEmpty && calls.count < 20 && calls.allSatisfy { isBehindRefusal($0, steps: steps - 1) }
    }
}
