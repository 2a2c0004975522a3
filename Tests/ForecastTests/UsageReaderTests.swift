import Pinning
import TestSupport
import Testing

@testable import Forecast

struct UsageReaderTests {
    private static let today = Day(number: 20_600)
    private static let versions = ["1.0", "2.*", "three, \"3\""]

    /// Reads a file that comes in pieces of so many bytes.
    private static func read(_ bytes: [UInt8], pieces: Int = 1 << 20) throws -> UsageReader {
        var reader = UsageReader(versions: versions, today: today)
        for start in stride(from: 0, to: bytes.count, by: pieces) {
            try bytes[start..<min(start + pieces, bytes.count)].withUnsafeBufferPointer { try reader.take($0) }
        }
        try reader.end()
        return reader
    }

    private static func read(_ text: String) throws -> UsageReader { try read(Array(text.utf8)) }

    private static func day(_ text: String) throws -> Day { try #require(Day(parsing: text)) }

    @Test func `users are summed by day and version, whatever else the file has`() throws {
        let reader = try Self.read(
            """
            \u{FEFF}country,Users,Date,version\r
            CH,10,2026-01-05,1.0\r
            LI,5,2026-01-05T00:00:00Z,"1.0"\r
            "a
            b",7,2026-01-06, 2.9 \r
            CH,3,2026-01-06,"three, ""3""\"\r
            CH,2,2026-01-06,0.9
            """
        )
        let (first, second) = (try Self.day("2026-01-05"), try Self.day("2026-01-06"))

        #expect(reader.badRows == [])
        #expect(reader.table.days == [first, second])
        #expect(reader.table.users(version: 0, on: first) == 15)
        #expect(reader.table.users(version: 1, on: second) == 7)
        #expect(reader.table.users(version: 2, on: second) == 3)
        #expect(reader.table.users(version: nil, on: second) == 2)
        #expect(reader.unknownVersions == ["0.9"])
    }

    @Test(arguments: ["date;version;users\n2026-01-05;1.0;4\n", "date\tversion\tusers\n2026-01-05\t1.0\t4"])
    func `what spreadsheets put between columns is known`(text: String) throws {
        let reader = try Self.read(text)

        #expect(reader.table.users(version: 0, on: try Self.day("2026-01-05")) == 4)
    }

    @Test func `rows that cannot be read are left out, and named with their line`() throws {
        let good = String(repeating: "2026-01-05,1.0,1\n", count: 600)
        let bad = """
            2026-13-05,1.0,1
            2026-01-05,1.0,-1
            2026-01-05,1.0,1.5
            2026-01-05,,1
            2026-01-05,1.0
            2026-01-05,1.0,1234567890123

            """

        let reader = try Self.read("date,version,users\n" + good + bad)

        #expect(reader.badRows.map(\.line) == Array(602...607))
        #expect(reader.badRows[0].reason == "'2026-13-05' is no day from 2000 to 2099, as in 2026-11-30")
        #expect(reader.badRows[1].reason == "'-1' is no number of users")
        #expect(reader.badRows[3].reason == "the version is missing")
        #expect(reader.badRows[4].reason == "2 columns, expected at least 3")
        #expect(reader.table.users(version: 0, on: try Self.day("2026-01-05")) == 600)
    }

    @Test(arguments: [
        ("", "the file is empty; it begins with 'date,version,users'"),
        ("date,version\n", "line 1: no column 'users'; the columns are 'date', 'version'"),
        ("date,version,users\n", "there is no row to count in it"),
        (
            "date,version,users\n2027-01-01,1.0,5\n",
            "there is no row to count in it; 1 row is of days after 2026-05-27"
        ),
        (
            "date,version,users\n2026-01-05,1.0,x\n2026-01-05,1.0,1\n",
            "1 of 2 rows cannot be read, more than one in a hundred:\n  line 2: 'x' is no number of users"
        ),
    ])
    func `a file of which nothing can be concluded is an error`(text: String, message: String) {
        #expect(throws: FileError(message)) { try Self.read(text) }
    }

    @Test func `a quote that is not closed costs one row, and not the memory`() throws {
        let rest = String(repeating: "2026-01-05,1.0,1\n", count: 20_000)

        let reader = try Self.read("date,version,users\n2026-01-05,\"1.0,1\n" + rest)

        #expect(reader.badCount == 1)
        #expect(reader.badRows[0].reason == "longer than 64 KiB; a quote may not be closed")
        #expect(reader.table.users(version: 0, on: try Self.day("2026-01-05")) > 15_000)
    }

    @Test func `pieces may end anywhere`() throws {
        let text = "\u{FEFF}date,version,users\r\n2026-01-05,\"1.0\",4\r\n2026-01-06,\"a\nb\",1\r\n2026-01-06,2.1,9"
        let bytes = Array(text.utf8)
        let whole = try Self.read(bytes)

        for pieces in 3...bytes.count {
            let cut = try Self.read(bytes, pieces: pieces)

            #expect(cut.table.days == whole.table.days)
            for day in whole.table.days {
                for version in [0, 1, 2, nil] {
                    #expect(cut.table.users(version: version, on: day) == whole.table.users(version: version, on: day))
                }
            }
            #expect(cut.unknownVersions == ["a\nb"])
        }
    }

    @Test func `damaged data are refused or read, and nothing else`() {
        var random = SplitMix64(seed: 14)
        let sample = Array("date,version,users\n2026-01-05,\"1.0\",4\n2026-01-06,2.0,\"9\"\r\n2026-01-07,x,1".utf8)
        func check(_ bytes: [UInt8], pieces: Int = 1 << 20) {
            do {
                let reader = try Self.read(bytes, pieces: pieces)
                // What is read has something to count.
                if reader.table.days.isEmpty { Issue.record("nothing is counted in \(bytes)") }
            } catch {
                if !(error is FileError) { Issue.record("\(error): \(bytes)") }
            }
        }
        for count in 0...sample.count { check(Array(sample.prefix(count))) }
        for _ in 0..<DamagedInputs.count(of: 100_000) {
            var bytes = sample
            for _ in 0...Int.random(in: 0...3, using: &random) {
                let place = Int.random(in: 0..<bytes.count, using: &random)
                switch Int.random(in: 0...3, using: &random) {
                case 0: bytes[place] = UInt8(truncatingIfNeeded: random.next())
                case 1: bytes.remove(at: place)
                case 2: bytes.insert([34, 44, 10, 13, 0].randomElement(using: &random) ?? 0, at: place)
                default: bytes.swapAt(place, bytes.count - 1)
                }
            }
            check(bytes, pieces: Int.random(in: 3...60, using: &random))
        }
    }
}
