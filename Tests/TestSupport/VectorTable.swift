package import Foundation

/// A table of comma-separated values, in which quotes hide commas, and two of them stand for one (RFC 4180).
package struct VectorTable: Sendable {
    package let columns: [String]
    /// Each by the names of the columns.
    package let rows: [[String: String]]

    /// A file that cannot be read is a table without rows.
    package init(at file: URL) {
        let text = (try? String(contentsOf: file, encoding: .utf8)) ?? ""
        let records = VectorTable.records(text)
        let columns = records.first ?? []
        self.columns = columns
        rows = records.dropFirst().map { Dictionary(zip(columns, $0)) { $1 } }
    }

    private static func records(_ text: String) -> [[String]] {
        var records: [[String]] = []
        var record: [String] = []
        var field = ""
        var isQuoted = false
        var rest = text[...]
        func endRecord() {
            if record != [] || field != "" { records.append(record + [field]) }
            (record, field) = ([], "")
        }
        while let character = rest.popFirst() {
            switch character {
            case "\"" where isQuoted && rest.first == "\"":
                field.append(character)
                rest.removeFirst()
            case "\"": isQuoted.toggle()
            case "," where !isQuoted:
                record.append(field)
                field = ""
            case _ where character.isNewline && !isQuoted: endRecord()
            default: field.append(character)
            }
        }
        endRecord()
        return records
    }
}
