import Foundation
import TestSupport
import Testing

/// A browser comes through PinDrill's proxy, with a page whose script it has to load as well.
@Suite(.enabled(if: Tool("chromium") != nil && Tool("certutil") != nil, "chromium or certutil is not installed"))
struct ChromiumTests {
    private struct Document: Decodable {
        struct Trial: Decodable {
            var client: String
            var verdict: String
            var steps: [Step]
        }
        struct Step: Decodable { var attempts: [Attempt] }
        struct Attempt: Decodable { var connections: [Connection] }
        struct Connection: Decodable {
            var requestLine: String?
            var requests: [Request]?
        }
        struct Request: Decodable { var path: String }
        var trials: [Trial]
    }

    @Test func `Chromium loads a page and its script by HTTP/1.1 and HTTP/2, and nothing of an attacker's`()
        async throws
    {
        let run =
            "sh '\(Places.package.path)/Conformance/chromium.sh' {url} {host} {endpoint} {trust} {proxy}"
        let told = "timeout: 60s, succeeded: { text: written by a script }, refused: { exit: 1, text: net_error -2 }"
        let file = """
            version: 1
            host: api.acme.example
            others: refuse   # a browser asks its makers for this and that
            keys: { leaf: {}, evil: { by: attacker } }
            authorities: { root: {}, stranger: { by: attacker } }
            stores: { phone: { system: [root] } }
            chains: { today: { key: leaf, issuer: root }, forged: { key: evil, issuer: stranger } }
            policies: { no-pins: {} }
            origin:
              GET /: { headers: { content-type: text/html }, body: "<p id=p></p><script src=/app.js></script>" }
              GET /app.js:
                headers: { content-type: text/javascript }
                body: "document.getElementById('p').textContent = 'written by ' + 'a script'"
              "* /*": { status: 404 }
            clients:
              one: { run: "\(run)", \(told) }
              two: { run: "\(run)", alpn: [h2, http/1.1], \(told) }
            scenarios: [ { name: page, steps: [ { present: today }, { present: forged } ] } ]
            """

        let ending = try await withTemporaryFolder { folder in
            try file.write(to: folder.appending(path: "f.yaml"), atomically: true, encoding: .utf8)
            return try await Program.run(["run", "f.yaml", "--json"], in: folder)
        }

        #expect(ending.status == 0, "\(ending.output)\(ending.errors)")
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        let trials = try decoder.decode(Document.self, from: Data(ending.output.utf8)).trials
        #expect(trials.map(\.verdict) == ["pass", "pass"])
        for (trial, version) in zip(trials, ["HTTP/1.1", "HTTP/2"]) {
            let connections = trial.steps.first?.attempts.flatMap(\.connections) ?? []
            let paths = Set(connections.flatMap { $0.requests ?? [] }.map(\.path))
            #expect(connections.contains { $0.requestLine == "GET / \(version)" }, "\(trial.client): \(connections)")
            #expect(paths.isSuperset(of: ["/", "/app.js"]), "\(trial.client): \(paths)")
            #expect(trial.steps.last?.attempts.flatMap(\.connections).contains { $0.requestLine != nil } == false)
        }
    }
}
