/// How code writes the digest that it compares.
struct DigestWriting {
    private let pins: [String]
    private let group: CodeGroup
    private let tree: SyntaxTree
    /// Where a certificate is taken apart, and by which names.
    private let evidence: [Int]
    private let taken: Set<String>

    /// Parts of the names of what writes a text in another way, or makes another digest.
    private static let changing = [
        "replace", "case", "split", "join", "trim", "slice", "substr", "normal", "format", "convert", "encode",
        "decode",
        "buffer", "hash", "digest", "x509", "tostring", "hex", "atob", "btoa", "from", "parse", "strip", "clean", "map",
        "padleft",
    ]
    /// What compares, or shows.
    private static let plain: Set<String> = [
        "includes", "has", "indexOf", "some", "find", "every", "any", "contains", "equals", "if", "while", "return",
        "log", "warn", "error", "info", "debug", "print", "debugPrint", "Error", "callback", "cb", "resolve", "reject",
        "Equals", "Contains", "Any", "IndexOf", "Log", "LogWarning", "LogError", "LogInformation", "WriteLine",
    ]

    init(_ pins: [String], _ group: CodeGroup, _ tree: SyntaxTree) {
        (self.pins, self.group, self.tree) = (pins, group, tree)
        evidence = ComparisonForm.evidence(in: group, tree)
        taken = Set(evidence.flatMap { tree.tokens[$0].names })
    }

    /// Why no pin is equal to the digest, in words; `nil` where one may be.
    var mismatch: String? {
        switch tree.language {
        case .dart: ofDart
        case .cSharp: ofDotNet
        case .kotlin, .java: ofJava
        default: isOfElectron ? ofElectron : ofNode
        }
    }

    /// .NET writes `AB01…`, and `==` tells small letters and what stands between from that.
    private var ofDotNet: String? {
        let written: Set<String> = ["GetCertHashString", "Thumbprint", "GetPublicKeyString", "GetRawCertDataString"]
        if evidence.allSatisfy(isOfSHA1), let other = otherLength(than: 20) { return other }
        if let other = lengthOfNone { return other }
        let bytes: Set<String> = ["RawData", "GetRawCertData", "GetPublicKey", "ExportSubjectPublicKeyInfo"]
        let made = Set(group.tokens.compactMap { tree.tokens[$0].name }.compactMap(Self.bytes))
        if taken.isSubset(of: bytes), made.count == 1, let other = otherLength(than: made.first ?? 0) { return other }
        let changing = ["replace", "upper", "lower", "normal", "split", "trim", "join", "regex", "compare", "where"]
        let areBare = takesHyphensOut
        if !taken.isEmpty, taken.isSubset(of: written), taken.allSatisfy(isHanded), areBase64,
            !mentions(["base64", "convert"]), !isAskedOfObject
        {
            return ".NET writes it in hexadecimal, as no pin is"
        }
        guard !taken.isEmpty, areHexAnyhow, pins.allSatisfy({ pin in tree.tokens.contains { $0.plainText == pin } }),
            !callsAnywhere(changing.filter { $0 != "replace" || !areBare })
        else { return nil }
        let areParted = pins.allSatisfy { pin in pin.contains { ": -".contains($0) } }
        if taken.isSubset(of: written), areParted, mentions(["ignorecase"]) {
            return ".NET writes it with nothing between the digits, as no pin is"
        }
        guard !mentions(["ignorecase", "comparer"]) else { return nil }
        let isOther = pins.allSatisfy { pin in pin.contains { $0.isLowercase || ": -".contains($0) } }
        if taken.isSubset(of: written) {
            guard isOther, taken.allSatisfy(isHanded) else { return nil }
            return ".NET writes it in capitals with nothing between them, as no pin is"
        }
        let names = Set(group.tokens.compactMap { tree.tokens[$0].name })
        let others: Set<String> = ["SequenceEqual", "FixedTimeEquals", "ToBase64String", "ToHexStringLower", "Format"]
        guard names.isDisjoint(with: others) else { return nil }
        switch (names.contains("ToHexString"), names.contains("BitConverter")) {
        case (true, false): return isOther ? "it is written in capitals, as no pin is" : nil
        case (false, true):
            if areBare { return isOther ? "it is written in capitals with nothing between them, as no pin is" : nil }
            let isBare = pins.allSatisfy { pin in !pin.contains("-") || pin.contains(where: \.isLowercase) }
            return isBare ? "it is written as 'AB-01-…', as no pin is" : nil
        default: return nil
        }
    }

