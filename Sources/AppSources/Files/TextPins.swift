/// Pins in settings of an app's own: `.env`, `.properties`, `.xcconfig`, YAML, property lists, texts of Android.
package enum TextPins {
    private static let kinds: Set<String> = [
        "env", "properties", "xcconfig", "ini", "cfg", "conf", "toml", "yaml", "yml", "plist", "xml", "strings", "go",
        "py",
        "rs", "rb", "php", "sh", "bash", "zsh", "ps1", "bat", "cmd",
    ]

    /// Whether a file is of such a kind.
    package static func mayHold(_ path: String) -> Bool {
        guard let name = path.split(separator: "/").last?.lowercased(), !name.hasSuffix("lock.yaml") else {
            return false
        }
        if name.hasPrefix(".env") { return true }
        return name.split(separator: ".").dropFirst().last.map { kinds.contains(String($0)) } ?? false
    }

    /// Scripts and other languages, in which what stands elsewhere may be of anything.
    private static let code: Set<String> = ["go", "py", "rs", "rb", "php", "sh", "bash", "zsh", "ps1", "bat", "cmd"]

    private static let longest = 4000
    private static let mostPins = 200

    /// Its pins, and the hosts that their keys or the lines beside them give them.
    ///
    /// - Parameter isKnown: whether something is made of a digest already.
    package static func read(_ text: String, path: String, isKnown: (String) -> Bool) -> Leftovers? {
        var found: [(pin: String, host: String?, line: Int, subject: [String])] = []
        var (key, isComment) = ("", false)
        /// The host that a line names, and whether by a key of its own.
        var hosts: [(name: String, line: Int, subject: [String])] = []
        for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            guard line.utf8.count < longest, found.count < mostPins else { continue }
            let trimmed = line.drop(while: \.isWhitespace)
            if trimmed.hasPrefix("<!--") { isComment = true }
            let wasComment = isComment
            if line.contains("-->") { isComment = false }
            if wasComment || ["#", "//", ";", "*"].contains(where: trimmed.hasPrefix) { continue }
            if let own = Self.key(of: trimmed) { key = own }
            let words = line.split { $0.isWhitespace || "\"'<>,;=()[]{}|".contains($0) }.map(String.init)
            let names = words.compactMap(Self.host)
            let subject = SourceReader.subject(of: key)
            if let name = names.first, names.count == 1 { hosts.append((name, index, subject)) }
            let pins = pins(in: line, speaksOfPins: speaksOfPins(key))
            for pin in pins where !isKnown(pin) {
                let own = names.count == 1 ? names[0] : Self.host(key)
                found.append((pin, own, index, subject))
            }
        }
        guard let first = found.first else { return nil }
        let isCode = path.lowercased().split(separator: ".").last.map { code.contains(String($0)) } ?? false
        if isCode { hosts = [] }
        let only = Set(hosts.map(\.name)).count == 1 ? hosts[0].name : nil
        var known: [FoundPins.Part] = []
        for (pin, own, line, subject) in found {
            // `API_HOST` and `API_PIN`; what is another pin's by its name is not this one's.
            let same = Set(hosts.filter { !subject.isEmpty && $0.subject == subject }.map(\.name))
            let free = hosts.filter { host in
                !found.contains { !$0.subject.isEmpty && $0.subject == host.subject && $0.subject != subject }
            }
            let beside = free.last { $0.line < line && $0.line > line - 4 }?.name
            guard let host = own ?? (same.count == 1 ? same.first : nil) ?? only ?? beside else { continue }
            if let index = known.firstIndex(where: { $0.host == host }) {
                known[index].pins = (known[index].pins + [pin]).uniqued
            } else {
                known.append(.init(host: host, pins: [pin], line: line + 1))
            }
        }
        return Leftovers(
            line: first.line + 1,
            hosts: known.compactMap(\.host).uniqued,
            pins: found.map(\.pin).uniqued,
            known: known
        )
    }

    private static func pins(in line: Substring, speaksOfPins: Bool) -> [String] {
        // `--servercert pin-sha256:…` of openconnect.
        let prefixed = PinText.pins(within: String(line).replacing("pin-sha256:", with: "sha256/"))
        guard speaksOfPins else { return prefixed }
        let known = Set(prefixed.map { PinText.bare($0) })
        return prefixed
            + line.split { $0.isWhitespace || "\"'<>,;()[]{}|".contains($0) }.flatMap { word -> [String] in
                // `NAME=value`
                let value = word.firstIndex(of: "=").map { word.index(after: $0) }.flatMap { place in
                    place < word.endIndex && word[place] != "=" ? word[place...] : nil
                }
                return [String(value ?? word)]
            }
            .filter { word in
                !known.contains(PinText.bare(word))
                    && (PinText.isPin(word) || PinText.isFingerprint(word) || PinText.isBareHex(word))
            }
    }

    /// `NAME = value`, `name: value`, `<key>name</key>`, `<string name="name">`
    private static func key(of line: Substring) -> String? {
        for mark in ["<key>", "name=\""] {
            if let start = line.firstRange(of: mark) {
                return String(line[start.upperBound...].prefix { $0 != "<" && $0 != "\"" })
            }
        }
        if line.hasPrefix("<") { return nil }
        let body = line.drop { "-\"' \t".contains($0) }
        let name = body.prefix { !"=: \t\"'".contains($0) }
        let rest = body.dropFirst(name.count).drop { "\"' \t".contains($0) }
        guard !name.isEmpty, let mark = rest.first, mark == "=" || mark == ":" else { return nil }
        return String(name)
    }

    /// Whether a name has the word pin, or that of what is pinned.
    private static func speaksOfPins(_ name: String) -> Bool {
        name.partsOfName.contains {
            ["pin", "pins", "pinned", "pinning", "spki", "fingerprint", "thumbprint"].contains($0)
        }
            || name.lowercased().contains("publickeyhash")
    }

    /// Of a word or a URL.
    private static func host(_ word: String) -> String? {
        var text = word[...]
        if let scheme = text.firstRange(of: "://") { text = text[scheme.upperBound...] }
        let host = String(text.prefix { !"/:?".contains($0) })
        // What ends as a file does is none, nor is what has a name of code: `network.api.pins`.
        let end = host.split(separator: ".").last ?? ""
        guard PinText.isHost(host), !PinText.isKnownFile(host), end == end.lowercased(),
            host == host.lowercased() || end.count < 4, !speaksOfPins(host),
            !["host", "url", "domain", "name", "key", "yaml", "yml", "xml", "properties", "md"].contains(
                host.split(separator: ".").last.map(String.init) ?? ""
            )
        else { return nil }
        return host
    }
}
