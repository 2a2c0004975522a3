/// One directive of the header: a token, and perhaps a token or a quoted string (RFC 7469 section 2.1).
struct HPKPDirective: Hashable {
    /// As written; compared without regard to case.
    var name: String
    var value: String?
    var isQuoted = false

    /// Every directive of a field's value, or what is wrong with it.
    static func all(in text: String) -> Result<[HPKPDirective], Malformation> {
        var rest = Substring(text)
        var directives: [HPKPDirective] = []
        while true {
            rest = rest.drop(while: isSpace)
            // Empty directives are allowed.
            if rest.first == ";" {
                rest.removeFirst()
                continue
            }
            guard !rest.isEmpty else { return .success(directives) }
            let name = rest.prefix(while: isToken)
            guard !name.isEmpty else {
                return .failure(Malformation("expected a directive before '\(start(of: rest))'"))
            }
            rest = rest[name.endIndex...].drop(while: isSpace)
            var directive = HPKPDirective(name: String(name))
            if rest.first == "=" {
                rest = rest.dropFirst().drop(while: isSpace)
                guard let value = takeValue(&rest) else {
                    let message = "\(name): expected a word or a quoted text that ends, found '\(start(of: rest))'"
                    return .failure(Malformation(message))
                }
                (directive.value, directive.isQuoted) = value
                rest = rest.drop(while: isSpace)
            }
            directives.append(directive)
            guard rest.isEmpty || rest.first == ";" else {
                return .failure(Malformation("\(name): expected ';' before '\(start(of: rest))'"))
            }
        }
    }

    /// Whether the value stands as it may: in quotes, or as a word of the header's alphabet.
    var isWellFormed: Bool { isQuoted || value?.allSatisfy(HPKPDirective.isToken) ?? true }

    struct Malformation: Error {
        let message: String
        init(_ message: String) { self.message = message }
    }

    /// A text as the inside of a quoted string.
    static func quote(_ text: String) -> String {
        String(text.flatMap { $0 == "\"" || $0 == "\\" ? ["\\", $0] : [$0] })
    }

    private static func takeValue(_ rest: inout Substring) -> (String, Bool)? {
        guard rest.first == "\"" else {
            // Wider than a token, so that a pin without its quotes can be named whole.
            let word = rest.prefix { $0 != ";" && !isSpace($0) }
            guard !word.isEmpty else { return nil }
            rest = rest[word.endIndex...]
            return (String(word), false)
        }
        var value = ""
        var isEscaped = false
        for index in rest.indices.dropFirst() {
            switch (rest[index], isEscaped) {
            case ("\"", false):
                rest = rest[rest.index(after: index)...]
                return (value, true)
            case ("\\", false): isEscaped = true
            case (let character, _):
                value.append(character)
                isEscaped = false
            }
        }
        return nil
    }

    private static func start(of rest: Substring) -> String { String(rest.prefix(20)) }

    private static func isSpace(_ character: Character) -> Bool { character == " " || character == "\t" }

    /// RFC 7230 section 3.2.6.
    private static func isToken(_ character: Character) -> Bool {
        character.isASCII && (character.isLetter || character.isNumber || "!#$%&'*+-.^_`|~".contains(character))
    }
}
