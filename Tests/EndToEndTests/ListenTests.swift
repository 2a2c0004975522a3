import Foundation
import TestSupport
import Testing

#if os(Linux)
/// A listener beyond the usual one; other addresses of loopback stand for other machines.
@Suite(.enabled(if: Tool("curl") != nil && Tool("python3") != nil, "curl or python3 is not installed"))
struct ListenTests {
    @Test(arguments: [(from: "127.0.0.3", isAllowed: true), (from: "127.0.0.4", isAllowed: false)])
    func `only those who are allowed come to it, by the address of the socket`(from: String, isAllowed: Bool)
        async throws
    {
        let port = try Self.freePort()

        let ending = try await play(
            ["--allow", "127.0.0.3"],
            port,
            "--interface \(from) --connect-to ::127.0.0.2:\(port)"
        )

        #expect(ending.status == (isAllowed ? 0 : 2), "\(ending.output)\(ending.errors)")
        let line = "listening on 127.0.0.2:\(port): 127.0.0.3 can reach PinDrill, and is shown its certificates"
        #expect(ending.errors.contains(line), "\(ending.errors)")
    }

    @Test(arguments: [("127.0.0.3", true), ("127.0.0.4", false)])
    func `a device that goes by QUIC is told so, if it may come`(source: String, isAllowed: Bool) async throws {
        let ending = try await send("quic", from: source, ["--allow", "127.0.0.3"])

        #expect(ending.status != 0)
        let isTold = (ending.output + ending.errors).contains("went by QUIC (UDP)")
        #expect(isTold == isAllowed, "\(ending.output)\(ending.errors)")
    }

    @Test(arguments: [
        (from: "127.0.0.3", isForwarder: true, isServed: true),
        (from: "127.0.0.3", isForwarder: false, isServed: false),
        (from: "127.0.0.4", isForwarder: true, isServed: false),
    ])
    func `what PROXY says is taken from named peers, and lets nobody in`(
        from: String,
        isForwarder: Bool,
        isServed: Bool
    ) async throws {
        let options = ["--allow", "127.0.0.3"] + (isForwarder ? ["--proxy-protocol-from", from] : [])

        let ending = try await send("proxy", from: from, options)

        #expect(ending.status == (isServed ? 0 : 2), "\(ending.output)\(ending.errors)")
    }

    private func send(_ way: String, from source: String, _ options: [String]) async throws -> Program.Ending {
        try await withTemporaryFolder { folder in
            let client = folder.appending(path: "client.py")
            try Self.client.write(to: client, atomically: false, encoding: .utf8)
            let port = try Self.freePort()
            return try await Program.run(
                ["try", "--listen", "127.0.0.2:\(port)"] + options + [
                    "--host", "api.acme.example", "--scenario", "attacker-unknown-root", "--policy", "no-pins",
                    "--refused", "exit:60", "--", "python3", client.path, way, source, "\(port)", "{trust}", "{host}",
                ]
            )
        }
    }

    @Test func `an app that checks one of its two ports only is found by a listener for the other`() async throws {
        try await withTemporaryFolder { folder in
            try Self.twoPorts.write(to: folder.appending(path: "client.py"), atomically: false, encoding: .utf8)
            let file = """
                version: 1
                host: api.acme.example
                listeners: { mqtt: "mqtt.acme.example:8883" }
                keys: { leaf: {}, broker: {}, evil: { by: attacker } }
                authorities: { root: {}, mallory: { by: attacker } }
                stores: { phone: { system: [root] } }
                chains:
                  today: { key: leaf, issuer: root }
                  mqtt: { key: broker, issuer: root, names: [mqtt.acme.example] }
                  forged: { key: evil, issuer: mallory, names: [mqtt.acme.example] }
                policies: { no-pins: {} }
                clients:
                  careful: { run: "python3 {here}/client.py {port} {port.mqtt} {trust} yes", refused: { exit: 60 } }
                  careless: { run: "python3 {here}/client.py {port} {port.mqtt} {trust} no", refused: { exit: 60 } }
                scenarios:
                  - name: story
                    steps:
                      - { present: today, also: { mqtt.acme.example: mqtt } }
                      - { present: today, also: { mqtt.acme.example: forged } }
                """
            try file.write(to: folder.appending(path: "file.yaml"), atomically: false, encoding: .utf8)
            let json = folder.appending(path: "report.json")

            let ending = try await Program.run(["run", "file.yaml", "--report", "json=\(json.path)"], in: folder)

            #expect(ending.status == 1, "\(ending.output)\(ending.errors)")
            let trials = try WrittenReport(at: json).trials
            let verdicts = Dictionary(trials.map { ($0.client, $0.steps.map(\.verdict)) }, uniquingKeysWith: { $1 })
            #expect(verdicts["careful"] == ["pass", "pass"], "\(ending.output)")
            #expect(verdicts["careless"] == ["pass", "fail"], "\(ending.output)")
        }
    }

