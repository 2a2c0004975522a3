/// What a container makes, and gives by its type.
extension SyntaxTree {
    /// Parameters by which a container gives what a function of it provides, by the type: `pinner: CertificatePinner`.
    func injections(in arguments: [Expression]) -> [Int] {
        guard tokens.indices.count(where: { isProvider($0) }) == 1 else { return [] }
        return parameters(among: arguments)
    }

    /// Where Koin gives a client what is made at a token, by its type: `single { CertificatePinner.Builder().build() }`, and
    /// `certificatePinner(get())` or a parameter.
    func gets(ofWhatIsMadeAt token: Int, in arguments: [Expression]) -> [Int] {
        guard language == .kotlin else { return [] }
        let isMade = calls(["single", "factory", "scoped"]).contains { _, _, given in
            guard given.count == 1, case .closure(let closure) = given[0].value.kind,
                case .expression(let value)? = blocks[closure.block].statements.last?.kind
            else { return false }
            return value.token == token
        }
        guard isMade else { return [] }
        let got = arguments.filter { argument in
            if case .call(let callee, let given) = argument.kind { callee.names("get") && given.isEmpty } else { false }
        }
        return (got.map(\.token) + parameters(among: arguments)).sorted()
    }

    private func parameters(among arguments: [Expression]) -> [Int] {
        arguments.compactMap { argument in
            guard case .name(let name) = argument.kind,
                let block = block(declaring: name, from: argument.block),
                blocks[block].declarations[name]?.allSatisfy({ $0.kind == .parameter }) ?? false,
                tokens.indices.contains(where: { isParameter($0, name) })
            else { return nil }
            return argument.token
        }
    }

    /// `pinner: CertificatePinner` or `CertificatePinner pinner`, before a comma or a bracket.
    func isParameter(_ place: Int, _ name: String) -> Bool {
        guard tokens[place].isName("CertificatePinner"), place > 1, place + 2 < tokens.count else { return false }
        if tokens[place - 1].isMark(":") { return tokens[place - 2].isName(name) }
        return tokens[place + 1].isName(name) && (tokens[place + 2].isMark(",") || tokens[place + 2].isMark(")"))
    }

    /// `@Provides fun pinner(): CertificatePinner`: the type behind the brackets, or before the name.
    func isProvider(_ place: Int) -> Bool {
        guard tokens[place].isName("CertificatePinner"), place > 1, place + 2 < tokens.count else { return false }
        if tokens[place - 1].isMark(":") { return tokens[place - 2].isMark(")") && isProvided(place) }
        return tokens[place + 1].name != nil && tokens[place + 2].isMark("(") && isProvided(place)
    }

    /// Whether a container gives others what a function of it returns, and by its type alone.
    func isProvided(_ place: Int) -> Bool {
        var isProvided = false
        for token in tokens[..<place].suffix(30).reversed() {
            if token.isMark("{") || token.isMark("}") || token.isMark(";") { break }
            if token.isName("Provides") || token.isName("Bean") { isProvided = true }
            if ["Named", "Qualifier", "IntoSet", "IntoMap"].contains(where: token.isName) { return false }
        }
        return isProvided
    }

    /// Whether a container gives this source a pinner by its type, or the source holds one that is made elsewhere.
    var takesPinner: Bool {
        tokens.indices.contains { place in
            guard tokens[place].isName("CertificatePinner"), place > 1 else { return false }
            if tokens[place - 1].isMark(":") { return !tokens[place - 2].isMark(")") }
            if tokens[place - 1].isMark("<") { return true }
            return language != .kotlin && place + 2 < tokens.count && tokens[place + 1].name != nil
                && !tokens[place + 2].isMark("(")
                && !tokens[place + 2].isMark("=")
        }
    }
}
