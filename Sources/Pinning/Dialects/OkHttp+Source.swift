public import Foundation

extension OkHttp {
    /// Reads the Kotlin that `rendered()` writes, or the same in Java: calls of `add` on a
    /// `CertificatePinner.Builder`, whose arguments are plain string literals.
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
    private var rest: Substring
    private var line = 1

    init(_ text: String) { rest = text[...] }

    mutating func read() -> [OkHttp.Entry] {
        var entries: [OkHttp.Entry] = []
        var hasBuilder = false
        while !rest.isEmpty {
            if skipsSpace() { continue }
            if take("CertificatePinner.Builder") {
                hasBuilder = true
            } else if take(".add(") {
                entries += arguments().map { [$0] } ?? []
            } else if rest.first == "\"" {
                _ = literal()
            } else {
                rest.removeFirst()
            }
        }
        if !hasBuilder { refuse("", "found no CertificatePinner.Builder, expected one with calls of add") }
        return entries
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
