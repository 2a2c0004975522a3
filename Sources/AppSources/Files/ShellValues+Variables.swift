/// What a variable holds at a command.
extension ShellValues {
    /// What a variable holds at a command; `nil` where nothing tells it.
    func values(
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

    func assigned(_ name: String, before place: Int, _ context: Context, _ choices: Choices, _ depth: Int)
        -> [Field]?
    {
        let function = commands[place].function
        for assignment in inOrder(name, before: place, function) {
            let command = commands[assignment.index]
            // A value for one command alone.
            let isOwn = command.words.last?.assigned != nil
            if assignment.index != place, !isOwn, !command.isDeclaration, !assignment.isFallback { continue }
            if assignment.index == place, isOwn || assignment.isFallback { continue }
            guard command.isIdle == nil, let tests = open(command.conditions, of: command, context),
                tests.allSatisfy({ choices.holds($0.condition) == ($0.option == 0) })
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
