public import Foundation

extension OkHttp {
    /// Reads the Kotlin that `rendered()` writes, or the same in Java: calls of `add` on a
    /// `CertificatePinner.Builder`, in a chain, within `apply` and the like or on a variable, whose arguments are plain
    /// string literals. The rest of the source is passed over.
    ///
    /// A comment of its own line says what no builder does: `// release: before CVE-2016-2402`, `// targetSdk: 35`.
    public init(parsing data: Data, file: String) throws(PolicyFileError) {
        guard let text = String(validating: data, as: UTF8.self) else {
            let message = "found bytes that are not UTF-8, expected Kotlin or Java source"
            throw PolicyFileError(file: file, [.init(line: data.lineThatIsNotUTF8, message)])
        }
        var reader = OkHttpReader(text)
        let entries = reader.read()
        guard reader.problems.isEmpty else { throw PolicyFileError(file: file, reader.problems) }
        func comment(_ key: String) -> Substring? {
            text.split(whereSeparator: \.isNewline).first { $0.hasPrefix("// \(key): ") }?.dropFirst(key.count + 5)
        }
        let release = comment("release").flatMap { Release(rawValue: String($0)) } ?? .current
        self.init(entries, release: release, targetSDK: comment("targetSdk").flatMap { Int($0) })
        patternLines = reader.lines
    }

    /// The builder in Kotlin, to be pasted into a test build.
    public func rendered() -> String {
        let calls = entries.map { entry in
            let arguments = [entry.pattern.text] + entry.pins.map(\.description)
            return "    .add(" + arguments.map(OkHttp.literal).joined(separator: ", ") + ")\n"
        }
        let comments =
            (release == .current ? "" : "// release: \(release.rawValue)\n")
            + (targetSDK.map { "// targetSdk: \($0)\n" } ?? "")
        return comments + "CertificatePinner.Builder()\n" + calls.joined() + "    .build()\n"
    }

    private static func literal(_ text: String) -> String {
        "\"" + text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"").replacing("$", with: "\\$") + "\""
    }
}

/// One reading of a source text.
private struct OkHttpReader {
    var problems: [PolicyFileError.Problem] = []
    /// Where each pattern stands first.
    private(set) var lines = EntryLines()
    private var entries: [OkHttp.Entry] = []
    private let text: String
    private var rest: Substring
    private var line = 1

    init(_ text: String) {
        self.text = text
        rest = text[...]
    }

    mutating func read() -> [OkHttp.Entry] {
        let builders = Self.variables(in: text)
        var hasBuilder = false
        // Between a builder of pins and its end, or another's beginning.
        var isBuilding = false
        // What `.` would follow: the name before it, `nil` behind a bracket.
        var last: Substring?
        var receiver: Substring?
        var isMember = false
        while !rest.isEmpty {
            if skipsSpace() { continue }
            if rest.first == "\"" {
                _ = literal()
                (last, isMember) = (nil, false)
            } else if let name = takeName() {
                switch name {
                case "Builder" where isMember:
                    isBuilding = receiver == "CertificatePinner"
                    hasBuilder = hasBuilder || isBuilding
                case "build": isBuilding = false
                case "add" where takesBracket():
                    let isOurs =
                        switch isMember ? receiver : "this" {
                        case nil, "this", "it": isBuilding
                        case let receiver?: builders.contains(String(receiver))
                        }
                    takeCall(isOurs: isOurs)
                    (last, isMember) = (nil, false)
                    continue
                default: break
                }
                (last, isMember) = (name, false)
            } else {
                let mark = rest.removeFirst()
                if mark == "." {
                    (receiver, isMember) = (last, true)
                } else if !"?!".contains(mark) {
                    (last, isMember) = (nil, false)
                }
            }
        }
        if !hasBuilder {
            refuse("", "found no CertificatePinner.Builder, expected one with calls of add")
        } else if entries.isEmpty, problems.isEmpty, text.contains(#/\badd\b/#) {
            let found = "found a CertificatePinner.Builder and no call of add that can be read"
            refuse("", "\(found), expected .add(\"host\", \"sha256/…\")")
        }
        return entries
    }

