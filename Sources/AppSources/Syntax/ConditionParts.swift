/// Conditions as they are written: their parts, and the texts in them.
extension String {
    /// Whether a condition stands in it, by itself and as no part of another.
    func holdsCondition(_ condition: String) -> Bool {
        func isOfName(_ letter: Character?) -> Bool {
            letter.map { $0.isLetter || $0.isNumber || "_.($".contains($0) } ?? false
        }
        return ranges(of: condition).contains { range in
            let before = range.lowerBound > startIndex ? self[index(before: range.lowerBound)] : nil
            let next = range.upperBound < endIndex ? self[range.upperBound] : nil
            return (before == "(" || !isOfName(before)) && !isOfName(next)
        }
    }

    /// A condition in its parts, without what negates them or stands around them.
    var partsOfCondition: [String] {
        var parts: [String] = []
        var part = ""
        var depth = 0
        var isText = false
        let letters = Array(self)
        var place = 0
        while place < letters.count {
            let letter = letters[place]
            if letter == "\"" { isText.toggle() }
            if !isText {
                if "([{".contains(letter) { depth += 1 }
                if ")]}".contains(letter) { depth -= 1 }
                let isPair = place + 1 < letters.count && letters[place + 1] == letter && "&|".contains(letter)
                if depth == 0, isPair || letter == "," {
                    parts.append(part)
                    part = ""
                    place += isPair ? 2 : 1
                    continue
                }
            }
            part.append(letter)
            place += 1
        }
        parts.append(part)
        return parts.flatMap { part -> [String] in
            let bare = part.bareCondition
            return bare == self ? [bare] : bare.partsOfCondition
        }
        .filter { !$0.isEmpty }
    }

    /// Without brackets around the whole, and what negates it.
    var bareCondition: String {
        var text = self[...]
        while true {
            let before = text
            text = text.drop { $0 == " " || $0 == "!" }
            while text.last == " " { text = text.dropLast() }
            if text.first == "(", text.last == ")", text.isOneBracket { text = text.dropFirst().dropLast() }
            if text == before { return String(text) }
        }
    }

    var textsOfCondition: [String] {
        let parts: [Substring] = split(separator: "\"", omittingEmptySubsequences: false)
        return stride(from: 1, to: parts.count, by: 2).map { String(parts[$0]) }
    }
}

extension Substring {
    /// Whether the bracket at its beginning ends at its end.
    fileprivate var isOneBracket: Bool {
        var depth = 0
        for place in indices {
            if self[place] == "(" { depth += 1 }
            if self[place] == ")" { depth -= 1 }
            if depth == 0 { return index(after: place) == endIndex }
        }
        return false
    }
}
