/// The conditions that a reading came past, and which way it took: each way is a configuration of its own.
final class Choices {
    /// A way taken at a condition.
    struct Choice: Hashable {
        var condition: String
        var option: Int
        /// In words: `BuildConfig.DEBUG`, `not BuildConfig.DEBUG`.
        var words: String
    }

    private let given: [Choice]
    private(set) var taken: [Choice] = []
    private var open: [[Choice]] = []

    private init(_ given: [Choice]) { self.given = given }

    /// Which of several ways to take; the same one for the same condition.
    func choose(_ condition: String, _ options: [String]) -> Int {
        if let known = taken.first(where: { $0.condition == condition }) { return min(known.option, options.count - 1) }
        let choices = options.enumerated().map { Choice(condition: condition, option: $0, words: $1) }
        if taken.count < given.count, given[taken.count].condition == condition {
            taken.append(given[taken.count])
        } else {
            for other in choices.dropFirst() { open.append(taken + [other]) }
            taken.append(choices[0])
        }
        return taken[taken.count - 1].option
    }

    /// A condition that holds or does not; `!` before it turns it round.
    func holds(_ condition: String) -> Bool {
        var text = condition
        var isNegated = false
        while text.hasPrefix("!"), !text.hasPrefix("!=") {
            // `!a && b` is not the opposite of `a && b`.
            guard !text.contains("&&"), !text.contains("||"), !text.contains("==") else { break }
            text = String(text.dropFirst())
            isNegated.toggle()
        }
        return (choose(text, [text, "not \(text)"]) == 0) != isNegated
    }

    /// Every way through, in the order of the source; `nil` where there are more than `limit`.
    static func explore<Result: Hashable>(limit: Int = 24, _ read: (Choices) -> Result) -> [(
        result: Result, words: [String]
    )]? {
        var found: [(result: Result, taken: [Choice])] = []
        var open: [[Choice]] = [[]]
        while let given = open.popLast() {
            guard found.count < limit else { return nil }
            let choices = Choices(given)
            let result = read(choices)
            found.append((result, choices.taken))
            open += choices.open.reversed()
        }
        var order: [Result] = []
        var groups: [Result: [[Choice]]] = [:]
        for (result, taken) in found {
            if groups[result] == nil { order.append(result) }
            groups[result, default: []].append(taken)
        }
        return order.map { result in
            let ways = groups[result] ?? []
            // What all ways to it have in common.
            let shared = (ways.first ?? []).filter { choice in ways.allSatisfy { $0.contains(choice) } }
            return (result, order.count == 1 ? [] : shared.map(\.words))
        }
    }
}
