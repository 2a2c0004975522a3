/// How much the aliases of a file can multiply it, judged by its text alone.
///
/// "Billion laughs": a few lists of aliases of lists of aliases stand for more values than memory holds. Yams shares them,
/// but hashes a mapping's keys before anybody can look, so the guard comes before the parser. It overestimates: whatever
/// looks like an anchor or an alias counts, in a comment too, if its name occurs as both.
struct AliasExpansion {
    private var anchors = 0
    private var aliases = 0
    private var line = 1

    init(of text: String) {
        // Hardly any file has one.
        guard text.utf8.contains(UInt8(ascii: "&")) else { return }
        let anchorNames = Self.names(after: "&", in: text)
        let aliasNames = Self.names(after: "*", in: text)
        let used = Set(anchorNames).intersection(aliasNames)
        anchors = anchorNames.count { used.contains($0) }
        aliases = aliasNames.count { used.contains($0) }
        guard let first = anchorNames.first(where: used.contains) else { return }
        line += text.utf8[..<first.startIndex].count { $0 == UInt8(ascii: "\n") }
    }

    /// - Throws: when the file could stand for far more values than it has, or has aliases where none are taken.
    func check(takesAliases: Bool) throws(YAMLError) {
        if factor > 100_000 {
            throw YAMLError(
                "\(anchors) anchors and \(aliases) aliases can multiply without end; write the values out"
            )
        }
        if anchors > 0, !takesAliases {
            let message = "anchors ('&name') are not supported here; write the values out"
            throw YAMLError(message, at: YAMLNode.Mark(line: line))
        }
    }

    /// Each anchored value can hold every alias of the ones before: at worst, evenly spread.
    private var factor: Double {
        var factor = 1.0
        for _ in 0..<anchors where factor < 1e9 { factor *= Double(aliases) / Double(anchors) + 1 }
        return factor
    }

    /// The names that directly follow a sign, as libyaml spells them.
    private static func names(after sign: Unicode.Scalar, in text: String) -> [Substring] {
        let scalars = text.unicodeScalars
        var names: [Substring] = []
        var rest = scalars[...]
        while let index = rest.firstIndex(of: sign) {
            let name = scalars[scalars.index(after: index)...].prefix(while: isNameScalar)
            if !name.isEmpty { names.append(Substring(name)) }
            rest = scalars[name.endIndex...]
        }
        return names
    }

    private static func isNameScalar(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case "a"..."z", "A"..."Z", "0"..."9", "-", "_": true
        default: false
        }
    }
}
