/// Whether what code compares decides anything about a server's certificate.
extension ComparisonForm {
    /// Why it decides nothing, in words; `nil` where it may.
    ///
    /// - Parameter evidence: where a certificate is taken apart.
    static func idleness(of evidence: [Int], in group: CodeGroup, _ evaluator: Evaluator) -> String? {
        let tree = evaluator.tree
        if tree.language == .cSharp || tree.language == .script,
            let what = tree.readerOfOthers(evidence, in: group, evaluator.module)
        {
            return what
        }
        if tree.language == .cSharp || tree.language == .dart {
            let unused = evidence.map { tree.unusedFunction(around: $0, evaluator.module) }
            if let name = unused.first ?? nil, !unused.contains(nil) {
                let what = "compared with the server's certificate in '\(name)', which nothing in this source calls"
                return tree.isGivenAcceptingAll || tree.isGivenYes ? "\(what); every certificate is let through" : what
            }
        }
        let constant = evidence.map(tree.constantFunction(givenAt:))
        if let (name, answer) = constant.first ?? nil, constant.allSatisfy({ $0 != nil }) {
            let what = "looked up in code that takes no digest: '\(name)' answers the same for every certificate"
            let isPin = GroupReading(group, evaluator).pins.contains(answer)
            return isPin ? "\(what), which is a pin: every certificate is let through" : what
        }
        if let name = tree.constantFunction(lookedUpIn: group) {
            return "looked up in code that takes no digest: '\(name)' answers the same for every certificate"
        }
        if comparesWhole(evidence, in: group, evaluator) { return ofWholeCertificate }
        if tree.comparesOwnFile(evidence) { return ofOwnFile }
        if let last = evidence.last,
            tree.leavesToSystem(behind: last) || tree.fallsBack(behind: last) || tree.callersLeaveToSystem(from: last)
        {
            return "compared in code that leaves all others to the system's own checks"
        }
        if let last = evidence.last, tree.acceptsOthers(behind: last) { return opposite }
        switch tree.refusesNamed(evidence) {
        case .letThrough: return opposite
        case .leftToSystem: return refusing
        case nil: break
        }
        if tree.acceptsOthers(than: evidence, givenAt: callbacks(of: group, tree)) { return opposite }
        if !evidence.isEmpty,
            evidence.allSatisfy({ tree.selfComparison(around: $0) != nil && tree.comparesAlone(around: $0) })
        {
            return lenient
        }
        let isIdle =
            !evidence.isEmpty
            && (evidence.allSatisfy(tree.acceptsAll) || evidence.allSatisfy(tree.refusesNothing)
                || evidence.allSatisfy(tree.keepsRefusals) || tree.answersYesAnyway(behind: evidence)
                || tree.isUnheard(evidence))
        if isIdle { return tree.looksBehindHandshake(group) ? undecided : lenient }
        guard tree.decideNothing(evidence, evaluator.module) else { return nil }
        return tree.judgesAlone(group) ? lenient : undecided
    }

    /// What is said where the app's own certificates are made roots, and that decides nothing.
    static func anchoring(_ group: CodeGroup, _ tree: SyntaxTree) -> String {
        besideSystem(group, tree) + unevaluated(group, tree) + ofOpenPolicy(group, tree)
    }

    /// What is said of anchors that AFNetworking's policy evaluates, where that lets every certificate through.
    private static func ofOpenPolicy(_ group: CodeGroup, _ tree: SyntaxTree) -> String {
        func isNamed(_ start: String, _ place: Int) -> Bool { tree.tokens[place].name?.hasPrefix(start) ?? false }
        guard tree.isOfApple, group.tokens.contains(where: { isNamed("evaluateServerTrust", $0) }),
            !group.tokens.contains(where: { isNamed("SecTrustEvaluate", $0) }),
            !tree.tokens.indices.contains(where: { place in
                ["AFSSLPinningModeCertificate", "AFSSLPinningModePublicKey"].contains { isNamed($0, place) }
            })
        else { return "" }
        let opening = tree.blocks.flatMap(\.statements).first { statement in
            guard case .assignment(let target, "=", let value) = statement.kind else { return false }
            return target.finalName == "allowInvalidCertificates" && (value.names("YES") || value.names("true"))
                && tree.conditions(around: statement.tokens.lowerBound).isEmpty
                // Of the policy that is asked, and not of another manager's.
                && group.tokens.contains { place in
                    isNamed("evaluateServerTrust", place)
                        && tree.function(around: place) == tree.function(around: statement.tokens.lowerBound)
                }
        }
        guard let opening else { return "" }
        return "; 'allowInvalidCertificates' on line \(opening.line) has its policy refuse none: "
            + "every certificate is let through"
    }

