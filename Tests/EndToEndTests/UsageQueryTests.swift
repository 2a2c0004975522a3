import Foundation
import TestSupport
import Testing

/// The query of `Examples/usage.sql`, on DuckDB, which `Scripts/setup test` takes from PyPI in CI.
struct UsageQueryTests {
    private static let python: URL? = {
        guard let shell = Tool("sh") else { return nil }
        let own = Places.package.appending(path: ".build/python/bin/python3")
        return [own, Tool("python3")?.url].compactMap(\.self).first {
            (try? shell.run(["-c", "'\($0.path)' -c 'import duckdb'"]))?.status == 0
        }
    }()

    /// 40 days: of 100 devices one a day goes from version 1.0 to 2.0. Some begin twice a day, and somebody today.
    private static let program = """
        import duckdb, sys
        table = duckdb.connect()
        table.execute("CREATE TABLE sessions (started TIMESTAMP, app_version VARCHAR, device INTEGER)")
        table.execute(\"\"\"
            INSERT INTO sessions
            SELECT CURRENT_DATE - INTERVAL (40 - day) DAY + INTERVAL (again * 11) HOUR,
                CASE WHEN device < day THEN '2.0' ELSE '1.0' END, device
            FROM range(41) AS days(day), range(100) AS devices(device), range(2) AS times(again)
            WHERE again = 0 OR device % 3 = 0
        \"\"\")
        table.execute(open(sys.argv[1]).read())
        print(table.execute("SELECT strftime(CURRENT_DATE, '%Y-%m-%d')").fetchone()[0])
        """

    @Test(.enabled(if: python != nil, "duckdb of PyPI is not installed"))
    func `gives the table that a forecast reads`() async throws {
        try await withTemporaryFolder { folder in
            let shell = try #require(Tool("sh"))
            let query = Places.package.appending(path: "Examples/usage.sql").path
            let python = try #require(Self.python).path
            try Data(Self.program.utf8).write(to: folder.appending(path: "fill.py"))

            let run = try shell.run(["-c", "cd '\(folder.path)' && '\(python)' fill.py '\(query)'"])
            #expect(run.status == 0, "\(run.output)")
            let today = run.output.split(separator: "\n").last.map(String.init) ?? ""
            let table = try String(contentsOf: folder.appending(path: "usage.csv"), encoding: .utf8)
            let rows = table.split(separator: "\n").map(String.init)

            #expect(rows.first == "date,version,users")
            // On the first of 40 days nobody has 2.0.
            #expect(rows.count == 80)
            #expect(rows.contains { $0.hasSuffix(",1.0,61") } && rows.contains { $0.hasSuffix(",2.0,39") })
            #expect(today.count == 10 && !table.contains(today))

            try Data(Self.fleet.utf8).write(to: folder.appending(path: "fleet.yaml"))
            try Data(Self.plan(today).utf8).write(to: folder.appending(path: "plan.yaml"))
            try Data("sha256//\(Self.pin)\n".utf8).write(to: folder.appending(path: "pins.txt"))
            let words = ["forecast", "fleet.yaml", "plan.yaml", "--json", "--today", today]
            let ending = try await Program.run(words, in: folder)
            #expect(ending.status == 0, "\(ending.errors)")
            let document = try JSONDecoder().decode(JSONValue.self, from: Data(ending.output.utf8))
            #expect(document["events"]?.array?.first?["share"]?["expected"] == .number(0), "\(ending.output)")
        }
    }

    private static let pin = "NtJAM0BdvMlDHtHExOcOBr5syLOaFlcQzT+FU0S+QCU="

    private static let fleet = """
        version: 1
        host: api.acme.example
        usage: usage.csv
        versions:
          - { name: "1.0", policy: pins.txt }
          - { name: "2.0", policy: pins.txt }

        """

    private static func plan(_ day: String) -> String {
        """
        version: 1
        keys: { next: { pin: sha256/\(pin) } }
        authorities: { root: {} }
        events:
          - { on: \(day), name: renewal, key: next, issuer: root }

        """
    }
}
