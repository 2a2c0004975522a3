/// Fingerprints in the settings of programs that compare them: Postfix, msmtp and mpop, OpenVPN, OfflineIMAP, irssi, WeeChat.
package enum ProgramSettings {
    package typealias Found = FingerprintOptions.Found

    /// What each option is, as the manuals say: postconf(5), msmtp(1), openvpn(8), offlineimap.conf, irssi's and WeeChat's guides.
    private static let options: [(name: String, what: String)] = [
        (
            "smtp_tls_fingerprint_cert_match",
            "fingerprints of the server's certificate or key, which Postfix compares where its security level is 'fingerprint'"
        ),
        ("match", "fingerprints of the server's certificate or key, which are all that Postfix looks at"),
        ("tls_fingerprint", "the fingerprint of the server's certificate, which is all that the program looks at"),
        ("peer-fingerprint", "fingerprints of the other side's certificate, which OpenVPN compares itself"),
        ("verify-hash", "the fingerprint of the authority right above the server's certificate, by OpenVPN"),
        ("cert_fingerprint", "fingerprints of the server's certificate, which OfflineIMAP compares itself"),
        ("tls_pinned_cert", "the fingerprint of the server's certificate, which irssi compares itself"),
        ("tls_pinned_pubkey", "the fingerprint of the server's key, which irssi compares itself"),
        ("ssl_fingerprint", "fingerprints of the server's certificate, which are all that WeeChat looks at"),
    ]

    /// Whether a text has one of them in it.
    package static let names = options.map(\.name).filter { $0 != "match" } + ["match="]

    private static let hostNames: Set<Substring> = [
        "host", "remotehost", "remote", "relayhost", "address", "addresses",
    ]
    private static let mostLines = 20_000
    /// Of more, nobody reads what each is.
    private static let mostPlaces = 200

    /// Whether a file is of one of these programs, by its name or its folder.
    static func isOfThem(_ path: String) -> Bool {
        let path = path.lowercased()
        let name = path.split(separator: "/").last ?? ""
        let names = ["msmtprc", "mpoprc", "offlineimaprc", "tls_policy", "irc.conf"]
        return names.contains(where: name.hasSuffix) || name.hasSuffix(".cf") || name.hasSuffix(".ovpn")
            || ["postfix", "openvpn", "irssi", "weechat"].contains(where: path.contains)
    }

    package static func read(_ text: String, path: String) -> [Found] {
        guard isOfThem(path) else { return [] }
        let lines = text.replacing("\r\n", with: "\n").split(separator: "\n", omittingEmptySubsequences: false)
        guard lines.count < mostLines else { return [] }
        var found: [Found] = []
        var block: String?
        for (index, line) in lines.enumerated() where found.count < mostPlaces {
            let line = line.trimmingPrefix(while: \.isWhitespace)
            guard let first = line.first, !"#;".contains(first) else { continue }
            // OpenVPN has a list of them between two marks.
            if line.hasPrefix("</") { block = nil }
            if let name = block {
                let pins = pins(in: line)
                if let last = found.indices.last, found[last].name == name {
                    found[last].pins += pins
                } else {
                    append(name, pins, index)
                }
                continue
            }
            if line.hasPrefix("<"), let name = options.map(\.name).first(where: { line.hasPrefix("<\($0)>") }) {
                block = name
                continue
            }
            guard let (name, value) = option(in: line) else { continue }
            // A line of Postfix goes on where the next begins with a blank.
            let rest = lines[(index + 1)...].prefix { $0.first == " " || $0.first == "\t" }
            append(name, pins(in: value) + (name.hasPrefix("smtp_") ? rest.flatMap(pins) : []), index)
        }
        return found

        func append(_ name: String, _ pins: [String], _ index: Int) {
            guard !pins.isEmpty, let what = options.first(where: { $0.name == name })?.what else { return }
            found.append(
                .init(line: index + 1, name: name, hosts: hosts(lines, index, name), pins: pins, what: what)
            )
        }
    }

    /// `tls_fingerprint AB:…`, `cert_fingerprint = AB…`, `acme.example fingerprint match=AB:…`, `irc.server.acme.tls_fingerprint = "AB…"`
    private static func option(in line: Substring) -> (name: String, value: Substring)? {
        let words = line.split(whereSeparator: \.isWhitespace)
        if words.count > 2, words[1] == "fingerprint", let first = words.first(where: { $0.hasPrefix("match=") }) {
            return ("match", line[first.startIndex...])
        }
        let key = line.prefix { !$0.isWhitespace && $0 != "=" }
        let name = key.split(separator: ".").last.map(String.init) ?? ""
        guard name != "match", options.contains(where: { $0.name == name }) else { return nil }
        return (name, line[key.endIndex...])
    }

    private static func pins(in value: Substring) -> [String] {
        // What stands behind is a comment, or a policy's own: `match=AB:…|CD:…`.
        value.prefix { $0 != "#" }.split { " \t=,;|\"'".contains($0) }.map(String.init).filter { part in
            PinText.isFingerprint(part) || [40, 64].contains { PinText.isBareHex(part, digits: $0) }
        }
    }

    /// The host of its own line, or that of the section around it.
    private static func hosts(_ lines: [Substring], _ index: Int, _ name: String) -> [String] {
        if name == "match" {
            let host = lines[index].prefix { !$0.isWhitespace }.filter { !"[]".contains($0) }
            let bare = host.prefix { $0 != ":" }
            return PinText.isHostOrEnd(bare.hasPrefix(".") ? "*\(bare)" : String(bare)) ? [String(bare)] : []
        }
        func startsSection(_ line: Substring) -> Bool {
            let words = line.split(whereSeparator: \.isWhitespace)
            return line.hasPrefix("[") || ["account", "defaults"].contains(words.first ?? "") || line.contains("{")
        }
        let start = lines[...index].lastIndex(where: startsSection) ?? lines.startIndex
        let end = lines[(index + 1)...].firstIndex { startsSection($0) || $0.contains("}") } ?? lines.endIndex
        // WeeChat has the server's name before each option: `acme.addresses`, `acme.tls_fingerprint`.
        func owner(_ line: Substring) -> Substring {
            let key = line.trimmingPrefix(while: \.isWhitespace).prefix { !$0.isWhitespace && $0 != "=" }
            return key.lastIndex(of: ".").map { key[..<$0] } ?? ""
        }
        let own = owner(lines[index])
        return lines[start..<end].flatMap { line -> [String] in
            guard let first = line.first(where: { !$0.isWhitespace }), !"#;!".contains(first), owner(line) == own else {
                return []
            }
            let words = line.split { " \t=,;\"'{}".contains($0) }
            guard let key = words.firstIndex(where: { hostNames.contains($0.split(separator: ".").last ?? "") }),
                key + 1 < words.count
            else { return [] }
            let host = words[key + 1].filter { !"[]".contains($0) }.prefix { $0 != ":" && $0 != "/" }
            return PinText.isHost(String(host)) || PinText.isAddress(String(host)) ? [String(host)] : []
        }
        .uniqued
    }
}