    private static func unevaluated(_ group: CodeGroup, _ tree: SyntaxTree) -> String {
        let words = group.tokens.compactMap { tree.tokens[$0].name?.lowercased() }
        let asking = ["evaluat", "validat", "verif", "getcertificate", "copycertificatechain"]
        guard tree.isOfApple, let anchors = words.firstIndex(of: "sectrustsetanchorcertificates"),
            // What happens next is that the server is let through.
            let next = words[anchors...].first(where: { word in
                ["usecredential", "handling", "cancelauthenticationchallenge"].contains(where: word.hasSuffix)
            }), next.hasSuffix("usecredential"),
            !words.contains(where: { asking.contains(where: $0.contains) }),
            !group.tokens.contains(where: { place in comparing.contains(where: tree.tokens[place].isName) })
        else { return "" }
        return "; nothing evaluates the chain, so that every certificate is let through"
    }

    /// By which what a server shows is taken apart.
    static let comparing = [
        "SecCertificateCopyData", "SecCertificateCopyKey", "SecTrustCopyKey", "SecTrustCopyPublicKey",
    ]

    /// What is said where the app's own certificates are roots beside those of the system.
    private static func besideSystem(_ group: CodeGroup, _ tree: SyntaxTree) -> String {
        let places = group.tokens.filter { tree.tokens[$0].isName("SecTrustSetAnchorCertificatesOnly") }
        let areOff = places.allSatisfy { place in
            let near = tree.tokens[place..<min(place + 12, tree.tokens.count)].prefix { !$0.isMark(")") }
            return near.last?.name.map { ["false", "NO", "FALSE"].contains($0) } ?? false
        }
        guard tree.isOfApple, !places.isEmpty, areOff,
            !group.tokens.contains(where: { place in comparing.contains(where: tree.tokens[place].isName) })
        else { return "" }
        return "; the system's roots count as well, so that a certificate of any of them is let through"
    }

    /// What says nothing of a server, so that no host is held to it.
    static let ofNoServer = [lenient, ofOwnFile]

    private static let ofOwnFile = "compared with a certificate that the app carries, and with no server's"

    static let opposite = "compared in code that lets all others through, and refuses these"
    private static let refusing =
        "compared in code that refuses these, and leaves all others to the system's own checks"

    /// Whether the code would hold a client to these pins, if anything called it or heeded what it says.
    static func isOfUnused(_ what: String) -> Bool {
        what == undecided || what.hasSuffix("which nothing in this source calls")
    }

    /// Of a comparison of which nothing comes; the ordinary checks go on beside it.
    static let undecided =
        "compared with the server's certificate in code, and nothing depends on what comes out"

    static let lenient = "looked up in code that lets every certificate through"
}

extension SyntaxTree {
    /// Whether a delegate of Apple's refuses nothing behind a place: what is not accepted gets the system's own checks.
    fileprivate func leavesToSystem(behind token: Int) -> Bool {
        guard language == .swift || language == .objectiveC else { return false }
        var inner: Range<Int>?
        var function: Range<Int>?
        for block in blocks {
            for statement in block.statements where statement.tokens.contains(token) {
                if statement.tokens.count < inner?.count ?? .max { inner = statement.tokens }
                guard case .declaration(let declaration) = statement.kind, declaration.kind == .function else {
                    continue
                }
                if statement.tokens.count < function?.count ?? .max { function = statement.tokens }
            }
        }
        guard let inner, let function else { return false }
        // `if shown == own { … } else { … }`: what is asked in the condition itself has its answers in the branches.
        let isAsked = blocks.flatMap(\.statements).contains { statement in
            guard statement.tokens == inner, case .branches(let branches, _) = statement.kind,
                let first = branches.compactMap({ blocks[$0.block].statements.first?.tokens.lowerBound }).min()
            else { return false }
            return token < first
        }
        let start = isAsked ? token : inner.upperBound
        return start < function.upperBound && refusesNothing(in: start..<function.upperBound)
    }

    /// Whether all of Apple's functions do so that ask the one around a place.
    fileprivate func callersLeaveToSystem(from token: Int) -> Bool {
        guard isOfApple, let function = namedFunction(around: [token]) else { return false }
        let places = callPlaces(of: function.name, outside: function.tokens)
        return !places.isEmpty && places.count < 4
            && places.allSatisfy { place in
                guard let caller = namedFunction(around: [place])?.tokens else { return false }
                let words = tokens[caller.clamped(to: 0..<tokens.count)].compactMap { $0.name?.lowercased() }
                return refusesNothing(in: place..<caller.upperBound)
                    && !words.contains { word in ["reject", "fail", "deny", "abort"].contains(where: word.contains) }
            }
    }

