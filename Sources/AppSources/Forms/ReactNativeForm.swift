/// `initializeSslPinning` of react-native-ssl-public-key-pinning: TrustKit on iOS, OkHttp on Android.
enum ReactNativeForm {
    static func sites(of tree: SyntaxTree) -> [SourceReader.Site] {
        guard tree.language == .script, !tree.declaresItself("initializeSslPinning") else { return [] }
        return tree.calls(["initializeSslPinning"]).flatMap { call, _, arguments -> [SourceReader.Site] in
            guard let table = arguments.first?.value else { return [] }
            let platform = tree.platform(around: call.token)
            return [
                (platform == "android"
                    ? nil
                    : .init(form: .trustkit, line: call.line, token: table.token) { read(table, with: $0, trustKit) }),
                (platform == "ios"
                    ? nil
                    : .init(form: .okhttp, line: call.line, token: table.token) { read(table, with: $0, okHttp) }),
            ].compactMap { $0 }
        }
    }

    private struct Host {
        var name: String
        var includesSubdomains: Bool
        var pins: [String]
        var expiration: String?
        var line: Int
    }

    private static func read(
        _ table: Expression,
        with evaluator: Evaluator,
        _ content: ([Host]) -> FoundPins.Content
    ) -> FoundPins.Content {
        // A function of the app's own by this name gives the library something of its own.
        if evaluator.isOwnFunction("initializeSslPinning") { evaluator.choices.isAbsent = true }
        let value = evaluator.value(of: table)
        guard case .table(let entries) = value else {
            let reason = "the hosts: " + (value.firstUnknown?.reason ?? "they are no object")
            return .gaps([.init(line: table.line, reason: reason)], hosts: [])
        }
        var hosts: [Host] = []
        var gaps: [FoundPins.Gap] = []
        var known: [FoundPins.Part] = []
        // The last of two by one key counts.
        for (index, entry) in entries.enumerated()
        where entry.key.text == nil || !entries[(index + 1)...].contains(where: { $0.key == entry.key }) {
            let pins = entry.value.publicKeyHashes
            if !pins.isEmpty { known.append(.init(host: entry.key.text, pins: pins, line: entry.line)) }
            guard let name = entry.key.text, case .table(let fields) = entry.value, entry.value.firstUnknown == nil
            else {
                let unknown = entry.key.firstUnknown ?? entry.value.firstUnknown
                gaps.append(.init(line: entry.line, reason: unknown?.reason ?? "the host's options are no object"))
                continue
            }
            func field(_ name: String) -> Value? { fields.last { $0.key == .text(name) }?.value }
            hosts.append(
                Host(
                    name: name,
                    includesSubdomains: field("includeSubdomains") == .flag(true),
                    pins: pins,
                    expiration: field("expirationDate")?.text,
                    line: entry.line
                )
            )
        }
        return gaps.isEmpty ? content(hosts) : .gaps(gaps, hosts: entries.compactMap(\.key.text), known: known)
    }

    private static func trustKit(_ hosts: [Host]) -> FoundPins.Content {
        func entry(_ key: String, _ value: Value, _ line: Int) -> Value.Entry {
            .init(key: .text(key), value: value, line: line)
        }
        let domains = hosts.map { host in
            var fields = [
                entry("TSKIncludeSubdomains", .flag(host.includesSubdomains), host.line),
                entry("TSKPublicKeyHashes", .list(host.pins.map(Value.text)), host.line),
                // As the library itself sets it (`ios/SslPublicKeyPinning.mm`).
                entry("TSKDisableDefaultReportUri", .flag(true), host.line),
            ]
            if let day = host.expiration { fields.append(entry("TSKExpirationDate", .text(day), host.line)) }
            return entry(host.name, .table(fields), host.line)
        }
        return .dictionary(.table([entry("TSKPinnedDomains", .table(domains), hosts.first?.line ?? 1)]))
    }

    /// An expiration in the past leaves the host out there, which no model knows.
    private static func okHttp(_ hosts: [Host]) -> FoundPins.Content {
        guard hosts.allSatisfy({ $0.expiration == nil }) else {
            return .described(
                hosts: hosts.map(\.name),
                pins: hosts.flatMap(\.pins),
                what: "OkHttp's pins until the expirationDate, and none from then on",
                known: hosts.map { .init(host: $0.name, pins: $0.pins, line: $0.line) }
            )
        }
        return .pinner(
            hosts.map { host in
                FoundPins.Entry(
                    host: (host.includesSubdomains ? "**." : "") + host.name,
                    pins: host.pins.map { "sha256/\($0)" },
                    line: host.line
                )
            }
        )
    }
}

extension Value {
    fileprivate var publicKeyHashes: [String] {
        guard case .table(let fields) = self else { return [] }
        return fields.last { $0.key == .text("publicKeyHashes") }?.value.texts ?? []
    }
}

extension SyntaxTree {
    /// The system that the code around a place is for alone, `ios` or `android`: `if (Platform.OS === 'ios')`.
    fileprivate func platform(around place: Int) -> String? {
        tested(around: place, areAll: true).lazy.compactMap { platform(of: $0.choice.words, at: place) }.first
    }

    private func platform(of words: String, at place: Int, isOpposite: Bool = false, depth: Int = 0) -> String? {
        if words.hasPrefix("not ") {
            var inner = words.dropFirst(4)
            if inner.hasPrefix("("), inner.hasSuffix(")") { inner = inner.dropFirst().dropLast() }
            return platform(of: String(inner), at: place, isOpposite: !isOpposite, depth: depth)
        }
        // `const isIOS = Platform.OS === 'ios'`
        if let inner = innermost(around: place)?.block, let block = block(declaring: words, from: inner) {
            let own = blocks[block].declarations[words] ?? []
            guard own.count == 1, own[0].kind == .value, let value = own[0].value, changes[words] == nil, depth < 3
            else { return nil }
            return platform(of: value.words, at: place, isOpposite: isOpposite, depth: depth + 1)
        }
        let parts = words.split(separator: " ").map { $0.filter { $0 != "\"" && $0 != "'" } }
        guard parts.count == 3, parts.contains("Platform.OS"),
            let named = ["ios", "android"].first(where: parts.contains)
        else { return nil }
        let isEqual = ["==", "==="].contains(parts[1])
        guard isEqual || ["!=", "!=="].contains(parts[1]) else { return nil }
        return isEqual != isOpposite ? named : named == "ios" ? "android" : "ios"
    }
}
