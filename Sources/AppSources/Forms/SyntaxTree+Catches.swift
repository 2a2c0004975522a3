/// What is caught around a comparison, and says nothing about what comes of it.
extension SyntaxTree {
    /// Where is caught what no mismatch throws: what the making of a digest may, or what a `try` does in which nothing else is called.
    var catchesOfOthers: [Range<Int>] {
        blocks.flatMap { block -> [Range<Int>] in
            var tried: Statement?
            return block.statements.compactMap { statement in
                guard starts(statement, with: "catch") || language == .dart && starts(statement, with: "on") else {
                    tried = starts(statement, with: "try") ? statement : nil
                    return nil
                }
                let range = statement.tokens.clamped(to: 0..<tokens.count)
                return isOfDigests(range) || tried.map(judgesByNoError) ?? false ? range : nil
            }
        }
    }

    /// `catch (NoSuchAlgorithmException e)` of Kotlin and Java
    private func isOfDigests(_ statement: Range<Int>) -> Bool {
        let types: Set<String> = [
            "NoSuchAlgorithmException", "UnsupportedEncodingException", "CertificateEncodingException",
        ]
        let caught = tokens[statement].prefix { !$0.isMark("{") }.compactMap(\.name).filter { name in
            name.hasSuffix("Exception") || name.hasSuffix("Error") || name == "Throwable"
        }
        return !caught.isEmpty && caught.allSatisfy(types.contains)
    }

    /// Whether a `try` calls nothing but what takes a certificate apart, writes it, compares texts and tells a log. What it throws
    /// itself is looked for where it stands.
    private func judgesByNoError(_ tried: Statement) -> Bool {
        tried.tokens.clamped(to: 0..<(tokens.count - 1)).allSatisfy { place in
            guard let name = tokens[place].name else { return true }
            let isCalled = tokens[place + 1].isMark("(") || tokens[place + 1].isMark("{") && !Self.words.contains(name)
            guard isCalled, !Self.words.contains(name) else { return true }
            guard Self.harmless.contains(name.lowercased()) else { return false }
            // One of the app's own by such a name may do anything.
            return !blocks.contains { block in
                block.declarations[name]?.contains { $0.kind == .function } ?? false
            }
        }
    }

    private static let words: Set<String> = [
        "if", "else", "for", "foreach", "while", "do", "switch", "when", "try", "finally", "catch", "return", "using",
    ]

    private static let harmless: Set<String> = [
        "digest", "getencoded", "encodetostring", "encodebase64string", "encodehexstring", "getinstance", "getencoder",
        "getpublickey", "convert", "tostring", "equals", "equalsignorecase", "contains", "any", "println", "print",
        "debugprint", "writeline", "w", "d", "i", "e", "log", "info", "warn", "debug", "getcerthashstring",
        "getcerthash",
        "getpublickeystring", "getrawcertdata", "getrawcertdatastring", "computehash", "hashdata", "tobase64string",
        "tohexstring", "replace", "toupper", "tolower", "touppercase", "tolowercase", "toupperinvariant",
        "tolowerinvariant", "uppercase", "lowercase", "trim", "format", "append", "update", "jointostring", "encode",
        "x509certificate2", "x509certificate", "create", "join", "map", "stringbuilder", "string", "getbytes",
        "tobytearray", "sequenceequal", "startswith", "endswith", "indexof", "isequal", "foreach",
    ]
}
