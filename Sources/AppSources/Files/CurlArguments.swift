/// What the words of a command give curl, wget or git.
enum CurlArguments {
    /// Which of them a word names.
    static func tool(_ word: String) -> CommandLines.Found.Tool? {
        let name = word.drop { "@-+(".contains($0) }.split(separator: "/").last ?? ""
        return CommandLines.Found.Tool(rawValue: name.hasSuffix(".exe") ? String(name.dropLast(4)) : String(name))
    }

    /// Options whose next word is a value; what else begins with `-` has none.
    private static let valued: Set<String> = [
        "abstract-unix-socket", "cacert", "capath", "cert", "cert-type", "ciphers", "config", "connect-timeout",
        "connect-to",
        "continue-at", "cookie", "cookie-jar", "create-file-mode", "crlfile", "curves", "data", "data-ascii",
        "data-binary",
        "data-raw", "data-urlencode", "dns-interface", "dns-servers", "doh-url", "dump-header", "ech", "engine",
        "expect100-timeout", "form", "form-string", "header", "hsts", "http-user", "http-password", "interface",
        "ipfs-gateway",
        "json", "keepalive-time", "key", "key-type", "limit-rate", "local-port", "max-filesize", "max-redirs",
        "max-time",
        "method", "body-data", "post-data", "netrc-file", "noproxy", "output", "output-dir", "output-document", "pass",
        "preproxy", "proto-redir", "proxy", "proxy-cacert", "proxy-header", "proxy-user",
        "proxy-pinnedpubkey", "quote", "range", "rate", "referer", "request", "request-target", "resolve", "retry",
        "retry-delay", "retry-max-time", "socks4", "socks4a", "socks5", "socks5-hostname", "speed-limit", "speed-time",
        "stderr", "tls-max", "tls13-ciphers", "time-cond", "timeout", "tries", "trace", "trace-ascii", "unix-socket",
        "upload-file", "url-query", "user", "user-agent", "variable", "write-out", "oauth2-bearer", "aws-sigv4",
        "directory-prefix", "ca-certificate", "ca-directory", "certificate", "private-key", "password",
    ]
    private static let valuedLetters: [CommandLines.Found.Tool: String] = [
        .curl: "AbcCdDeEFHhKmoPQrTtuUwxXyYz", .wget: "aAoOePDRTtUQwXI",
    ]

    /// One request, or one of several that `--next` parts.
    private struct Request {
        var value: ShellValues.Field?
        var isInsecure = false
        var addresses: [Address] = []
        /// `--ssl`, which only tries TLS.
        var triesTLS: String?
        /// Whether other options may refuse what has no TLS: `--ssl-reqd`, `--proto =https`.
        var requiresTLS = false
        var usualScheme = "http"

        struct Address: Hashable {
            /// `nil` where only a variable tells it.
            var host: String?
            /// Empty where the address has none, and `nil` where that is not known.
            var scheme: String?

            init(host: String? = nil, scheme: String? = nil) {
                self.host = host
                self.scheme = scheme
            }

            /// `nil` where it is no address of git's: `https://host/path`, `user@host:path`.
            init?(repository text: String) {
                let parts = text.split(separator: "@", maxSplits: 1, omittingEmptySubsequences: false)
                if let place = text.firstRange(of: "://") {
                    scheme = text[..<place.lowerBound].lowercased()
                    guard ["https", "http", "ssh", "git"].contains(scheme) else { return nil }
                    host = CommandLines.host(ofAddress: text[place.upperBound...])
                } else if parts.count == 2, parts[1].contains(":"), !parts[0].contains(where: "/:= ".contains) {
                    scheme = "ssh"
                    host = CommandLines.host(ofAddress: parts[1])
                } else {
                    return nil
                }
            }
        }

        /// Schemes that begin without TLS, and go on with it where the server and the options say so.
        private static let upgraded: Set<String> = ["ftp", "imap", "pop3", "smtp", "ldap"]

