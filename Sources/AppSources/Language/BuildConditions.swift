/// `#if DEBUG … #else … #endif`: a source with them is one source for each way to build it.
enum BuildConditions {
    /// More ways than a person can look through are not read.
    private static let mostConditions = 5

    /// `#if 0`: what nobody builds.
    private static let constants = ["0": false, "false": false, "1": true, "true": true]

    /// The conditions of a source, each once; `nil` where there are too many.
    static func conditions(of tokens: [Token]) -> [String]? {
        var found: [String] = []
        for token in tokens {
            guard case .directive(let text) = token.kind, let condition = condition(text)?.text,
                constants[condition] == nil
            else { continue }
            if !found.contains(condition) { found.append(condition) }
        }
        return found.count > mostConditions ? nil : found
    }

    /// What is left if these conditions hold, and no others.
    static func tokens(_ tokens: [Token], holding: Set<String>) -> [Token] {
        var kept: [Token] = []
        kept.reserveCapacity(tokens.count)
        // Whether this branch is taken, and whether one before it was.
        var levels: [(isTaken: Bool, wasTaken: Bool)] = []
        for token in tokens {
            guard case .directive(let text) = token.kind else {
                if levels.allSatisfy(\.isTaken) { kept.append(token) }
                continue
            }
            if text.hasPrefix("else"), !text.hasPrefix("elseif") {
                if let last = levels.popLast() { levels.append((!last.wasTaken, true)) }
            } else if text.hasPrefix("endif") {
                levels.removeLast(levels.isEmpty ? 0 : 1)
            } else if let (name, isNegated) = condition(text) {
                let holds = (constants[name] ?? holding.contains(name)) != isNegated
                if text.hasPrefix("el") {
                    if let last = levels.popLast() { levels.append((!last.wasTaken && holds, last.wasTaken || holds)) }
                } else {
                    levels.append((holds, holds))
                }
            }
        }
        return kept
    }

    private static func condition(_ directive: String) -> (text: String, isNegated: Bool)? {
        guard let space = directive.firstIndex(where: { $0 == " " || $0 == "(" }) else { return nil }
        let word = directive[..<space]
        guard ["if", "ifdef", "ifndef", "elseif", "elif"].contains(String(word)) else { return nil }
        var text = directive[space...].filter { $0 != " " }
        var isNegated = word == "ifndef"
        while text.hasPrefix("("), text.hasSuffix(")"), !text.dropFirst().dropLast().contains("(") {
            text = String(text.dropFirst().dropLast())
        }
        if text.hasPrefix("!"), !text.contains("&"), !text.contains("|") {
            text = String(text.dropFirst())
            isNegated.toggle()
        }
        // `defined(A)`, each by itself: `A && !B`.
        while let start = text.firstRange(of: "defined("), let end = text[start.upperBound...].firstIndex(of: ")") {
            text.replaceSubrange(start.lowerBound...end, with: text[start.upperBound..<end])
        }
        return (text.replacing("&&", with: " && ").replacing("||", with: " || "), isNegated)
    }
}
