import Foundation
import TestSupport
import Testing

/// `origin:`, `also:` and `{canary}` of a scenario file, from the outside.
@Suite(.enabled(if: Shipped.hasCurl, "curl is not installed")) struct OriginCommandTests {
    private static let text = """
        version: 1
        host: api.acme.example
        origin:
          GET /items: { file: answers/items.json }
        keys: { leaf: {}, evil: { by: attacker } }
        authorities: { root: {}, mallory: { by: attacker } }
        stores: { phone: { system: [root], user: [mallory] } }
        chains:
          today: { key: leaf, issuer: root }
          forged: { key: evil, issuer: mallory }
        policies: { strict: { pins: [leaf] } }
        clients:
          app:
            run: >-
              curl --silent --location --fail --cacert {trust} --connect-to ::{endpoint} --header "X-Token: {canary}"
              --cookie a=b {url}items
            refused: { exit: [60, 90] }
        scenarios:
          - name: away
            steps:
              - present: today
                also: { other.example: forged }
                origin: { GET /items: { redirect: "https://other.example:{port}/found" } }
                budget: { requests: 9 }
          - name: at-home
            steps: [ { present: today } ]
        """

    private static func run(_ arguments: String..., changing change: (String) -> String = { $0 }) async throws
        -> (Program.Ending, report: Data?)
    {
        try await withTemporaryFolder { folder in
            let answers = folder.appending(path: "answers")
            try FileManager.default.createDirectory(at: answers, withIntermediateDirectories: true)
            try Data("[7]".utf8).write(to: answers.appending(path: "items.json"))
            try change(text).write(to: folder.appending(path: "f.yaml"), atomically: false, encoding: .utf8)
            let ending = try await Program.run(arguments, in: folder)
            return (ending, try? Data(contentsOf: folder.appending(path: "r.json")))
        }
    }

    @Test func `a file answers, and what the file does not have is named`() async throws {
        let arguments = ["run", "f.yaml", "--scenario", "at-home", "--verbose"]
        let (there, _) = try await Self.run(arguments[0], arguments[1], arguments[2], arguments[3], arguments[4])
        let (missing, _) = try await Self.run(arguments[0], arguments[1], arguments[2], arguments[3]) {
            $0.replacing("{url}items", with: "{url}itmes")
        }

        #expect(there.status == 0, "\(there.output)")
        #expect(there.output.contains("| [7]"), "\(there.output)")
        #expect(missing.status == 2, "\(missing.output)")
        #expect(missing.output.contains("asked for GET /itmes and got 404: declare it in 'origin:'"))
    }

    @Test func `a report says what reached an attacker at another host, by its schema`() async throws {
        let (ending, report) = try await Self.run("run", "f.yaml", "--scenario", "away", "--report", "json=r.json")
        let json = try String(decoding: #require(report), as: UTF8.self)

        #expect(ending.status == 1)
        #expect(ending.output.contains("the canary of header X-Token reached an attacker ('evil') in connection "))
        #expect(ending.output.contains(", with the header Cookie\n"), "\(ending.output)")
        #expect(json.contains(#""host" : "other.example""#))
        #expect(json.contains(#""secret_headers""#) && json.contains(#""header" : "X-Token""#))
        let schema = try Schema(at: Places.package.appending(path: "docs/report.schema.json"))
        #expect(schema.complaints(about: try JSONDecoder().decode(JSONValue.self, from: Data(json.utf8))) == [])
    }

    @Test func `explain tells what is answered, and lint what never is`() async throws {
        let (explained, _) = try await Self.run("explain", "away", "f.yaml")
        let (clean, _) = try await Self.run("lint", "f.yaml")
        let (found, _) = try await Self.run("lint", "f.yaml") {
            $0.replacing("origin: { GET /items:", with: "origin: { 'GET /*': { body: x }, GET /items:")
        }

        #expect(explained.output.contains("Also: who asks for other.example is shown 'forged'.\n"))
        #expect(
            explained.output.contains("Answer to GET /items: status 302, to https://other.example:{port}/found.\n")
        )
        #expect(explained.output.contains("Budget of an attempt: 9 requests.\n"), "\(explained.output)")
        #expect(!clean.output.contains("never answered"))
        #expect(found.status == 1)
        #expect(found.output.contains("'GET /items' is never answered so: 'GET /*' on line 23 answers it"))
    }
}
