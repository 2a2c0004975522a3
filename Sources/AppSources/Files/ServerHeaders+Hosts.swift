/// Whose headers they are: the names of the server around them.
extension ServerHeaders {
    /// `server_name a b;` or `ServerName a` of the block around a line; none where they are not known.
    static func hosts(_ lines: [Substring], _ index: Int) -> [String] {
        var depth = 0
        var begin: Int?
        for place in stride(from: index, through: max(0, index - 500), by: -1) {
            let line = lines[place].lowercased().drop(while: \.isWhitespace)
            if place < index { depth += lines[place].count { $0 == "}" } - lines[place].count { $0 == "{" } }
            // What ends before the line says nothing of it.
            if line.hasPrefix("</virtualhost") { return [] }
            let isServer = line.hasPrefix("server ") || line.hasPrefix("server{")
            if line.hasPrefix("<virtualhost") || isServer && (depth < 0 || place == index) {
                begin = place
                break
            }
        }
        if let own = hostOfLine(lines[index]) ?? (begin == nil ? hostOfBlock(lines, index) : nil) { return [own] }
        var names: [String] = []
        var open = 0
        // Without a block around it, it is a part of one, and the names are those of the whole file.
        for line in lines[(begin ?? 0)...].prefix(1000) {
            let words = line.split { $0.isWhitespace || $0 == ";" }
            if let first = words.first?.lowercased(), first == "server_name" || first == "servername",
                begin != nil || open == 0
            {
                names += words.dropFirst().map(String.init)
            }
            open += line.count { $0 == "{" } - line.count { $0 == "}" }
            guard begin != nil else { continue }
            if line.lowercased().contains("</virtualhost") || open < 0 || open == 0 && line.contains("}") { break }
        }
        if names.count == 1 { return names[0] != "_" && !names[0].contains("$") ? names : [] }
        // Without a block they may be those of several servers.
        guard begin != nil, !names.contains(where: { $0.contains("$") || $0.hasPrefix("~") }) else { return [] }
        return names.filter(PinText.isHost).uniqued
    }

    static let onPlainHTTP =
        "the server around it sends browsers from HTTP to TLS, and they heed no pins of an answer without TLS (RFC 7469, section 2.2.2)"

    /// Whether all that the `server` of nginx around a line listens on is port 80, and it sends all who come to TLS:
    /// `listen 80; return 301 https://$host$request_uri;`. What ends TLS before it would be asked for ever.
    static func isPlain(_ lines: [Substring], _ index: Int) -> Bool {
        var depth = 0
        let begin = stride(from: index, through: max(0, index - 500), by: -1).first { place in
            let line = lines[place].drop(while: \.isWhitespace)
            if place < index { depth += lines[place].count { $0 == "}" } - lines[place].count { $0 == "{" } }
            return depth < 0 && (line.hasPrefix("server ") || line.hasPrefix("server{"))
        }
        guard let begin else { return false }
        var (isListening, isSentOn, open) = (false, false, 0)
        for line in lines[begin...].prefix(1000) {
            let text = line.prefix { $0 != "#" }
            if text.lowercased().contains("forwarded") || text.contains("proxy_protocol") { return false }
            for part in text.split(separator: ";") {
                let words = part.split { $0.isWhitespace || $0 == "{" }.map(String.init)
                // What another file has is not known, and who comes through a proxy may have TLS.
                let others = ["include", "if", "set_real_ip_from"]
                if let first = words.first, others.contains(first) || first.hasPrefix("ssl") { return false }
                if words.first == "listen", words.count > 1 {
                    let isPort80 = ["80", "*:80", "[::]:80"].contains(words[1])
                    guard isPort80, !words.contains("ssl"), !words.contains("quic") else { return false }
                    isListening = true
                }
                guard open == 1, words.count > 2, words[0] == "return" else { continue }
                // To another host it is no circle.
                let own = ["https://$host", "https://$http_host", "https://$server_name"]
                isSentOn = own.contains {
                    words[2] == $0 || words[2].hasPrefix($0 + "$") || words[2].hasPrefix($0 + "/")
                }
            }
            open += text.count { $0 == "{" } - text.count { $0 == "}" }
            if open <= 0, text.contains("}") { break }
        }
        return isListening && isSentOn
    }

    /// `server { server_name a.acme.example; add_header … }` on one line.
    private static func hostOfLine(_ line: Substring) -> String? {
        guard let header = line.lowercased().firstRange(of: "public-key-pins") else { return nil }
        let head = line.lowercased()[..<header.lowerBound].split(
            separator: "server_name ",
            omittingEmptySubsequences: false
        )
        guard head.count > 1, let names = head.last?.prefix(while: { $0 != ";" }).split(whereSeparator: \.isWhitespace)
        else {
            return nil
        }
        return names.count == 1 && PinText.isHost(String(names[0])) ? String(names[0]) : nil
    }

    /// `a.acme.example {` of Caddy.
    private static func hostOfBlock(_ lines: [Substring], _ index: Int) -> String? {
        var depth = 0
        for place in stride(from: index, through: max(0, index - 500), by: -1) {
            let line = lines[place].drop(while: \.isWhitespace)
            guard !line.hasPrefix("#") else { continue }
            if place < index { depth += line.count { $0 == "}" } - line.count { $0 == "{" } }
            guard depth < 0 else { continue }
            depth = 0
            let words = line.prefix { $0 != "{" }.split { $0.isWhitespace || $0 == "," }
            var name = words.first.map(String.init) ?? ""
            if let scheme = name.firstRange(of: "://") { name = String(name[scheme.upperBound...]) }
            name = String(name.prefix { $0 != ":" && $0 != "/" })
            if words.count == 1, PinText.isHost(name) { return name }
        }
        return nil
    }
}
