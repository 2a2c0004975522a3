/// The commands of a script, each with what stands around it. What is not understood of a shell's grammar is a plain word.
struct ShellScript {
    enum Kind {
        case script
        /// Another file, with commands in its lines.
        case lines
        case makefile
    }

    struct Loop {
        var name: String
        var words: [ShellWord]
    }

    struct Command {
        var words: [ShellWord]
        var line: Int
        var conditions: [Choices.Choice] = []
        var function: String?
        var loops: [Loop] = []
        /// Why it is never run.
        var isIdle: String?
    }

    enum Frame {
        case test(from: Int, failed: [Choices.Choice])
        case branch(held: [Choices.Choice], failed: [Choices.Choice])
        case cases(subject: String, labels: [String], held: [Choices.Choice], isLabel: Bool)
        case loop(Loop?, [Choices.Choice])
        case function(String, [Choices.Choice])
        /// Commands in brackets: what holds in them, and whether they may be passed over or end themselves alone.
        case group(held: [Choices.Choice], isDetached: Bool)
    }

    private(set) var commands: [Command] = []
    let text: [Character]
    private let kind: Kind
    private let depth: Int
    private let outer: Command?
    var frames: [Frame] = []
    /// What holds behind tests that end the script, the function or the round of a loop.
    var exits: [Choices.Choice] = []
    /// What holds in a list of `&&` and `||`.
    var list: [Choices.Choice] = []
    /// Whether that is what failed: behind `||`.
    private var isElse = false
    /// Whether a command of the list that says nothing of a build decides as well: `cd here || exit 1`.
    var mayFail = false
    var labels: [String] = []
    /// What holds in the cases that go on with this one, behind `;&`.
    var through: [[Choices.Choice]] = []
    var loop: Loop?
    var function: String?
    var endedOn: Int?
    private var lastMark = "\n"

    /// - Parameter outer: the command of which it is a part.
    init(_ text: some StringProtocol, line: Int = 1, _ kind: Kind, within outer: Command? = nil, depth: Int = 0) {
        self.text = Array(text)
        self.kind = kind
        self.outer = outer
        self.depth = depth
        var lexer = ShellLexer(self.text, line: line, kind)
        read(lexer.tokens())
    }

    private mutating func read(_ tokens: [ShellLexer.Token]) {
        var words: [ShellWord] = []
        var isTarget = false
        var isOutput = false
        var isWritten = false
        // Whose document follows.
        var last: (command: Command, isShown: Bool)?
        for (index, token) in tokens.enumerated() {
            switch token {
            case .word(let word):
                if isTarget {
                    if isOutput, word.plain != "/dev/null" { isWritten = true }
                    isTarget = false
                } else {
                    words.append(word)
                }
            case .mark(">", _), .mark("<", _), .mark(">&", _):
                isTarget = true
                // `>&2` writes no file, and shows what it is given.
                if case .mark(">", _) = token { isOutput = true } else { isOutput = false }
            case .mark("(", _):
                if words.count == 1, let name = words[0].keyword, index + 1 < tokens.count,
                    case .mark(")", _) = tokens[index + 1]
                {
                    function = name
                    words = []
                } else if words.isEmpty {
                    // `(live) …`: the label of a case.
                    if case .cases(_, _, _, true)? = frames.last { continue }
                    frames.append(.group(held: list, isDetached: true))
                    endList()
                }
            case .mark(let mark, let line):
                isTarget = false
                if mark == ")", function != nil, words.isEmpty { continue }
                let isShown = !isWritten && mark != "|"
                if let first = words.first {
                    last = (command(words, first.line), isShown && Self.shows(words))
                }
                finish(words, mark, line, isShown: isShown && Self.shows(words))
                words = []
                isWritten = false
            case .document(let text, let line):
                guard depth < 3, let last else { continue }
                var command = last.command
                if last.isShown { command.isIdle = "stands in a text that is shown, and that no command runs" }
                commands += ShellScript(text, line: line, kind, within: command, depth: depth + 1).commands
            }
        }
    }