    /// Sends no SNI to its broker, as many brokers' clients do.
    private static let twoPorts = """
        import socket, ssl, sys

        port, broker, trust, checks = sys.argv[1:]

        def talk(port, name, context):
            with socket.create_connection(("127.0.0.1", int(port))) as plain:
                with context.wrap_socket(plain, server_hostname=name) as connection:
                    connection.sendall(b"GET / HTTP/1.1\\r\\nHost: x\\r\\nConnection: close\\r\\n\\r\\n")
                    connection.recv(1000)

        nameless = ssl.create_default_context(cafile=trust)
        nameless.check_hostname = False
        if checks == "no":
            nameless.verify_mode = ssl.CERT_NONE
        try:
            talk(port, "api.acme.example", ssl.create_default_context(cafile=trust))
            talk(broker, None, nameless)
        except ssl.SSLError:
            sys.exit(60)
        """

    /// Stands for a device that speaks QUIC only, or for a load balancer that stands for 127.0.0.3.
    private static let client = """
        import socket, ssl, sys

        way, source, port, trust, host = sys.argv[1:]
        place = ("127.0.0.2", int(port))
        if way == "quic":
            with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sender:
                sender.bind((source, 0))
                sender.sendto(bytes([0xC3, 0, 0, 0, 1, 8]) + bytes(1194), place)
            sys.exit(7)
        with socket.create_connection(place, source_address=(source, 0)) as plain:
            plain.sendall(b"PROXY TCP4 127.0.0.3 127.0.0.2 50000 443\\r\\n")
            try:
                with ssl.create_default_context(cafile=trust).wrap_socket(plain, server_hostname=host) as connection:
                    connection.sendall(b"GET / HTTP/1.1\\r\\nHost: x\\r\\nConnection: close\\r\\n\\r\\n")
                    sys.exit(0 if connection.recv(1000) else 7)
            except ssl.SSLCertVerificationError:
                sys.exit(60)
        """

    @Test(arguments: ["http", "socks5h"], ["right", "wrong", nil])
    func `it is a proxy for those who know the password, and for nobody else`(scheme: String, password: String?)
        async throws
    {
        try await withTemporaryFolder { folder in
            let file = folder.appending(path: "password")
            try "right\n".write(to: file, atomically: false, encoding: .utf8)
            let port = try Self.freePort()
            let user = password.map { "me:\($0)@" } ?? ""

            let ending = try await play(
                ["--proxy-user", "me:\(file.path)"],
                port,
                "--interface 127.0.0.3 --proxy \(scheme)://\(user)127.0.0.2:\(port)"
            )

            #expect(ending.status == (password == "right" ? 0 : 2), "\(ending.output)\(ending.errors)")
        }
    }

    @Test func `without the proxy's password nobody is answered directly`() async throws {
        try await withTemporaryFolder { folder in
            let file = folder.appending(path: "password")
            try "right\n".write(to: file, atomically: false, encoding: .utf8)
            let port = try Self.freePort()

            let ending = try await play(
                ["--proxy-user", "me:\(file.path)"],
                port,
                "--interface 127.0.0.3 --connect-to ::127.0.0.2:\(port)"
            )

            #expect(ending.status == 2, "\(ending.output)\(ending.errors)")
        }
    }

    @Test(arguments: [
        (["--listen", "0.0.0.0"], "--listen needs --allow, or --proxy-user"),
        (["--allow", "10.0.0.0/8"], "mean nothing without --listen"),
        (["--listen", "example.org", "--allow", "10.0.0.0/8"], "'example.org' is no address"),
        (["--listen", "0.0.0.0:0", "--allow", "10.0.0.0/8"], "'0' is no port"),
        (["--listen", "0.0.0.0", "--allow", "10.0.0.0/99"], "'10.0.0.0/99' is no range of addresses"),
        (["--listen", "0.0.0.0", "--allow", "10.0.0.0/8", "--jobs", "2"], "--listen has one port"),
        (["--listen", "0.0.0.0", "--allow", "10.0.0.0/8", "--isolate"], "--listen means nothing with --isolate"),
    ])
    func `it is never open to everybody, and mistakes are named`(options: [String], complaint: String) async throws {
        let ending = try await Program.run(["run"] + options)

        #expect(ending.status == 64)
        #expect(ending.errors.contains(complaint), "\(ending.errors)")
    }

    private func play(_ options: [String], _ port: Int, _ curl: String) async throws -> Program.Ending {
        try await Program.run(
            ["try", "--listen", "127.0.0.2:\(port)"] + options + [
                "--host", "api.acme.example", "--scenario", "attacker-unknown-root", "--policy", "no-pins", "--refused",
                "exit:60", "--", "curl", "-sS", "--cacert", "{trust}",
            ] + curl.split(separator: " ").map(String.init) + ["https://api.acme.example:{port}/"]
        )
    }

    /// One that was free a moment ago.
    static func freePort() throws -> Int {
        let script = "import socket; s = socket.socket(); s.bind(('127.0.0.2', 0)); print(s.getsockname()[1])"
        let result = try #require(Tool("python3")).run(["-c", script])
        return try #require(Int(result.output.split(whereSeparator: \.isNewline).first ?? ""))
    }
}
#endif
