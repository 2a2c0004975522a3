package import Foundation

extension OkHttp {
    /// Reads the Kotlin that `rendered()` writes, or the same in Java: calls of `add` on a
    /// `CertificatePinner.Builder`, in a chain, within `apply` and the like or on a variable, whose arguments are plain
    /// string literals. The rest of the source is passed over.
    ///
    /// A comment of its own line says what no builder does: `// release: before CVE-2016-2402`, `// targetSdk: 35`.
    package init(parsing data: Data, file: String) throws(PolicyFileError) {
        guard let text = String(validating: data, as: UTF8.self) else {
            let message = "found bytes that are not UTF-8, expected Kotlin or Java source"
            throw PolicyFileError(file: file, [.init(line: data.lineThatIsNotUTF8, message)])
        }
        guard data.count <= OkHttp.largestSource else {
            let message = "found \(data.count) bytes, expected source of at most \(OkHttp.largestSource)"
            throw PolicyFileError(file: file, [.init(message)])
        }
        var reader = OkHttpReader(text)
        let entries = reader.read()
        guard reader.problems.isEmpty else { throw PolicyFileError(file: file, reader.problems) }
        let lines = text.utf8.split { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") }
        func comment(_ key: String) -> String? {
            let lead = "// \(key): "
            return lines.first { $0.starts(with: lead.utf8) }.flatMap { String($0.dropFirst(lead.utf8.count)) }
        }
        let release = comment("release").flatMap { Release(rawValue: $0) } ?? .current
        self.init(entries, release: release, targetSDK: comment("targetSdk").flatMap { Int($0) })
        patternLines = reader.lines
    }

    /// The builder in Kotlin, to be pasted into a test build.
    package func rendered() -> String {
        let calls = entries.map { entry in
            let arguments = [entry.pattern.text] + entry.pins.map(\.description)
            return "    .add(" + arguments.map(OkHttp.literal).joined(separator: ", ") + ")\n"
        }
        let comments =
            (release == .current ? "" : "// release: \(release.rawValue)\n")
            + (targetSDK.map { "// targetSdk: \($0)\n" } ?? "")
        return comments + "CertificatePinner.Builder()\n" + calls.joined() + "    .build()\n"
    }

    /// Far above any source that a person writes, far below what takes long to read.
    private static let largestSource = 4 << 20

    private static func literal(_ text: String) -> String {
        "\"" + text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"").replacing("$", with: "\\$") + "\""
    }
}

/// One reading of a source text.
private struct OkHttpReader {
    private(set) var problems: [PolicyFileError.Problem] = []
    /// Where each pattern stands first.
    private(set) var lines = EntryLines()
    private var entries: [OkHttp.Entry] = []
    private var scan: SourceScan

    init(_ text: String) { scan = SourceScan(text) }

    mutating func read() -> [OkHttp.Entry] {
        let builders = Self.variables(in: scan)
        var (hasBuilder, mentionsAdd, isMade) = (false, false, false)
        // Between a builder of pins and its end, or another's beginning.
        var isBuilding = false
        // What `.` would follow: the name before it, `nil` behind a bracket.
        var last: String?
        var receiver: String?
        var isMember = false
        while let word = scan.next() {
            switch word {
            case .literal: (last, isMember) = (nil, false)
            case .mark(UInt8(ascii: ".")): (receiver, isMember) = (last, true)
            case .mark(let mark): if !"?!".utf8.contains(mark) { (last, isMember) = (nil, false) }
            case .name(let name):
                switch name {
                case "Builder" where isMember:
                    isBuilding = receiver == "CertificatePinner"
                    var ahead = scan
                    if isBuilding, ahead.take("(") {
                        // Builders of a debug and of a release build are never in force together.
                        if isMade {
                            refuse(
                                "",
                                "found a second CertificatePinner.Builder, expected one: 'audit' keeps them apart"
                            )
                        }
                        isMade = true
                    }
                    hasBuilder = hasBuilder || isBuilding
                case "build": isBuilding = false
                case "add":
                    mentionsAdd = true
                    guard scan.take("(") else { break }
                    let isOurs =
                        switch isMember ? receiver : "this" {
                        case nil, "this", "it": isBuilding
                        case let receiver?: builders.contains(receiver)
                        }
                    takeCall(isOurs: isOurs)
                    (last, isMember) = (nil, false)
                    continue
                default: break
                }
                (last, isMember) = (name, false)
            }
        }
        if !hasBuilder {
            refuse("", "found no CertificatePinner.Builder, expected one with calls of add")
        } else if entries.isEmpty, problems.isEmpty, mentionsAdd {
            let found = "found a CertificatePinner.Builder and no call of add that can be read"
            refuse("", "\(found), expected .add(\"host\", \"sha256/…\")")
        }
        return entries
    }

