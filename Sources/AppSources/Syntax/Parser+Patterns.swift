/// What takes an object apart: `const { a, b: c } = value`.
extension Parser {
    /// `{ a, b: c }`: names that stand for the members of a value; what is not as simple is not followed.
    mutating func declare(pattern: Range<Int>, of value: Expression?) {
        var isSimple = tokens[pattern.lowerBound].isMark("{")
        var place = pattern.lowerBound + 1
        var members: [Int: String] = [:]
        while isSimple, place < pattern.upperBound {
            guard let name = tokens[place].name else { break }
            var last = place
            if token(place + 1)?.isMark(":") ?? false, token(place + 2)?.name != nil { last = place + 2 }
            members[last] = name
            isSimple = last + 1 == pattern.upperBound || tokens[last + 1].isMark(",")
            place = last + 2
        }
        for place in pattern {
            guard let name = tokens[place].name else { continue }
            var declaration = Declaration(name: name, kind: .parameter, line: tokens[place].line, block: block)
            if let value, isSimple, let member = members[place] {
                declaration.value = expression(.member(value, member), at: value.token)
            }
            declare(declaration)
        }
    }
}
