/// A source with `#if` is read once for each way to build it: which sites count in which.
extension SourceReader {
    /// One way to build a source.
    struct Build {
        /// The conditions that hold.
        var holding: Set<String>
        var tree: SyntaxTree
        var sites: [Site]
    }

    /// The sites of each build, but those of another build alone.
    func sitesThatCount(in builds: [Build]) -> [[Site]] {
        // What one build gives its library, and another does not.
        let used = builds.map { build in
            Set(
                build.sites.filter { site in
                    !site.uses.isEmpty
                        && site.uses.allSatisfy { isOwn($0, build.tree.path, build.tree.language) }
                }.map(\.place)
            )
        }
        // What one build turns away, and another lets through.
        let answers = builds.map { build in
            Dictionary(build.sites.map { ($0.place, $0.answers(in: build.tree)) }) { first, _ in first }
        }
        return builds.enumerated().map { way, build in
            let others = builds.indices.filter { $0 != way }
            return build.sites.filter { site in
                if site.isIdle, others.contains(where: { used[$0].contains(site.place) }) { return false }
                // What no way comes to in this build, but in another.
                let isUnreached = !others.isEmpty && site.isUnreached(in: build.tree)
                if isUnreached, !site.judging(in: build.tree).contains(where: build.tree.accepts(before:)),
                    others.contains(where: { other in
                        builds[other].sites.contains {
                            $0.place == site.place && !$0.isUnreached(in: builds[other].tree)
                        }
                    })
                {
                    return false
                }
                // What no answer of this build asks, but one of another.
                let isUnasked = !others.isEmpty && !build.tree.isAsked(site.evidence)
                if isUnasked,
                    others.contains(where: { other in
                        builds[other].sites.contains {
                            $0.place == site.place && builds[other].tree.isAsked($0.evidence)
                        }
                    })
                {
                    return false
                }
                guard let own = answers[way][site.place] else { return true }
                return !others.contains { other in answers[other][site.place].map(own.forgives) ?? false }
            }
        }
    }

    /// What is compared behind a `return`.
    func unreached(_ site: Site, in tree: SyntaxTree) -> [FoundPins] {
        let hosts: [String]
        let pins: [String]
        switch Choices.explore({ site.read(Evaluator(module, tree, $0)) })?.first?.result {
        case .library(let library): (hosts, pins) = (library.hosts, library.pins)
        case .described(let named, let compared, _, _): (hosts, pins) = (named, compared)
        case .gaps(_, let named, let known): (hosts, pins) = (named, known.flatMap(\.pins))
        default: return []
        }
        var what = "compared in code that is never reached"
        let isLetThrough =
            site.evidence.contains { tree.answer(ofCallbackAround: $0).isYes }
            || site.judging(in: tree).contains(where: tree.accepts(before:))
        if isLetThrough {
            let evaluator = Evaluator(module, tree, .none)
            what += "; every certificate is let through\(ComparisonForm.unmade(at: site.evidence, evaluator))"
        }
        let content = FoundPins.Content.described(hosts: hosts, pins: pins, what: what)
        return [FoundPins(form: site.form, path: tree.path, line: site.line, content: content)]
    }
}

extension SourceReader.Site {
    /// Whether nothing comes to where it compares.
    func isUnreached(in tree: SyntaxTree) -> Bool {
        let judging = judging(in: tree)
        return !judging.isEmpty
            && judging.prefix(20).allSatisfy { place in tree.tested(around: place).contains { $0.choice.isNever } }
    }

    /// Where it compares. What only takes a certificate out of a chain compares none:
    /// `if let leaf = SecTrustGetCertificateAtIndex(trust, 0)`.
    fileprivate func judging(in tree: SyntaxTree) -> [Int] {
        let taking: Set<String> = ["SecTrustGetCertificateAtIndex", "SecTrustCopyCertificateChain"]
        let functions = tree.isOfApple ? Set(evidence.prefix(20).compactMap(tree.function(around:))) : []
        return evidence.filter { place in !(tree.tokens[place].name.map(taking.contains) ?? false) }
            + functions.flatMap { $0.filter { ComparisonForm.comparing.contains(where: tree.tokens[$0].isName) } }
    }

