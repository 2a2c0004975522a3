/// The texts of `res/values`, and the fields that Gradle writes into `BuildConfig`.
package enum AndroidResources {
    /// `<string name="api_host">api.acme.example</string>`, by `string/api_host`; arrays with a line for each element.
    package static func strings(in text: String) -> [(name: String, value: String)] {
        let text = withoutComments(text)
        var found: [(String, String)] = []
        for element in elements("string", in: text[...]) {
            found.append(("string/\(element.name)", unescaped(element.body)))
        }
        for element in elements("string-array", in: text[...]) {
            let items = elements("item", in: element.body, isNamed: false).map { unescaped($0.body) }
            found.append(("array/\(element.name)", items.joined(separator: "\n")))
        }
        return found
    }

    private static func withoutComments(_ text: String) -> String {
        var kept = ""
        var rest = text[...]
        while let open = rest.firstRange(of: "<!--") {
            kept += rest[..<open.lowerBound]
            guard let close = rest[open.upperBound...].firstRange(of: "-->") else { return kept }
            rest = rest[close.upperBound...]
        }
        return kept + rest
    }

    private static func elements(_ tag: String, in text: Substring, isNamed: Bool = true) -> [(
        name: String, body: Substring
    )] {
        var found: [(String, Substring)] = []
        var rest = text
        while let open = rest.firstRange(of: "<\(tag)"), found.count < 100_000 {
            rest = rest[open.upperBound...]
            // `<string-array` begins with `<string`.
            guard let next = rest.first, next.isWhitespace || next == ">" else { continue }
            guard let close = rest.firstIndex(of: ">") else { break }
            let head = rest[..<close]
            rest = rest[rest.index(after: close)...]
            guard !head.hasSuffix("/"), let end = rest.firstRange(of: "</\(tag)>") else { continue }
            let name = head.firstRange(of: "name=").flatMap { range -> String? in
                let value = head[range.upperBound...]
                guard let quote = value.first, "\"'".contains(quote) else { return nil }
                return String(value.dropFirst().prefix { $0 != quote })
            }
            if !isNamed || name != nil { found.append((name ?? "", rest[..<end.lowerBound])) }
            rest = rest[end.upperBound...]
        }
        return found
    }

    private static func unescaped(_ text: Substring) -> String {
        var value = String(text)
        if let data = value.firstRange(of: "<![CDATA["), let end = value.firstRange(of: "]]>"),
            data.upperBound <= end.lowerBound
        {
            value = String(value[data.upperBound..<end.lowerBound])
        }
        for (entity, character) in [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&apos;", "'"), ("&amp;", "&")] {
            value = value.replacing(entity, with: character)
        }
        let start = value.drop(while: \.isWhitespace)
        let trimmed = String(String(start.reversed()).drop(while: \.isWhitespace).reversed())
        let isQuoted = trimmed.hasPrefix("\"") && trimmed.hasSuffix("\"") && trimmed.count > 1
        return isQuoted ? String(trimmed.dropFirst().dropLast()) : trimmed.replacing("\\'", with: "'")
    }

    /// A field that Gradle writes into `BuildConfig`.
    package struct BuildField: Hashable, Sendable {
        package var name: String
        /// As Java writes it.
        package var value: String
        /// `buildType` or `flavour`; `nil` for all of them.
        package var dimension: String?
        /// Which build type, or which flavour.
        package var variant: String?
        /// Whether another value may be given when the app is built: `cfg("PIN", "sha256/…")`.
        package var isUsual = false
    }

    /// `buildConfigField "String", "PIN", "\"sha256/…\""`, and within which build type or flavour.
    package static func buildFields(in text: String, _ language: SourceLanguage) -> [BuildField] {
        let tokens = Lexer.tokens(of: text, in: language)
        var found: [BuildField] = []
        // The words before each brace that is open.
        var open: [String] = []
        for (index, token) in tokens.enumerated() {
            if token.isMark("{") { open.append(heading(tokens, index)) }
            if token.isMark("}"), !open.isEmpty { open.removeLast() }
            guard token.isName("buildConfigField") else { continue }
            guard let (name, value, isUsual) = field(tokens, behind: index) else { continue }
            var field = BuildField(name: name, value: value, isUsual: isUsual)
            for (word, dimension) in [("buildTypes", "buildType"), ("productFlavors", "flavour")] {
                guard let place = open.lastIndex(of: word) else { continue }
                field.dimension = dimension
                field.variant = open.indices.contains(place + 1) ? open[place + 1] : nil
            }
            found.append(field)
        }
        return found
    }

    /// The name and the value of a field; for a value that is looked up, what stands in for it.
    private static func field(_ tokens: [Token], behind index: Int) -> (name: String, value: String, isUsual: Bool)? {
        var texts: [String] = []
        for (place, next) in tokens.enumerated().dropFirst(index + 1).prefix(14) {
            if case .text(let pieces) = next.kind {
                guard let (text, isUsual) = text(of: pieces) else { return nil }
                if texts.count == 2 { return (texts[1], text, isUsual) }
                texts.append(text)
            } else if texts.count == 2, next.name != nil, place + 1 < tokens.count, tokens[place + 1].isMark("(") {
                return usual(tokens[(place + 1)...]).map { (texts[1], "\"\($0)\"", true) }
            } else if !next.isMark(","), !next.isMark("("), next.name == nil {
                return nil
            }
        }
        return nil
    }

    private static func text(of pieces: [Token.Piece]) -> (text: String, isUsual: Bool)? {
        if pieces.count <= 1 {
            guard case .plain(let text)? = pieces.first else { return pieces.isEmpty ? ("", false) : nil }
            return (text, false)
        }
        guard pieces.count == 3, case .plain("\"") = pieces[0], case .code(let inner) = pieces[1],
            case .plain("\"") = pieces[2], let usual = usual(inner[...])
        else { return nil }
        return ("\"\(usual)\"", true)
    }

    /// The last argument of `name("KEY", "usual")`, or what stands behind its `?:`.
    private static func usual(_ tokens: ArraySlice<Token>) -> String? {
        var depth = 0
        var last: String?
        for (place, token) in zip(tokens.indices, tokens).prefix(20) {
            if token.isMark("(") { depth += 1 }
            if token.isMark(")") { depth -= 1 }
            if case .text(let pieces) = token.kind {
                guard place > tokens.startIndex, [",", "?:"].contains(where: tokens[place - 1].isMark),
                    pieces.count == 1, case .plain(let text) = pieces[0]
                else { continue }
                last = text
            }
            // `props.getProperty("PIN") ?: "usual"`
            if depth == 0, token.isMark(")"), place + 1 == tokens.endIndex || !tokens[place + 1].isMark("?:") { break }
        }
        return last
    }

    /// The fields of Gradle that hold some of the pins, of one build type or flavour.
    package struct PinnedFields: Sendable, Equatable {
        /// `buildType release`; `nil` for all.
        package var variant: String?
        /// Of the URLs beside the pins.
        package var hosts: [String] = []
        package var pins: [String] = []
        /// The pins whose host is told by a name: by `API_HOST` that of `API_PIN`, or by the one host that is left.
        package var known: [FoundPins.Part] = []
    }

    package static func pinnedFields(of pins: [String], in file: SourceModule.File) -> [PinnedFields] {
        let isGradle = file.language == .groovy || file.path.hasSuffix(".gradle.kts")
        let fields = isGradle ? buildFields(in: file.text, file.language) : []
        return fields.map(\.variant).uniqued.compactMap { variant in
            let own = fields.filter { $0.variant == variant }
            let held = own.compactMap { field -> (subject: [String], pins: [String])? in
                let pins = pins.filter(field.value.contains)
                return pins.isEmpty ? nil : (SourceReader.subject(of: field.name), pins)
            }
            if held.isEmpty { return nil }
            let named = own.compactMap { field in
                field.host.map { (name: field.name, subject: SourceReader.subject(of: field.name), host: $0) }
            }
            // `HOSTNAME` beside `IMAGE_URL`
            let isNamed = named.contains { GroupReading.namesPinnedHosts($0.name) }
            var known: [FoundPins.Part] = []
            for (subject, pins) in held {
                let same = subject.isEmpty ? [] : named.filter { $0.subject == subject }.map(\.host).uniqued
                let free = named.filter { one in
                    (!isNamed || GroupReading.namesPinnedHosts(one.name))
                        && !held.contains { $0.subject == one.subject && $0.subject != subject }
                }
                let hosts = same.isEmpty ? free.map(\.host).uniqued : same
                // Which one of several they are for, no name says.
                guard !same.isEmpty || hosts.count == 1 else { continue }
                for host in hosts {
                    if let place = known.firstIndex(where: { $0.host == host }) {
                        known[place].pins = (known[place].pins + pins).uniqued
                    } else {
                        known.append(.init(host: host, pins: pins, line: 0))
                    }
                }
            }
            return PinnedFields(
                variant: own.first?.dimension.flatMap { dimension in variant.map { "\(dimension) \($0)" } },
                hosts: named.map(\.host).uniqued,
                pins: held.flatMap(\.pins).uniqued,
                known: known
            )
        }
    }

    /// `release {`, `create("staging") {`, `getByName("debug") {`.
    private static func heading(_ tokens: [Token], _ brace: Int) -> String {
        guard brace > 0 else { return "" }
        if let name = tokens[brace - 1].name { return name }
        guard tokens[brace - 1].isMark(")"), brace > 2, case .text(let pieces) = tokens[brace - 2].kind,
            pieces.count == 1, case .plain(let text) = pieces[0]
        else { return "" }
        return text
    }
}

