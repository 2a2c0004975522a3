import Foundation
import TestSupport
import Testing

/// The smallest story, of a client that meets its own server and then an attacker, as a file and as `run` plays it.
struct StoryRun {
    var status: Int32
    var output: String
    var json: Data
    var junit: String
    var report: WrittenReport

    static let host = "api.acme.example"

    /// - Parameters:
    ///   - clients: as the file declares them, indented.
    ///   - top: more of the file's own keys.
    static func file(host: String = host, clients: String, top: String = "") -> String {
        """
        version: 1
        host: \(host)
        keys: { leaf-1: {}, evil: { by: attacker } }
        authorities: { root: {}, stranger: { by: attacker } }
        stores: { phone: { system: [root] } }
        chains:
          today: { key: leaf-1, issuer: root }
          forged: { key: evil, issuer: stranger }
        policies: { no-pins: {}, pinned: { pins: [leaf-1] } }
        \(top)
        clients:
        \(clients)
        scenarios: [ { name: story, steps: [ { present: today }, { present: forged } ] } ]
        """
    }

    static func play(
        host: String = host,
        clients: String,
        top: String = "",
        policy: String = "pinned",
        in folder: URL
    ) async throws -> StoryRun {
        try file(host: host, clients: clients, top: top)
            .write(to: folder.appending(path: "file.yaml"), atomically: false, encoding: .utf8)
        let (json, junit) = (folder.appending(path: "report.json"), folder.appending(path: "report.xml"))

        let ending = try await Program.run(
            [
                "run", "file.yaml", "--timeout", "30s", "--policy", policy, "--report", "json=\(json.path)", "--report",
                "junit=\(junit.path)",
            ],
            in: folder
        )

        return StoryRun(
            status: ending.status,
            output: ending.output + ending.errors,
            json: try Data(contentsOf: json),
            junit: try String(contentsOf: junit, encoding: .utf8),
            report: try WrittenReport(at: json)
        )
    }
}
