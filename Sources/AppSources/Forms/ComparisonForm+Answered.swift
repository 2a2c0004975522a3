/// What callbacks of Apple's answer behind what they compare.
extension SyntaxTree {
    /// Whether a callback says yes behind all places where a certificate is taken apart, whatever came of it:
    /// `log(shown == own); completionHandler(true)`.
    func answersYesAnyway(behind evidence: [Int]) -> Bool {
        guard isOfApple, let first = evidence.min(), let own = callback(around: first),
            evidence.allSatisfy({ callback(around: $0) == own }),
            // Roots of the app's own are evaluated, and not compared.
            evidence.contains(where: { !tokens[$0].isName("SecTrustSetAnchorCertificates") })
        else { return false }
        return saysYes(behind: first, in: own) || saysYesEitherWay(behind: first, in: own)
    }

    /// The innermost function with a name, or the outermost closure where there is none.
    private func callback(around place: Int) -> Range<Int>? {
        function(around: place)
            ?? blocks.indices.filter { blocks[$0].owner == .closure }.compactMap(range).filter { $0.contains(place) }
            .max { $0.count < $1.count }
    }

    /// Whether a function says yes behind a place, and nothing else, whatever it asks there.
    func saysYes(behind first: Int, in own: Range<Int>) -> Bool {
        let known = tested(around: first, areAll: true)
        /// What is asked for a place, but whether there is something at all.
        func asked(_ place: Int) -> [Condition] {
            tested(around: place, areAll: true).filter { !known.contains($0) && !$0.choice.condition.asksForNothing }
        }
        let guarded = blocks.flatMap(\.statements).filter { guards[$0.tokens.lowerBound] != nil }
        var yes = 0
        for place in own where place > first {
            // What stands behind the `else` of a `guard` is no branch of its own.
            if let around = guarded.first(where: { $0.tokens.contains(place) }) {
                let asked = tokens[around.tokens.clamped(to: 0..<tokens.count)].dropFirst().prefix {
                    !$0.isName("else")
                }
                let isLeft =
                    tokens[place].isName("return") || answer(at: place) != nil
                    || tokens[place].name.map(language.endings.contains) ?? false
                if isLeft,
                    answer(at: place) == .yes || asked.contains(where: { $0.isMark("{") })
                        || !asked.words.asksForNothing
                {
                    return false
                }
                continue
            }
            // What throws may refuse, and what ends the app does.
            if tokens[place].isName("try"), place + 1 < own.upperBound, !tokens[place + 1].isMark("?") { return false }
            if let name = tokens[place].name, language.endings.contains(name) { return false }
            if tokens[place].isName("return") || tokens[place].isName("throw") {
                // What is left without an answer lets nobody through.
                if !asked(place).isEmpty { return false }
                continue
            }
            guard let answer = answer(at: place) else { continue }
            switch answer {
            case .yes where asked(place).isEmpty: yes += 1
            case .no where tested(around: place, areAll: true).contains(where: { $0.choice.condition.asksForNothing }):
                if !asked(place).isEmpty { return false }
            case .yes, .no, .unknown: return false
            }
        }
        return yes > 0
    }

    enum Answer { case yes, no, unknown }

    /// What a callback of Apple's answers at a place: `completionHandler(YES)`, `.cancelAuthenticationChallenge`.
    func answer(at place: Int) -> Answer? {
        guard let name = tokens[place].name?.lowercased() else { return nil }
        if name.hasSuffix("usecredential") || name == "certificateverified" { return .yes }
        // NIO's other answer.
        if name == "failed", place > 0, tokens[place - 1].isMark(".") { return .no }
        let refusing = ["cancelauthenticationchallenge", "rejectprotectionspace", "performdefaulthandling"]
        if refusing.contains(where: name.hasSuffix) { return .no }
        if name.hasPrefix("continuewithoutcredential") || name.hasPrefix("performdefaulthandling") { return .no }
        // A source may be cut off behind any of these.
        guard place + 3 < tokens.count, tokens[place + 1].isMark("("),
            name.hasSuffix("completionhandler") || name.hasSuffix("completion") || name.hasSuffix("complete")
        else { return nil }
        switch tokens[place + 2].name {
        case "YES", "true", "TRUE": return tokens[place + 3].isMark(")") ? .yes : .unknown
        case "NO", "false", "FALSE": return tokens[place + 3].isMark(")") ? .no : .unknown
        // `completionHandler(.useCredential, credential)` is told by the word in it.
        case let word?: return word.hasPrefix("NSURLSession") || word.hasPrefix("URLSession") ? nil : .unknown
        case nil: return tokens[place + 2].isMark(".") ? nil : .unknown
        }
    }
}

extension SyntaxTree {
    /// Whether a function says yes on each way of one question behind a place, and nothing else anywhere.
    func saysYesEitherWay(behind first: Int, in own: Range<Int>) -> Bool {
        let own = own.clamped(to: 0..<tokens.count)
        let guarded = blocks.flatMap(\.statements).filter { statement in
            guards[statement.tokens.lowerBound] != nil && own.contains(statement.tokens.lowerBound)
                && tokens[statement.tokens.clamped(to: 0..<tokens.count)].dropFirst().prefix { !$0.isName("else") }
                    .words.asksForNothing
        }
        let behind = own.filter { place in place > first && !guarded.contains { $0.tokens.contains(place) } }
        let isPlain = behind.allSatisfy { place in
            if let answer = answer(at: place), answer != .yes { return false }
            if tokens[place].isName("try"), place + 1 < own.upperBound, !tokens[place + 1].isMark("?") { return false }
            return !tokens[place].isName("throw") && !(tokens[place].name.map(language.endings.contains) ?? false)
        }
        return isPlain
            && blocks.flatMap(\.statements).contains { statement in
                guard case .branches(let branches, _) = statement.kind, branches.count > 1,
                    branches.last?.isRest ?? false, own.contains(statement.tokens.lowerBound),
                    statement.tokens.upperBound > first
                else { return false }
                return branches.allSatisfy { branch in
                    range(of: branch.block)?.contains { $0 > first && answer(at: $0) == .yes } ?? false
                }
            }
    }
}

extension String {
    /// Whether a condition asks if something is missing, and nothing else: `own == nil || shown == nil`, `let own = Bundle.main.url(…)`.
    fileprivate var asksForNothing: Bool {
        // What was cut off may ask for more.
        guard !hasSuffix("…") else { return false }
        let found = ["SecTrust", "SecCertificate", "serverTrust", "Bundle.", "Data(", "NSData(", ".first"]
        let parts = plainWords.replacing("||", with: "&&").split(separator: "&&").map(String.init)
        return parts.allSatisfy { part in
            if part.contains("authenticationMethod ==") { return true }
            if part.contains("there is ") { return found.contains(where: part.contains) && !part.contains("{") }
            let sides = part.replacing("!=", with: "==").split(separator: "==").map { side in
                let words = String(side).words
                return words.count == 1 ? String(words[0]) : ""
            }
            return sides.count == 2 && sides.contains { ["nil", "NULL"].contains($0) }
        }
    }
}
