/// `--servercert` of openconnect and `--trusted-cert` of openfortivpn.
enum TunnelArguments {
    private typealias Tool = CommandLines.Found.Tool

    private static let option: [Tool: String] = [.openconnect: "servercert", .openfortivpn: "trusted-cert"]
    /// Options whose next word is a value.
    private static let valued: Set<String> = [
        "authgroup", "base-mtu", "ca-file", "cafile", "certificate", "cipher-list", "compression", "config", "cookie",
        "csd-user", "csd-wrapper", "dtls-ciphers", "dtls12-ciphers", "dtls-local-port", "external-browser", "force-dpd",
        "form-entry", "gnutls-priority", "ifname", "interface", "key-password", "local-hostname", "local-id",
        "mca-certificate", "mca-key", "min-tls", "mtu", "os", "otp", "otp-delay", "otp-prompt", "passtos", "password",
        "persistent", "pid-file", "pinentry", "pppd-call", "pppd-ifname", "pppd-ipparam", "pppd-log", "pppd-plugin",
        "pppd-use-peerdns", "protocol", "proxy", "queue-len", "realm", "reconnect-timeout", "request-ip", "resolve",
        "script", "set-dns", "set-routes", "setuid", "sni", "sslkey", "token-mode", "token-secret", "trojan-interval",
        "user", "user-cert", "user-key", "useragent", "usergroup", "username", "version-string", "xmlconfig",
    ]
    private static let letters: [Tool: String] = [.openconnect: "cCeFgikmpPQsuUx", .openfortivpn: "copu"]

    /// - Parameter tool: whose name stands before them; `nil` where none does.
    /// - Returns: `nil` where they are another program's.
    static func read(_ arguments: ArraySlice<ShellValues.Field>, _ tool: CommandLines.Found.Tool?, _ line: Int)
        -> [CommandLines.Found]?
    {
        let own = tool ?? option.first { _, name in arguments.contains { $0.text.hasPrefix("--\(name)") } }?.key
        guard let tool = own, let option = option[tool] else { return nil }
        var values: [ShellValues.Field] = []
        var hosts: [String] = []
        // The option and its value in one word: `spawn("openconnect", ["--servercert …"])`.
        var isOneWord = false
        var rest = arguments
        while let field = rest.popFirst() {
            if field.text.hasPrefix("--\(option) ") {
                values.append(.init(text: String(field.text.dropFirst(option.count + 3)), gap: field.gap))
                isOneWord = true
            } else if field.text.hasPrefix("--") {
                let name = String(field.text.dropFirst(2).prefix { $0 != "=" })
                let isWhole = field.text.utf8.count == name.utf8.count + 2
                let given = ShellValues.Field(text: String(field.text.dropFirst(name.count + 3)), gap: field.gap)
                if name == option {
                    if let value = isWhole ? rest.popFirst() : given { values.append(value) }
                } else if name == "server" {
                    hosts += [(isWhole ? rest.popFirst() : given).flatMap(host)].compactMap { $0 }
                } else if isWhole, valued.contains(name) {
                    rest = rest.dropFirst()
                }
            } else if field.text.hasPrefix("-"), field.text.count == 2, let letter = field.text.last {
                if letters[tool]?.contains(letter) ?? false { rest = rest.dropFirst() }
            } else if !field.text.hasPrefix("-"), let host = host(field) {
                hosts.append(host)
            }
        }
        guard !values.isEmpty else { return [] }
        let isRead = values.allSatisfy { pin($0.text) != nil }
        let oneWord =
            isOneWord ? "an option and its value are one word here, which \(tool.rawValue) does not take" : nil
        let gap =
            values.compactMap(\.gap).first ?? oneWord
            ?? (isRead ? nil : "'\(values.map(\.text).joined())' is no digest")
        let names = hosts.uniqued
        return [
            CommandLines.Found(
                tool: tool,
                line: line,
                value: values.map { $0.text.filter { $0 != "\u{0}" } }.joined(separator: ";"),
                isInsecure: false,
                // Of two words that may be hosts, neither is told.
                host: names.count == 1 ? names[0] : nil,
                gap: gap
            )
        ]
    }

    private static func host(_ field: ShellValues.Field) -> String? {
        guard field.gap == nil else { return nil }
        var text = field.text[...]
        if let scheme = text.firstRange(of: "://") { text = text[scheme.upperBound...] }
        guard let host = CommandLines.host(ofAddress: text), PinText.isHost(host) || PinText.isAddress(host) else {
            return nil
        }
        return host
    }

    /// As lists of pins have it; `nil` for what is no digest.
    static func pin(_ text: String) -> String? {
        for prefix in ["pin-sha256:", "sha256:", "sha1:"] where text.hasPrefix(prefix) {
            let digest = String(text.dropFirst(prefix.count))
            guard prefix == "pin-sha256:" else {
                return PinText.isBareHex(digest, digits: prefix == "sha1:" ? 40 : 64) ? digest : nil
            }
            return PinText.isPin("sha256/\(digest)") && digest.utf8.count == 44 ? "sha256/\(digest)" : nil
        }
        let hex = text.filter { $0 != ":" }
        return PinText.isBareHex(hex) || PinText.isBareHex(hex, digits: 40) ? text : nil
    }
}
