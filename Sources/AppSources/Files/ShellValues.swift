/// What the commands of a script are given: variables, arrays, loops and the arguments of its own functions.
struct ShellValues {
    /// A text, and why a part of it is not known.
    struct Field {
        var text = ""
        var gap: String?
    }

    private struct Assignment {
        var value: ShellWord
        var isAppended: Bool
        var index: Int
    }

    /// What a function is called with, and what a loop goes through.
    private struct Context {
        var arguments: [ShellWord]?
        var caller: Int?
        var elements: [String: Field] = [:]
    }

    private let commands: [ShellScript.Command]
    private let definitions: [String: String]
    /// Whether variables are named without a `$`.
    private let isCode: Bool
    private var assignments: [String: [Assignment]] = [:]
    /// `NAME: value` of pipelines.
    private var entries: [String: Set<String>] = [:]

    /// Counts the variables that are looked up: texts that name themselves twice grow without an end.
    private final class Budget {
        var left = 20_000
    }

    private let budget = Budget()
    private static let deepest = 12
    private static let mostCommands = 5000
    private static let mostElements = 20
    private static let mostCallers = 12

    init(_ all: [ShellScript.Command], _ definitions: [String: String], isCode: Bool = false) {
        commands = Array(all.prefix(Self.mostCommands))
        self.definitions = definitions
        self.isCode = isCode
        for (index, command) in commands.enumerated() {
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
                for word in words.dropFirst(3) { value.pieces += [(.plain(" "), true)] + word.pieces }
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
            let fixed = around + command.conditions.filter { !around.contains($0) }
            let ways = Choices.explore(within: fixed) { choices in
                elements(of: command, place, context, choices).flatMap { context in
                    let words = command.words.flatMap { fields(of: $0, place, context, choices, 0) }
                    let own = isCode ? words.map { named($0, place, choices) } : words
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
        return results.flatMap { $0 }
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

    private func fields(of word: ShellWord, _ place: Int, _ context: Context, _ choices: Choices, _ depth: Int)
        -> [Field]
    {
        var done: [Field] = []
        var open: Field?
        func add(_ field: Field) {
            open = Field(text: (open?.text ?? "") + field.text, gap: open?.gap ?? field.gap)
        }
        for (piece, isQuoted) in word.pieces {
            switch piece {
            case .plain(let text): add(Field(text: text))
            case .unknown(let written):
                let isOfPipeline = written.hasPrefix("${{")
                let reason = "'\(written)' is known only when the \(isOfPipeline ? "pipeline" : "script") runs"
                add(Field(text: "\u{0}", gap: reason))
            case .variable(let name, let written, let usual):
                var values = values(of: name, written, place, context, choices, depth)
                if values == nil, !usual.isEmpty {
                    values = usual.flatMap { fields(of: $0, place, context, choices, depth + 1) }
                }
                let known = values ?? [Field(text: "\u{0}", gap: gap(name, written, place, depth))]
                var parts: [Field] = known
                if !isQuoted {
                    parts = known.flatMap { field in
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
        }
        return done + [open].compactMap { $0 }
    }

    private func gap(_ name: String, _ written: String, _ place: Int, _ depth: Int) -> String {
        guard name.allSatisfy(\.isNumber) || name == "@" || name == "*" else {
            if budget.left <= 0 || depth >= Self.deepest { return "'\(written)' needs more steps than are taken" }
            if entries[name]?.count ?? 0 > 1 { return "'\(written)' has several values in this file" }
            return "'\(written)' is set elsewhere: give it with --define \(name)=VALUE"
        }
        let owner = commands[place].function.map { "\($0)(), and no call here tells it" } ?? "the script"
        return "'\(written)' is an argument of \(owner)"
    }

    /// What a variable holds at a command; `nil` where nothing tells it.
    private func values(
        of name: String,
        _ written: String,
        _ place: Int,
        _ context: Context,
        _ choices: Choices,
        _ depth: Int
    ) -> [Field]? {
        guard depth < Self.deepest, budget.left > 0 else { return nil }
        budget.left -= 1
        if let element = context.elements[name] { return [element] }
        if name == "@" || name == "*" || name.allSatisfy(\.isNumber) {
            guard let arguments = context.arguments, let caller = context.caller else { return nil }
            let given = arguments.flatMap { fields(of: $0, caller, Context(), choices, depth + 1) }
            guard let number = Int(name) else { return given }
            return number > 0 && number <= given.count ? [given[number - 1]] : nil
        }
        let isJoined = name.hasSuffix("[*]")
        let plain = isJoined || name.hasSuffix("[@]") ? String(name.dropLast(3)) : name
        guard let found = assigned(plain, before: place, context, choices, depth) else {
            if let value = definitions[plain] { return [Field(text: value)] }
            guard let all = entries[plain], all.count == 1, let value = all.first, !value.contains("$") else {
                return nil
            }
            return [Field(text: value)]
        }
        guard isJoined else { return found }
        let separator = values(of: "IFS", "$IFS", place, context, choices, depth + 1)?.first?.text.first ?? " "
        return [
            Field(text: found.map(\.text).joined(separator: String(separator)), gap: found.compactMap(\.gap).first)
        ]
    }

    /// The assignments before a command, the last one first. What another function does, it does where it is called.
    private func inOrder(_ name: String, before place: Int, _ function: String?) -> [Assignment] {
        let all = assignments[name] ?? []
        guard all.contains(where: { commands[$0.index].function != function }) else {
            return all.filter { $0.index <= place }.reversed()
        }
        let placed = all.flatMap { assignment -> [(Int, Assignment)] in
            let command = commands[assignment.index]
            // A function's own, or one of the script that stands before its call.
            guard let owner = command.function, owner != function else {
                return assignment.index <= place || command.function == nil ? [(assignment.index, assignment)] : []
            }
            if command.words.first?.keyword == "local" { return [] }
            return commands.indices.filter { commands[$0].words.first?.keyword == owner && $0 <= place }
                .map { ($0, assignment) }
        }
        return placed.sorted { $0.0 > $1.0 }.map(\.1)
    }

    private func assigned(_ name: String, before place: Int, _ context: Context, _ choices: Choices, _ depth: Int)
        -> [Field]?
    {
        let function = commands[place].function
        for assignment in inOrder(name, before: place, function) {
            let command = commands[assignment.index]
            // A value for one command alone.
            if assignment.index != place, command.words.last?.assigned == nil, !command.isDeclaration { continue }
            if assignment.index == place, command.words.last?.assigned != nil { continue }
            guard command.isIdle == nil,
                command.conditions.allSatisfy({ choices.holds($0.condition) == ($0.option == 0) })
            else { continue }
            // What is assigned in a function is told by the function's own arguments.
            let own = command.function == function ? context : Context(elements: context.elements)
            let value = assignment.value.elements ?? [assignment.value]
            let given = value.flatMap { fields(of: $0, assignment.index, own, choices, depth + 1) }
            // In an assignment nothing is split.
            let whole =
                assignment.value.elements != nil
                ? given : [Field(text: given.map(\.text).joined(separator: " "), gap: given.compactMap(\.gap).first)]
            guard assignment.isAppended else { return whole }
            let before = assigned(name, before: assignment.index, context, choices, depth + 1) ?? []
            guard assignment.value.elements == nil, let last = before.last, let first = whole.first else {
                return before + whole
            }
            return before.dropLast() + [Field(text: last.text + first.text, gap: last.gap ?? first.gap)]
        }
        return nil
    }
}

extension ShellScript.Command {
    fileprivate var isDeclaration: Bool {
        ["export", "readonly", "local", "declare", "typeset", "ARG", "ENV", "set"].contains(words.first?.keyword)
            || words.count > 2 && ["=", ":=", "?=", "::="].contains(words[1].keyword)
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
    fileprivate var assigned: (name: String, value: ShellWord, isAppended: Bool)? {
        guard case .plain(let text)? = pieces.first?.piece, pieces.first?.isQuoted == false,
            ShellWord.assigns(text), let mark = text.firstIndex(of: "=")
        else { return nil }
        var value = self
        let rest = text[text.index(after: mark)...]
        value.pieces.removeFirst()
        if !rest.isEmpty || value.pieces.isEmpty { value.pieces.insert((.plain(String(rest)), false), at: 0) }
        let isAppended = text[..<mark].hasSuffix("+")
        return (String(text[..<mark].dropLast(isAppended ? 1 : 0)), value, isAppended)
    }

    fileprivate var namesArgument: Bool {
        pieces.contains { piece in
            guard case .variable(let name, _, _) = piece.piece else { return false }
            return name == "@" || name == "*" || name.allSatisfy(\.isNumber)
        }
    }
}