    /// Whether a command does nothing but show what it is given.
    private static func shows(_ words: [ShellWord]) -> Bool {
        guard let name = words.first?.keyword else { return false }
        return ["echo", "printf", "cat", ":", "print", "log", "info", "warn", "say", "err", "die"].contains(name)
    }

    private func command(_ words: [ShellWord], _ line: Int) -> Command {
        var command = Command(words: words, line: line)
        command.conditions = outer?.conditions ?? []
        command.function = outer?.function
        command.loops = outer?.loops ?? []
        command.isIdle = outer?.isIdle
        // Nobody writes more of them, one within the other.
        var own = Array(exits.suffix(32))
        for frame in frames.suffix(32) {
            switch frame {
            case .test(_, let failed): own += failed
            case .branch(let held, let failed): own += failed + held
            case .cases(_, _, let held, _): own += held
            case .loop(let loop, _): if let loop { command.loops.append(loop) }
            case .function(let name, _): command.function = name
            case .group(let held, _): own += held
            }
        }
        command.conditions += (own + list).filter { !command.conditions.contains($0) }
        if command.conditions.contains(where: \.isNever), command.isIdle == nil {
            command.isIdle = "stands behind a test that never holds"
        }
        if let endedOn, command.isIdle == nil {
            command.isIdle = "stands behind the 'exit' of line \(endedOn), and is never run"
        }
        return command
    }

    private mutating func finish(_ given: [ShellWord], _ mark: String, _ line: Int, isShown: Bool) {
        var words = given[...]
        let isStep = words.first?.keyword.map { $0 == "-" || $0 == "RUN" || $0.hasSuffix(":") } ?? false
        if kind == .lines && isStep || kind == .makefile && lastMark == "\n" && frames.isEmpty, outer == nil {
            // Another step of a pipeline, or a shell of its own for the line of a recipe.
            frames = []
            exits = []
            endedOn = nil
        }
        // A line may end with the mark by which the next one goes on.
        if words.isEmpty, mark == "\n", ["|", "&&", "||"].contains(lastMark) { return }
        lastMark = mark
        if kind == .lines, words.first?.keyword == "RUN" { words = words.dropFirst() }
        while let first = words.first, let keyword = first.keyword {
            // `@if` of a recipe is not shown, and an `if`.
            let word = kind == .makefile ? String(keyword.drop { "@-+".contains($0) }) : keyword
            if !takes(word, &words, mark) { break }
        }
        if case .cases(let subject, let before, _, true)? = frames.last {
            labels += words.map { word in
                // As it is written, where a variable or a pattern is in it.
                word.plain ?? String(text[word.range]).filter { $0 != "\"" && $0 != "'" }
            }
            guard mark == ")" else { return }
            let names = labels.joined(separator: " or ")
            let held =
                labels.contains("*")
                ? before.map { Choices.choice("\(subject): \($0)", holds: false) }
                : [Choices.choice("\(subject): \(names)", holds: true)]
            frames[frames.count - 1] = .cases(
                subject: subject,
                labels: before + [names],
                held: held,
                isLabel: false
            )
            labels = []
            return
        }
        if let first = words.first { take(Array(words), command(Array(words), first.line), mark, isShown: isShown) }
        follow(words.first?.keyword ?? "", mark)
        if mark.hasPrefix(";"), mark != ";", case .cases(let subject, let labels, let held, false)? = frames.last {
            through = mark == ";&" ? through + [held] : []
            frames[frames.count - 1] = .cases(subject: subject, labels: labels, held: [], isLabel: true)
        }
        if mark == ")", case .group? = frames.last { frames.removeLast() }
    }