        /// Why a certificate of an address may never be looked at; `nil` where one is, or where that is not known.
        func plain(_ address: Address) -> String? {
            guard !requiresTLS, var scheme = address.scheme else { return nil }
            if scheme.isEmpty {
                // Beside another address, it may be the value of an option that is not known.
                guard addresses.count == 1 else { return nil }
                scheme = usualScheme
            }
            if scheme == "ssh" { return "used with ssh, whose servers show no certificate: none is looked at" }
            if ["http", "git"].contains(scheme) {
                return "used with \(scheme), which has no TLS: no certificate is looked at"
            }
            guard Self.upgraded.contains(scheme) else { return nil }
            return triesTLS.map {
                "used with \(scheme) and \($0), which only tries TLS: where the server has none, no certificate is looked at"
            } ?? "used with \(scheme) without '--ssl-reqd', which has no TLS: no certificate is looked at"
        }
    }

    static func read(_ fields: [ShellValues.Field], line: Int) -> [CommandLines.Found] {
        var fields = fields
        var program = fields.firstIndex { tool($0.text) != nil }
        if program == nil {
            // Options in one text, as a script keeps them, or writes them to a file.
            fields = fields.flatMap(\.parts)
            program = fields.firstIndex { tool($0.text) != nil }
        }
        let kind = program.flatMap { tool(fields[$0].text) } ?? .curl
        if let found = TunnelArguments.read(fields[(program.map { $0 + 1 } ?? 0)...], program.map { _ in kind }, line) {
            return found
        }
        guard fields.contains(where: { $0.text.lowercased().contains("pinnedpubkey") }) else { return [] }
        if program == nil, let first = fields.first, first.text.lowercased() == "pinnedpubkey", let value = fields.last
        {
            // A line of settings that the script writes.
            return [
                .init(
                    tool: first.text == "pinnedPubkey" ? .git : .curl,
                    line: line,
                    value: value.text,
                    isInsecure: false,
                    host: nil,
                    gap: value.gap
                )
            ]
        }
        let arguments = fields[(program.map { $0 + 1 } ?? 0)...]
        let all = kind == .git ? [git(arguments)] : requests(arguments, kind)
        return all.flatMap { request -> [CommandLines.Found] in
            guard let value = request.value else { return [] }
            let known = request.addresses.filter { $0.host != nil }.uniqued
            // Where no host is told, any of them may be without TLS.
            let others = request.addresses.filter { request.plain($0) != nil }.prefix(1)
            let addresses = known.isEmpty ? others.isEmpty ? [.init()] : Array(others) : known
            return addresses.map { address in
                CommandLines.Found(
                    tool: kind,
                    line: line,
                    value: value.text.filter { $0 != "\u{0}" },
                    isInsecure: request.isInsecure,
                    host: address.host,
                    gap: value.gap ?? (value.text.isEmpty ? "the option has no value" : nil),
                    plain: request.plain(address)
                )
            }
        }
    }

