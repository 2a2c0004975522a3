/// `--pinnedpubkey` and its kin in scripts and in the settings of curl, wget and git, and what clients of tunnels are given.
package enum CommandLines {
    package struct Found: Hashable, Sendable {
        package enum Tool: String, Sendable {
            case curl
            case wget
            case git
            case openconnect
            case openfortivpn

            /// What the pins of a tunnel's client are, which no model has.
            package var what: String? {
                switch self {
                case .curl, .wget, .git: nil
                case .openconnect:
                    "keys that openconnect takes from its server; it looks at nothing else of the certificate"
                case .openfortivpn:
                    "certificates that openfortivpn takes where the ordinary checks refuse them; what passes these is taken, too"
                }
            }
        }

        package var tool: Tool
        package var line: Int
        /// As it is written, without its quotes.
        package var value: String
        package var isInsecure: Bool
        /// Of the URL on the same command line.
        package var host: String?
        /// Why the value is not known; `nil` where it is.
        package var gap: String?
        /// Why nothing is asked for its pins: the address, or the options, say that it may go without TLS.
        package var plain: String?
        /// Under which conditions of the script, in words; empty where always.
        package var conditions: [String] = []

        /// The pins in it, which may not be all.
        package var pins: [String] {
            let parts = value.split(separator: ";").map(String.init)
            return tool.what == nil ? parts.filter { $0.isPinOfCurl } : parts.compactMap(TunnelArguments.pin)
        }
    }

    /// The options that give pins, in lower case.
    static let options = ["pinnedpubkey", "--servercert", "--trusted-cert"]

    /// - Parameter definitions: what a person said that variables stand for.
    package static func read(_ text: String, fileName: String, definitions: [String: String] = [:]) -> [Found] {
        let name = fileName.split(separator: "/").last.map { $0.lowercased() } ?? ""
        let isMakefile = name.hasPrefix("makefile") || name.hasSuffix(".mk")
        let isScript =
            text.hasPrefix("#!")
            && !["python", "ruby", "perl", "node", "php"].contains(where: text.prefix(80).contains)
            || ["sh", "bash", "zsh", "ksh", "bats"].contains { name.hasSuffix(".\($0)") }
            || [".bash", ".zsh", ".profile", ".zprofile", ".aliases"].contains(where: name.hasPrefix)
        if !isScript, ["curlrc", "wgetrc", "gitconfig"].contains(where: name.contains) { return settings(text, name) }
        let kind: ShellScript.Kind = isMakefile ? .makefile : isScript ? .script : .lines
        let isBatch = name.hasSuffix(".bat") || name.hasSuffix(".cmd")
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        let whole = kind == .lines ? wordsOfLists(lines, name).joined(separator: "\n") : text
        let script = ShellScript(isBatch ? whole.inShell : whole, kind)
        // What a program's own language calls a variable has no `$`.
        let isCode = ["py", "rb", "go", "lua", "pl", "js", "mjs", "cjs", "ts"].contains { name.hasSuffix(".\($0)") }
        var found = ShellValues(script.commands, definitions, isCode: isCode).found
        if kind == .lines, isProgram(name) {
            for index in found.indices { found[index].conditions += conditions(lines, found[index].line - 1, name) }
        }
        return (found + rest(of: script.commands, found)).sorted { $0.line < $1.line }
    }

    /// Pins of a script that no command is given.
    private static func rest(of commands: [ShellScript.Command], _ found: [Found]) -> [Found] {
        let known = Set(found.flatMap(\.pins))
        var rest: [Found] = []
        for command in commands {
            let texts = command.words.flatMap { [$0] + ($0.elements ?? []) }.flatMap(\.pieces).compactMap { piece in
                if case .plain(let text) = piece.piece { text } else { nil }
            }
            let pins = texts.flatMap { PinText.pins(within: $0) }.filter { $0.isPinOfCurl && !known.contains($0) }
                .uniqued
            guard !pins.isEmpty, !rest.contains(where: { $0.pins == pins }) else { continue }
            let gap = command.isIdle.map { "it \($0)" } ?? "a pin stands here, and no command that is known uses it"
            rest.append(
                Found(
                    tool: .curl,
                    line: command.line,
                    value: pins.joined(separator: ";"),
                    isInsecure: false,
                    host: nil,
                    gap: gap
                )
            )
        }
        return rest
    }

    // MARK: Settings

    /// `pinnedpubkey = "…"`, a line each.
    private static func settings(_ text: String, _ name: String) -> [Found] {
        let tool: Found.Tool = name.contains("git") ? .git : name.contains("wget") ? .wget : .curl
        var found: [Found] = []
        var section = ""
        var isInsecure = false
        for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            let trimmed = line.drop(while: \.isWhitespace)
            if trimmed.hasPrefix("#") || trimmed.hasPrefix(";") { continue }
            if trimmed.hasPrefix("[") { section = String(trimmed) }
            let body = trimmed.drop { $0 == "-" }
            let key = body.prefix { !$0.isWhitespace && $0 != "=" && $0 != ":" }.lowercased()
            let value = body.dropFirst(key.count).drop { $0.isWhitespace || $0 == "=" || $0 == ":" }
            if key == "insecure" || key == "check_certificate" && value.hasPrefix("off") { isInsecure = true }
            guard key == "pinnedpubkey", !value.isEmpty else { continue }
            let quote = value.first ?? " "
            let word =
                "\"'".contains(quote)
                ? String(value.dropFirst().prefix { $0 != quote }) : String(value.prefix { !$0.isWhitespace })
            found.append(
                Found(
                    tool: tool,
                    line: index + 1,
                    value: word,
                    isInsecure: trimmed.contains("--insecure"),
                    host: tool == .git ? host(of: section) : nil
                )
            )
        }
        if isInsecure { for index in found.indices { found[index].isInsecure = true } }
        return found
    }

    /// Of a text in which a URL stands.
    static func host(of text: some StringProtocol) -> String? {
        guard let scheme = text.firstRange(of: "https://") else { return nil }
        return host(ofAddress: text[scheme.upperBound...])
    }

    /// Of a URL without its scheme.
    static func host(ofAddress text: some StringProtocol) -> String? {
        let host = text.prefix { !"/?#\"' \t)]".contains($0) }.split(separator: "@").last?.prefix { $0 != ":" } ?? ""
        // What is not known of a variable stands there as a null.
        let isKnown = !host.contains { "${`\u{0}".contains($0) }
        return host.isEmpty || !isKnown ? nil : String(host)
    }
}

extension String {
    /// `%NAME%` of Windows, and its own mark of a line that goes on.
    fileprivate var inShell: String {
        let parts: [Substring] = split(separator: "%", omittingEmptySubsequences: false)
        var text = parts.first.map(String.init) ?? ""
        var isName = false
        for part in parts.dropFirst() {
            isName = !isName && !part.isEmpty && part.allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" }
            text += isName ? "${\(part)}" : String(part)
        }
        return text.replacing("\\", with: "/").replacing("^\n", with: "\\\n")
    }

    fileprivate var isPinOfCurl: Bool { hasPrefix("sha256//") && utf8.count == 52 }
}