    private mutating func take(_ words: [ShellWord], _ command: Command, _ mark: String, isShown: Bool) {
        for word in words where depth < 3 {
            for script in word.scripts {
                commands +=
                    ShellScript(script.text, line: script.line, .script, within: command, depth: depth + 1)
                    .commands
            }
        }
        let name = words[0].keyword ?? ""
        if ["[", "[[", "test"].contains(name), mark == "&&" || mark == "||" {
            let end = words.last?.range.upperBound ?? 0
            let test = Self.choice(Self.test(String(text[words[0].range.lowerBound..<end])), holds: true)
            switch (mark, isElse) {
            case ("&&", false): list.append(test)
            case ("&&", true): (list, isElse, mayFail) = ([], false, true)
            case (_, true): list.append(test.opposite)
            case (_, false): (list, isElse) = ([Self.negation(of: list + [test])], true)
            }
            return
        }
        let isAlias = name == "alias"
        // `return system("curl …");` of another language.
        if ["exit", "return", "continue", "break"].contains(name), !words.contains(where: { isCommand($0, false) }) {
            return leave(words, command)
        }
        if let inner = words.firstIndex(where: { isCommand($0, isAlias) }), depth < 3 {
            var around = command
            if isShown { around.isIdle = "stands in a text that is shown, and that no command runs" }
            let written = String(text[words[inner].range]).replacing("\\\"", with: "\"")
            let body = written.drop { $0 != "\"" && $0 != "'" }.dropFirst().dropLast()
            commands += ShellScript(body, line: words[inner].line, kind, within: around, depth: depth + 1).commands
            return
        }
        var command = command
        if isShown, ["echo", "printf", "print", "cat"].contains(name) {
            command.isIdle =
                command.function.map { "stands in a text that \($0)() shows or gives back" }
                ?? "stands in a text that is shown, and that no command runs"
        }
        commands.append(command)
        guard !through.isEmpty, case .cases(_, _, let held, _)? = frames.last(where: \.isCases) else { return }
        for other in through.prefix(8) {
            var again = command
            again.conditions = command.conditions.filter { !held.contains($0) } + other
            commands.append(again)
        }
    }

    /// `ssh host "curl …"`, `sh -c 'curl …'`, `alias get='curl …'`: a command in quotes.
    private func isCommand(_ word: ShellWord, _ isAlias: Bool) -> Bool {
        guard word.pieces.count > 0, word.elements == nil else { return false }
        let written = String(text[word.range])
        let lowercased = written.lowercased()
        guard CommandLines.options.contains(where: lowercased.contains), isAlias || !ShellWord.assigns(written) else {
            return false
        }
        return ["curl ", "wget ", "git ", "openconnect ", "openfortivpn "].contains(where: written.contains)
    }

    /// What holds for the command behind one that is no test.
    private mutating func follow(_ name: String, _ mark: String) {
        // The test before a pipeline is one for all of it.
        if mark == "|" { return }
        guard mark == "&&" || mark == "||" else { return endList() }
        if ["[", "[[", "test"].contains(name) { return }
        if mark == "||", !list.isEmpty, !isElse {
            (list, isElse) = ([Self.negation(of: list)], true)
        } else {
            if mark == "&&", isElse { (list, isElse) = ([], false) }
            mayFail = true
        }
    }

    mutating func endList() { (list, isElse, mayFail) = ([], false, false) }

    /// Behind `[ … ] && exit`, the test has failed. A script that ends with an error goes no other way.
    private mutating func leave(_ words: [ShellWord], _ command: Command) {
        let isDetached = frames.contains { if case .group(_, true) = $0 { true } else { false } }
        if mayFail || isDetached { return }
        let status = words.count > 1 ? words[1].plain : "0"
        let known = outer?.conditions ?? []
        let own = command.conditions.filter { !known.contains($0) && !exits.contains($0) }
        guard !own.isEmpty else {
            if words[0].keyword == "exit" || words[0].keyword == "return", command.loops.isEmpty {
                endedOn = command.line
            }
            return
        }
        guard status == "0" else { return }
        exits.append(Self.negation(of: own))
    }
}

extension ShellScript.Frame {
    fileprivate var isCases: Bool { if case .cases = self { true } else { false } }
}

extension ShellWord {
    /// `NAME=value`, `NAME+=value`
    static func assigns(_ written: String) -> Bool {
        guard let mark = written.firstIndex(of: "=") else { return false }
        var name = written[..<mark]
        if name.hasSuffix("+") { name = name.dropLast() }
        return !name.isEmpty && !(name.first?.isNumber ?? true)
            && name.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_") }
    }
}