    private static func requests(_ arguments: ArraySlice<ShellValues.Field>, _ tool: CommandLines.Found.Tool)
        -> [Request]
    {
        var all = [Request()]
        var rest = arguments
        func take(_ request: inout Request, address field: ShellValues.Field) {
            var text = field.text[...]
            var address = Request.Address()
            if let scheme = text.firstRange(of: "://") {
                address.scheme = text[..<scheme.lowerBound].lowercased()
                text = text[scheme.upperBound...]
            }
            if let host = CommandLines.host(ofAddress: text), PinText.isHost(host) || PinText.isAddress(host) {
                address.host = host
                address.scheme = address.scheme ?? ""
            }
            request.addresses.append(address)
        }
        while let field = rest.popFirst() {
            let text = field.text.last == "," ? String(field.text.dropLast()) : field.text
            let last = all.count - 1
            if text == "--next" || text == "-:" {
                all.append(Request())
            } else if text.hasPrefix("--") {
                let name = text.dropFirst(2).prefix { $0 != "=" }
                let own = text.dropFirst(2 + name.count)
                if name.lowercased() == "pinnedpubkey" {
                    all[last].value =
                        own.isEmpty ? rest.popFirst() : ShellValues.Field(text: String(own.dropFirst()), gap: field.gap)
                } else if name == "url" {
                    if let next = rest.popFirst() { take(&all[last], address: next) }
                } else if name == "insecure" || name == "no-check-certificate" {
                    all[last].isInsecure = true
                } else if name == "ssl" || name == "ftp-ssl" {
                    all[last].triesTLS = "'--\(name)'"
                } else if ["ssl-reqd", "ftp-ssl-reqd", "ftp-ssl-control", "https-only"].contains(name) {
                    all[last].requiresTLS = true
                } else if name == "proto", let list = own.isEmpty ? rest.popFirst()?.text : String(own.dropFirst()) {
                    // A list may refuse what has no TLS: `=https`, `-http`.
                    let parts = list.split(separator: ",").map(String.init)
                    let names = ["http", "ftp", "all"].flatMap { [$0, "=\($0)", "+\($0)"] }
                    let isClosed = list.hasPrefix("=") && !parts.contains(where: names.contains)
                    if isClosed || parts.contains("-http") { all[last].requiresTLS = true }
                } else if name == "proto-default", let next = rest.popFirst() {
                    all[last].usualScheme = next.text
                } else if valued.contains(String(name)), own.isEmpty {
                    rest = rest.dropFirst()
                }
            } else if text.hasPrefix("-"), text.count > 1 {
                for (index, letter) in text.dropFirst().enumerated() {
                    if letter == "k", tool == .curl { all[last].isInsecure = true }
                    guard valuedLetters[tool]?.contains(letter) ?? false else { continue }
                    if index == text.count - 2 { rest = rest.dropFirst() }
                    break
                }
            } else {
                take(&all[last], address: ShellValues.Field(text: text, gap: field.gap))
            }
        }
        return all
    }

    /// `git -c http.pinnedPubkey=…`, `git config http.https://host/.pinnedPubkey …`
    private static func git(_ arguments: ArraySlice<ShellValues.Field>) -> Request {
        var request = Request()
        guard let place = arguments.firstIndex(where: { $0.text.lowercased().contains("pinnedpubkey") }) else {
            return request
        }
        let option = arguments[place]
        if let range = option.text.lowercased().firstRange(of: "pinnedpubkey=") {
            let offset = option.text.lowercased().distance(
                from: option.text.lowercased().startIndex,
                to: range.upperBound
            )
            request.value = ShellValues.Field(text: String(option.text.dropFirst(offset)), gap: option.gap)
        } else if place + 1 < arguments.endIndex {
            request.value = arguments[place + 1]
        }
        request.isInsecure = arguments.contains { $0.text == "http.sslVerify=false" }
        let own = CommandLines.host(of: option.text.replacing(".pinned", with: "/.pinned").replacing("//.", with: "/."))
        let others = arguments.filter { !$0.text.lowercased().contains("pinnedpubkey") }
        let addresses = others.compactMap { Request.Address(repository: $0.text) }
        request.addresses = own.map { [.init(host: $0, scheme: "https")] } ?? addresses
        return request
    }
}

extension ShellValues.Field {
    /// The words of a text that has options of pins in it.
    fileprivate var parts: [Self] {
        guard text.contains(where: \.isWhitespace), CommandLines.options.contains(where: text.lowercased().contains)
        else {
            return [self]
        }
        return text.split(whereSeparator: \.isWhitespace).map { part in
            // `NAME=--option`
            let own = part.firstRange(of: "=--").map { part[part.index(after: $0.lowerBound)...] } ?? part
            return Self(text: String(own.filter { $0 != "\"" && $0 != "'" }), gap: part.contains("\u{0}") ? gap : nil)
        }
    }
}
