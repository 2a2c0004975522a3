import Foundation
import Synchronization

#if canImport(FoundationXML)
import FoundationXML
#endif

/// A property list (XML, binary or the old text form) or a JSON document as a tree, with the lines of its keys.
struct AppleDocument {
    indirect enum Value: Hashable {
        case table([String: Value])
        case list([Value])
        case text(String)
        case flag(Bool)
        case number(Double)
        /// A date, data, null, or what lies too deep in the document to matter.
        case other
    }

    let root: Value
    private let lines: KeyLines

    /// Keys and values without the list around them, as documentation prints them to be pasted, are read as one.
    ///
    /// - Parameter readsJSON: whether a text that begins like JSON is that, and not a property list of the old form.
    init(parsing data: Data, file: String, readsJSON: Bool) throws(PolicyFileError) {
        let data = data.aroundWhichAListIsPut
        let isBinary = data.starts(with: Array("bplist".utf8))
        func fail(_ problem: PolicyFileError.Problem) -> PolicyFileError { PolicyFileError(file: file, [problem]) }
        guard data.count <= AppleDocument.largest else {
            throw fail(.init("found \(data.count) bytes, expected a file of at most \(AppleDocument.largest)"))
        }
        if !isBinary, let zero = data.firstIndex(of: 0) {
            let line = data[..<zero].count { $0 == UInt8(ascii: "\n") } + 1
            throw fail(.init(line: line, "found a zero byte, expected UTF-8 ('plutil -convert xml1' makes it that)"))
        }
        let scan = isBinary ? DocumentScan() : DocumentScan(Array(data))
        if let depth = scan.tooDeep {
            throw fail(.init(line: depth, "found nesting deeper than any configuration has"))
        }
        let isJSON = readsJSON && scan.looksLikeJSON
        // No value takes less than a byte; a binary property list can hold itself, and then has values without end.
        let budget = Budget(data.count)
        do {
            root =
                isJSON
                ? try AppleDocument.decoder(JSONDecoder(), budget).decode(Value.self, from: data)
                : try AppleDocument.decoder(PropertyListDecoder(), budget).decode(Value.self, from: data)
        } catch {
            if readsJSON, let line = AppleDocument.lineOfSource(data) {
                let advice = "write the same dictionary as JSON or as a property list"
                throw fail(.init(line: line, "found source code, which is not read: \(advice)"))
            }
            let expected = isJSON ? "JSON" : readsJSON ? "a property list or JSON" : "a property list"
            let (line, message) = scan.flaw ?? AppleDocument.flaw(in: data, isJSON: isJSON, isBinary: isBinary)
            let found = message ?? (data.isEmpty ? "found an empty file" : "found something else")
            throw fail(.init(line: line, "\(found), expected \(expected)"))
        }
        if budget.isExhausted { throw fail(.init("found a property list that holds itself, expected one with an end")) }
        lines = isBinary ? KeyLines() : KeyLines(String(decoding: data, as: UTF8.self), isXML: scan.isXML)
    }

    /// The line of the last key of a path of keys; list indices, such as `[2]`, are passed over.
    func line(of path: [String]) -> Int? { lines.line(of: path) }

    /// Where a key stands: in the tables of tables, the outer ones first.
    func path(to key: String) -> [String]? {
        var level: [(path: [String], value: Value)] = [([], root)]
        while !level.isEmpty {
            let tables = level.compactMap { path, value in
                if case .table(let table) = value { (path, table) } else { nil }
            }
            if let found = tables.first(where: { $1[key] != nil }) { return found.0 + [key] }
            level = tables.flatMap { path, table in
                table.sorted { $0.key < $1.key }.map { (path + [$0.key], $0.value) }
            }
        }
        return nil
    }

    private static let largest = 16 << 20

    private static func decoder(_ decoder: PropertyListDecoder, _ budget: Budget) -> PropertyListDecoder {
        decoder.userInfo[Value.budget] = budget
        return decoder
    }

    private static func decoder(_ decoder: JSONDecoder, _ budget: Budget) -> JSONDecoder {
        decoder.userInfo[Value.budget] = budget
        return decoder
    }