    /// Whether all that a source replaces is the hyphens of `BitConverter.ToString(digest).Replace("-", "")`.
    private var takesHyphensOut: Bool {
        let places = tree.tokens.indices.filter { tree.tokens[$0].name?.lowercased().contains("replace") ?? false }
        return !places.isEmpty
            && places.allSatisfy { place in
                guard place > 2, place + 4 < tree.tokens.count, tree.tokens[place - 1].isMark("."),
                    tree.tokens[place - 2].isMark(")"), tree.tokens[place + 1].isMark("("),
                    tree.tokens[place + 2].plainText == "-", tree.tokens[place + 3].isMark(",")
                else { return false }
                let other = tree.tokens[place + 4]
                if case .text(let pieces) = other.kind { return pieces.allSatisfy { $0 == .plain("") } }
                return other.isName("string") || other.isName("String")
            }
    }

    /// How many bytes a digest has, by the name of its algorithm: `SHA256`, `SHA1CryptoServiceProvider`, `"SHA-1"`.
    private static func bytes(_ algorithm: String) -> Int? {
        let name = algorithm.lowercased().filter { $0 != "-" }
        if name.hasPrefix("sha256") { return 32 }
        if name.hasPrefix("sha1"), !name.dropFirst(4).hasPrefix("2") { return 20 }
        return ["sha384": 48, "sha512": 64, "md5": 16][name.prefix { $0.isLetter || $0.isNumber }.description]
    }

    /// What is said where the code takes a digest of so many bytes, and all pins have the length of another.
    private func otherLength(than count: Int) -> String? {
        // A part of a digest may be compared.
        guard !calls(["sub", "take", "drop", "slice", "prefix", "copyofrange", "skip"]) else { return nil }
        let names = [20: "SHA-1", 32: "SHA-256"]
        let counts = Set(
            pins.map { pin -> Int in
                if pin.allSatisfy({ $0.isHexDigit || ": -".contains($0) }) { return pin.count(where: \.isHexDigit) / 2 }
                let bare = PinText.bare(pin)
                return bare.hasSuffix("=") && PinText.isPin(pin) ? [28: 20, 44: 32][bare.utf8.count] ?? 0 : 0
            }
        )
        guard counts.count == 1, let own = names[count], let other = counts.first.flatMap({ names[$0] }), own != other
        else { return nil }
        return "\(own) is taken, and the pins have the length of \(other)"
    }

    /// What is said where .NET's text of a whole key or certificate is compared as it is, and all pins have a digest's length.
    private var lengthOfNone: String? {
        guard let name = taken.first, taken.count == 1, isHanded(name), areHexAnyhow,
            let (what, names) = [
                "GetPublicKeyString": ("key", [20: "SHA-1"]),
                "GetRawCertDataString": ("certificate", [20: "SHA-1", 32: "SHA-256"]),
            ][name],
            !calls(["sub", "take", "skip", "remove", "startswith", "endswith", "contains", "indexof", "hash"])
        else { return nil }
        let counts = Set(pins.map { $0.count(where: \.isHexDigit) / 2 })
        guard counts.count == 1, let own = counts.first.flatMap({ names[$0] }) else { return nil }
        return "'\(name)' gives the whole \(what), and the pins have the length of \(own)"
    }

    /// Hexadecimal digits, with what is written between them.
    private var areHexAnyhow: Bool { pins.allSatisfy { $0.allSatisfy { $0.isHexDigit || ": -".contains($0) } } }

    /// `certificate.Thumbprint`, `certificate.GetCertHashString()`
    private func isOfSHA1(_ place: Int) -> Bool {
        if tree.tokens[place].isName("Thumbprint") { return true }
        return tree.tokens[place].isName("GetCertHashString") && place + 2 < tree.tokens.count
            && tree.tokens[place + 1].isMark("(") && tree.tokens[place + 2].isMark(")")
    }

