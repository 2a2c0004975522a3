/// Hosts that code looks for in order to compare nothing: `if (host == "test.acme.example") return true`.
extension SyntaxTree {
    private static let comparing: Set<String> = ["includes", "some", "has", "contains", "any", "every", "indexOf"]

    /// Whether a host at a token is one for which a callback returns at once, and compares nothing.
    func letsThrough(at token: Int) -> Bool {
        guard language != .groovy, let statement = innermost(around: token)?.statement else { return false }
        if token > 0, tokens[token - 1].isName("case") { return isPassed(caseAt: token, in: statement) }
        // `host switch { "test.acme.example" => true, … }`
        if language == .cSharp, token + 2 < tokens.count, tokens[token + 1].isMark("=>") {
            return tokens[token + 2].isName("true")
        }
        guard isEqualled(token) else { return false }
        switch statement.kind {
        case .branches(let branches, _):
            // What stands behind it is for the other hosts.
            guard let branch = branches.first, let last = blocks[branch.block].statements.last,
                case .returning = last.kind, branches.count == 1,
                token < (blocks[branch.block].statements.first?.tokens.lowerBound ?? 0)
            else { return false }
            return !compares(statement.tokens)
        // `const isLive = host === LIVE`, and then `if (isLive) return …`
        case .declaration(let declaration) where declaration.kind == .value:
            let uses = tokens.indices.filter { tokens[$0].isName(declaration.name) && !statement.tokens.contains($0) }
            return !uses.isEmpty && !uses.contains { $0 > 0 && tokens[$0 - 1].isMark("!") }
                && !compares(statement.tokens)
                && uses.allSatisfy { use in
                    guard let statement = innermost(around: use)?.statement, !compares(statement.tokens) else {
                        return false
                    }
                    if case .declaration = statement.kind { return true }
                    guard case .branches(let branches, _) = statement.kind, let branch = branches.first,
                        case .returning? = blocks[branch.block].statements.last?.kind
                    else { return false }
                    return branches.count == 1
                }
        default: return false
        }
    }

    /// `case "test.acme.example": return true;`
    private func isPassed(caseAt token: Int, in statement: Statement) -> Bool {
        guard language == .cSharp, case .branches(let branches, _) = statement.kind,
            let branch = branches.first(where: { token < blocks[$0.block].statements.first?.tokens.lowerBound ?? 0 }),
            case .returning(let value?)? = blocks[branch.block].statements.last?.kind
        else { return false }
        return blocks[branch.block].statements.count == 1 && value.names("true")
    }

    /// Names of a group that are used for that alone.
    func namesLetThrough(in group: CodeGroup) -> Set<String> {
        guard !isOfApple, language != .groovy else { return [] }
        var uses: [String: [Int]] = [:]
        for place in group.tokens {
            guard let name = tokens[place].name, GroupReading.namesPinnedHosts(name) else { continue }
            // Where it is declared.
            if place + 1 < tokens.count, tokens[place + 1].isMark("=") || tokens[place + 1].isMark(":") { continue }
            if isExported(place) { continue }
            uses[name, default: []].append(place)
        }
        return Set(uses.filter { $0.value.allSatisfy(letsThrough) }.keys)
    }

    /// `module.exports = { HOST }`, `export { HOST }`
    private func isExported(_ place: Int) -> Bool {
        guard let start = innermost(around: place)?.statement.tokens.lowerBound else { return false }
        return tokens[start].isName("export")
            || tokens[start].isName("module") && start + 2 < tokens.count && tokens[start + 2].isName("exports")
    }

    /// `if (host is "test.acme.example" or "debug.acme.example") return true`
    private func isPattern(at place: Int) -> Bool {
        guard language == .cSharp, tokens[place].isName("is") || tokens[place].isName("or"),
            let statement = innermost(around: place)?.statement, case .branches(let branches, _) = statement.kind,
            let branch = branches.first, case .returning(let value?)? = blocks[branch.block].statements.last?.kind
        else { return false }
        return value.names("true") && !branch.condition.contains("!=") && !branch.condition.contains("not ")
    }

    private func isEqualled(_ place: Int) -> Bool {
        [place - 1, place + 1].contains { next in
            tokens.indices.contains(next)
                && (tokens[next].isMark("==") || tokens[next].isMark("===") || next < place && isPattern(at: next))
        } || isAsked(place)
    }

    /// `host.endsWith("test.acme.example")` in Dart and scripts, `host.equals("test.acme.example")` in others, and no `!` before it.
    private func isAsked(_ place: Int) -> Bool {
        let isOfScripts = language == .dart || language == .script
        let asking =
            isOfScripts
            ? ["contains", "includes", "startsWith", "endsWith"] : ["equals", "Equals", "equalsIgnoreCase"]
        func namesHost(_ place: Int) -> Bool { tokens[place].name?.lowercased().contains("host") ?? false }
        // `"test.acme.example".equals(host)`
        if !isOfScripts, place > 0, place + 4 < tokens.count, tokens[place + 1].isMark("."),
            asking.contains(where: tokens[place + 2].isName), namesHost(place + 4)
        {
            return !tokens[place - 1].isMark("!")
        }
        guard place > 3, tokens[place - 1].isMark("("), asking.contains(where: tokens[place - 2].isName),
            namesHost(place - 4)
        else { return false }
        let start = start(ofChainTo: place - 4)
        return start > 0 && !tokens[start - 1].isMark("!")
    }

    /// Where a chain of members and calls begins: `url` of `url.parse(address).hostname`.
    private func start(ofChainTo place: Int) -> Int {
        var start = place
        while start > 1, tokens[start - 1].isMark(".") || tokens[start - 1].isMark("?.") {
            var next = start - 2
            if tokens[next].isMark(")") {
                var depth = 0
                while next > 0 {
                    if tokens[next].isMark(")") { depth += 1 }
                    if tokens[next].isMark("(") { depth -= 1 }
                    if depth == 0 { break }
                    next -= 1
                }
                // `new URL(address).hostname`
                if next > 0, tokens[next - 1].name != nil { next -= 1 }
                if next > 0, tokens[next - 1].isName("new") { next -= 1 }
            }
            start = next
        }
        return start
    }

    /// Whether pins or certificates are compared in it. `tls.checkServerIdentity` compares the host's name alone.
    private func compares(_ range: Range<Int>) -> Bool {
        var place = range.lowerBound
        while place < range.upperBound {
            if tokens[place].isName("checkServerIdentity") {
                while place < range.upperBound, !tokens[place].isMark(")") { place += 1 }
            } else if compares(place) {
                return true
            }
            place += 1
        }
        return false
    }

    /// Whether a token tells that pins or certificates are compared.
    private func compares(_ place: Int) -> Bool {
        if tokens[place].plainText.map(PinText.isDigest) ?? false { return true }
        guard let name = tokens[place].name else { return false }
        let word = name.lowercased()
        // `SSL_PIN`, and no `HOST_WITHOUT_PIN`.
        if !word.contains("host"), name.partsOfName.contains("pin") { return true }
        return Self.comparing.contains(name)
            || [
                "pin", "fingerprint", "hash", "thumb", "sha", "cert", "digest", "pem", "der", "x509", "verif", "valid",
                "match",
            ].contains {
                $0.count > 3 ? word.contains($0) : word == $0
            }
    }
}