    /// What only other readers tell of a document whose tags or brackets are in order.
    private static func flaw(in data: Data, isJSON: Bool, isBinary: Bool) -> (line: Int?, message: String?) {
        if isBinary { return (nil, nil) }
        if let line = data.lineThatIsNotUTF8 { return (line, "found bytes that are not UTF-8") }
        return isJSON ? (nil, complaint(data)) : (lineThatIsNotXML(data), nil)
    }

    /// Where the constants of TrustKit stand as code has them, bare and before a colon.
    private static func lineOfSource(_ data: Data) -> Int? {
        let lines = String(decoding: data, as: UTF8.self).split(
            omittingEmptySubsequences: false,
            whereSeparator: \.endsLine
        )
        return lines.firstIndex { $0.contains(#/(?:^|[^"'A-Za-z])kTSK[A-Za-z]+\s*:/#) }.map { $0 + 1 }
    }

    /// Where XML stops being well formed. With entities of its own it is not even looked at: they can unfold without end.
    private static func lineThatIsNotXML(_ data: Data) -> Int? {
        guard ["<!ENTITY", "<!ATTLIST", "<!NOTATION"].allSatisfy({ data.range(of: Data($0.utf8)) == nil }) else {
            return nil
        }
        let parser = XMLParser(blanking: data)
        return parser.parse() ? nil : max(1, parser.lineNumber)
    }

    /// What Foundation says of malformed JSON, which only its older reader tells.
    private static func complaint(_ data: Data) -> String? {
        do {
            _ = try JSONSerialization.jsonObject(with: data, options: .fragmentsAllowed)
            return nil
        } catch {
            let text = (error as NSError).userInfo["NSDebugDescription"] as? String
            return text.map { "found no JSON (\($0.trimmingSuffix("."))" + ")" }
        }
    }
}

extension AppleDocument.Value: Decodable {
    fileprivate static let budget = CodingUserInfoKey(rawValue: "budget")!  // Any text makes a key.

    init(from decoder: any Decoder) throws {
        self = .other
        let budget = decoder.userInfo[Self.budget] as? Budget
        guard decoder.codingPath.count < 32, budget?.spend() != false,
            let container = try? decoder.singleValueContainer()
        else { return }
        // Texts first: they are the most, and each failure costs.
        if let text = try? container.decode(String.self) {
            self = .text(text)
        } else if let table = try? container.decode([String: Self].self) {
            self = .table(table)
        } else if let list = try? container.decode([Self].self) {
            self = .list(list)
        } else if let flag = try? container.decode(Bool.self) {
            self = .flag(flag)
        } else if let number = try? container.decode(Double.self) {
            self = .number(number)
        }
    }

    /// For messages, as in "found a string".
    var kind: String {
        switch self {
        case .table: "a dictionary"
        case .list: "an array"
        case .text(let text): "the string '\(text.prefix(60))'"
        case .flag(let flag): flag ? "true" : "false"
        case .number(let number): "the number \(number.formatted(.number.grouping(.never)))"
        case .other: "something else"
        }
    }
}

/// How many values may still be read. It is shared by all the values that are being read, hence a class.
private final class Budget: Sendable {
    private let rest: Mutex<Int>

    init(_ count: Int) { rest = Mutex(count) }

    var isExhausted: Bool { rest.withLock { $0 < 0 } }

    func spend() -> Bool {
        rest.withLock { rest in
            rest -= 1
            return rest >= 0
        }
    }
}

extension String {
    fileprivate func trimmingSuffix(_ suffix: String) -> String {
        hasSuffix(suffix) ? String(dropLast(suffix.count)) : self
    }
}

extension Data {
    /// Itself, or in a property list on the same lines where it begins with a key.
    fileprivate var aroundWhichAListIsPut: Data {
        let start = drop { [0x20, 0x09, 0x0A, 0x0D].contains($0) }
        guard start.starts(with: "<key>".utf8) else { return self }
        return Data("<plist version=\"1.0\"><dict>".utf8) + self + Data("</dict></plist>".utf8)
    }
}
