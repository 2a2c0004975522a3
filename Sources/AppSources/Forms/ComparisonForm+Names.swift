/// Callbacks of .NET that judge a certificate by the names that stand in it.
extension ComparisonForm {
    static let ofNames = "judged in code by a name that stands in the certificate, and by no key"

    static func namedSites(of tree: SyntaxTree) -> [SourceReader.Site] {
        guard tree.language == .cSharp else { return [] }
        let clues = clues(tree)
        let groups = CodeGroup.groups(of: tree, callers: 1) { tree.asksForName($0) }
        return groups.filter { group in
            group.context.contains { place in clues.contains { $0.isGate(tree.tokens[place]) } }
                // What takes one apart is told by that.
                && !group.tokens.contains { place in clues.contains { $0.isEvidence(tree.tokens, place) } }
        }
        .map { group in
            let uses = tree.uses(ofCallbackAround: group.evidence)
            let line = tree.tokens[group.evidence].line
            return .init(form: .dotNet, line: line, uses: uses.count == 1 ? uses : [], isIdle: uses.isEmpty) {
                let hosts = RequestHosts.named(in: group, $0)
                return .described(hosts: hosts, pins: [], what: ofNames + unmade(at: group.tokens, $0))
            }
        }
    }
}

extension SyntaxTree {
    /// Whether a name of the certificate that a callback is given is held against a text at a place, and the callback asks nothing else
    /// about it: `certificate.Subject.Contains("CN=Acme")`.
    fileprivate func asksForName(_ place: Int) -> Bool {
        let names: Set<String> = [
            "Subject", "SubjectName", "Issuer", "IssuerName", "GetNameInfo", "GetIssuerName", "GetName",
        ]
        guard let name = tokens[place].name, names.contains(name), place > 1,
            tokens[place - 1].isMark(".") || tokens[place - 1].isMark("?."), let shown = tokens[place - 2].name,
            place < 3 || !tokens[place - 3].isMark("."),
            let statement = innermost(around: place)?.statement, !onlyLogs(statement), isHeldAgainstText(place),
            let body = callback(givenCertificate: shown, around: place)
        else { return false }
        return !body.contains { next in
            guard !tokens[next].isName("Build") else { return true }
            // What judges by itself is given the certificate: `pins.IsPinned(certificate)`.
            return tokens[next].isName(shown) && (tokens[next + 1].isMark(",") || tokens[next + 1].isMark(")"))
                && !(innermost(around: next).map { onlyLogs($0.statement) } ?? false)
        }
    }

    /// Whether what stands at a place, or is called behind it, is compared with a text of the source.
    private func isHeldAgainstText(_ place: Int) -> Bool {
        var end = place + 1
        if end < tokens.count, tokens[end].isMark("(") { end = GroupReading.closing(tokens, end) + 1 }
        let asking: Set<String> = ["Contains", "StartsWith", "EndsWith", "Equals", "IndexOf"]
        while end + 1 < tokens.count, tokens[end].isMark(".") || tokens[end].isMark("?."),
            let member = tokens[end + 1].name
        {
            if asking.contains(member) { return end + 3 < tokens.count && tokens[end + 3].plainText?.isEmpty == false }
            end += 2
            if end < tokens.count, tokens[end].isMark("(") { end = GroupReading.closing(tokens, end) + 1 }
        }
        guard end + 1 < tokens.count else { return false }
        return (tokens[end].isMark("==") || tokens[end].isMark("!=")) && tokens[end + 1].plainText?.isEmpty == false
    }

    /// The body of the callback around a place whose certificate has a name: the second of four parameters, or the one of that type.
    private func callback(givenCertificate name: String, around place: Int) -> Range<Int>? {
        var found: Range<Int>?
        visit { expression, _ in
            guard case .closure(let closure) = expression.kind, closure.parameters.count == 4,
                closure.parameters[1] == name, let body = range(of: closure.block), body.contains(place)
            else { return true }
            found = body
            return true
        }
        if let found { return found }
        guard let function = namedFunction(around: [place])?.tokens.clamped(to: 0..<(tokens.count - 1)) else {
            return nil
        }
        let head = function.prefix { !tokens[$0].isMark("{") && !tokens[$0].isMark("=>") }
        let isGiven = head.contains { next in
            let isType = tokens[next].name?.hasPrefix("X509Certificate") ?? false
            return isType
                && (tokens[next + 1].isName(name) || tokens[next + 1].isMark("?") && tokens[next + 2].isName(name))
        }
        return isGiven && head.contains(where: { tokens[$0].isName("SslPolicyErrors") })
            ? head.upperBound..<function.upperBound : nil
    }

    /// Whether all of a group is a function of C# that answers with a text or a certificate: `string KeyOf(object sender, …)`.
    func givesAPart(_ group: CodeGroup) -> Bool {
        guard language == .cSharp, let function = namedFunction(around: [group.evidence]),
            group.tokens.allSatisfy(function.tokens.contains),
            let head = function.tokens.first(where: { tokens[$0].isName(function.name) }), head > 0
        else { return false }
        let types = ["string", "String", "X509Certificate", "X509Certificate2"]
        if types.contains(where: tokens[head - 1].isName) { return true }
        return head > 2 && tokens[head - 1].isMark("]") && tokens[head - 3].isName("byte")
    }
}
