/// Requests that scripts send again without pins where one with pins fails.
extension SyntaxTree {
    /// `pinned(url, options).catch(() => fetch(url))`, and the same in `try` and `catch`.
    func unpinnedFetches(around place: Int) -> [FoundPins.Question] {
        var ranges = tries(around: place).flatMap(\.caught).filter { tokens[$0.tokens.lowerBound].isName("catch") }
            .map(\.tokens)
        visit { expression, _ in
            guard case .call(let callee, let arguments) = expression.kind,
                case .member(let base, "catch") = callee.kind,
                base.mentions(place)
            else { return true }
            for argument in arguments {
                guard case .closure(let closure) = argument.value.kind, let body = range(of: closure.block) else {
                    continue
                }
                ranges.append(body)
            }
            return true
        }
        return ranges.joined().filter(asksWithoutPins).map { place in
            .init(
                line: tokens[place].line,
                condition: "what is tried fails, and the request is sent again without pins"
            )
        }
        .uniqued
    }

    /// `fetch(…)` of the system, `globalThis.fetch(…)`, `axios.get(…)`
    private func asksWithoutPins(_ place: Int) -> Bool {
        guard place + 1 < tokens.count else { return false }
        if tokens[place].isName("axios") { return tokens[place + 1].isMark(".") || tokens[place + 1].isMark("(") }
        guard tokens[place].isName("fetch"), tokens[place + 1].isMark("(") else { return false }
        guard place > 1, tokens[place - 1].isMark(".") else { return !isImportedFetch }
        return ["globalThis", "global", "window", "self"].contains(where: tokens[place - 2].isName)
    }

    /// Whether `fetch` is another one in this source: `import { fetch } from …`, `const { fetch } = require(…)`.
    private var isImportedFetch: Bool {
        tokens.indices.contains { place in
            guard tokens[place].isName("fetch"), place > 0, place + 1 < tokens.count else { return false }
            let isInBraces = ["{", ","].contains(where: tokens[place - 1].isMark)
            // Where the source has the name for nothing else, it is read as the library's: `fetch as pinned`.
            if place + 2 < tokens.count, tokens[place + 1].isName("as"), tokens[place + 2].isName("fetch") {
                return true
            }
            return isInBraces && (tokens[place + 1].isMark("}") || tokens[place + 1].isMark(","))
        } || blocks.contains { $0.declarations["fetch"] != nil }
    }
}
