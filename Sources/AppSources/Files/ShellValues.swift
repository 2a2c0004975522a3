/// What the commands of a script are given: variables, arrays, loops and the arguments of its own functions.
struct ShellValues {
    /// A text, and why a part of it is not known.
    struct Field {
        var text = ""
        var gap: String?

        /// Whether it tells pins, or who is asked.
        var isOfPins: Bool {
            let text = text.lowercased()
            return CommandLines.options.contains(where: text.contains)
                || ["sha256:", "sha1:", "sha256//", "://"].contains(where: text.contains) || PinText.isBareHex(text)
                || PinText.isHostOrEnd(text)
        }
    }

    struct Assignment {
        var value: ShellWord
        var isAppended: Bool
        var index: Int
        /// Whether it is left alone where the variable has a value: `${NAME:=usual}`.
        var isFallback = false
    }

    /// What a function is called with, and what a loop goes through.
    struct Context {
        var arguments: [ShellWord]?
        var caller: Int?
        var elements: [String: Field] = [:]
    }

    let commands: [ShellScript.Command]
    let definitions: [String: String]
    /// Whether variables are named without a `$`.
    private let isCode: Bool
    var assignments: [String: [Assignment]] = [:]
    /// `NAME: value` of pipelines.
    var entries: [String: Set<String>] = [:]

    /// Counts the variables that are looked up: texts that name themselves twice grow without an end.
    final class Budget {
        var left = 20_000
    }

    let budget = Budget()
    static let deepest = 12
    private static let mostCommands = 5000
    private static let mostElements = 20
    private static let mostCallers = 12

    init(_ all: [ShellScript.Command], _ definitions: [String: String], isCode: Bool = false) {
        commands = Array(all.prefix(Self.mostCommands))
        self.definitions = definitions
        self.isCode = isCode
        for (index, command) in commands.enumerated() {
            for (name, value) in command.words.flatMap(\.fallbacks) {
                let word = ShellWord(pieces: [value])
                assignments[name, default: []].append(
                    .init(value: word, isAppended: false, index: index, isFallback: true)
                )
            }
            var words = command.words[...]
            while let word = words.first?.keyword,
                ["export", "readonly", "local", "declare", "typeset", "ARG", "ENV", "RUN", "env", "sudo", "set"]
                    .contains(word)
                    || word.hasPrefix("-") && words.count > 1
            {
                words = words.dropFirst()
            }
            // `NAME = value` of make, `NAME: value` of a pipeline.
            if let name = words.first?.target, words.count > 2, let mark = words[words.startIndex + 1].keyword,
                ["=", ":=", "?=", "::="].contains(mark), name.allSatisfy({ $0.isLetter || $0.isNumber || $0 == "_" })
            {
                var value = words[words.startIndex + 2]
                for word in words.dropFirst(3) { value.pieces += [.init(.plain(" "), true)] + word.pieces }
                assignments[name, default: []].append(.init(value: value, isAppended: false, index: index))
                continue
            }
            if let name = words.first?.keyword, name.hasSuffix(":"), words.count == 2,
                let value = words[words.startIndex + 1].plain
            {
                entries[String(name.dropLast()), default: []].insert(value)
                continue
            }
            for word in words {
                guard let assigned = word.assigned else { break }
                assignments[assigned.name, default: []].append(
                    .init(value: assigned.value, isAppended: assigned.isAppended, index: index)
                )
            }
        }
    }

    var found: [CommandLines.Found] {
        var all: [CommandLines.Found] = []
        let places = commands.indices.filter { mayPin(commands[$0]) }
        for place in places {
            for one in read(place) where !all.contains(one) { all.append(one) }
        }
        return all
    }

    /// Whether a command is one of those that can be given pins.
    private func mayPin(_ command: ShellScript.Command) -> Bool {
        command.words.contains { word in
            word.pieces.contains { piece in
                switch piece.piece {
                case .plain(let text):
                    let text = text.lowercased()
                    return CurlArguments.tool(text) != nil || CommandLines.options.contains(where: text.contains)
                case .variable(let name, _, _): return word.isVariable && assignments[name] != nil
                case .whereSet(_, _, let words):
                    return words.contains { word in
                        word.plain.map { text in CommandLines.options.contains(where: text.lowercased().contains) }
                            ?? false
                    }
                case .unknown: return false
                }
            }
        } && !(command.words.allSatisfy { $0.assigned != nil || ["export", "readonly", "local"].contains($0.keyword) })
    }

