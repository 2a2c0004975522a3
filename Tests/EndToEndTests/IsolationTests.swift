import Foundation
import MitmHarness
import TestSupport
import Testing

/// Clients that refuse an attacker, and then take a way that no port of ours is on (H16), in a network of their own.
@Suite(.enabled("namespaces, nft or python3 are missing", { await Isolation.isPossible }))
struct IsolationTests {
    /// What a client does once it has refused, what that comes to, and what its twin does on the same way.
    private struct Way {
        let name: String
        let twin: String
        var verdict = "inconclusive"
        var consequence = "intercepted"
        /// What the report says of it.
        let says: String
    }

    private static let ways = [
        Way(
            name: "http://api.acme.example/",
            twin: "http://ocsp.other.example/",
            verdict: "fail",
            says: "sent its request in the clear"
        ),
        Way(
            name: "bytes:api.acme.example:25",
            twin: "bytes:mail.other.example:25",
            consequence: "unknown",
            says: "never saw a certificate"
        ),
        Way(
            name: "bytes:logs.acme.example:25",
            twin: "bytes:logs.other.example:25",
            consequence: "unknown",
            says: "sent something in the clear another way"
        ),
        Way(name: "unchecked:backup.other.example", twin: "checked:backup.other.example", says: "backup.other.example"),
        Way(name: "unchecked:203.0.113.7", twin: "checked:203.0.113.7", says: "203.0.113.7"),
        Way(name: "unchecked:2001:db8::7", twin: "checked:2001:db8::7", says: "2001:db8::7"),
        Way(
            name: "proxy:unchecked",
            twin: "proxy:checked",
            verdict: "fail",
            says: "api.acme.example"
        ),
        Way(name: "proxy:token", twin: "proxy:checked", verdict: "fail", says: "the canary of header X-Token"),
        Way(
            name: "udp:api.acme.example:9999",
            twin: "udp:time.other.example:123",
            consequence: "unknown",
            says: "sent datagrams (UDP), which nobody answers here"
        ),
        Way(
            name: "udp-token:203.0.113.7:123",
            twin: "udp:203.0.113.7:123",
            verdict: "fail",
            says: "the canary of a datagram (UDP)"
        ),
        Way(
            name: "udp-token:2001:db8::7:123",
            twin: "udp:2001:db8::7:123",
            verdict: "fail",
            says: "the canary of a datagram (UDP)"
        ),
        Way(
            name: "udp-token:2001:db8::53:53",
            twin: "udp:2001:db8::53:53",
            verdict: "fail",
            says: "the canary of a datagram (UDP)"
        ),
        Way(
            name: "udp-token:203.0.113.7:53",
            twin: "udp:203.0.113.7:53",
            verdict: "fail",
            says: "the canary of a datagram (UDP)"
        ),
        Way(name: "lookup-token", twin: "lookup", verdict: "fail", says: "the canary of a name that was looked up"),
        Way(name: "sni-token", twin: "sni", verdict: "fail", says: "the canary of the server name (SNI)"),
    ]

    @Test func `H16: every way past the port is seen in a network of its own, and its twin is not blamed`() async throws
    {
        let clients = Self.ways.flatMap { [$0.name, $0.twin] }

        let run = try await play(clients)

        #expect(run.status == 1, "\(run.output)")
        for way in Self.ways {
            let step = try run.report.step("story", "no-pins", client(way.name), "forged")
            #expect(step.verdict == way.verdict, "\(way.name): \(run.output)")
            #expect(step.consequence == way.consequence, "\(way.name)")
            #expect(run.account(of: client(way.name)).contains(way.says), "\(way.name): \(run.junit)")
            let twin = try run.report.step("story", "no-pins", client(way.twin), "forged")
            #expect(twin.verdict == "pass", "\(way.twin): \(run.account(of: client(way.twin)))")
            #expect(twin.consequence == "protected", "\(way.twin)")
            let control = try run.report.step("story", "no-pins", client(way.twin), "today")
            #expect(control.verdict == "pass", "\(way.twin)")
        }
        #expect(run.output.contains("note: everything that "))
        #expect(!run.output.contains("only the port was watched"))
    }

    @Test func `H16: who goes by QUIC alone is told so, and who then comes by TCP is judged`() async throws {
        let run = try await play(["quic-only", "quic:api.acme.example:443"])

        #expect(run.status == 2, "\(run.output)")
        let alone = try run.report.step("story", "no-pins", client("quic-only"), "forged")
        #expect(alone.verdict == "inconclusive")
        #expect(run.account(of: client("quic-only")).contains("went by QUIC (UDP), which nobody answers here"))
        let both = try run.report.step("story", "no-pins", client("quic:api.acme.example:443"), "forged")
        #expect(both.verdict == "pass", "\(run.output)")
    }

    // What isolation is for: none of it is seen by a port.
    @Test func `H16: at the port alone nobody sees them`() async throws {
        let run = try await play(["udp-token:127.0.0.1:9"], isolates: false)

        let step = try run.report.step("story", "no-pins", client("udp-token:127.0.0.1:9"), "forged")
        #expect(step.verdict == "pass", "\(run.output)")
    }

    @Test func `a client has no rights in its network, and none of this machine's is reached from it`() async throws {
        let run = try await play(["rights"])

        let step = try run.report.step("story", "no-pins", client("rights"), "forged")
        #expect(step.verdict == "pass", "\(run.output)")
    }

    @Test func `a client that lives through a trial, a report and a collector are isolated too`() async throws {
        let run = try await play(["collector"])

        let step = try run.report.step("story", "no-pins", client("collector"), "forged")
        #expect(step.verdict == "pass", "\(run.output)")
    }

