import Foundation
import MitmHarness
import TestSupport
import Testing

/// Connections that the system redirects to our port, in a network of the test's own.
@Suite(.enabled("namespaces, nft or python3 are missing", { await Isolation.isPossible }))
struct TransparentTests {
    @Test(arguments: ["192.0.2", "2001:db8:"])
    func `a redirected connection is routed by its SNI, or else by where it was to go`(network: String) async throws {
        try await withTemporaryFolder { folder in
            try Self.client.write(to: folder.appending(path: "client.py"), atomically: false, encoding: .utf8)
            let dot = network.contains(":") ? ":" : "."
            let file = StoryRun.file(
                clients: """
                      app:
                        run: "python3 {here}/client.py {port} {trust} \(network)\(dot)"
                        policies: [no-pins]
                        refused: { exit: 60 }
                    """,
                top: """
                    routes: { ":8883": pass, cdn.acme.example: pass, ads.other.example: refuse }
                    reachable: [192.0.2.0/24, "2001:db8::/32"]
                    """
            )
            try file.write(to: folder.appending(path: "file.yaml"), atomically: false, encoding: .utf8)
            let addresses = ["1", "2"].map {
                "ip addr add \(network)\(dot)\($0)/\(dot == ":" ? "128 nodad" : "32") dev lo"
            }
            let script = (["ip link set lo up"] + addresses + ["exec \"$0\" run file.yaml --verbose"])
                .joined(separator: " && ")

            let ending = try await Started.with(
                try #require(Tool("unshare")).url,
                ["-Urn", "sh", "-c", script, Program.url.path],
                environment: ["PATH": Program.bareEnvironment["PATH", default: ""] + ":/usr/sbin:/sbin"],
                in: folder
            ) { try await $0.ending() }

            #expect(ending.status == 0, "\(ending.output) \(ending.errors)")
            #expect(ending.output.contains("also connected to: "), "\(ending.output)")
        }
    }

    /// The redirect is for what comes from one address, so that what we pass on is not led here again.
    private static let client = """
        import os, socket, ssl, subprocess, sys, threading

        port, trust, network = sys.argv[1], sys.argv[2], sys.argv[3]
        server, own = network + "1", network + "2"
        family, word = (socket.AF_INET6, "ip6") if ":" in network else (socket.AF_INET, "ip")
        rules = f\"""
        flush ruleset
        table inet t {{
         chain out {{
          type nat hook output priority -100
          {word} saddr {own} meta l4proto tcp redirect to :{port}
         }}
        }}
        \"""
        subprocess.run(["nft", "-f", "-"], input=rules.encode(), check=True)

        def serve(number, reads):
            listener = socket.socket(family)
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            listener.bind((server, number))
            listener.listen()
            def run():
                while True:
                    accepted, _ = listener.accept()
                    if reads:
                        accepted.recv(5000)
                    accepted.sendall(b"genuine")
                    accepted.close()
            threading.Thread(target=run, daemon=True).start()

        def connect(number):
            return socket.create_connection((server, number), timeout=9, source_address=(own, 0))

        def first(name, number):
            outgoing = ssl.MemoryBIO()
            hello = ssl.create_default_context().wrap_bio(ssl.MemoryBIO(), outgoing, server_hostname=name)
            try:
                hello.do_handshake()
            except ssl.SSLWantReadError:
                pass
            with connect(number) as plain:
                # In two pieces: the name is known with the second.
                text = outgoing.read()
                plain.sendall(text[:30])
                plain.sendall(text[30:])
                return plain.recv(7)

        serve(8883, False)
        serve(9443, True)
        # By its port, before it has said a word.
        assert connect(8883).recv(7) == b"genuine"
        # By its name, to where it was to go.
        assert first("cdn.acme.example", 9443) == b"genuine"
        assert first("ads.other.example", 9443) == b""
        assert first("api.acme.example", 9443)[0] == 22
        try:
            context = ssl.create_default_context(cafile=trust)
            with context.wrap_socket(connect(443), server_hostname="api.acme.example") as connection:
                connection.sendall(b"GET / HTTP/1.1\\r\\nHost: x\\r\\nConnection: close\\r\\n\\r\\n")
                assert connection.recv(1000)
        except ssl.SSLError:
            sys.exit(60)
        """
}