    /// Whether what is not accepted gets the system's own checks.
    private func refusesNothing(in range: Range<Int>) -> Bool {
        let ofFiles = blocks.flatMap(\.statements).filter(asksForThere).map(\.tokens)
        let words = range.clamped(to: 0..<tokens.count).filter { place in
            !ofFiles.contains { range.contains($0.lowerBound) && $0.contains(place) }
        }
        .compactMap { tokens[$0].name }
        let refuses = ["ancelAuthenticationChallenge", "ejectProtectionSpace", "false", "NO", "throw", "cancel"]
        return words.contains { $0.contains("erformDefaultHandling") }
            && words.contains { $0.hasSuffix("seCredential") }
            && !words.contains { word in refuses.contains { word == $0 || $0.count > 8 && word.hasSuffix($0) } }
    }

    /// `guard let path = Bundle.main.path(forResource: "acme", ofType: "cer") else { … }`, which compares nothing.
    private func asksForThere(_ statement: Statement) -> Bool {
        guard let condition = guards[statement.tokens.lowerBound], condition.hasPrefix("let ") else { return false }
        let own = tokens[statement.tokens.clamped(to: 0..<tokens.count)].prefix { !$0.isName("else") }
        // `guard let name = names[hash] else { … }` looks it up.
        return !own.contains { token in
            ["==", "!=", "===", "!==", "["].contains(where: token.isMark)
                || ["contains", "isEqual", "elementsEqual", "Evaluat", "evaluat", "verif", "valid"].contains { part in
                    token.name?.contains(part) ?? false
                }
        }
    }

    /// Whether Apple's code asks the system where no pin matches, and takes its answer:
    /// `if !isPinned { isPinned = SecTrustEvaluateWithError(trust, nil) }`.
    fileprivate func fallsBack(behind token: Int) -> Bool {
        guard isOfApple, let function = function(around: token) else { return false }
        return blocks.flatMap(\.statements).contains { statement in
            guard statement.tokens.upperBound > token, function.contains(statement.tokens.lowerBound),
                case .branches(let branches, _) = statement.kind, branches.count == 1,
                branches[0].condition.hasPrefix("!")
            else { return false }
            let name = String(branches[0].condition.dropFirst())
            let body = blocks[branches[0].block]
            return body.statements.contains { inner in
                guard case .assignment(let target, "=", let value) = inner.kind, target.finalName == name else {
                    return false
                }
                if value.words.contains("SecTrustEvaluate") { return true }
                guard case .name(let own) = value.kind else { return false }
                return body.declarations[own]?.contains { $0.value?.words.contains("SecTrustEvaluate") ?? false }
                    ?? false
            }
        }
    }

    /// Whether a function accepts whatever it finds behind a place: all that it returns there is `true`, and nothing is thrown.
    fileprivate func acceptsAll(behind token: Int) -> Bool {
        var inner: (block: Int, statement: Statement)?
        for (number, block) in blocks.enumerated() {
            for statement in block.statements
            where statement.tokens.contains(token) && statement.tokens.count < inner?.statement.tokens.count ?? .max {
                inner = (number, statement)
            }
        }
        guard let inner else { return false }
        var body = inner.block
        while blocks[body].owner == .inner, let parent = blocks[body].parent { body = parent }
        switch blocks[body].owner {
        case .function, .closure: break
        case .file, .type, .inner: return false
        }
        let own = tokens[inner.statement.tokens.clamped(to: 0..<tokens.count)]
        // What is answered in another way than by what is returned.
        let answers: Set<String> = ["completionHandler", "callback", "completion", "handler", "useCredential"]
        let first = blocks[body].statements.first?.tokens.lowerBound ?? 0
        let end = blocks[body].statements.last?.tokens.upperBound ?? first
        let all = first..<max(first, end)
        guard !tokens[all.clamped(to: 0..<tokens.count)].contains(where: { $0.name.map(answers.contains) ?? false })
        else {
            return false
        }
        // `guard let key = …(certificate) else { return false }` compares nothing.
        let compares = own.contains { token in
            ["==", "!=", "===", "!=="].contains(where: token.isMark)
                || ["contains", "includes", "Contains", "Equals", "equals"].contains(where: token.isName)
        }
        let start = compares ? inner.statement.tokens.lowerBound : inner.statement.tokens.upperBound
        switch blocks[body].statements.last?.kind {
        // `try { … return true } catch { return true }`
        case .returning, .block, .branches, .repeated: return acceptsAll(start, in: body)
        default: return false
        }
    }

