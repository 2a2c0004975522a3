/// The command line as a report has it: without the values of variables, which may be secrets.
enum ToldCommand {
    static var words: [String] { hiding(CommandLine.arguments.dropFirst().map { $0 }) }

    private static let mark = "<hidden>"
    private static let option = "--env"

    /// What is a placeholder and nothing else is filled anew in each trial, and is no secret.
    static func hiding(_ words: [String]) -> [String] {
        changing(words) { value, _ in value.wholeMatch(of: #/\{[a-z.-]+\}/#) == nil ? mark : value }
    }

    /// The same with the values that were hidden.
    ///
    /// - Parameter value: of the variable of a name.
    static func revealing(_ words: [String], _ value: (String) throws -> String) rethrows -> [String] {
        try changing(words) { $0 == mark ? try value($1) : $0 }
    }

    private static func changing(
        _ words: [String],
        _ change: (_ value: String, _ name: String) throws -> String
    ) rethrows -> [String] {
        func changed(_ variable: some StringProtocol) throws -> String {
            guard let sign = variable.firstIndex(of: "=") else { return String(variable) }
            let (name, value) = (String(variable[..<sign]), String(variable[sign...].dropFirst()))
            return "\(name)=\(try change(value, name))"
        }
        var isBehind = false
        return try words.enumerated().map { index, word in
            if word == "--" { isBehind = true }
            if isBehind { return word }
            if index > 0, words[index - 1] == option { return try changed(word) }
            guard word.hasPrefix("\(option)=") else { return word }
            return "\(option)=" + (try changed(word.dropFirst(option.count + 1)))
        }
    }
}