/// Fields of Gradle's with a value for each build type, or for each flavour.
package struct BuildVariants: Sendable {
    struct Field {
        var dimension: String
        var values: [String: String] = [:]
        /// For the others.
        var usual: String?
    }

    var fields: [String: Field] = [:]
    /// Of each dimension, those that set any field, in the order of the file.
    var names: [String: [String]] = [:]

    package init() {}

    package init(_ found: [AndroidResources.BuildField]) {
        for (name, all) in Dictionary(grouping: found, by: \.name) {
            let dimensions = Set(all.compactMap(\.dimension))
            guard dimensions.count == 1, let dimension = dimensions.first else { continue }
            var field = Field(dimension: dimension)
            var isKnown = true
            for one in all {
                if one.dimension == nil {
                    isKnown = isKnown && (field.usual ?? one.value) == one.value
                    field.usual = one.value
                } else if let variant = one.variant {
                    isKnown = isKnown && (field.values[variant] ?? one.value) == one.value
                    field.values[variant] = one.value
                } else {
                    isKnown = false
                }
            }
            if isKnown { fields[name] = field }
        }
        for field in found {
            guard let dimension = field.dimension, let variant = field.variant else { continue }
            if !(names[dimension]?.contains(variant) ?? false) { names[dimension, default: []].append(variant) }
        }
    }
}

extension AndroidResources.BuildField {
    /// The host, or the end of hosts, that its text is or begins with.
    fileprivate var host: String? {
        let text = value.drop { $0 == "\"" }.prefix { $0 != "\"" }
        let start = text.firstRange(of: "://")?.upperBound ?? text.startIndex
        let host = String(text[start...].prefix { !"/?#:".contains($0) })
        return PinText.isHostOrEnd(host) ? host : nil
    }
}