    /// Whether all certificates that are taken apart in Kotlin or Java are files of the app's own.
    fileprivate func comparesOwnFile(_ evidence: [Int]) -> Bool {
        guard language == .kotlin || language == .java else { return false }
        var own: Set<String> = []
        for block in blocks {
            for statement in block.statements {
                guard case .declaration(let declaration) = statement.kind, declaration.kind == .value,
                    tokens[statement.tokens.clamped(to: 0..<tokens.count)].contains(where: {
                        $0.isName("generateCertificate")
                    })
                else { continue }
                own.insert(declaration.name)
            }
        }
        let parts = ["encoded", "getEncoded", "publicKey", "getPublicKey", "getTBSCertificate"]
        let taken = evidence.filter { place in parts.contains(where: tokens[place].isName) }
        return !taken.isEmpty
            && taken.allSatisfy { place in
                guard place > 1, let name = tokens[place - 2].name else { return false }
                // `certificate.publicKey.encoded`
                if parts.contains(name), place > 3 { return tokens[place - 4].name.map(own.contains) ?? false }
                return own.contains(name)
            }
    }

    /// Whether a function of Kotlin or Java that gives no answer does nothing but look, and tell a log.
    fileprivate func refusesNothing(around token: Int) -> Bool {
        guard language == .kotlin || language == .java, let range = function(around: token) else { return false }
        let others = catchesOfOthers
        return blocks.allSatisfy { block in
            block.statements.allSatisfy { statement in
                guard range.contains(statement.tokens.lowerBound), statement.tokens.count < range.count,
                    !others.contains(where: { $0.contains(statement.tokens.lowerBound) })
                else { return true }
                switch statement.kind {
                case .returning, .expression, .assignment: return onlyTells(statement)
                case .declaration: return !callsThrower(statement)
                case .branches, .loop, .count, .block, .repeated: return true
                }
            }
        } && answersNothing(range)
            && !range.contains { place in
                tokens[place].isName("throw") && !others.contains { $0.contains(place) }
            }
    }

    /// Whether a statement calls a function of the same source that throws: `val isSafe = verify(chain)`.
    private func callsThrower(_ statement: Statement) -> Bool {
        let own = statement.tokens.clamped(to: 0..<tokens.count)
        // It is given the chain or a certificate.
        let given = own.contains { place in
            let name = tokens[place].name?.lowercased() ?? ""
            return ["chain", "cert"].contains(where: name.contains)
        }
        guard given else { return false }
        let called = own.dropLast().filter { tokens[$0 + 1].isMark("(") }.compactMap { tokens[$0].name }
        return blocks.flatMap(\.statements).contains { other in
            guard case .declaration(let function) = other.kind, function.kind == .function,
                called.contains(function.name), !other.tokens.contains(own.lowerBound)
            else { return false }
            return tokens[other.tokens.clamped(to: 0..<tokens.count)].contains { $0.isName("throw") }
        }
    }

    /// Whether a statement tells a log something, or ends a function without an answer.
    private func onlyTells(_ statement: Statement) -> Bool {
        switch statement.kind {
        case .returning(let value): return value == nil
        case .expression(let value):
            guard case .call(let callee, _) = value.kind, let member = callee.finalName else { return false }
            // How digits are written: `"%02x".format(it)`, `text.append(…)`, `digest.update(…)`.
            if ["printStackTrace", "format", "append", "update"].contains(member) { return true }
            return onlyLogs(statement)
        case .assignment, .declaration, .branches, .loop, .count, .block, .repeated: return false
        }
    }

    /// Whether a trust manager of Kotlin or Java does all in a `try`, and tells at most a log what is thrown there.
    fileprivate func keepsRefusals(around token: Int) -> Bool {
        guard language == .kotlin || language == .java,
            let (name, range) = namedFunction(around: [token]), name == "checkServerTrusted",
            let body = blocks.first(where: { block in
                block.statements.contains { range.contains($0.tokens.lowerBound) && $0.tokens != range }
            })
        else { return false }
        let caught = body.statements.filter { starts($0, with: "catch") }
        let tried = body.statements.filter { starts($0, with: "try") }
        guard tried.count == 1, caught.count + 1 == body.statements.count,
            tokens[tried[0].tokens].contains(where: { $0.isName("throw") }),
            caught.allSatisfy({ statement in
                if case .repeated(let own) = statement.kind {
                    blocks[own].statements.allSatisfy(onlyTells)
                } else {
                    false
                }
            })
        else { return false }
        return caught.contains { statement in
            tokens[statement.tokens].prefix { !$0.isMark("{") }
                .contains { $0.isName("Exception") || $0.isName("Throwable") }
        }
    }

