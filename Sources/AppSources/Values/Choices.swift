/// The conditions that a reading came past, and which way it took: each way is a configuration of its own.
final class Choices {
    /// A way taken at a condition.
    struct Choice: Hashable, Sendable {
        var condition: String
        var option: Int
        /// In words: `BuildConfig.DEBUG`, `not BuildConfig.DEBUG`.
        var words: String

        /// Whether it is that of code which is never run.
        var isNever: Bool { ["false", "0"].contains(condition) && option == 0 || condition == "true" && option == 1 }

        /// Whether it is a case of a switch over hosts.
        var isOfHosts: Bool {
            guard condition.contains(": "), let subject = Choices.cases(of: condition)?.subject else { return false }
            return subject.lowercased().contains("host")
        }
    }

    private let given: [Choice]
    private var steps = 0
    /// Far above what the source of a person takes.
    private static let mostSteps = 100_000
    private(set) var taken: [Choice] = []
    private var open: [[Choice]] = []
    /// Whether this way ends in an error, and so is no configuration.
    var isImpossible = false
    /// Whether there is no configuration on this way, and none is missing.
    var isAbsent = false

    /// Of one way alone, whichever it is.
    static var none: Choices { Choices([], fixed: []) }

    /// - Parameter fixed: those that hold however else it goes; `given` begins with them.
    private init(_ given: [Choice], fixed: [Choice]) {
        self.given = given
        taken = fixed
    }

    /// A condition that holds, or does not, as `holds` would find it.
    static func choice(_ condition: String, holds: Bool) -> Choice {
        let (text, isNegated) = plain(condition)
        let option = holds != isNegated ? 0 : 1
        return Choice(condition: text, option: option, words: option == 0 ? text.plainWords : negated(text))
    }

    /// What never holds: that of code which is never run.
    static let never = choice("false", holds: true)

    /// Counts a piece of work; `false` where there was too much of it.
    func step() -> Bool {
        steps += 1
        return steps <= Self.mostSteps
    }

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

    /// The same, where one of the options may have been chosen by the words of others.
    func choose(_ condition: String, among options: [String]) -> Int {
        if let known = taken.lazy.compactMap({ options.firstIndex(of: $0.words) }).first { return known }
        return choose("\(condition): \(options.joined(separator: ", "))", options)
    }

    /// The key by which an entry of a table was chosen for a parameter.
    func key(of name: String) -> String? {
        let start = "\(name) is "
        return taken.first { $0.condition == "the key \(name)" && $0.words.hasPrefix(start) }
            .map { String($0.words.dropFirst(start.count)) }
    }

    /// Whether a condition holds, where that was chosen before.
    func known(_ condition: String) -> Bool? {
        let (text, isNegated) = Self.plain(condition)
        if let known = taken.first(where: { $0.condition == text }) { return (known.option == 0) != isNegated }
        return followsFromCases(text).map { $0 != isNegated }
    }

    /// What other cases of the same switch, and comparisons of the same, say of one: `environment: "prod" or "live"`.
    private func followsFromCases(_ condition: String) -> Bool? {
        guard let (subject, labels, isEqual) = Self.cases(of: condition) else { return nil }
        var excluded: Set<String> = []
        for choice in taken {
            guard let (other, known, isSame) = Self.cases(of: choice.condition), other == subject else { continue }
            if (choice.option == 0) != isSame {
                excluded.formUnion(known)
            } else if known.isDisjoint(with: labels) {
                return !isEqual
            } else if known.isSubset(of: labels) {
                return isEqual
            }
        }
        return labels.isSubset(of: excluded) ? !isEqual : nil
    }

