import Pinning

/// What is wrong with a `run:`, `stdin:` or `env:` value, or with what it was filled with.
package struct TemplateError: Error, Hashable, Sendable, CustomStringConvertible {
    private enum Problem: Hashable {
        case unknownPlaceholder(String, nearest: String?, known: [String])
        case emptyPlaceholder(String)
        case severalValues(String)
        case unclosedQuote(Character)
        case unclosedGroup
        case unopenedGroup
        case nestedGroup
        case groupWithoutPlaceholder
        case trailingBackslash
        case noWords
        case signOfShell(String)
        case variableOfShell(String)
        case nothingLeft
    }

    private let problem: Problem

    /// Where in the text it is, counting characters from 1; nil when it shows only in what the text is filled with.
    package let column: Int?

    private init(_ problem: Problem, column: Int? = nil) {
        self.problem = problem
        self.column = column
    }

    static func unknownPlaceholder(_ name: String, column: Int?, known: [String]) -> Self {
        Self(
            .unknownPlaceholder(name, nearest: nearest(to: name, among: known.sorted()), known: known.sorted()),
            column: column
        )
    }

    static func emptyPlaceholder(_ name: String) -> Self { Self(.emptyPlaceholder(name)) }
    static func severalValues(_ name: String) -> Self { Self(.severalValues(name)) }
    static func unclosedQuote(_ quote: Character, column: Int) -> Self { Self(.unclosedQuote(quote), column: column) }
    static func unclosedGroup(column: Int) -> Self { Self(.unclosedGroup, column: column) }
    static func unopenedGroup(column: Int) -> Self { Self(.unopenedGroup, column: column) }
    static func nestedGroup(column: Int) -> Self { Self(.nestedGroup, column: column) }
    static func groupWithoutPlaceholder(column: Int) -> Self { Self(.groupWithoutPlaceholder, column: column) }
    static func trailingBackslash(column: Int) -> Self { Self(.trailingBackslash, column: column) }
    /// Every word stood in a group that was left out.
    package static var nothingLeft: Self { Self(.nothingLeft) }
    static func signOfShell(_ sign: String, column: Int) -> Self { Self(.signOfShell(sign), column: column) }
    static func variableOfShell(_ name: String, column: Int) -> Self { Self(.variableOfShell(name), column: column) }
    static var noWords: Self { Self(.noWords, column: 1) }

    /// One sentence that names the culprit and says what to do; without the column.
    package var description: String {
        switch problem {
        case .unknownPlaceholder(let name, let nearest?, _):
            "no placeholder {\(name)}; did you mean {\(nearest)}?"
        case .unknownPlaceholder(let name, nil, let known):
            "no placeholder {\(name)}; there are \(known.map { "{\($0)}" }.joined(separator: ", "))"
        case .emptyPlaceholder(let name):
            "{\(name)} is empty here; wrap the words that need it in [...] and they are left out then"
        case .severalValues(let name):
            "{\(name)} has several values here; wrap the words that need it in [...] and they are repeated"
        case .unclosedQuote(let quote):
            "this \(quote) is never closed"
        case .unclosedGroup:
            "this [ is never closed; a bracket that the program shall see needs quotes"
        case .unopenedGroup:
            "no [ for this ]; a bracket that the program shall see needs quotes"
        case .nestedGroup:
            "a [...] group cannot stand in another; a bracket that the program shall see needs quotes"
        case .groupWithoutPlaceholder:
            "a [...] group without a placeholder is never left out; a bracket that the program shall see needs quotes"
        case .trailingBackslash:
            "nothing follows this backslash"
        case .nothingLeft:
            "nothing is left of the command line: every word stands in a [...] group that was left out"
        case .signOfShell(let sign):
            "'\(sign)' is for a shell, and none reads this line: write sh -c '…', or quote what the client is to be given"
        case .variableOfShell(let name):
            "'\(name)=' is for a shell, and none reads this line: write the variable under 'env:', or in --env"
        case .noWords:
            "the command line is empty"
        }
    }
}
