/// Where Kotlin and Java look at a certificate, and what else they ask about it.
extension SyntaxTree {
    /// Whether a trust manager of Kotlin or Java does nothing about a server but to try one thing, whatever comes of it, to make
    /// digests, and to tell a log.
    func judgesAlone(_ group: CodeGroup) -> Bool {
        guard language == .kotlin || language == .java else { return false }
        let checks = blocks.flatMap { functions(of: $0, "checkServerTrusted") }.filter { check in
            group.tokens.contains { check.tokens.contains($0) }
        }
        return !checks.isEmpty
            && checks.allSatisfy { check in
                guard let body = check.declaration.body else { return false }
                let others = blocks[body].statements.filter { !onlyLogs($0) && !onlyComputes($0) }
                if others.isEmpty { return true }
                if others.count == 1, starts(others[0], with: "runCatching") {
                    return isTold(others[0])
                }
                // What is thrown there and is none of these goes to whoever asked.
                let all = ["Exception", "Throwable", "CertificateException", "GeneralSecurityException"]
                return starts(others[0], with: "try") && others.dropFirst().allSatisfy { starts($0, with: "catch") }
                    && others.dropFirst().contains { caught in
                        tokens[caught.tokens.clamped(to: 0..<tokens.count)].prefix { !$0.isMark("{") }.contains {
                            token in
                            all.contains(where: token.isName)
                        }
                    }
            }
    }

    /// What makes a digest or a text of a certificate, and refuses none.
    private static let computing: Set<String> = [
        "getInstance", "digest", "getEncoder", "encodeToString", "encode", "getPublicKey", "getEncoded", "toString",
        "first", "firstOrNull", "joinToString", "format", "toByteString", "sha256", "base64", "hex", "of", "pin",
        "getSubjectDN", "getIssuerDN", "getName", "String", "orEmpty",
    ]

    /// `val hash = MessageDigest.getInstance("SHA-256").digest(chain[0].publicKey.encoded)`
    private func onlyComputes(_ statement: Statement) -> Bool {
        guard case .declaration(let declaration) = statement.kind, declaration.kind == .value else { return false }
        let own = statement.tokens.clamped(to: 0..<tokens.count)
        return own.dropLast().allSatisfy { place in
            guard !tokens[place].isMark("{") else { return false }
            guard let name = tokens[place].name, tokens[place + 1].isMark("(") else { return true }
            return Self.computing.contains(name)
        }
    }

    /// Whether a statement begins with a word.
    func starts(_ statement: Statement, with word: String) -> Bool {
        tokens[statement.tokens.clamped(to: 0..<tokens.count)].first?.isName(word) ?? false
    }

    /// Whether Kotlin or Java calls nothing around a certificate but what takes it apart, and compares nothing.
    func onlyLooks(_ group: CodeGroup) -> Bool {
        guard language == .kotlin || language == .java else { return false }
        let harmless = [
            "get", "generate", "bytearray", "tostring", "substring", "savestate", "encode", "format", "append", "trim",
            "x509", "printstacktrace", "proceed", "cancel", "super", "onreceivedsslerror", "close",
        ]
        return group.tokens.allSatisfy { place in
            let token = tokens[place]
            if ["==", "!=", "===", "!=="].contains(where: token.isMark) {
                return place > 0 && place + 1 < tokens.count
                    && (tokens[place + 1].isName("null") || tokens[place - 1].isName("null"))
            }
            // `known[print] ?: throw …`
            if token.isMark("?:") { return false }
            if token.isMark("["), place > 0, place + 1 < tokens.count, tokens[place - 1].name != nil {
                if case .number = tokens[place + 1].kind { return true }
                return tokens[place + 1].isMark("]")
            }
            guard let name = token.name?.lowercased() else { return true }
            if ["in", "when", "switch", "throw"].contains(name) { return false }
            guard place + 2 < tokens.count, tokens[place + 1].isMark("(") || tokens[place + 1].isMark("{") else {
                return true
            }
            // `key.indexOf("modulus=")` takes a part of a text.
            if name == "indexof" { return tokens[place + 2].plainText != nil }
            if tokens[place + 1].isMark("{") || ["if", "for", "while", "catch", "try", "return"].contains(name) {
                return true
            }
            return GroupReading.isLog(tokens, place) || harmless.contains(where: name.hasPrefix)
        }
    }

    /// Whether Kotlin or Java looks at what a connection has shown that the ordinary checks let through before.
    func looksBehindHandshake(_ group: CodeGroup) -> Bool {
        guard language == .kotlin || language == .java else { return false }
        let shown = ["getServerCertificates", "serverCertificates", "getPeerCertificates", "peerCertificates"]
        let judging = ["checkServerTrusted", "TrustStrategy", "isTrusted", "onReceivedSslError", "HostnameVerifier"]
        func has(_ words: [String]) -> Bool {
            group.tokens.contains { place in words.contains(where: tokens[place].isName) }
        }
        return has(shown) && !has(judging)
    }

    /// Parts of the names of what compares, or may judge, and such names.
    private static let partsOfJudging = [
        "equal", "contain", "compar", "match", "verif", "check", "valid", "trust", "assert", "require", "indexof",
        "filter",
        "startswith", "endswith", "accept", "reject", "allow", "pinned",
        "disjoint", "intersect", "retain", "disconnect", "cancel", "abort", "error",
    ]
    private static let namesOfJudging: Set<String> = ["find", "any", "all", "none", "test"]

    /// Whether code of Kotlin or Java beside a client takes a certificate apart, and compares nothing: it is shown to somebody.
    func onlyShows(_ group: CodeGroup) -> Bool {
        guard language == .kotlin || language == .java else { return false }
        // What the system asks by such a name, it takes the answer of.
        let asked = ["checkServerTrusted", "verify", "intercept", "onReceivedSslError"]
        if let name = namedFunction(around: [group.evidence])?.name, asked.contains(name) { return false }
        let marks = ["==", "!=", "===", "!=="]
        return !group.tokens.contains { place in
            // `owners[hash] ?: error("unknown key")`
            if tokens[place].isMark("?:") { return true }
            if marks.contains(where: tokens[place].isMark) {
                return !(place + 1 < tokens.count && tokens[place + 1].isName("null"))
            }
            guard let name = tokens[place].name else { return false }
            if ["throw", "in", "when", "switch"].contains(name) { return !isInLoopHead(place) }
            guard place + 1 < tokens.count, tokens[place + 1].isMark("(") || tokens[place + 1].isMark("{") else {
                return false
            }
            let small = name.lowercased()
            return Self.namesOfJudging.contains(small)
                || Self.partsOfJudging.contains(where: small.contains) && !["issuccessful", "isempty"].contains(small)
        }
    }

    /// `for (certificate in chain)`
    private func isInLoopHead(_ place: Int) -> Bool {
        tokens[place].isName("in") && tokens[max(0, place - 6)..<place].contains { $0.isName("for") }
    }
}
