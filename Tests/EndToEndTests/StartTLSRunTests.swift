import Foundation
import TestSupport
import Testing

/// Clients whose TLS begins after some talk in the clear.
struct StartTLSRunTests {
    private static let clients: [(name: String, program: String, dialect: String?, run: String, rest: String)] = [
        (
            "curl-smtp", "curl", "smtp",
            "curl -sS --ssl-reqd --cacert {trust} -X NOOP smtp://localhost:{port}/", "refused: { exit: 60 }"
        ),
        (
            "curl-imap", "curl", "imap",
            "curl -sS --ssl-reqd --cacert {trust} --user me:secret -X NOOP imap://localhost:{port}/",
            "refused: { exit: 60 }"
        ),
        (
            "curl-pop3", "curl", "pop3",
            "curl -sS --ssl-reqd --cacert {trust} --user me:secret pop3://localhost:{port}/", "refused: { exit: 60 }"
        ),
        (
            "psql", "psql", nil,
            "psql 'host=localhost port={port} user=me dbname=it sslmode=verify-full sslrootcert={trust}' -c ''",
            "refused: { exit: 2, text: certificate verify failed }"
        ),
        (
            "msmtp", "msmtp", "smtp",
            "msmtp --serverinfo --host=localhost --port={port} --tls=on --tls-starttls=on --tls-trust-file={trust}",
            "refused: { exit: 69 }"
        ),
        (
            "swaks", "swaks", "smtp",
            "swaks --server localhost --port {port} --tls --tls-verify --tls-ca-path {trust} --to you@example.org --from "
                + "me@example.org --silent 1",
            "refused: { text: [TLS startup failed, certificate verif] }"
        ),
        (
            "smtplib", "python3", "smtp", "python3 {here}/mail.py {port} {trust} tls", "refused: { exit: 60 }"
        ),
        (
            "s_client", "openssl", "smtp",
            "openssl s_client -starttls smtp -connect localhost:{port} -CAfile {trust} -verify_hostname localhost "
                + "-verify_return_error -quiet",
            "stdin: \"NOOP\\nQUIT\\n\"\n    refused: { exit: 1 }"
        ),
    ]

    @Test func `clients that begin TLS later accept their own server and refuse an attacker`() async throws {
        let run = try await play(Self.clients.map { ($0.name, $0.dialect, $0.run, $0.rest) })

        for client in Self.clients where Tool(client.program) != nil {
            let name = client.name
            #expect(try run.report.step("story", "no-pins", name, "today").verdict == "pass", "\(name): \(run.output)")
            #expect(try run.report.step("story", "no-pins", name, "forged").verdict == "pass", "\(name): \(run.output)")
            let consequence = try run.report.step("story", "no-pins", name, "forged").consequence
            #expect(consequence == "protected", "\(name)")
        }
    }

    @Test(.enabled(if: Tool("python3") != nil, "python3 is not installed"))
    func `a client that goes on in the clear is never green`() async throws {
        var clients = [("plain-smtp", "smtp" as String?, "python3 {here}/mail.py {port} {trust} plain", "silent: true")]
        if Tool("psql") != nil {
            let line = "psql 'host=localhost port={port} user=me dbname=it sslmode=disable' -c ''"
            clients.append(("plain-psql", nil, line, "silent: true"))
        }

        let run = try await play(clients)

        #expect(run.status == 1, "\(run.output)")
        for (name, _, _, _) in clients {
            for chain in ["today", "forged"] {
                let step = try run.report.step("story", "no-pins", name, chain)
                #expect(step.verdict == "fail", "\(name): \(run.output)")
            }
        }
        #expect(run.output.contains("sent its request in the clear"))
    }

    @Test func `a redirect is not applicable to clients that speak no HTTP, and their rejections count`() async throws {
        let clients = Self.clients.filter { ["curl-smtp", "psql"].contains($0.name) }
        let https = (
            "https", nil as String?, "curl -sS --cacert {trust} https://localhost:{port}/", "refused: { exit: 60 }"
        )

        let run = try await play(
            clients.map { ($0.name, $0.dialect, $0.run, $0.rest) } + [https],
            top: "origin: { \"* /*\": { redirect: \"https://{host}:{port}/landing\" } }"
        )

        for client in clients where Tool(client.program) != nil {
            let today = try run.report.step("story", "no-pins", client.name, "today")
            #expect(today.verdict == "not-applicable", "\(client.name): \(run.output)")
            let forged = try run.report.step("story", "no-pins", client.name, "forged")
            #expect(forged.verdict == "pass", "\(client.name): \(run.output)")
        }
        #expect(try run.report.step("story", "no-pins", "https", "today").verdict == "pass", "\(run.output)")
    }

    private func play(
        _ clients: [(name: String, dialect: String?, run: String, rest: String)],
        top: String = ""
    ) async throws -> StoryRun {
        try await withTemporaryFolder { folder in
            try Self.mail.write(to: folder.appending(path: "mail.py"), atomically: false, encoding: .utf8)
            let declared = clients.map { client in
                """
                  \(client.name):
                    run: >-
                      \(client.run)
                    \(client.dialect.map { "starttls: \($0)" } ?? "lifetime: attempt")
                    \(client.rest)
                """
            }
            return try await StoryRun.play(
                host: "localhost",
                clients: declared.joined(separator: "\n"),
                top: top,
                policy: "no-pins",
                in: folder
            )
        }
    }

    private static let mail = """
        import smtplib, ssl, sys

        port, trust, way = int(sys.argv[1]), sys.argv[2], sys.argv[3]
        server = smtplib.SMTP("localhost", port, timeout=20)
        try:
            if way == "tls":
                server.starttls(context=ssl.create_default_context(cafile=trust))
            server.sendmail("me@example.org", ["you@example.org"], "Subject: x\\r\\n\\r\\nsecret")
            server.quit()
        except ssl.SSLError:
            sys.exit(60)
        """
}