    /// What a delegate answers in the functions that compare, in the order of the source: whether each turns the server away.
    fileprivate func answers(in tree: SyntaxTree) -> [Bool] {
        let evidence = evidence.prefix(50)
        let questions = tree.questionsOfHosts
        let functions = Set(evidence.compactMap(tree.function(around:))).sorted { $0.lowerBound < $1.lowerBound }
        return functions.flatMap { function in
            // What is answered for hosts without pins says nothing of the others.
            let first = evidence.filter(function.contains).min() ?? function.lowerBound
            let others = questions.filter { function.contains($0.lowerBound) && $0.upperBound <= first }
            return function.compactMap { place -> Bool? in
                guard let name = tree.tokens[place].name?.lowercased(), !others.contains(where: { $0.contains(place) })
                else { return nil }
                if name.hasSuffix("cancelauthenticationchallenge") || name.hasSuffix("rejectprotectionspace") {
                    return true
                }
                return name.hasSuffix("usecredential") || name.hasSuffix("performdefaulthandling") ? false : nil
            }
        }
    }
}

extension SyntaxTree {
    /// Whether a function that answers Apple's systems about a server takes a certificate apart, or asks those that do.
    func isAsked(_ evidence: [Int]) -> Bool {
        !isOfApple || evidence.isEmpty || evidence.prefix(20).contains { isAsked(at: $0, steps: 4) }
    }

    /// Whether a delegate of Apple's lets the server through and leaves, before anything comes to a place.
    func accepts(before place: Int) -> Bool {
        isOfApple
            && blocks.contains { block in
                guard let own = block.statements.firstIndex(where: { $0.tokens.contains(place) }),
                    let leaving = block.statements[..<own].firstIndex(where: {
                        if case .returning = $0.kind { true } else { false }
                    })
                else { return false }
                let answer = block.statements[max(0, leaving - 1)...leaving].flatMap(\.tokens)
                guard let credit = answer.first(where: { tokens[$0].name?.hasSuffix("seCredential") ?? false }) else {
                    return false
                }
                return conditionsOfServer(around: credit).isEmpty
            }
    }

    private func isAsked(at place: Int, steps: Int) -> Bool {
        guard let function = namedFunction(around: [place]), steps > 0 else { return true }
        let answers = ["usecredential", "cancelauthenticationchallenge", "performdefaulthandling"]
        let isAnswer = function.tokens.clamped(to: 0..<tokens.count).contains { token in
            guard let name = tokens[token].name?.lowercased() else { return false }
            return answers.contains(where: name.hasSuffix)
        }
        if isAnswer { return true }
        return callPlaces(of: function.name, outside: function.tokens).prefix(20).contains {
            isAsked(at: $0, steps: steps - 1)
        }
    }
}

extension [Bool] {
    /// Whether one of these answers lets a server through that the others turn away, and they are the same else.
    fileprivate func forgives(_ other: [Bool]) -> Bool {
        count == other.count && self != other && zip(self, other).allSatisfy { $1 || !$0 }
    }
}

extension FoundPins {
    /// Whether it is the same comparison on another line.
    func isSameComparison(as other: FoundPins) -> Bool {
        guard Self.comparisons.contains(form), self != other, form == other.form, conditions == other.conditions else {
            return false
        }
        switch (content, other.content) {
        case (.gaps(let gaps, let hosts, _), .gaps(let others, let otherHosts, _)):
            return hosts == otherHosts && gaps.map(\.reason) == others.map(\.reason)
        case (.described(let hosts, let pins, let what, _), .described(let otherHosts, let otherPins, let otherWhat, _)):
            return hosts == otherHosts && pins == otherPins && what == otherWhat
        default: return false
        }
    }
}
