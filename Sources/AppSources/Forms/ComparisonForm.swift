/// Code of the app's own that compares the server's certificate: its pins are found, and no verdict is given.
///
/// A function that takes a digest, a key or the bytes of a certificate is looked at together with those that call it and
/// those that it calls. What looks like a digest among their texts and constants is a pin.
enum ComparisonForm {
    static func sites(of tree: SyntaxTree) -> [SourceReader.Site] {
        blindSites(of: tree) + openSites(of: tree)
            + clues(tree).flatMap { clue -> [SourceReader.Site] in
                let groups = CodeGroup.groups(of: tree) { place in
                    clue.isEvidence(tree.tokens, place) && !tree.isImported(place) && !tree.isOfOwnFile(place)
                }
                return groups.filter { group in
                    group.context.contains { clue.isGate(tree.tokens[$0]) } || tree.isOfClients(group)
                        || tree.judge(in: group) != nil || tree.isBehindResponse(group)
                }
                .flatMap { group in group.callbacks(in: tree) { clue.isEvidence(tree.tokens, $0) } }
                .flatMap { group in group.ways(in: tree) { clue.isEvidence(tree.tokens, $0) } }
                .map { site(clue, $0, tree) }
            }
    }

    private static func site(_ clue: Clue, _ group: CodeGroup, _ tree: SyntaxTree) -> SourceReader.Site {
        let line = tree.tokens[group.evidence].line
        let uses =
            [.delegate, .dotNet, .trustManager].contains(clue.form) ? tree.uses(ofCallbackAround: group.evidence) : []
        // Of several places, each may be without the conditions of the others.
        let one = uses.count == 1 ? uses : []
        var site = SourceReader.Site(form: form(of: clue, group, tree), line: line, uses: one, isIdle: uses.isEmpty) {
            evaluator in
            // Another comparison in the same code is not to be passed over.
            let evidence = group.tokens.filter { clue.isEvidence(tree.tokens, $0) }
            if clue.form == .trustManager, tree.onlyShows(group) {
                evaluator.choices.isAbsent = true
                return .described(hosts: [], pins: [], what: "")
            }
            if let what = idleness(of: evidence, in: group, evaluator) {
                var reading = reading(group, evaluator)
                if tree.language == .dart, what == opposite, reading.pins.isEmpty {
                    reading = GroupReading(group, evaluator, takesRefused: true)
                }
                var hosts = ofNoServer.contains(what) ? [] : reading.hosts
                if hosts.isEmpty, isOfUnused(what) { hosts = RequestHosts.named(in: group, evaluator) }
                // Any code may have functions that take a certificate.
                if reading.pins.isEmpty, tree.judge(in: group) != nil { evaluator.choices.isAbsent = true }
                if !reading.pins.isEmpty {
                    let known = hosts.isEmpty ? [] : reading.byHost ?? []
                    let unmade = what == opposite ? unmade(at: group.tokens, evaluator) : ""
                    return .described(
                        hosts: hosts,
                        pins: reading.pins.map(\.trimmedPin),
                        what: what + unmade,
                        known: known
                    )
                }
                let isAnswered =
                    what == lenient
                    && (tree.answersYesAnyway(behind: evidence) || tree.isUnheard(evidence) || tree.judgesAlone(group))
                if !reading.files.isEmpty, tree.isOfApple, what != lenient || isAnswered {
                    return .described(hosts: hosts, pins: reading.files, what: "certificate files, \(what)")
                }
                if !reading.broken.isEmpty {
                    let what = "\(what); what stands there is no digest"
                    return .described(hosts: hosts, pins: reading.broken, what: what, known: reading.placeholders)
                }
                // Code that shows a certificate to somebody judges none.
                if what == lenient || what == undecided, clue.form == .trustManager, !judges(group, tree) {
                    evaluator.choices.isAbsent = true
                }
                if what == lenient {
                    // What a callback answers, the library takes as it is.
                    if isAnswered || clue.form == .dartFingerprint
                        || tree.answer(ofCallbackAround: group.evidence).isCallback
                    {
                        return .described(hosts: [], pins: [], what: what + unmade(at: group.tokens, evaluator))
                    }
                    return .gaps([.init(line: line, reason: "a certificate is \(what)")], hosts: [])
                }
            }
            let removal = removal(of: group, tree)
            let isMade = tree.language != .cSharp || unmade(at: group.tokens, evaluator).isEmpty
            if removal.isEmpty, isMade, var library = ExactComparison.library(evidence, evaluator) {
                if tree.language == .cSharp { library.hosts = RequestHosts.named(in: group, evaluator) }
                return .library(library)
            }
            var reading = reading(group, evaluator)
            if reading.isEmpty, tree.language == .dart || tree.language == .script, !group.isOneOfSeveral,
                let whole = CodeGroup.groups(of: tree, callers: 5, { $0 == group.evidence }).first
            {
                reading = self.reading(whole, evaluator)
            }
            if reading.hosts.isEmpty { reading.hosts = comparedHosts(in: group, evaluator) }
            let untold = reading.hosts.isEmpty ? untoldHost(in: group, evaluator) : nil
            let hosts =
                reading.hosts.isEmpty && untold == nil
                ? RequestHosts.named(in: group, evaluator) : reading.hosts
            let files = reading.files
            if let trusted = ofKeyStore(evidence, in: group, reading, hosts, evaluator) { return trusted }
            if !reading.pins.isEmpty {
                let pins = reading.pins.map(\.trimmedPin)
                if let change = reading.change {
                    let whole = FoundPins.Part(host: hosts.count == 1 ? hosts[0] : nil, pins: pins, line: line)
                    let rest = hosts.isEmpty ? "" : others(group, evaluator)
                    let gap = FoundPins.Gap(line: change.line, reason: change.reason + rest)
                    return .gaps([gap], hosts: hosts, known: reading.byHost ?? [whole])
                }
                if let untold { return .gaps([untold.gap(line)], hosts: [], known: [untold.part(pins, line)]) }
                var what = compares(group, tree) ? clue.what : "looked up in code, and compared with no certificate"
                if onlyAnchors(group, tree), pins.allSatisfy(PinText.isWholeCertificate) {
                    what = DescribedForms.ownAlone
                }
                if !hosts.isEmpty { what += subdomains(group, tree) }
                what += otherWriting(pins, group, tree) + otherKeys(pins, evidence, tree)
                what += withoutHeader(pins, group, tree) + placeInChain(group, tree)
                what += unmade(at: group.tokens, evaluator) + removal
                what += reading.additions.map { "; \($0)" }.joined() + RequestHosts.replaced(hosts, evaluator)
                what += ofClients(group, evaluator) + unheeded(group, tree) + ofConnection(evidence, tree)
                if clue.form == .electronError { what += "; it is asked only about what Chromium refuses" }
                what += aboveServer(evidence, tree) + unasked(group, tree)
                what += unended(evidence, in: group, tree) + together(evidence, tree) + ofStrategy(evidence, tree)
                if !hosts.isEmpty { what += others(group, evaluator) }
                what += exemptHosts(group, tree)
                if let line = evidence.lazy.compactMap(tree.selfComparison).first {
                    what += "; what is compared on line \(line) was made equal before, so that it refuses nothing"
                }
                if !reading.misfits.isEmpty {
                    let own = reading.byHost ?? [.init(host: hosts.count == 1 ? hosts[0] : nil, pins: pins, line: line)]
                    let others = reading.misfits.compactMap(\.host)
                    return .described(
                        hosts: (hosts + others).uniqued,
                        pins: pins + reading.misfits.flatMap(\.pins),
                        what: "\(what); what stands there for \(others.joined(separator: " and ")) is no digest",
                        known: own + reading.misfits
                    )
                }
                if !reading.broken.isEmpty { what += "; \(reading.broken.count) more, without a digest's length" }
                // In scripts and Dart, files beside digests are roots and the client's own.
                let beside =
                    tree.language == .script || tree.language == .dart
                    ? [] : files.filter { !tree.isIssuerAlone($0) && !tree.isOnlyLookedAt($0) }
                guard let known = reading.byHost else {
                    return .described(hosts: hosts, pins: pins + beside, what: what)
                }
                // A host that has no pins in the table is held to what no table has, or to none.
                let isAll = Set(known.flatMap(\.pins)).isSuperset(of: pins)
                let pinned = isAll ? hosts.filter { host in known.contains { $0.host == host } } : hosts
                return .described(hosts: pinned, pins: pins + beside, what: what, known: known)
            }
            if !files.isEmpty {
                if let untold { return .gaps([untold.gap(line)], hosts: [], known: [untold.part(files, line)]) }
                return .described(
                    hosts: hosts,
                    pins: files,
                    what:
                        "certificate files, \(clue.what)\(anchoring(group, tree))\(unmade(at: group.tokens, evaluator))"
                        + removal + unheeded(group, tree) + unended(evidence, in: group, tree)
                        + (tree.isOfApple ? exemptHosts(group, tree) : "")
                )
            }
            if let texts = describedTexts(clue.what, group, reading, hosts, evaluator) { return texts }
            if let empty = emptyList(group, evaluator) { return empty }
            let refuses = "code refuses certificates that it names, and pins none that this source tells"
            // In Swift a list that something may fill is not known to be empty.
            let lists = tree.language == .swift ? [] : reading.emptyLists.uniqued
            let empty = lists.map { "'\($0)'" }.joined(separator: " and ")
            let reason =
                !empty.isEmpty
                ? "the server's certificate is compared in code, with \(empty), an empty list"
                : reading.rejectsSome ? refuses : compares(group, tree) ? clue.untold : untoldDigest
            // A certificate that is only looked at is held against nothing.
            if reading.emptyLists.isEmpty, tree.onlyLooks(group) {
                let what = "the server's certificate is looked at in code, and held against nothing"
                return .described(hosts: hosts, pins: [], what: what)
            }
            // A chain that is walked along, and told to somebody.
            if tree.onlyWalks(group) { evaluator.choices.isAbsent = true }
            // What gives another function a part of a certificate judges none.
            if tree.givesAPart(group) { evaluator.choices.isAbsent = true }
            let open = unheeded(group, tree)
            // Whatever it is compared with.
            if !open.isEmpty { return .described(hosts: hosts, pins: [], what: clue.untold + open) }
            let rest = unended(evidence, in: group, tree)
            return .gaps([.init(line: line, reason: reason + rest)], hosts: hosts)
        }
        site.conditions = conditions(group, tree)
        let asked = hostTests(in: group, tree) + askedOfRefused(group, tree)
        site.conditions += asked.filter { !site.conditions.contains($0) }
        if tree.language == .dart || tree.language == .script { site.given = callbacks(of: group, tree).first }
        site.conditions += group.conditions.filter { !site.conditions.contains($0) }
        site.evidence = group.tokens.filter { clue.isEvidence(tree.tokens, $0) }.sorted()
        site.own = CodeGroup.groups(of: tree, callers: 0) { $0 == group.evidence }.first
        site.asked = AskedConditions(of: tree.judging(site.evidence), in: group, tree)
        return site
    }