    private func read(_ place: Int) -> [CommandLines.Found] {
        let command = commands[place]
        let callers = callers(of: command)
        var results: [[CommandLines.Found]] = []
        for context in callers {
            let around = context.caller.map { commands[$0].conditions } ?? []
            guard let own = open(command.conditions, of: command, context) else { continue }
            let fixed = around + own.filter { !around.contains($0) }
            let ways = Choices.explore(within: fixed) { choices in
                elements(of: command, place, context, choices).flatMap { context in
                    let words = command.words.flatMap { fields(of: $0, place, context, choices, 0) }
                    // `vpn = spawn(…)`: what is assigned to is no argument.
                    let isAssigned = words.count > 1 && ["=", ":="].contains(words[1].text)
                    let own =
                        isCode
                        ? words.prefix(isAssigned ? 1 : 0)
                            + words.dropFirst(isAssigned ? 1 : 0).map { named($0, place, choices) } : words
                    return CurlArguments.read(Self.evaluated(own), line: command.line)
                }
            }
            guard let ways else {
                var gap = CommandLines.Found(tool: .curl, line: command.line, value: "", isInsecure: false)
                gap.gap = "more ways through its conditions than can be told apart"
                return [gap]
            }
            results.append(
                ways.flatMap { way in
                    way.result.map { one in
                        var one = one
                        one.conditions = way.words
                        if let reason = command.isIdle { one.gap = "it \(reason)" }
                        return one
                    }
                }
            )
        }
        guard results.isEmpty, let function = command.function else { return results.flatMap { $0 } }
        // Calls that come to other branches alone.
        let words = command.words.flatMap { fields(of: $0, place, Context(), Choices.none, 0) }
        return CurlArguments.read(words, line: command.line).map { one in
            var one = one
            one.conditions = command.conditions.map(\.words)
            one.gap = "no call of \(function)() in this file comes to it"
            return one
        }
    }

    /// A word that is the name of a variable, as code has it in a list of arguments.
    private func named(_ field: Field, _ place: Int, _ choices: Choices) -> Field {
        guard assignments[field.text] != nil else { return field }
        return assigned(field.text, before: place, Context(), choices, 0)?.first ?? field
    }

    /// `eval "$COMMAND"`, `sh -c "$COMMAND"`: the words of the text.
    private static func evaluated(_ fields: [Field]) -> [Field] {
        let isShell = ["sh", "bash", "zsh"].contains(fields.first?.text) && fields.dropFirst().first?.text == "-c"
        guard isShell || fields.first?.text == "eval" else { return fields }
        let given = fields.dropFirst(isShell ? 2 : 1)
        let text = given.map(\.text).joined(separator: " ")
        var lexer = ShellLexer(Array(text), line: 0, .script)
        return lexer.tokens().compactMap { token in
            guard case .word(let word) = token else { return nil }
            let plain = word.plain ?? "\u{0}"
            return Field(text: plain, gap: plain.contains("\u{0}") ? given.compactMap(\.gap).first : nil)
        }
    }

    /// Each call of the function in which a command stands; one that is not called is read by itself.
    private func callers(of command: ShellScript.Command) -> [Context] {
        guard let function = command.function else { return [Context()] }
        let places = commands.indices.filter { commands[$0].words.first?.keyword == function }
        guard !places.isEmpty, places.count <= Self.mostCallers, takesArguments(function) else { return [Context()] }
        return places.map { Context(arguments: Array(commands[$0].words.dropFirst()), caller: $0) }
    }

    private func takesArguments(_ function: String) -> Bool {
        let own = commands.filter { $0.function == function }
        let isShifted = own.contains { $0.words.first?.keyword == "shift" }
        return !isShifted
            && own.contains { command in
                (command.words + command.words.flatMap { $0.elements ?? [] }).contains { $0.namesArgument }
                    || command.conditions.contains { Self.subject(of: $0.condition)?.word.namesArgument ?? false }
            }
    }

    /// One for each way through the loops around.
    private func elements(of command: ShellScript.Command, _ place: Int, _ context: Context, _ choices: Choices)
        -> [Context]
    {
        var all = [context]
        for loop in command.loops {
            let values = loop.words.flatMap { fields(of: $0, place, context, choices, 0) }
            guard !values.isEmpty, values.count <= Self.mostElements, values.allSatisfy({ $0.gap == nil }) else {
                continue
            }
            all = all.flatMap { context in
                values.map { value in
                    var own = context
                    own.elements[loop.name] = value
                    return own
                }
            }
            if all.count > 100 { return [context] }
        }
        return all
    }

    // MARK: Words

