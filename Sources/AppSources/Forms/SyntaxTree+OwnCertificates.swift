/// Certificates that .NET reads out of a file of the app's own.
extension SyntaxTree {
    /// Whether C# takes one apart at a place: `root.Thumbprint` of `var root = new X509Certificate2("acme.cer")`.
    func isOfOwnFile(_ place: Int) -> Bool {
        guard language == .cSharp, place > 1, tokens[place - 1].isMark(".") || tokens[place - 1].isMark("?."),
            let name = tokens[place - 2].name
        else { return false }
        // What another function declares by that name is another one.
        guard let inner = innermost(around: place)?.block, let block = block(declaring: name, from: inner) else {
            return false
        }
        let own = declaredOfFiles(name, in: block)
        return !own.isEmpty && own.allSatisfy { $0 }
    }

    /// Whether C# reads a certificate out of a file, and only looks at what it is.
    func isOnlyLookedAt(_ file: String) -> Bool {
        guard language == .cSharp else { return false }
        let looking = ["Thumbprint", "GetCertHash", "GetCertHashString", "NotAfter", "NotBefore", "Subject", "Issuer"]
        let declared = blocks.flatMap(\.statements).compactMap { statement -> (name: String, tokens: Range<Int>)? in
            guard case .declaration(let declaration) = statement.kind, declaration.kind == .value,
                tokens[statement.tokens.clamped(to: 0..<tokens.count)].contains(where: { $0.plainText == file })
            else { return nil }
            return (declaration.name, statement.tokens)
        }
        guard let own = declared.last else { return false }
        let uses = tokens.indices.filter { tokens[$0].names.contains(own.name) && !own.tokens.contains($0) }
        return !uses.isEmpty
            && uses.allSatisfy { place in
                place + 2 < tokens.count && (tokens[place + 1].isMark(".") || tokens[place + 1].isMark("?."))
                    && looking.contains(where: tokens[place + 2].isName)
            }
    }

    /// Whether C# looks at the certificate of a connection that was made: `request.ServicePoint.Certificate`.
    func isBehindResponse(_ group: CodeGroup) -> Bool {
        language == .cSharp
            && group.tokens.contains { place in
                place + 2 < tokens.count && tokens[place].isName("ServicePoint")
                    && tokens[place + 2].isName("Certificate")
            }
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

    /// For each declaration of a name, whether its value is a certificate of a file.
    private func declaredOfFiles(_ name: String, in block: Int) -> [Bool] {
        (blocks[block].declarations[name] ?? []).map { declaration in
            guard let value = declaration.value, case .call(let callee, let arguments) = value.kind,
                ["X509Certificate2", "X509Certificate", "LoadCertificateFromFile", "LoadPkcs12FromFile"]
                    .contains(callee.finalName ?? ""), let file = arguments.first?.value
            else { return false }
            return literals(in: file).contains { text in
                PinText.isCertificateFile(text) || text.hasSuffix(".pfx") || text.hasSuffix(".p12")
            }
        }
    }
}