    /// What code that compares is called: by a callback's name only where it has one.
    static func form(of clue: Clue, _ group: CodeGroup, _ tree: SyntaxTree) -> FoundPins.Form {
        guard clue.form == .dartFingerprint else { return clue.form }
        let isCallback = { (token: Token) in token.isName("badCertificateCallback") || token.isName("onBadCertificate")
        }
        let others: Set<String> = ["validateCertificate", "peerCertificate"]
        // One client may be given both: what stands before the comparison is what it is given to.
        let evidence = group.tokens.filter { clue.isEvidence(tree.tokens, $0) }.min() ?? 0
        let own = tree.namedFunction(around: [evidence])?.tokens ?? 0..<tree.tokens.count
        let nearest = group.context.filter { place in
            let token = tree.tokens[place]
            // A function of the app's own may have that name.
            guard own.contains(place), place < evidence, [":", "="].contains(where: tree.tokens[place + 1].isMark)
            else {
                return false
            }
            return isCallback(token) || token.name.map(others.contains) ?? false
        }.max()
        if let nearest { return isCallback(tree.tokens[nearest]) ? clue.form : .dartCheck }
        if group.context.contains(where: { isCallback(tree.tokens[$0]) }) { return clue.form }
        return group.context.contains { tree.tokens[$0].name.map(others.contains) ?? false }
            || !tree.tokens.contains(where: isCallback) ? .dartCheck : clue.form
    }

