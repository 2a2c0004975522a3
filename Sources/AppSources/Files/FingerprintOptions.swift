/// Fingerprints that libraries of Python and PHP are given, and compare themselves: urllib3's `assert_fingerprint`.
package enum FingerprintOptions {
    package struct Found: Hashable, Sendable {
        package var line: Int
        /// As it is written in the source.
        package var name: String
        package var hosts: [String]
        package var pins: [String]
        package var what: String
    }

    /// Whether a text has one of them in it.
    package static let names = ["assert_fingerprint", "peer_fingerprint"]

    private static let ofPython = "fingerprints of the server's certificate, which urllib3 compares itself"
    // `_urllib3_chain_certs.py` of elastic_transport compares each certificate of the chain that was evaluated.
    private static let ofElastic =
        "fingerprints of any certificate of the chain, which the client of Elasticsearch compares itself"
    private static let ofPHP = "fingerprints of the server's certificate, which PHP compares itself"
    private static let nearby = 4
    private static let mostLines = 20_000

    /// - Returns: those whose fingerprints the file tells.
    package static func read(_ text: String, path: String) -> [Found] {
        let isPHP = path.hasSuffix(".php")
        guard isPHP || path.hasSuffix(".py") else { return [] }
        let lines = TextLines(text, isCode: true)
        guard lines.all.count < mostLines else { return [] }
        let all = Set(lines.all.flatMap(\.names))
        return lines.all.indices.compactMap { index -> Found? in
            let line = lines.all[index]
            guard !line.isSkipped, let (name, value) = option(in: line.text, isPHP) else { return nil }
            // A list may go on behind its line.
            let own = pins(in: value)
            let behind = isPHP && own.isEmpty && value.contains("[") && !value.contains("]")
            let listed =
                behind
                ? lines.all[(index + 1)...].prefix(6).prefix { !$0.text.contains("]") }.flatMap { pins(in: $0.text) }
                : []
            let named = own.isEmpty && listed.isEmpty ? words(of: value).flatMap { pins(named: $0, lines) } : []
            let found = (own + listed + named).uniqued
            guard !found.isEmpty else { return nil }
            let near = lines.all[max(0, index - nearby)..<min(lines.all.count, index + nearby)].filter { !$0.isSkipped }
            let beside = near.flatMap(\.names).uniqued
            let hosts = beside.isEmpty && all.count == 1 ? Array(all) : beside
            return Found(
                line: index + 1,
                name: name,
                hosts: hosts,
                pins: found,
                what: isPHP ? ofPHP : name.hasPrefix("ssl_") ? ofElastic : ofPython
            )
        }
    }

    /// The option that a line gives a value, and the rest of the line: `ssl_assert_fingerprint=PIN`,
    /// `kwargs["assert_fingerprint"] = PIN`, `'peer_fingerprint' => 'AB…'`.
    private static func option(in line: Substring, _ isPHP: Bool) -> (name: String, value: Substring)? {
        let word = isPHP ? "peer_fingerprint" : "assert_fingerprint"
        guard let found = line.firstRange(of: word) else { return nil }
        var rest = line[found.upperBound...].drop { "\"'] ".contains($0) }
        let marks = isPHP ? ["=>"] : ["=", ":"]
        guard let mark = marks.first(where: rest.hasPrefix), !rest.hasPrefix("==") else { return nil }
        rest = rest.dropFirst(mark.count)
        let isOfSSL = line[..<found.lowerBound].hasSuffix("ssl_")
        return (isOfSSL ? "ssl_\(word)" : word, rest)
    }

    private static func pins(in text: Substring) -> [String] {
        text.split(omittingEmptySubsequences: false) { "\"'".contains($0) }.map(String.init).filter { part in
            PinText.isFingerprint(part) || [40, 64].contains { PinText.isBareHex(part, digits: $0) }
        }
    }

    /// `NAME = "…"`, `$name = '…'`, `const NAME = '…'`
    private static func pins(named name: Substring, _ lines: TextLines) -> [String] {
        lines.all.filter { line in
            !line.isSkipped && words(of: line.text.prefix { $0 != "=" }).last == name && line.text.contains("=")
        }
        .flatMap { pins(in: $0.text) }
    }

    private static func words(of text: Substring) -> [Substring] {
        text.split { !$0.isLetter && !$0.isNumber && $0 != "_" }.filter { $0.count > 1 }
    }
}
