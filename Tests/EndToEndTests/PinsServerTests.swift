import Foundation
import MitmHarness
import TLSCore
import TestSupport
import Testing

/// `pindrill pins host:port`.
struct PinsServerTests {
    @Test(arguments: ["127.0.0.1", "localhost"])
    func `a server's chain is printed, and said to be unverified`(host: String) async throws {
        try await withMitmProxy(presenting: Sample.server) { proxy in
            let ending = try await Program.run("pins", "\(host):\(proxy.port)")

            #expect(ending.status == 0)
            #expect(
                ending.output.contains(
                    "CN=api.acme.example\n  key          EC 256\n  pin          \(Sample.server.pin)\n"
                )
            )
            #expect(ending.output.contains("CN=Acme Issuing\n"))
            let note = "was not verified: these are the pins of whoever answered there"
            #expect(ending.errors == "note: \(host):\(proxy.port) \(note)\n")
        }
    }

    @Test(arguments: ["https://localhost:{port}/", "HTTPS://me@127.0.0.1:{port}/a:1?b#c"])
    func `mistake: the URL of a server is taken for its host and port`(url: String) async throws {
        try await withMitmProxy(presenting: Sample.server) { proxy in
            let ending = try await Program.run("pins", url.replacing("{port}", with: "\(proxy.port)"))

            #expect(ending.status == 0, "\(ending.errors)")
            #expect(ending.output.contains("CN=api.acme.example\n"))
        }
    }

    @Test func `the name asked for is the one that is pinned`() async throws {
        try await withMitmProxy(presenting: Sample.server) { proxy in
            let arguments = ["pins", "127.0.0.1:\(proxy.port)", "--servername", "shop.acme.example", "--as", "okhttp"]

            let ending = try await Program.run(arguments)

            #expect(ending.output.contains(".add(\"shop.acme.example\", \"\(Sample.server.pin)\")"))
        }
    }

    @Test(
        arguments: [
            (
                "smtp",
                StartTLSServer(
                    greeting: "220-mail.acme.example\r\n220 ready\r\n",
                    script: [
                        ("EHLO pindrill.invalid\r\n", "250-mail.acme.example\r\n250-STARTTLS\r\n250 HELP\r\n"),
                        ("STARTTLS\r\n", "220 go ahead\r\n"),
                    ],
                    identity: Sample.server
                )
            ),
            (
                "imap",
                StartTLSServer(
                    greeting: "* OK IMAP4rev1\r\n",
                    script: [("p1 STARTTLS\r\n", "* NOTE\r\np1 OK begin\r\n")],
                    identity: Sample.server
                )
            ),
            (
                "pop3",
                StartTLSServer(
                    greeting: "+OK POP3\r\n",
                    script: [("STLS\r\n", "+OK begin\r\n")],
                    identity: Sample.server
                )
            ),
            ("postgres", StartTLSServer.postgres(Sample.server)),
        ] as [(String, StartTLSServer)]
    )
    func `TLS may start later`(dialect: String, server: StartTLSServer) async throws {
        try await server.run { port in
            let ending = try await Program.run("pins", "127.0.0.1:\(port)", "--starttls", dialect)

            #expect(ending.status == 0, "\(ending.errors)")
            #expect(ending.output.contains("  pin          \(Sample.server.pin)\n"))
        }
    }

    @Test(
        arguments: [
            (
                [], "220 mail ready\r\n", [],
                "no TLS there: the server answered plain text, '220 mail ready'; it may start later: --starttls smtp"
            ),
            ([], "HTTP/1.1 400 No\r\n\u{1B}[2J", [], "no TLS there: the server answered plain text, 'HTTP/1.1 400 No'"),
            (["--starttls", "smtp"], "554 \u{1B}[2Jno\r\n", [], "the server does not start TLS: '554 ?[2Jno'"),
            (
                ["--starttls", "smtp"], "220 ready\r\n", [("EHLO pindrill.invalid\r\n", "250 HELP\r\n")],
                "the server does not start TLS: it does not offer STARTTLS"
            ),
            (
                ["--starttls", "imap"], "* OK\r\n", [("p1 STARTTLS\r\n", "p1 BAD what\r\n")],
                "the server does not start TLS: 'p1 BAD what'"
            ),
            (
                ["--starttls", "pop3"], "+OK\r\n", [("STLS\r\n", "-ERR what\r\n")],
                "the server does not start TLS: '-ERR what'"
            ),
            (["--timeout", "900ms"], "", [], "no answer within 900ms"),
        ] as [([String], String, [(String, String)], String)]
    )
    func `a server without TLS is described`(
        arguments: [String],
        greeting: String,
        script: [(String, String)],
        complaint: String
    ) async throws {
        try await StartTLSServer(greeting: greeting, script: script).run { port in
            let ending = try await Program.run(["pins", "127.0.0.1:\(port)"] + arguments)

            #expect(ending.status == 65)
            #expect(ending.output.isEmpty)
            #expect(ending.errors == "127.0.0.1:\(port): \(complaint)\n")
        }
    }

    @Test func `a database without TLS is described`() async throws {
        try await StartTLSServer.postgres(nil).run { port in
            let ending = try await Program.run("pins", "127.0.0.1:\(port)", "--starttls", "postgres")

            #expect(ending.errors == "127.0.0.1:\(port): the server does not start TLS\n")
        }
    }

    @Test func `a port where nothing listens is said to refuse`() async throws {
        let port = try await StartTLSServer(greeting: "").run { $0 }

        let gone = try await Program.run("pins", "127.0.0.1:\(port)")

        #expect(gone.status == 65)
        #expect(gone.errors == "127.0.0.1:\(port): connection refused: nothing listens there\n")
    }

    @Test(
        arguments: [
            (["::1:443"], "::1:443: write an IPv6 address in brackets, as in [::1]:443\n"),
            (["[::1]:0"], "[::1]:0: a port is a number from 1 to 65535\n"),
            (["acme:70000"], "acme:70000: a port is a number from 1 to 65535\n"),
            (["none.pem"], "none.pem: no such file\n"),
            (
                ["none.pem", "--starttls", "imap"],
                "none.pem: --servername, --starttls and --timeout are for a server, and this is a file's name\n"
            ),
        ]
    )
    func `a source that is none is described`(arguments: [String], complaint: String) async throws {
        let ending = try await Program.run(["pins"] + arguments)

        #expect(ending.status == 65)
        #expect(ending.errors == complaint)
    }
}