    /// Whether anything is compared in it but with nothing: `==`, or a function that says so.
    static func compares(_ group: CodeGroup, _ tree: SyntaxTree) -> Bool {
        guard tree.language == .dart else { return true }
        let words = [
            "contains", "any", "equal", "index", "where", "every", "ident", "compare", "match", "verif", "remove",
        ]
        return group.tokens.contains { place in
            let token = tree.tokens[place]
            if token.isMark("==") || token.isMark("!=") {
                return !(place + 1 < tree.tokens.count && tree.tokens[place + 1].isName("null"))
                    && !(place > 0 && tree.tokens[place - 1].isName("null"))
            }
            // What is not called compares nothing; `containsKey` looks for the host.
            guard let name = token.name?.lowercased(), name != "containskey", place + 1 < tree.tokens.count,
                tree.tokens[place + 1].isMark("(")
            else { return false }
            return words.contains(where: name.contains)
        }
    }

    /// What the code names, whichever way it goes: where each way names all, they are one.
    private static func reading(_ group: CodeGroup, _ evaluator: Evaluator) -> GroupReading {
        var first: GroupReading?
        var areSeveral = false
        let circumstances = GroupReading.Circumstances(group, evaluator.tree)
        let ways = Choices.explore { choices in
            // Two that differ are enough to know.
            if areSeveral { return false }
            let reading = GroupReading(group, evaluator.choosing(choices), circumstances: circumstances)
            areSeveral = first.map { $0.names != reading.names } ?? false
            first = first ?? reading
            return false
        }
        if let first, ways != nil, !areSeveral { return first }
        return GroupReading(group, evaluator, circumstances: circumstances)
    }
}
