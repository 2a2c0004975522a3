/// Pins in settings of an app's own, and in languages that are not read: `.env`, `.properties`, YAML, property lists, Python, C++.
package enum TextPins {
    private static let settings: Set<String> = [
        "env", "properties", "xcconfig", "ini", "cfg", "conf", "toml", "yaml", "yml", "plist", "xml", "strings",
        "nmconnection",
    ]

    /// Whether a file is of such a kind.
    package static func mayHold(_ path: String) -> Bool {
        guard let name = path.split(separator: "/").last?.lowercased(), !name.hasSuffix("lock.yaml") else {
            return false
        }
        let kind = name.split(separator: ".").dropFirst().last.map(String.init) ?? ""
        return SourceLanguage(fileName: name) == nil && !["json", "cer", "crt", "der", "pem"].contains(kind)
    }

    /// Languages that are not read, by the ends of files' names.
    package static let programs: Set<String> = [
        "c", "cc", "cpp", "cxx", "h", "hh", "hpp", "hxx", "ino", "go", "py", "rb", "rs", "php", "lua", "scala", "ex",
        "exs", "erl", "pl", "pm", "jl", "hs", "ml", "nim", "zig", "vb", "fs", "pas", "cr", "hx",
    ]

    /// Whether a file is a program of a language that is not read: what it does with its pins is its own.
    package static func isProgram(_ path: String) -> Bool {
        let name = path.lowercased().split(separator: "/").last ?? ""
        let kind = name.split(separator: ".").dropFirst().last.map(String.init) ?? ""
        return programs.contains(kind) && SourceLanguage(fileName: String(name)) == nil
    }

    private static let mostPins = 200

    /// Its pins, and the hosts that their keys, the lines beside them or the block around them give them.
    ///
    /// - Parameter isKnown: whether something is made of a digest already.
    package static func read(_ text: String, path: String, isKnown: (String) -> Bool) -> Leftovers? {
        let name = path.lowercased().split(separator: "/").last ?? ""
        let kind = name.split(separator: ".").last.map(String.init) ?? ""
        let isCode = !settings.contains(kind) && !name.hasPrefix(".env")
        let lines = TextLines(text, isCode: isCode)
        let words = Words(isCode: isCode, isOfCertificates: isCode && checksCertificates(text))
        // What such code compares is not always called a pin.
        let asksServers =
            isCode && asking.contains(where: text.contains)
            && ["sha256", "sha1", "fingerprint"].contains(where: text.lowercased().contains)
        var found: [(pin: String, line: Int)] = []
        for (index, line) in lines.all.enumerated() where !line.isSkipped && found.count < mostPins {
            var own = words.pins(in: line.text, true)
            guard !own.isEmpty else { continue }
            // Of others, whose lines have keys of their own: `value:` below `pins:`.
            let speaks =
                speaksOfPins(line.key) || isGeneral(line.ownKey) && isBelowPins(index, lines)
                || words.isOfCertificates && namesDigestOfCertificate(line.key)
                || asksServers && !namesDigestOfFile(line.key)
            if !speaks { own = words.pins(in: line.text, false) }
            found += own.filter { !isKnown($0) && !isKnown(digits($0)) }.map { ($0, index) }
        }
        if words.isOfCertificates {
            found += ByteLists.read(text).filter { speaksOfPins($0.head) && !isKnown($0.digest) }
                .prefix(mostPins - found.count).map { ($0.digest, $0.line) }
            found.sort { $0.line < $1.line }
        }
        guard let first = found.first else { return nil }
        let pinned = Set(found.map { lines.all[$0.line].subject })
        let named = lines.all.indices.filter { lines.all[$0].names.count == 1 }
        let all = Set(named.map { lines.all[$0].names[0] })
        // In code another name may be anybody's, unless it is that of the file's constant for a host.
        let only =
            all.count == 1 && (!isCode || named.contains { lines.isHostConstant($0) })
            ? all.first : nil
        var known: [FoundPins.Part] = []
        for (pin, index) in found {
            let line = lines.all[index]
            // `API_HOST` and `API_PIN`; what is another pin's by its name is not this one's.
            let same = Set(
                named.filter { !isCode && !line.subject.isEmpty && lines.all[$0].subject == line.subject }
                    .map { lines.all[$0].names[0] }
            )
            let free = named.filter { place in
                let subject = lines.all[place].subject
                return subject.isEmpty || subject == line.subject || !pinned.contains(subject)
            }
            let beside = isCode ? nil : free.last { $0 < index && $0 > index - 4 }.map { lines.all[$0].names[0] }
            let own = line.names.count == 1 ? line.names[0] : TextLines.host(line.key)
            guard
                let host = own ?? (same.count == 1 ? same.first : nil) ?? lines.hostOfBlock(index)
                    ?? only ?? beside
            else { continue }
            if let index = known.firstIndex(where: { $0.host == host }) {
                known[index].pins = (known[index].pins + [pin]).uniqued
            } else {
                known.append(.init(host: host, pins: [pin], line: index + 1))
            }
        }
        return Leftovers(
            line: first.line + 1,
            hosts: known.compactMap(\.host).uniqued,
            pins: found.map(\.pin).uniqued,
            known: known
        )
    }

    /// `sha256:AF46…` without what stands before the digits: a command may take them with it.
    private static func digits(_ pin: String) -> String {
        PinText.isPrefixed(pin) ? String(pin.drop { $0 != ":" && $0 != "/" }.dropFirst()) : pin
    }

    /// Whether a line stands in a block whose first line speaks of pins.
    private static func isBelowPins(_ index: Int, _ lines: TextLines) -> Bool {
        lines.parents(of: index).contains { place in
            lines.all[place].text.split { !$0.isLetter && $0 != "_" }.contains { speaksOfPins(String($0)) }
        }
    }

    /// Whether a name has the word pin, or that of what is pinned.
    static func speaksOfPins(_ name: String) -> Bool {
        let whole = name.lowercased().filter { $0 != "-" && $0 != "_" }
        return name.partsOfName.contains {
            ["pin", "pins", "pinned", "pinning", "pinset", "spki", "hpkp", "fingerprint", "thumbprint"].contains($0)
        }
            || ["publickeyhash", "servercert", "trustedcert", "certificatehash", "certhash"].contains(
                where: whole.contains
            )
    }

    /// `CERT_SHA256`, `certHash`: in a program that asks a server for its certificate.
    private static func namesDigestOfCertificate(_ name: String) -> Bool {
        let parts = name.partsOfName
        return parts.contains { ["cert", "certificate", "leaf", "peer", "server"].contains($0) }
            && parts.contains { ["sha256", "sha1", "sha", "hash", "digest", "fp"].contains($0) }
    }

    /// `FILE_SHA256`, `API_TOKEN`: of what is downloaded, and what is no digest.
    private static func namesDigestOfFile(_ name: String) -> Bool {
        let others = [
            "file", "download", "archive", "package", "tarball", "zip", "image", "model", "commit", "checksum", "git",
            "token", "secret", "password", "auth", "salt", "session", "nonce", "api",
        ]
        return name.partsOfName.contains { others.contains($0) }
    }

    static func speaksOfCertificates(_ text: String) -> Bool {
        let text = text.lowercased()
        return ["fingerprint", "thumbprint", "spki", "cert", "tls", "ssl", "publickey"].contains(where: text.contains)
    }

    /// By which Python, and OpenSSL's own program, are told the certificate that a server shows.
    package static let asking = ["getpeercert(", "get_server_certificate(", "s_client"]

    /// Whether a program asks a server for its certificate, or tells browsers its keys: what it calls a pin is one of these.
    private static func checksCertificates(_ text: String) -> Bool {
        let text = text.lowercased()
        return [
            "verifypeercertificate", "verifyconnection", "peercertificates", "x509", "getpeercert", "peer_cert",
            "certverifier", "verify_callback", "hpkp", "publickeypins", "public-key-pins", "wificlientsecure",
            "setfingerprint", "esp8266httpclient", "mbedtls", "wolfssl", "get_server_certificate", "s_client",
        ].contains(where: text.contains)
    }

    /// Whether a key says nothing of what its value is of.
    private static func isGeneral(_ key: String?) -> Bool {
        key.map { ["value", "sha256", "digest", "hash", "key", "id", "name"].contains($0.lowercased()) } ?? true
    }
}
