import Foundation
import TestSupport
import Testing

/// curl with certificates of its own, and nginx that asks for them.
@Suite(.enabled(if: Nginx.canServe, "nginx, openssl or curl is not installed")) struct ClientCertificateRunTests {
    private static let curl = "curl -sS --fail --cacert {trust} --pinnedpubkey {pins} --connect-to ::{endpoint}"
    private static let clients = """
          handed: { run: "\(curl) --cert {cert} --key {key} {url}", \(words) }
          own: { run: "\(curl) --cert {here}/own.pem --key {here}/own.key {url}", \(words) }
          foreign: { run: "\(curl) --cert {here}/foreign.pem --key {here}/foreign.key {url}", \(words) }
          bare: { run: "\(curl) {url}", \(words) }
        """
    private static let words = "refused: { exit: 60 }, refused-pin: { exit: 90 }"

    @Test(arguments: ["http/1.1", "h2"])
    func `a certificate is recorded, and who lacks the required one is neither green nor red`(version: String)
        async throws
    {
        try await withCertificates { folder in
            let top = "tls: { alpn: [\(version)], client-certificate: required, client-roots: own.pem }"

            let run = try await StoryRun.play(clients: Self.clients, top: top, in: folder)

            #expect(run.status == 2, "\(run.output)")
            for (client, isVerified) in [("handed", true), ("own", true), ("foreign", false)] {
                for chain in ["today", "forged"] {
                    let step = try run.report.step("story", "pinned", client, chain)
                    #expect(step.verdict == "pass", "\(client), \(chain): \(run.output)")
                }
                let shown = try run.proof(of: client)
                #expect(shown.verified == isVerified, "\(client)")
                #expect(shown.sha256?.count == 64)
                #expect(shown.subject?.hasSuffix(client == "handed" ? "CN=client" : "CN=\(client)") == true)
            }
            #expect(try run.report.step("story", "pinned", "bare", "today").verdict == "inconclusive")
            #expect(try run.report.step("story", "pinned", "bare", "forged").verdict == "inconclusive")
            #expect(try run.proof(of: "bare").sha256 == nil)
            #expect(run.output.contains("sent no client certificate, which the step requires"), "\(run.output)")
        }
    }

    @Test func `who is only asked is served without one`() async throws {
        try await withCertificates { folder in
            let run = try await StoryRun.play(
                clients: Self.clients,
                top: "tls: { client-certificate: asked }",
                in: folder
            )

            #expect(run.status == 0, "\(run.output)")
            #expect(try run.proof(of: "own").verified == false)
        }
    }

    @Test(arguments: [true, false])
    func `a relay proves itself to nginx by the key that it has`(hasKey: Bool) async throws {
        try await withCertificates { folder in
            let place = folder.path
            let server = """
                ssl_certificate '\(place)/server.pem'; ssl_certificate_key '\(place)/server.key';
                ssl_client_certificate '\(place)/own.pem'; ssl_verify_client on;
                location / { return 200 $ssl_client_s_dn; }
                """
            try await Nginx.with(server, in: folder) { port in
                let proof = hasKey ? ", certificate: own.pem, key: own.key" : ""
                let url = "https://127.0.0.1:\(port)"

                let run = try await StoryRun.play(
                    clients: "  app: { run: \"\(Self.curl) {url}\", \(Self.words) }",
                    top: "upstream: { url: \"\(url)\", trust: server.pem\(proof) }\norigin: relay",
                    in: folder
                )

                #expect(run.status == (hasKey ? 0 : 2), "\(run.output)")
            }
        }
    }

    private func withCertificates(_ body: (_ folder: URL) async throws -> Void) async throws {
        try await withTemporaryFolder { folder in
            let script = """
                set -e; cd '\(folder.path)'
                make() {
                    openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -keyout $1.key -out $1.pem -days 30 \\
                        -subj "/CN=$2" -addext "subjectAltName=DNS:$2" 2>>openssl.log
                }
                make own own; make foreign foreign; make server api.acme.example
                """
            let made = try #require(Tool("sh")).run(["-c", script], environment: Program.bareEnvironment)
            #expect(made.status == 0, "\(made.output)")
            try await body(folder)
        }
    }
}

extension StoryRun {
    struct Proof: Decodable {
        var subject: String?
        var sha256: String?
        var verified: Bool?
    }

    private struct Document: Decodable {
        struct Trial: Decodable {
            var client: String
            var steps: [Step]
        }
        struct Step: Decodable { var attempts: [Attempt] }
        struct Attempt: Decodable { var connections: [Connection] }
        struct Connection: Decodable { var client_certificate: Proof? }
        var trials: [Trial]
    }

    /// What a client proved itself by at first.
    fileprivate func proof(of client: String) throws -> Proof {
        let trials = try JSONDecoder().decode(Document.self, from: json).trials
        let steps = trials.first { $0.client == client }?.steps
        return try #require(steps?.first?.attempts.first?.connections.first?.client_certificate)
    }
}
