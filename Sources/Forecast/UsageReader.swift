package import Pinning
import Scenarios

/// Reads `date,version,users` (RFC 4180) in pieces of any size, in memory that does not grow with the file.
package struct UsageReader {
    /// A row that is left out, and why.
    package struct BadRow: Hashable, Sendable, CustomStringConvertible {
        package var line: Int
        package var reason: String

        package var description: String { "line \(line): \(reason)" }
    }

    private enum Column: Int, CaseIterable {
        case date, version, users

        var name: String { ["date", "version", "users"][rawValue] }
    }

    /// More than anybody reads.
    static let mostShown = 20

    private var splitter = RowSplitter()
    private var index: VersionIndex
    private var places: [Int]?
    private var separator = UInt8(ascii: ",")
    private var hasBegun = false
    private let today: Day
    private var fields: [UnsafeBufferPointer<UInt8>] = []
    private var headerError: FileError?

    package private(set) var table: UsageTable
    /// The first ones.
    package private(set) var badRows: [BadRow] = []
    package private(set) var badCount = 0
    package private(set) var rowCount = 0
    /// Rows of days after today, which nobody can have counted.
    package private(set) var futureCount = 0

    /// - Parameters:
    ///   - versions: the names of the fleet's versions.
    ///   - today: the last day that counts.
    package init(versions: [String], today: Day) {
        index = VersionIndex(versions)
        table = UsageTable(versions: versions.count)
        self.today = today
    }

    /// The names that are no version of the fleet.
    package var unknownVersions: [String] { index.unknown }
    /// Whether there are more than were kept.
    package var hasMoreUnknown: Bool { index.hasMore }

    /// - Throws: where the header lacks a column.
    package mutating func take(_ bytes: UnsafeBufferPointer<UInt8>) throws(FileError) {
        var bytes = bytes
        if !hasBegun, !bytes.isEmpty {
            hasBegun = true
            // The mark that some programs write before UTF-8. Pieces are longer than it.
            if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { bytes = UnsafeBufferPointer(rebasing: bytes[3...]) }
        }
        var splitter = splitter
        splitter.take(bytes) { take($0) }
        self.splitter = splitter
        if let headerError { throw headerError }
    }

    /// Comes after the last piece.
    ///
    /// - Throws: where there is nothing to count, or too much of it is damaged for anything to be concluded.
    package mutating func end() throws(FileError) {
        var splitter = splitter
        splitter.end { take($0) }
        if let headerError { throw headerError }
        guard places != nil else { throw FileError("the file is empty; it begins with 'date,version,users'") }
        guard badCount * 100 <= rowCount else {
            let shown = badRows.prefix(5).map { "\n  \($0)" }.joined()
            throw FileError("\(badCount) of \(rowCount) rows cannot be read, more than one in a hundred:\(shown)")
        }
        guard !table.days.isEmpty else {
            let future =
                futureCount > 0
                ? "; \(Count.of(futureCount, "row")) \(futureCount == 1 ? "is" : "are") of days after \(today)" : ""
            throw FileError("there is no row to count in it\(future)")
        }
    }

    private mutating func take(_ row: RowSplitter.Row) {
        guard headerError == nil else { return }
        switch row {
        case .endless(let line):
            rowCount += 1
            if places == nil {
                headerError = FileError("line \(line): the first row does not end; is this a CSV file?")
            }
            complain(line, "longer than \(RowSplitter.longestRow >> 10) KiB; a quote may not be closed")
        case .whole(let bytes, let line):
            guard let places else { return readHeader(bytes) }
            guard !bytes.isEmpty else { return }
            rowCount += 1
            split(bytes)
            guard let date = field(places[0]), let version = field(places[1]), let users = field(places[2]) else {
                return complain(line, "\(fields.count) columns, expected at least \((places.max() ?? 0) + 1)")
            }
            guard let day = Self.day(unquoted(date)) else {
                return complain(line, "'\(text(date))' is no day from 2000 to 2099, as in 2026-11-30")
            }
            guard let count = Self.count(unquoted(users)) else {
                return complain(line, "'\(text(users))' is no number of users")
            }
            let name = unquoted(version)
            guard !name.isEmpty else { return complain(line, "the version is missing") }
            guard day <= today else {
                futureCount += 1
                return
            }
            table.add(version: find(name), day: day, users: count)
        }
    }

    private mutating func readHeader(_ bytes: UnsafeBufferPointer<UInt8>) {
        let header = String(decoding: bytes, as: UTF8.self)
        // Spreadsheets write what their language has.
        separator = [",", ";", "\t"].first(where: header.contains).flatMap { $0.utf8.first } ?? separator
        split(bytes)
        let names = fields.map { text($0).lowercased() }
        let found = Column.allCases.map { column in names.firstIndex(of: column.name) }
        guard let date = found[0], let version = found[1], let users = found[2] else {
            let missing = Column.allCases.filter { found[$0.rawValue] == nil }.map(\.name)
            headerError = FileError(
                "line 1: no column '\(missing.joined(separator: "', '"))'; the columns are "
                    + "'\(names.prefix(10).joined(separator: "', '"))'"
            )
            return
        }
        places = [date, version, users]
    }

    private mutating func complain(_ line: Int, _ reason: String) {
        badCount += 1
        if badRows.count < Self.mostShown { badRows.append(BadRow(line: line, reason: reason)) }
    }

    // MARK: Fields

    /// Cuts a row at the separators that are not within quotes.
    private mutating func split(_ row: UnsafeBufferPointer<UInt8>) {
        fields.removeAll(keepingCapacity: true)
        var (start, isQuoted) = (0, false)
        for index in row.indices {
            if row[index] == UInt8(ascii: "\"") {
                isQuoted.toggle()
            } else if row[index] == separator, !isQuoted {
                fields.append(UnsafeBufferPointer(rebasing: row[start..<index]))
                start = index + 1
            }
        }
        fields.append(UnsafeBufferPointer(rebasing: row[start...]))
    }

    private func field(_ place: Int) -> UnsafeBufferPointer<UInt8>? {
        fields.indices.contains(place) ? fields[place] : nil
    }

    /// What stands within quotes; a quote within it is rare enough to be taken as it is written, twice.
    private func unquoted(_ field: UnsafeBufferPointer<UInt8>) -> UnsafeBufferPointer<UInt8> {
        var (low, high) = (0, field.count)
        while low < high, field[low] == UInt8(ascii: " ") { low += 1 }
        while low < high, field[high - 1] == UInt8(ascii: " ") { high -= 1 }
        if high - low >= 2, field[low] == UInt8(ascii: "\""), field[high - 1] == UInt8(ascii: "\"") {
            low += 1
            high -= 1
        }
        return UnsafeBufferPointer(rebasing: field[low..<high])
    }

    private mutating func find(_ name: UnsafeBufferPointer<UInt8>) -> Int? {
        guard name.contains(UInt8(ascii: "\"")) else { return index.find(name) }
        let bytes = Array(String(decoding: name, as: UTF8.self).replacing("\"\"", with: "\"").utf8)
        return bytes.withUnsafeBufferPointer { index.find($0) }
    }

    private func text(_ field: UnsafeBufferPointer<UInt8>) -> String {
        String(decoding: unquoted(field).prefix(60), as: UTF8.self)
    }

    /// A day; a time behind it is left out.
    private static func day(_ bytes: UnsafeBufferPointer<UInt8>) -> Day? {
        let dash = UInt8(ascii: "-")
        guard bytes.count >= 10, bytes[4] == dash, bytes[7] == dash,
            bytes.count == 10 || bytes[10] == UInt8(ascii: "T") || bytes[10] == UInt8(ascii: " "),
            let year = number(bytes, 0..<4), let month = number(bytes, 5..<7), let day = number(bytes, 8..<10)
        else { return nil }
        return Day(year: year, month: month, day: day)
    }

    private static func count(_ bytes: UnsafeBufferPointer<UInt8>) -> Int? {
        1...12 ~= bytes.count ? number(bytes, 0..<bytes.count) : nil
    }

    private static func number(_ bytes: UnsafeBufferPointer<UInt8>, _ range: Range<Int>) -> Int? {
        var number = 0
        for index in range {
            let digit = Int(bytes[index]) - 48
            guard 0...9 ~= digit else { return nil }
            number = number * 10 + digit
        }
        return number
    }
}