    /// `%02X` writes capitals, and Android's `Base64.DEFAULT` ends with a new line.
    private var ofJava: String? {
        let changing = [
            "replace", "trim", "lower", "upper", "case", "normal", "strip", "remove", "split", "sub", "drop", "take",
            "filter", "decode", "with", "contentequals", "isequal", "matches", "regex", "parse", "bytes", "contains",
            "indexof", "plus",
        ]
        let names = Set(group.tokens.compactMap { tree.tokens[$0].name })
        let texts = group.tokens.compactMap { tree.tokens[$0].plainText }
        // `"sha256/" + digest` says nothing of what is taken.
        let made = Set(texts.filter { $0.utf8.count < 8 && !$0.hasSuffix("/") }.compactMap(Self.bytes))
        if made.count == 1, let other = otherLength(than: made.first ?? 0) { return other }
        let isLoop = group.tokens.allSatisfy {
            !tree.tokens[$0].isName("in") || tree.tokens[max(0, $0 - 2)].isMark("(")
        }
        guard !callsAnywhere(changing), !mentions(["ignorecase", "case_insensitive"]), isLoop,
            pins.allSatisfy({ pin in tree.tokens.contains { $0.plainText == pin } })
        else { return nil }
        let endsLine = group.tokens.contains { place in
            place > 1 && tree.tokens[place].isName("DEFAULT") && tree.tokens[place - 2].isName("Base64")
        }
        if endsLine, calls(["encodetostring"]), areBase64, names.isDisjoint(with: ["NO_WRAP", "lines"]) {
            return "'Base64.DEFAULT' ends the digest with a new line, as no pin does"
        }
        guard areHex else { return nil }
        let isWritten = (
            capitals: texts.contains { $0.contains("%02X") }, small: texts.contains { $0.contains("%02x") }
        )
        switch isWritten {
        case (true, false) where pins.allSatisfy({ $0.contains(where: \.isLowercase) }):
            return "the digest is written in capitals, as no pin is"
        case (false, true) where pins.allSatisfy({ $0.contains(where: \.isUppercase) }):
            return "the digest is written in small letters, as no pin is"
        default: return nil
        }
    }

    private var ofDart: String? {
        let isShort = evidence.allSatisfy { tree.tokens[$0].names.contains("sha1") }
        if isShort, taken.isDisjoint(with: ["der", "pem"]), areLong {
            return "SHA-1 is taken, and the pins have the length of SHA-256"
        }
        let others = Self.changing.filter { !["convert", "digest", "hash", "tostring", "case"].contains($0) }
        guard taken == ["der"], calls(["convert"]) else { return nil }
        if calls(["tostring", "radix"]) || has("hex"), areBase64, !mentions(["base64"]) {
            return "the digest is written in hexadecimal, and the pins in Base64"
        }
        if has("base64"), areHex, !mentions(["hex", "radix"]) {
            return "the digest is written in Base64, and the pins in hexadecimal"
        }
        guard calls(["tostring"]), !calls(others), !areRewritten,
            pins.allSatisfy({ PinText.isFingerprint($0) && $0.contains(":") })
        else { return nil }
        return "the digest is written without colons, and the pins with them"
    }

    /// Whether a name of the group has a part: `base64Encode(`, `hex.encode(`.
    private func has(_ part: String) -> Bool {
        group.tokens.contains { tree.tokens[$0].name?.lowercased().contains(part) ?? false }
    }

    /// Whether the source has a name with one of some parts, by which pins may be written in another way.
    private func mentions(_ parts: [String]) -> Bool {
        tree.tokens.contains { token in
            guard let name = token.name?.lowercased() else { return false }
            return parts.contains(where: name.contains)
        }
    }

    private var ofElectron: String? {
        let names = Set(group.tokens.compactMap { tree.tokens[$0].name })
        if names.contains("fingerprint256"), taken.isDisjoint(with: ["fingerprint"]),
            !calls(["x509", "hash", "peer", "buffer"])
        {
            return "Electron's certificates have no 'fingerprint256'"
        }
        guard names.contains("fingerprint"), isPlain("fingerprint"), areHex else { return nil }
        return "Electron writes fingerprints as 'sha256/…', and the pins are hexadecimal"
    }

