/// Callbacks of .NET that judge a certificate by the names that stand in it.
extension ComparisonForm {
    static let ofNames =
        "judged in code by a name that stands in the certificate, and by no key: such a name can be written into any certificate"

    static func namedSites(of tree: SyntaxTree) -> [SourceReader.Site] {
        guard tree.language == .cSharp else { return [] }
        let clues = clues(tree)
        let groups = CodeGroup.groups(of: tree, callers: 1) { tree.asksForName($0) && !tree.isImported($0) }
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
    /// Whether a name of a certificate is held against a text at a place: `certificate.Subject.Contains("CN=Acme")`.
    fileprivate func asksForName(_ place: Int) -> Bool {
        let names: Set<String> = [
            "Subject", "SubjectName", "Issuer", "IssuerName", "GetNameInfo", "GetIssuerName", "GetName",
        ]
        guard let name = tokens[place].name, names.contains(name), place > 1,
            tokens[place - 1].isMark(".") || tokens[place - 1].isMark("?."),
            let statement = innermost(around: place)?.statement, !onlyLogs(statement)
        else { return false }
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
