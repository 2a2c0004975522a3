import Foundation
import Testing

@testable import AppSources

/// `Forms/` has a source for each way in which apps write pins, and `expected.tsv` what each says: the file, the line,
/// the form, a host, its pins; `as` which dialect, where a library's rules are one's. What cannot be read stands there with its reason, behind `!`.
@Suite struct `Forms of pins` {
    static let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Forms")

    @Test func `are read as expected, each of them and nothing else`() throws {
        let expected = try String(contentsOf: Self.folder.appending(path: "expected.tsv"), encoding: .utf8)
            .split(separator: "\n").map(String.init).filter { !$0.hasPrefix("#") }

        let found = try Self.rows()

        for row in Set(expected).subtracting(found).sorted() { Issue.record("expected, and not found: \(row)") }
        for row in Set(found).subtracting(expected).sorted() { Issue.record("found, and not expected: \(row)") }
    }

    static func rows() throws -> [String] {
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
        let files = try names.compactMap { name -> SourceModule.File? in
            guard let language = SourceLanguage(fileName: name) else { return nil }
            let text = try String(contentsOf: folder.appending(path: name), encoding: .utf8)
            return SourceModule.File(path: name, language: language, text: text)
        }
        let strings = try String(contentsOf: folder.appending(path: "strings.xml"), encoding: .utf8)
        let gradle = try String(contentsOf: folder.appending(path: "build.gradle"), encoding: .utf8)
        let fields = AndroidResources.buildFields(in: gradle, .groovy)
        let module = SourceModule(
            files,
            strings: Dictionary(AndroidResources.strings(in: strings).map { ($0.name, [$0.value]) }) { $0 + $1 },
            buildFields: Dictionary(fields.map { ($0.name, [$0.value]) }) { $0 + $1 },
            variants: BuildVariants(fields)
        )
        let reader = SourceReader(module)
        return files.flatMap { file in
            let rows = reader.read(file).flatMap { $0.rows }
            if !rows.isEmpty, !file.isLookedAt { Issue.record("a folder passes \(file.path) by") }
            return rows
        }
    }
}

extension FoundPins {
    /// Its lines of the table.
    var rows: [String] {
        let condition = conditions.isEmpty ? "" : " if \(conditions.joined(separator: " and "))"
        let head = "\(path)\t\(line)\t\(form.rawValue)\(condition)"
        switch content {
        case .pinner(let entries):
            if entries.isEmpty { return ["\(head)\t-\t-"] }
            return entries.map { "\(head)\t\($0.host)\t\($0.pins.map(\.short).joined(separator: " "))" }
        case .dictionary(let value):
            return value.pinned.map { "\(head)\t\($0.host)\t\($0.texts.map(\.short).joined(separator: " "))" }
        case .evaluators(let value, _):
            guard case .table(let entries) = value else { return [] }
            return entries.map { entry in
                guard case .made(let made) = entry.value else { return "\(head)\t\(entry.key.text ?? "?")\t?" }
                return
                    "\(head)\t\(entry.key.text ?? "?")\t\(([made.name] + entry.value.assetNames).joined(separator: " "))"
            }
        case .library(let library):
            let rules = "as \(([library.dialect] + library.settings).joined(separator: ", "))"
            return [
                "\(head) \(rules)\t\(library.hosts.joined(separator: " "))\t\(library.pins.map(\.short).joined(separator: " "))"
            ]
        case .described(let hosts, let pins, _, let known):
            return ["\(head)\t\(hosts.joined(separator: " "))\t\(pins.map(\.short).joined(separator: " "))"]
                + known.map { "\(head)\t\($0.name)\t+ \($0.pins.map(\.short).joined(separator: " "))" }
        case .gaps(let gaps, let hosts, let known):
            return gaps.map { "\(head)\t\(hosts.joined(separator: " "))\t! \($0.line): \($0.reason)" }
                + known.map { "\(head)\t\($0.name)\t+ \($0.pins.map(\.short).joined(separator: " "))" }
        }
    }
}

extension String {
    /// `P1` and `P2` for the two pins that the examples have.
    fileprivate var short: String {
        replacing("utmg5NIuXjXc321JwUBw4B1DNpJJkgnuJk88qs0RTVM=", with: "P1")
            .replacing("vduvxDt5mhyuAlZH2GyLr30NZkpTRkcQBETkiJVp1rg=", with: "P2")
    }
}

extension Value {
    /// The pinned domains of a dictionary with the texts below each.
    fileprivate var pinned: [(host: String, texts: [String])] {
        guard case .table(let entries) = self else { return [] }
        return entries.flatMap { entry -> [(String, [String])] in
            guard entry.key.text?.hasSuffix("PinnedDomains") ?? false, case .table(let domains) = entry.value else {
                return entry.value.pinned
            }
            return domains.map { ($0.key.text ?? "?", $0.value.facts) }
        }
    }

    /// Texts and flags, a flag with its key.
    private var facts: [String] {
        guard case .table(let entries) = self else { return texts }
        return entries.flatMap { entry -> [String] in
            switch entry.value {
            case .flag(let flag): ["\(entry.key.text ?? "?")=\(flag)"]
            case .list(let values): values.flatMap(\.facts)
            default: entry.value.facts
            }
        }
    }
}

extension FoundPins.Part {
    fileprivate var name: String { host ?? expression.map { "'\($0)'" } ?? "?" }
}