    /// Whether a function has a body in braces, and no type behind its brackets, or `void` before them.
    private func answersNothing(_ range: Range<Int>) -> Bool {
        let head = tokens[range].prefix { !$0.isMark("{") }
        guard head.count < range.count else { return false }
        if language == .java { return head.contains { $0.isName("void") } }
        return head.last?.isMark(")") ?? false
    }

    private func acceptsAll(_ start: Int, in body: Int) -> Bool {
        let end = blocks[body].statements.last?.tokens.upperBound ?? start
        guard start < end else { return false }
        var count = 0
        let caught = catchesOfOthers
        func isCaught(_ place: Int) -> Bool { caught.contains { $0.contains(place) } }
        for block in blocks {
            for statement in block.statements
            where (start..<end).contains(statement.tokens.lowerBound) && !isCaught(statement.tokens.lowerBound) {
                guard case .returning(let value) = statement.kind else { continue }
                guard let value, value.names("true") || value.names("YES") else { return false }
                count += 1
            }
        }
        let others = ["throw", "false", "NO", "cancelAuthenticationChallenge", "abort", "rethrow"]
        let ending = language.endings.union(["Exit", "FailFast"])
        return count > 0
            && !(start..<min(end, tokens.count)).contains { place in
                guard let name = tokens[place].name, !isCaught(place) else { return false }
                return others.contains(name)
                    // Where the app ends, no server is let through: `Environment.Exit(0)`.
                    || ending.contains(name) && place + 1 < tokens.count && tokens[place + 1].isMark("(")
            }
    }

    /// Whether what differs from a pin is let through behind a place, and what does not is refused.
    fileprivate func acceptsOthers(behind token: Int) -> Bool {
        guard language == .swift || language == .objectiveC else { return false }
        if refusesListed(behind: token) { return true }
        return blocks.contains { block in
            block.statements.contains { statement in
                guard statement.tokens.lowerBound > token, case .branches(let branches, _) = statement.kind,
                    branches.count == 2, branches[1].isRest, branches[0].condition.isUnequal,
                    function(around: statement.tokens.lowerBound) == function(around: token)
                else { return false }
                return answers(in: branches[0].block) == [true] && answers(in: branches[1].block) == [false]
            }
        }
    }

    /// `pins.contains(digest) ? (.cancelAuthenticationChallenge, nil) : (.useCredential, credential)`
    private func refusesListed(behind token: Int) -> Bool {
        guard let own = function(around: token) else { return false }
        return own.contains { mark in
            guard mark > token, mark > 1, tokens[mark].isMark("?"), tokens[mark - 1].isMark(")"),
                let statement = innermost(around: mark)?.statement.tokens.clamped(to: 0..<tokens.count)
            else { return false }
            // `contains(…)` before the mark, and not its opposite.
            let asking = (statement.lowerBound..<mark).last { place in
                tokens[place].isName("contains") && GroupReading.closing(tokens, place + 1) == mark - 1
            }
            guard let asking, let start = Optional(start(ofMemberAt: asking)), start > 0,
                !tokens[start - 1].isMark("!")
            else { return false }
            return (mark..<statement.upperBound).compactMap(answer) == [.no, .yes]
        }
    }

    /// What the statements of a block answer about a server: whether it is let through.
    private func answers(in block: Int) -> Set<Bool> {
        guard let first = blocks[block].statements.first, let last = blocks[block].statements.last else { return [] }
        let range = first.tokens.lowerBound..<max(first.tokens.upperBound, last.tokens.upperBound)
        return Set(
            tokens[range.clamped(to: 0..<tokens.count)].compactMap { token -> Bool? in
                guard let name = token.name?.lowercased() else { return nil }
                if name.hasSuffix("usecredential") { return true }
                return name.hasSuffix("cancelauthenticationchallenge") || name.hasSuffix("rejectprotectionspace")
                    ? false : nil
            }
        )
    }
}

extension String {
    /// `hash != pin`, and nothing else.
    fileprivate var isUnequal: Bool {
        let sides = split(separator: " ").map(String.init)
        guard sides.count == 3, sides[1] == "!=" else { return false }
        return !sides.contains { side in
            ["nil", "NULL", "0", "errSecSuccess"].contains(side)
                || ["host", "method", "status", "error"].contains(where: side.lowercased().contains)
        }
    }
}