    /// The variables and parameters that hold a builder, in Kotlin's and in Java's words.
    private static func variables(in text: String) -> Set<String> {
        let kotlin = #/(\w+)\s*(?::\s*|=\s*(?:new\s+)?)(?:okhttp3\s*\.\s*)?CertificatePinner\s*\.\s*Builder\b/#
        let java = #/CertificatePinner\s*\.\s*Builder\s+(\w+)/#
        return Set(text.matches(of: kotlin).map { String($0.1) } + text.matches(of: java).map { String($0.1) })
    }

    /// A call of `add`, its opening bracket taken. One whose receiver is unknown counts where it is given pins.
    private mutating func takeCall(isOurs: Bool) {
        let (before, lineBefore, known) = (rest, line, (problems, lines))
        guard let entry = arguments() else {
            if !isOurs {
                (rest, line) = (before, lineBefore)
                (problems, lines) = known
            }
            return
        }
        if isOurs || !entry.pins.isEmpty {
            entries.append(entry)
        } else {
            (problems, lines) = known
        }
    }

    private mutating func takeName() -> Substring? {
        let name = rest.prefix { $0.isLetter || $0.isNumber || $0 == "_" }
        rest = rest[name.endIndex...]
        return name.isEmpty ? nil : name
    }

    /// Whether a call begins here, its opening bracket then being taken.
    private mutating func takesBracket() -> Bool {
        while skipsSpace() {}
        return take("(")
    }

    /// What stands between the brackets of `add`, up to the closing one; `nil` where that is no entry.
    private mutating func arguments() -> OkHttp.Entry? {
        var texts: [String] = []
        while true {
            if skipsSpace() { continue }
            if take(")") { break }
            if !texts.isEmpty, take(",") { continue }
            guard rest.first == "\"", let text = literal() else {
                let found = rest.prefix { !",)\n".contains($0) }
                refuse("add", "found '\(found.prefix(60))', expected a plain string literal")
                return nil
            }
            texts.append(text)
        }
        guard let name = texts.first else {
            refuse("add", "found no arguments, expected a pattern and pins")
            return nil
        }
        let path = "add(\"\(name)\")"
        if lines[name] == nil { lines[name] = line }
        var pins: [OkHttpPin] = []
        for text in texts.dropFirst() {
            do { pins.append(try OkHttpPin(parsing: text)) } catch { refuse(path, "\(error)", .throwsAtStart) }
        }
        do { return OkHttp.Entry(try OkHttpPattern(name), pins) } catch { refuse(path, "\(error)", .throwsAtStart) }
        return nil
    }

    /// A literal in double quotes on one line, without interpolation.
    private mutating func literal() -> String? {
        let before = rest
        rest.removeFirst()
        var text = ""
        while let character = rest.popFirst() {
            switch character {
            case "\"": return text
            case "\\" where !rest.isEmpty && "\\\"$".contains(rest[rest.startIndex]): text.append(rest.removeFirst())
            case "\\", "$", "\n", "\r\n":
                rest = before
                return skippedLiteral()
            default: text.append(character)
            }
        }
        return nil
    }

    /// Goes past a quote that begins nothing readable.
    private mutating func skippedLiteral() -> String? {
        rest.removeFirst()
        return nil
    }

    /// White space and comments.
    private mutating func skipsSpace() -> Bool {
        if rest.first?.isNewline == true {
            line += 1
            rest.removeFirst()
        } else if rest.first?.isWhitespace == true {
            rest.removeFirst()
        } else if rest.hasPrefix("//") {
            rest = rest.drop { !$0.isNewline }
        } else if rest.hasPrefix("/*") {
            let end = rest.range(of: "*/")?.upperBound ?? rest.endIndex
            line += rest[..<end].count(where: \.isNewline)
            rest = rest[end...]
        } else {
            return false
        }
        return true
    }

    private mutating func take(_ text: String) -> Bool {
        guard rest.hasPrefix(text) else { return false }
        rest = rest.dropFirst(text.count)
        return true
    }

    private mutating func refuse(_ path: String, _ message: String, _ refusal: PolicyFinding.Rule? = nil) {
        problems.append(.init(line: line, keyPath: path, message, refusal: refusal))
    }
}