    func fields(of word: ShellWord, _ place: Int, _ context: Context, _ choices: Choices, _ depth: Int)
        -> [Field]
    {
        var done: [Field] = []
        var open: Field?
        func add(_ field: Field) {
            open = Field(text: (open?.text ?? "") + field.text, gap: open?.gap ?? field.gap)
        }
        func add(_ fields: [Field], isSplit: Bool) {
            var parts = fields
            if isSplit {
                parts = fields.flatMap { field in
                    field.text.split(whereSeparator: \.isWhitespace).map { Field(text: String($0), gap: field.gap) }
                }
            }
            for (index, part) in parts.enumerated() {
                if index > 0, let field = open {
                    done.append(field)
                    open = nil
                }
                add(part)
            }
        }
        for part in word.pieces {
            switch part.piece {
            case .plain(let text): add(Field(text: text))
            case .unknown(let written):
                let isOfPipeline = written.hasPrefix("${{")
                let reason = "'\(written)' is known only when the \(isOfPipeline ? "pipeline" : "script") runs"
                add(Field(text: "\u{0}", gap: reason))
            case .variable(let name, let written, let usual):
                var values = values(of: name, written, place, context, choices, depth)
                if !usual.isEmpty, values?.allSatisfy({ $0.text.isEmpty && $0.gap == nil }) ?? true {
                    let fallback = usual.flatMap { fields(of: $0, place, context, choices, depth + 1) }
                    // Where a pin or a host stands for what is not set, that is a condition.
                    let isOfPins = fallback.contains(where: \.isOfPins)
                    if values != nil || !isOfPins || !choices.holds(Self.isSet(name)) { values = fallback }
                }
                add(
                    values ?? [Field(text: "\u{0}", gap: gap(name, written, place, depth))],
                    isSplit: !part.isQuoted
                )
            case .whereSet(let name, let written, let words):
                let values = values(of: name, written, place, context, choices, depth)
                let isKnown = values.map { $0.contains { !$0.text.isEmpty } }
                if isKnown ?? choices.holds(Self.isSet(name)) {
                    let own = words.map { fields(of: $0, place, context, choices, depth + 1) }
                    // Quotes within keep their words together.
                    for (index, fields) in own.enumerated() {
                        if index > 0, let field = open {
                            done.append(field)
                            open = nil
                        }
                        add(fields, isSplit: false)
                    }
                }
            }
        }
        return done + [open].compactMap { $0 }
    }

    /// The condition that a variable is given a value where the script is run.
    private static func isSet(_ name: String) -> String { "$\(name) is set" }

    private func gap(_ name: String, _ written: String, _ place: Int, _ depth: Int) -> String {
        guard name.allSatisfy(\.isNumber) || name == "@" || name == "*" else {
            if budget.left <= 0 || depth >= Self.deepest { return "'\(written)' needs more steps than are taken" }
            if entries[name]?.count ?? 0 > 1 { return "'\(written)' has several values in this file" }
            return "'\(written)' is set elsewhere: give it with --define \(name)=VALUE"
        }
        let owner = commands[place].function.map { "\($0)(), and no call here tells it" } ?? "the script"
        return "'\(written)' is an argument of \(owner)"
    }
}

extension ShellWord {
    /// Whether it is one variable and nothing else, with quotes around it or without.
    fileprivate var isVariable: Bool {
        pieces.count { if case .plain("") = $0.piece { false } else { true } } == 1
    }

    /// What stands before a `=` with blanks around it: in PowerShell a variable.
    fileprivate var target: String? {
        if pieces.count == 1, case .variable(let name, _, _) = pieces[0].piece { return name }
        return keyword
    }

    /// `NAME=value`
    var assigned: (name: String, value: ShellWord, isAppended: Bool)? {
        guard case .plain(let text)? = pieces.first?.piece, pieces.first?.isQuoted == false,
            ShellWord.assigns(text), let mark = text.firstIndex(of: "=")
        else { return nil }
        var value = self
        let rest = text[text.index(after: mark)...]
        value.pieces.removeFirst()
        if !rest.isEmpty || value.pieces.isEmpty { value.pieces.insert(.init(.plain(String(rest)), false), at: 0) }
        let isAppended = text[..<mark].hasSuffix("+")
        return (String(text[..<mark].dropLast(isAppended ? 1 : 0)), value, isAppended)
    }

    var namesArgument: Bool {
        pieces.contains { piece in
            guard case .variable(let name, _, _) = piece.piece else { return false }
            return name == "@" || name == "*" || name.allSatisfy(\.isNumber)
        }
    }
}