    /// The variables and parameters that hold a builder, in Kotlin's words (`b = …Builder`, `b: …Builder`) and in Java's
    /// (`CertificatePinner.Builder b`).
    private static func variables(in scan: SourceScan) -> Set<String> {
        let builder: [SourceScan.Word] = [.name("CertificatePinner"), .mark(UInt8(ascii: ".")), .name("Builder")]
        let package: [SourceScan.Word] = [.name("okhttp3"), .mark(UInt8(ascii: "."))]
        var scan = scan
        var found: Set<String> = []
        var words: [SourceScan.Word] = []
        while let word = scan.next() {
            if case .name(let name) = word, words.ends(with: builder) { found.insert(name) }
            words.append(word)
            if words.count > 8 { words.removeFirst() }
            guard words.ends(with: builder) else { continue }
            var before = words.dropLast(builder.count)
            if before.ends(with: package) { before.removeLast(package.count) }
            if before.last == .name("new") { before.removeLast() }
            let sign = before.popLast()
            if sign == .mark(UInt8(ascii: ":")) || sign == .mark(UInt8(ascii: "=")), case .name(let name) = before.last
            {
                found.insert(name)
            }
        }
        return found
    }

    /// A call of `add`, its opening bracket taken. One whose receiver is unknown counts where it is given pins.
    private mutating func takeCall(isOurs: Bool) {
        var ahead = self
        (ahead.problems, ahead.entries, ahead.lines) = ([], [], EntryLines())
        let entry = ahead.arguments()
        if isOurs || entry != nil { scan = ahead.scan }
        guard isOurs || entry?.pins.isEmpty == false else { return }
        problems += ahead.problems
        guard let entry else { return }
        entries.append(entry)
        if lines[entry.pattern.text] == nil { lines[entry.pattern.text] = scan.line }
    }

    /// What stands between the brackets of `add`, up to the closing one; `nil` where that is no entry.
    private mutating func arguments() -> OkHttp.Entry? {
        var texts: [String] = []
        while !scan.take(")") {
            if !texts.isEmpty, scan.take(",") { continue }
            scan.skipSpace()
            let place = scan.index
            guard case .literal(let text?) = scan.next() else {
                refuse("add", "found '\(scan.argument(at: place))', expected a plain string literal")
                return nil
            }
            texts.append(text)
        }
        guard let name = texts.first else {
            refuse("add", "found no arguments, expected a pattern and pins")
            return nil
        }
        let path = "add(\"\(name)\")"
        var pins: [OkHttpPin] = []
        for text in texts.dropFirst() {
            do { pins.append(try OkHttpPin(parsing: text)) } catch { refuse(path, "\(error)", .throwsAtStart) }
        }
        do { return OkHttp.Entry(try OkHttpPattern(name), pins) } catch { refuse(path, "\(error)", .throwsAtStart) }
        return nil
    }

    private mutating func refuse(_ path: String, _ message: String, _ refusal: PolicyFinding.Rule? = nil) {
        problems.append(.init(line: scan.line, keyPath: path, message, refusal: refusal))
    }
}

extension BidirectionalCollection where Element: Equatable {
    fileprivate func ends(with suffix: some BidirectionalCollection<Element>) -> Bool {
        reversed().starts(with: suffix.reversed())
    }
}