    private var ofNode: String? {
        if taken == ["fingerprint"], isPlain("fingerprint"), areLong {
            return "Node's 'fingerprint' is one of SHA-1, and the pins have the length of SHA-256"
        }
        guard taken == ["fingerprint256"] else { return nil }
        if areBase64, isHanded("fingerprint256"), !mentions(["buffer", "atob", "hex", "base64"]) {
            return "Node writes 'fingerprint256' in hexadecimal, and the pins are in Base64"
        }
        guard isPlain("fingerprint256"), areHex,
            !pins.contains(where: { $0.count == 95 && $0 == $0.uppercased() && $0.contains(":") })
        else { return nil }
        return "Node writes 'fingerprint256' in capitals with colons, as no pin is"
    }

    private var isOfElectron: Bool {
        group.tokens.contains { place in
            tree.tokens[place].isName("setCertificateVerifyProc")
                || tree.tokens[place].plainText == "certificate-error"
        }
    }

    // MARK: Pins

    private var areHex: Bool { pins.allSatisfy { PinText.isBareHex($0) || PinText.isFingerprint($0) } }

    private var areBase64: Bool {
        pins.allSatisfy { pin in
            let count = pin.utf8.count - (pin.hasPrefix("sha256/") ? 7 : 0)
            return PinText.isPin(pin) && !pin.contains(":") && (count == 43 || count == 44)
        }
    }

    /// Whether all are of 32 bytes.
    private var areLong: Bool {
        pins.allSatisfy { pin in
            PinText.isBareHex(pin) || pin.count == 95 && PinText.isFingerprint(pin)
                || PinText.isPin(pin) && !pin.hasPrefix("sha1/") && !PinText.isFingerprint(pin)
        }
    }

    // MARK: Code

    /// Whether the group calls a function whose name has one of some parts.
    private func calls(_ parts: [String]) -> Bool { calls(parts, at: group.tokens) }

    /// Or where the pins stand.
    private func callsAnywhere(_ parts: [String]) -> Bool {
        let statements = tree.tokens.indices.filter { tree.tokens[$0].plainText.map(pins.contains) ?? false }
            .compactMap { tree.innermost(around: $0)?.statement.tokens }
        return calls(parts, at: group.tokens + statements.joined())
    }

    private func calls(_ parts: [String], at places: some Sequence<Int>) -> Bool {
        places.contains { place in
            guard let name = tree.tokens[place].name?.lowercased(), place + 1 < tree.tokens.count,
                tree.tokens[place + 1].isMark("(")
            else { return false }
            return parts.contains(where: name.contains)
        }
    }

    /// Whether the source writes any text in another way, which may be the pins.
    private var areRewritten: Bool { calls(["replace", "case", "normal"], at: tree.tokens.indices) }

    /// Whether a member of the certificate is compared as it is.
    private func isPlain(_ member: String) -> Bool {
        !calls(Self.changing) && !areRewritten && isHanded(member)
    }

    /// Whether something is asked that holds no pins as they are written: `new PinStore(Pins).Contains(…)`.
    private var isAskedOfObject: Bool {
        group.tokens.contains { place in
            guard place > 1, tree.tokens[place].isName("Contains") else { return false }
            return !tree.blocks.flatMap(\.statements).contains { statement in
                guard case .declaration(let declaration) = statement.kind, declaration.kind == .value,
                    tree.tokens[place - 2].isName(declaration.name)
                else { return false }
                return tree.tokens[statement.tokens.clamped(to: 0..<tree.tokens.count)].contains { token in
                    token.plainText.map(pins.contains) ?? false
                }
            }
        }
    }

    /// Whether a member of the certificate is handed to nothing but what compares, or shows.
    private func isHanded(_ member: String) -> Bool {
        let places = group.tokens.filter { tree.tokens[$0].isName(member) }
        let declared = places.compactMap { place -> String? in
            guard let statement = tree.innermost(around: place)?.statement,
                case .declaration(let declaration) = statement.kind, declaration.kind == .value
            else { return nil }
            return declaration.name
        }
        let uses = group.tokens.filter { place in tree.tokens[place].name.map(declared.contains) ?? false }
        return (places + uses).allSatisfy { place in taker(of: place).map(Self.plain.contains) ?? true }
    }

    /// The function that is given what stands at a place, by its name.
    private func taker(of place: Int) -> String? {
        guard let open = tree.opening(around: place), open > 0, tree.tokens[open].isMark("(") else { return nil }
        return tree.tokens[open - 1].name
    }
}