    @Test func `--isolate tries a command that knows nothing but a name`() async throws {
        try #require(Tool("curl") != nil)

        let ending = try await Program.run(
            "try",
            "--isolate",
            "--host",
            "api.acme.example",
            "--scenario",
            "attacker-unknown-root",
            "--refused",
            "exit:60",
            "--",
            "curl",
            "-sS",
            "--cacert",
            "{trust}",
            "https://api.acme.example/"
        )

        #expect(ending.status == 0, "\(ending.output) \(ending.errors)")
        #expect(ending.output.contains("isolate: true"))
    }

    private func client(_ way: String) -> String {
        way.map { $0.isLetter || $0.isNumber ? String($0) : "-" }.joined()
    }

    private func play(_ ways: [String], isolates: Bool = true) async throws -> StoryRun {
        try await withTemporaryFolder { folder in
            try Self.program.write(to: folder.appending(path: "client.py"), atomically: false, encoding: .utf8)
            let clients = Set(ways).sorted().map { way in
                """
                  \(client(way)):
                    run: "python3 {here}/client.py \(isolates ? "-" : "{port}") {trust} \(way) {canary} {collector}"
                    isolate: \(isolates)
                    refused: { exit: 60 }
                """
            }
            return try await StoryRun.play(
                clients: clients.joined(separator: "\n"),
                top: "collector: trustkit",
                policy: "no-pins",
                in: folder
            )
        }
    }

    /// Asks `https://api.acme.example/`, and nobody tells it where that is.
    private static let program = """
        import os, socket, ssl, sys, urllib.request

        port, trust, way, token, collector = (sys.argv[1:] + [""])[:5]
        host = "api.acme.example"
        checking = ssl.create_default_context(cafile=trust)
        trusting = ssl.create_default_context()
        trusting.check_hostname = False
        trusting.verify_mode = ssl.CERT_NONE
        kind, _, rest = way.partition(":")

        def talk(context, plain, name):
            with context.wrap_socket(plain, server_hostname=name) as connection:
                connection.sendall(b"GET / HTTP/1.1\\r\\nHost: x\\r\\nConnection: close\\r\\n\\r\\n")
                connection.recv(1000)

        def datagram(text, place):
            host, _, port = place.rpartition(":")
            address = socket.getaddrinfo(host, int(port), type=socket.SOCK_DGRAM)[0]
            with socket.socket(address[0], socket.SOCK_DGRAM) as sender:
                sender.sendto(text, address[4])

        quic = bytes([0xC3, 0, 0, 0, 1, 8]) + bytes(1194)

        def leave():
            if kind == "http":
                try:
                    urllib.request.urlopen(way)
                except urllib.error.HTTPError:
                    pass
            elif kind == "bytes":
                name, _, number = rest.partition(":")
                with socket.create_connection((name, int(number))) as plain:
                    plain.sendall(b"\\x00\\x01secret")
                    plain.recv(10)
            elif kind in ("checked", "unchecked"):
                try:
                    plain = socket.create_connection((rest, 443))
                    talk(checking if kind == "checked" else trusting, plain, rest)
                except ssl.SSLError:
                    pass
            elif kind == "proxy":
                plain = socket.create_connection(("proxy.corp.example", 3128))
                head = "X-Token: " + token + "\\r\\n" if rest == "token" else ""
                plain.sendall(f"CONNECT {host}:443 HTTP/1.1\\r\\n{head}\\r\\n".encode())
                plain.recv(1000)
                try:
                    talk(trusting if rest == "unchecked" else checking, plain, host)
                except ssl.SSLError:
                    pass
            elif kind == "udp":
                datagram(b"what time is it", rest)
            elif kind == "udp-token":
                datagram(token.encode(), rest)
            elif kind == "lookup":
                socket.getaddrinfo("status.other.example", 443)
            elif kind == "lookup-token":
                socket.getaddrinfo(token + ".other.example", 443)
            elif kind in ("sni", "sni-token"):
                name = (token if kind == "sni-token" else "status") + ".other.example"
                try:
                    talk(checking, socket.create_connection(("203.0.113.7", 443)), name)
                except ssl.SSLError:
                    pass
            elif kind == "quic":
                datagram(quic, rest)
            elif kind == "rights":
                assert os.system("mount -t tmpfs x /mnt 2>/dev/null") != 0
                assert os.system("ip link set lo down 2>/dev/null") != 0
                assert not [line for line in open("/proc/net/dev") if ":" in line and "lo:" not in line]
                for path in ("/run/docker.sock", "/run/dbus/system_bus_socket"):
                    if os.path.exists(path):
                        try:
                            socket.socket(socket.AF_UNIX).connect(path)
                            sys.exit(3)
                        except OSError:
                            pass
            elif kind == "collector":
                try:
                    urllib.request.urlopen(collector, data=b"{}")
                except urllib.error.HTTPError:
                    pass

        if way == "quic-only":
            datagram(quic, host + ":443")
            sys.exit(60)
        try:
            place = (host, 443) if port == "-" else ("127.0.0.1", int(port))
            talk(checking, socket.create_connection(place), host)
        except ssl.SSLError:
            leave()
            sys.exit(60)
        """
}

extension StoryRun {
    /// What JUnit says of one client.
    fileprivate func account(of client: String) -> String {
        junit.components(separatedBy: "<testcase").filter { $0.contains("· \(client)") || $0.contains(client) }.joined()
    }
}

/// Whether networks of a client's own can be made here; or else why not is printed.
enum Isolation {
    static var isPossible: Bool {
        get async {
            guard Tool("python3") != nil else { return false }
            guard let obstacle = await IsolatedNetwork.obstacle() else { return true }
            print("skipped: \(obstacle)")
            return false
        }
    }
}
