/// The conditions around a line of a language that is not read, by how far in its lines begin.
enum IndentedConditions {
    /// Those in which a test may stand behind what it is for, by the ends of files' names.
    private static let withModifiers: Set<String> = ["rb", "cr", "pl", "pm"]

    private static let farthest = 500

    /// - Parameter kind: how the file's name ends.
    static func read(_ lines: [Substring], _ index: Int, _ kind: String) -> [String] {
        var found: [String] = []
        var depth = depth(of: lines[index])
        if withModifiers.contains(kind), let own = modifier(lines[index]) { found.append(own) }
        var place = index
        // The line that opens the block around those that were passed.
        while depth > 0, place > 0, index - place < farthest {
            place -= 1
            let line = lines[place]
            guard !isSkipped(line), self.depth(of: line) <= depth else { continue }
            let isSame = self.depth(of: line) == depth
            guard let head = Head(line) else {
                if !isSame { depth = self.depth(of: line) }
                continue
            }
            if isSame {
                // Behind `if debug: return`.
                if let test = head.test, head.kind == .first, leaves(lines, place, upTo: index) {
                    found.insert(negated(test, head.isNegated), at: 0)
                }
                continue
            }
            depth = self.depth(of: line)
            if head.kind == .function {
                // What stands around a function says when it is declared, and not when it is called.
                break
            }
            if let test = head.test { found.insert(head.isNegated ? negated(test) : test, at: 0) }
            if head.kind == .next || head.kind == .last { found.insert(contentsOf: failed(lines, place, depth), at: 0) }
        }
        return found.uniqued
    }

    /// The tests before an `else`, none of which holds.
    private static func failed(_ lines: [Substring], _ index: Int, _ depth: Int) -> [String] {
        var tests: [String] = []
        for place in stride(from: index - 1, through: max(0, index - farthest), by: -1) {
            guard !isSkipped(lines[place]), self.depth(of: lines[place]) <= depth else { continue }
            guard self.depth(of: lines[place]) == depth, let head = Head(lines[place]) else {
                // A bracket alone closes the block before.
                if self.depth(of: lines[place]) == depth, lines[place].filter({ !$0.isWhitespace }) == "}" { continue }
                return tests
            }
            if let test = head.test { tests.insert(negated(test, head.isNegated), at: 0) }
            if head.kind == .first { return tests }
        }
        return tests
    }

    /// Whether the block that a line opens ends with a `return`, and before another line.
    private static func leaves(_ lines: [Substring], _ head: Int, upTo index: Int) -> Bool {
        let own = depth(of: lines[head])
        let body = lines[(head + 1)..<index].prefix { isSkipped($0) || depth(of: $0) > own }.filter { !isSkipped($0) }
        let behind = lines[(head + 1 + body.count)..<index].first { !isSkipped($0) && depth(of: $0) <= own }
        if let behind, let next = Head(behind), next.kind == .next || next.kind == .last { return false }
        let last = body.last?.drop(while: \.isWhitespace) ?? lines[head]
        return last == "return" || last.hasPrefix("return ") || last.hasPrefix("return;")
    }

    private static func negated(_ test: String, _ isNegated: Bool = false) -> String {
        isNegated ? test : Choices.choice(test, holds: false).words
    }

    /// Ruby's `… if test` behind a statement, and not in a comment.
    private static func modifier(_ line: Substring) -> String? {
        for (word, isNegated) in [(" if ", false), (" unless ", true)] {
            guard let last = line.lastRange(of: word), line[..<last.lowerBound].count(where: { $0 == "\"" }) % 2 == 0,
                !line[..<last.lowerBound].contains(" #"), !line[last.upperBound...].contains("\""),
                !line[last.upperBound...].contains(" else ")
            else { continue }
            let test = Head.plain(line[last.upperBound...])
            return isNegated ? negated(test) : test
        }
        return nil
    }

    private static func depth(of line: Substring) -> Int {
        line.prefix(while: \.isWhitespace).reduce(0) { $0 + ($1 == "\t" ? 4 : 1) }
    }

    private static func isSkipped(_ line: Substring) -> Bool {
        let body = line.drop(while: \.isWhitespace)
        return body.isEmpty || body.hasPrefix("//") || body.hasPrefix("* ")
            || body.hasPrefix("#") && !body.hasPrefix("#if")
    }

    /// A line that opens a block.
    private struct Head {
        enum Kind {
            case first
            case next
            case last
            case label
            case function
        }

        var kind: Kind
        var test: String?
        var isNegated = false

        init?(_ line: Substring) {
            let body = line.drop { $0.isWhitespace || $0 == "}" }
            let word = body.prefix { $0.isLetter || $0 == "_" }
            var rest = body.dropFirst(word.count)
            switch word {
            case "if", "unless": (kind, isNegated) = (.first, word == "unless")
            case "elif", "elsif", "elseif": kind = .next
            case "else":
                let second = rest.drop(while: \.isWhitespace)
                kind = second.hasPrefix("if") ? .next : .last
                rest = second.dropFirst(2)
            case "case", "when", "default":
                kind = .label
                test = Self.plain(body)
                return
            case "def", "func", "fn", "function", "class", "module", "impl", "sub", "pub", "public", "private",
                "protected", "static":
                kind = .function
            default: return nil
            }
            if kind == .first || kind == .next {
                guard let next = rest.first, next.isWhitespace || next == "(" else { return nil }
                test = Self.plain(rest)
            }
        }

        /// A test without its brackets, and without what opens its block.
        static func plain(_ text: Substring) -> String {
            var words = text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
            for end in [" {", "{", ":", " then", ";"] where words.hasSuffix(end) { words.removeLast(end.count) }
            if words.hasPrefix("("), words.hasSuffix(")"),
                !words.dropFirst().dropLast().contains(where: { "()".contains($0) })
            {
                words = String(words.dropFirst().dropLast())
            }
            return words.hasPrefix("not ") ? "!" + words.dropFirst(4) : words
        }
    }
}

extension Substring {
    fileprivate func lastRange(of text: String) -> Range<Index>? {
        var found: Range<Index>?
        var rest = self
        while let next = rest.firstRange(of: text) {
            found = next
            rest = rest[next.upperBound...]
        }
        return found
    }
}
