import Foundation
import TestSupport
import Testing

@testable import Scenarios

/// `docs/peer-cases.md`: what other projects present to a client, and what plays it here.
@Suite struct PeerCasesTests {
    /// Project, case, scenarios and note of each row.
    private static let rows: [[String]] = {
        let page = try? String(contentsOf: Places.package.appending(path: "docs/peer-cases.md"), encoding: .utf8)
        return (page ?? "").split(separator: "\n").filter { $0.hasPrefix("| ") }.map { line in
            line.dropFirst().dropLast().split(separator: "|", omittingEmptySubsequences: false)
                .map { $0.trimmingCharacters(in: .whitespaces) }
        }.filter { $0.count == 4 && $0[0] != "project" }
    }()

    @Test func `every scenario that a case names is in the catalogue, and a case without one says why`() throws {
        let known = Set(try ShippedFile.parsed().playable.map(\.name))

        #expect(Self.rows.count > 100)
        for row in Self.rows {
            let named = row[2].matches(of: /`([^`]*)`/).map { String($0.1) }
            #expect(Set(named).subtracting(known) == [], "\(row)")
            #expect(named.isEmpty ? row[2] == "–" && !row[3].isEmpty : !row[2].contains("–"), "\(row)")
        }
    }

    @Test(.enabled(if: Places.hasVectors("peer-cases.csv"), "the shared test vectors are not beside this checkout"))
    func `every case is told of once`() throws {
        let table = VectorTable(at: Places.vectors.appending(path: "peer-cases.csv"))
        let cases = table.rows.map { "\($0["source"] ?? "") `\($0["case id"] ?? "")`" }

        #expect(Self.rows.map { "\($0[0]) \($0[1])" }.sorted() == cases.sorted())
    }
}
