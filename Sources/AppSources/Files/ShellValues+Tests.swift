/// Conditions that the arguments of a call decide.
extension ShellValues {
    /// Those of a function's command that its call leaves open; `nil` where one of them fails with its arguments.
    func open(_ conditions: [Choices.Choice], of command: ShellScript.Command, _ context: Context) -> [Choices.Choice]?
    {
        guard let caller = context.caller, command.function != nil,
            commands[caller].words.first?.keyword == command.function
        else { return conditions }
        var left: [Choices.Choice] = []
        for choice in conditions {
            guard let holds = holds(choice.condition, command.function, context) else {
                left.append(choice)
                continue
            }
            if holds != (choice.option == 0) { return nil }
        }
        return left
    }

    /// What a test asks of one word, and the texts that it asks for; none of these where it asks whether there is one.
    static func subject(of condition: String) -> (word: ShellWord, labels: [String])? {
        var subject = condition[...]
        var labels: [Substring] = []
        if condition.hasPrefix("-n ") {
            subject = condition.dropFirst(3)
        } else {
            guard let mark = [": ", " = ", " == "].compactMap({ condition.firstRange(of: $0) }).first else {
                return nil
            }
            subject = condition[..<mark.lowerBound]
            let isCase = condition[mark].hasPrefix(":")
            labels = isCase ? condition[mark.upperBound...].split(separator: " or ") : [condition[mark.upperBound...]]
        }
        let texts = labels.map { $0.filter { $0 != "\"" && $0 != "'" } }
        guard let word = word(subject),
            texts.allSatisfy({ text in !text.contains { $0.isWhitespace || "$`*?[".contains($0) } })
        else { return nil }
        return (word, texts)
    }

    private static func word(_ text: some StringProtocol) -> ShellWord? {
        var lexer = ShellLexer(Array(text), line: 0, .script)
        let words: [ShellWord] = lexer.tokens().compactMap { if case .word(let word) = $0 { word } else { nil } }
        return words.count == 1 ? words[0] : nil
    }

    /// Whether a test holds for the arguments of a call; `nil` where they do not tell it.
    private func holds(_ condition: String, _ function: String?, _ context: Context) -> Bool? {
        guard let (subject, labels) = Self.subject(of: condition), let value = argument(subject, function, context)
        else { return nil }
        return labels.isEmpty ? !value.isEmpty : labels.contains(value)
    }

    /// The value of `$1`, or of the one variable that the function gives it to.
    private func argument(_ word: ShellWord, _ function: String?, _ context: Context) -> String? {
        let parts = word.pieces.filter { if case .plain("") = $0.piece { false } else { true } }
        guard parts.count == 1, case .variable(let name, _, _) = parts[0].piece, let caller = context.caller else {
            return nil
        }
        if let number = Int(name), number > 0, let arguments = context.arguments {
            guard arguments.allSatisfy({ $0.plain != nil }) else { return nil }
            return number <= arguments.count ? arguments[number - 1].plain : ""
        }
        let given = (assignments[name] ?? []).filter { commands[$0.index].function == function }
        guard given.count == 1, !given[0].isAppended, commands[given[0].index].conditions.isEmpty,
            given[0].index != caller,
            given[0].value.namesArgument
        else { return nil }
        return argument(given[0].value, nil, context)
    }
}
