/// How code writes what it compares.
extension ComparisonForm {
    /// What is said where the digest is written in one way, and all pins in another.
    static func otherWriting(_ pins: [String], _ group: CodeGroup, _ tree: SyntaxTree) -> String {
        guard !pins.isEmpty else { return "" }
        switch tree.language {
        case .dart, .script, .cSharp, .kotlin, .java:
            return DigestWriting(pins, group, tree).mismatch.map { "; \($0): nothing is equal to it" } ?? ""
        default: return tree.isOfApple ? ofApple(pins, group, tree) : ""
        }
    }

    private static func ofApple(_ pins: [String], _ group: CodeGroup, _ tree: SyntaxTree) -> String {
        var makesDigest = false
        var isBase64 = false
        var isHex = false
        for place in group.tokens {
            switch tree.tokens[place].kind {
            case .name(let name):
                let word = name.lowercased()
                makesDigest = makesDigest || word.hasPrefix("cc_sha") || ["sha256", "sha1", "sha512"].contains(word)
                isBase64 = isBase64 || word.contains("base64")
                isHex = isHex || word.contains("hex") || word == "radix"
            case .text(let pieces):
                for case .plain(let text) in pieces where text.contains("%02") || text.contains("%2.2") { isHex = true }
            default: break
            }
        }
        guard makesDigest, isBase64 != isHex else { return "" }
        let digits = pins.map { String(PinText.bare($0)) }
        let areHex = digits.allSatisfy { PinText.isBareHex($0) || PinText.isFingerprint($0) }
        let areBase64 = digits.allSatisfy { PinText.isPin($0) && !$0.contains(":") && !PinText.isBareHex($0) }
        if isBase64, areHex { return "; the digest is written in Base64, and the pins in hexadecimal" }
        if isHex && areBase64 { return "; the digest is written in hexadecimal, and the pins in Base64" }
        return AppleWriting(pins, tree).mismatch.map { "; \($0): nothing is equal to it" } ?? ""
    }

    /// What is said where a whole key is held against one that is written in another way: in Java and Kotlin with what says
    /// which kind it is, in .NET without.
    static func otherKeys(_ pins: [String], _ evidence: [Int], _ tree: SyntaxTree) -> String {
        let isOfJava = tree.language == .java || tree.language == .kotlin
        guard isOfJava || tree.language == .cSharp, !pins.isEmpty else { return "" }
        let whole =
            isOfJava ? ["getPublicKey", "publicKey", "getEncoded", "encoded"] : ["GetPublicKeyString", "GetPublicKey"]
        // What cuts a key up may leave the rest of it.
        let cutting = ["ubstring", "opyOfRange", "sliceArray", "drop", "Skip", "Modulus", "modulus", "ASN1", "Asn1"]
        guard evidence.allSatisfy({ place in whole.contains(where: tree.tokens[place].isName) }),
            !tree.tokens.contains(where: { token in token.name.map { cutting.contains(where: $0.contains) } ?? false }),
            pins.allSatisfy({ PinText.isRSAKey($0, isPlain: isOfJava) })
        else { return "" }
        let (own, other) = isOfJava ? ("without", "with") : ("with", "without")
        return "; the pin is a key \(own) what says its kind, and the server's is taken \(other) it: nothing can match"
    }

    /// What is said where no certificate of a chain but one behind the first is looked at: `chain.ChainElements[1]`, or the last:
    /// `chain[chain.length - 1]`.
    static func placeInChain(_ group: CodeGroup, _ tree: SyntaxTree) -> String {
        guard [.cSharp, .kotlin, .java].contains(tree.language) || tree.isOfApple else { return "" }
        let tokens = tree.tokens
        if tree.isOfApple { return placeInTrust(group, tokens) }
        func isChain(_ place: Int) -> Bool {
            guard let name = tokens[place].name?.lowercased() else { return false }
            return name.contains("chain") || name.hasSuffix("certs") || name.hasSuffix("certificates")
        }
        let asked = group.tokens.filter { place in
            place > 1 && place + 1 < tokens.count && tokens[place - 1].isMark("[") && isChain(place - 2)
        }
        let numbers = asked.compactMap { place -> Int? in
            guard case .number(let text) = tokens[place].kind, tokens[place + 1].isMark("]") else { return nil }
            return Int(text)
        }
        let isLast = asked.allSatisfy { place in
            let own = tokens[place..<min(place + 10, tokens.count)].prefix { !$0.isMark("]") }
            return own.contains { $0.isMark("-") } && own.last.map { $0.kind == .number("1") } ?? false
                && own.contains { ["length", "size", "Length", "Count", "count"].contains(where: $0.isName) }
        }
        if !asked.isEmpty, isLast { return "; the certificate is the last of its chain" }
        guard numbers.count == asked.count, let number = numbers.first, number > 0,
            numbers.allSatisfy({ $0 == number })
        else { return "" }
        return authority(number)
    }

    /// Of Apple's code: `SecTrustGetCertificateAtIndex(trust, 1)`.
    private static func placeInTrust(_ group: CodeGroup, _ tokens: [Token]) -> String {
        let numbers = group.tokens.filter { tokens[$0].isName("SecTrustGetCertificateAtIndex") }.map { place -> Int? in
            let own = tokens[place..<min(place + 24, tokens.count)].prefix { !$0.isMark(";") && !$0.isMark("{") }
            guard let last = own.firstIndex(where: { $0.isMark(",") }), last + 2 < tokens.count,
                case .number(let text) = tokens[last + 1].kind, tokens[last + 2].isMark(")")
            else { return nil }
            return Int(text)
        }
        let others = ["SecTrustCopyCertificateChain", "SecTrustCopyKey", "SecTrustCopyPublicKey"]
        guard let number = numbers.first ?? nil, number > 0, numbers.allSatisfy({ $0 == number }),
            !group.tokens.contains(where: { place in others.contains(where: tokens[place].isName) })
        else { return "" }
        return authority(number)
    }

    private static func authority(_ number: Int) -> String {
        "; the certificate is number \(number + 1) of its chain, an authority's"
    }

    /// What is said where each digest that the code takes is that of a key without its header.
    static func withoutHeader(_ pins: [String], _ group: CodeGroup, _ tree: SyntaxTree) -> String {
        guard !pins.isEmpty, tree.language == .cSharp ? hashesRawKeys(group, tree) : areRaw(group, tree) else {
            return ""
        }
        return "; the digest is of a key without its header: no pin that openssl, TrustKit or Android takes matches"
    }

    private static func areRaw(_ group: CodeGroup, _ tree: SyntaxTree) -> Bool {
        tree.language == .swift && RawKeys(group, tree)?.areAllThatIsHashed ?? false
    }

    /// `SHA256.HashData(certificate.GetPublicKey())`, which is the key alone, and no header that the app writes before it.
    private static func hashesRawKeys(_ group: CodeGroup, _ tree: SyntaxTree) -> Bool {
        let evidence = evidence(in: group, tree)
        let words = group.tokens.compactMap { tree.tokens[$0].name?.lowercased() }
        return !evidence.isEmpty && evidence.allSatisfy { tree.tokens[$0].isName("GetPublicKey") }
            && words.contains { ["hashdata", "computehash", "tryhashdata"].contains($0) }
            && !words.contains { word in ["header", "concat", "copy", "prefix", "asn"].contains(where: word.contains) }
    }
}
