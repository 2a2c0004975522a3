/// The words of a shell's grammar, and the tests of its conditions.
extension ShellScript {
    /// A word of the shell's grammar.
    ///
    /// - Returns: whether it was one, and was taken.
    mutating func takes(_ word: String, _ words: inout ArraySlice<ShellWord>, _ mark: String) -> Bool {
        let first = words[words.startIndex]
        switch (word, frames.last) {
        case ("esac", .cases?):
            frames.removeLast()
            (labels, through) = ([], [])
        case (_, .cases(_, _, _, true)?): return false
        case ("if", _): frames.append(.test(from: first.range.upperBound, failed: []))
        case ("then", .test(let start, let failed)?):
            let written = text[start..<max(start, first.range.lowerBound)]
            let test = Self.test(String(written).trimmedOfMarks)
            frames[frames.count - 1] = .branch(held: [Self.choice(test, holds: true)], failed: failed)
        case ("elif", .branch(let held, let failed)?):
            frames[frames.count - 1] = .test(from: first.range.upperBound, failed: failed + held.map(\.opposite))
        case ("else", .branch(let held, let failed)?):
            frames[frames.count - 1] = .branch(held: [], failed: failed + held.map(\.opposite))
        case ("fi", .branch?), ("fi", .test?): frames.removeLast()
        case ("case", _):
            guard words.count > 2, words[words.startIndex + 2].keyword == "in" else { return false }
            let subject = String(text[words[words.startIndex + 1].range])
            frames.append(.cases(subject: subject, labels: [], held: [], isLabel: true))
            words = words.dropFirst(3)
            return true
        case ("for", _), ("select", _):
            guard words.count > 1, let name = words[words.startIndex + 1].plain else { return false }
            loop = Loop(name: name, words: Array(words.dropFirst(3)))
            words = []
            return true
        case ("do", _):
            frames.append(.loop(loop, exits))
            loop = nil
        case ("done", .loop(_, let before)?):
            exits = before
            frames.removeLast()
        case ("function", _):
            guard words.count > 1 else { return false }
            function = words[words.startIndex + 1].keyword
            words = words.dropFirst()
        case ("{", _):
            if let name = function {
                frames.append(.function(name, exits))
                exits = []
            } else {
                frames.append(.group(held: list, isDetached: mayFail))
            }
            function = nil
        case ("}", .function(_, let before)?):
            exits = before
            if frames.count == 1 { endedOn = nil }
            frames.removeLast()
        case ("}", .group?): frames.removeLast()
        case ("while", _), ("until", _), ("!", _): break
        default: return false
        }
        endList()
        words = words.dropFirst()
        return true
    }

    // MARK: Tests

    /// That not all of them hold.
    static func negation(of choices: [Choices.Choice]) -> Choices.Choice {
        if choices.count == 1 { return choices[0].opposite }
        return Choices.choice(choices.map(\.words).joined(separator: " && "), holds: false)
    }

    /// Without its brackets, and with one blank between words.
    static func test(_ written: String) -> String {
        var words = written.split(whereSeparator: \.isWhitespace).map(String.init)
        if let last = words.last, last.hasSuffix(";") { words[words.count - 1] = String(last.dropLast()) }
        if ["[", "[["].contains(words.first), ["]", "]]"].contains(words.last),
            !words.dropFirst().dropLast().contains(where: { $0.hasPrefix("[") && $0.count < 3 })
        {
            words = Array(words.dropFirst().dropLast())
        }
        return words.joined(separator: " ").replacing("! ", with: "!")
    }

    /// `a != b` is what `a = b` is not.
    static func choice(_ test: String, holds: Bool) -> Choices.Choice {
        let parts: [Substring] = test.split(separator: " ")
        guard parts.count == 3, parts[1] == "!=" else { return Choices.choice(test, holds: holds) }
        return Choices.choice("\(parts[0]) = \(parts[2])", holds: !holds)
    }
}

extension Choices.Choice {
    var opposite: Self { Choices.choice(condition, holds: option != 0) }
}

extension String {
    fileprivate var trimmedOfMarks: String {
        var text = self[...]
        while let last = text.last, last.isWhitespace || last == ";" { text.removeLast() }
        return String(text.drop(while: \.isWhitespace))
    }
}