    /// Any of several conditions; cases of one switch in one.
    static func either(_ conditions: [String]) -> String {
        let subjects = conditions.compactMap { text in text.firstRange(of: ": ").map { text[..<$0.lowerBound] } }
        if let subject = subjects.first, subjects.count == conditions.count, Set(subjects).count == 1 {
            return "\(subject): \(conditions.map { $0.dropFirst(subject.count + 2) }.joined(separator: " or "))"
        }
        return conditions.map { $0.contains("&&") ? "(\($0))" : $0 }.joined(separator: " || ")
    }

    /// `(flavor): Flavor.live or Flavor.beta`, `flavor == Flavor.live`, `flavor != .live`
    private static func cases(of condition: String) -> (subject: String, labels: Set<String>, isEqual: Bool)? {
        for (mark, isEqual) in [(": ", true), (" == ", true), (" != ", false), (" === ", true), (" !== ", false)] {
            guard let place = condition.firstRange(of: mark), !condition.contains("&&"), !condition.contains("||")
            else {
                continue
            }
            var subject = condition[..<place.lowerBound]
            if subject.hasPrefix("("), subject.hasSuffix(")") { subject = subject.dropFirst().dropLast() }
            for own in ["this.", "self."] where subject.hasPrefix(own) { subject = subject.dropFirst(own.count) }
            let labels: [Substring] = condition[place.upperBound...].split(separator: " or ")
            return (String(subject), Set(labels.map(label)), isEqual)
        }
        return nil
    }

    /// `live` of `Flavor.live` and of `.live`.
    private static func label(_ text: Substring) -> String {
        guard text.allSatisfy({ $0.isLetter || $0.isNumber || $0 == "_" || $0 == "." }),
            let name = text.split(separator: ".").last
        else { return String(text) }
        return String(name)
    }

    /// A condition that holds or does not; `!` before it turns it round.
    func holds(_ condition: String) -> Bool {
        let (text, isNegated) = Self.plain(condition)
        return (choose(text, [text.plainWords, Self.negated(text)]) == 0) != isNegated
    }

    private static func negated(_ text: String) -> String {
        let text = text.plainWords
        return ["&&", "||"].contains { text.contains($0) } ? "not (\(text))" : "not \(text)"
    }

    private static func plain(_ condition: String) -> (text: String, isNegated: Bool) {
        var text = condition
        var isNegated = false
        while text.hasPrefix("!"), !text.hasPrefix("!=") {
            // `!a && b` is not the opposite of `a && b`.
            guard !text.contains("&&"), !text.contains("||"), !text.contains("==") else { break }
            text = String(text.dropFirst())
            isNegated.toggle()
        }
        return (text, isNegated)
    }

    /// Several ways that have nothing in common.
    private static func words(of ways: [[Choice]]) -> String {
        guard ways.count <= 3 else { return "none of the other conditions holds" }
        return ways.map { $0.map(\.words).joined(separator: " and ") }.joined(separator: " or ")
    }

    /// Every way through, in the order of the source; `nil` where there are more than `limit`.
    ///
    /// - Parameter fixed: what holds where it is read, whichever way is taken.
    static func explore<Result: Hashable>(
        within fixed: [Choice] = [],
        limit: Int = 24,
        _ read: (Choices) -> Result
    ) -> [(result: Result, words: [String])]? {
        var found: [(result: Result, taken: [Choice])] = []
        var open: [[Choice]] = [fixed]
        var impossible: [(result: Result, taken: [Choice])] = []
        var absent = 0
        while let given = open.popLast() {
            guard found.count + impossible.count + absent < limit else { return nil }
            let choices = Choices(given, fixed: fixed)
            let result = read(choices)
            if choices.isAbsent {
                absent += 1
            } else if choices.isImpossible {
                impossible.append((result, choices.taken))
            } else {
                found.append((result, choices.taken))
            }
            open += choices.open.reversed()
        }
        if found.isEmpty { found = impossible }
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
            if order.count == 1, absent == 0 { return (result, fixed.map(\.words)) }
            return (result, shared.isEmpty ? [Self.words(of: ways)] : shared.map(\.words))
        }
    }
}
