import Foundation
import TestSupport
import Testing

/// nginx as the genuine server, whose key PinDrill never sees.
@Suite(.enabled(if: Nginx.canServe, "nginx, openssl or curl is not installed")) struct RealUpstreamTests {
    private static let host = "api.acme.example"

    /// Makes the keys of a server, and runs it.
    ///
    /// - Parameter body: is given the URL of the server, and its pin as curl writes it.
    private static func withServer(
        _ directives: String,
        _ body: (_ folder: URL, _ url: String, _ pin: String) async throws -> Void
    ) async throws {
        try await withTemporaryFolder { folder in
            let place = folder.path
            let script = """
                set -e; cd '\(place)'
                openssl req -x509 -newkey rsa:2048 -nodes -keyout server.key -out server.pem -days 30 \\
                    -subj '/O=Acme/CN=\(host)' -addext subjectAltName=DNS:\(host),DNS:acme.example 2>openssl.log
                openssl x509 -in server.pem -noout -pubkey | openssl pkey -pubin -outform der \\
                    | openssl dgst -sha256 -binary | base64 >pin
                """
            let made = try #require(Tool("sh")).run(["-c", script], environment: Program.bareEnvironment)
            #expect(made.status == 0, "\(made.output)")
            let pin = try String(contentsOf: folder.appending(path: "pin"), encoding: .utf8)
            let server =
                "ssl_certificate '\(place)/server.pem'; ssl_certificate_key '\(place)/server.key'; \(directives)"
            try await Nginx.with(server, in: folder) { port in
                try await body(
                    folder,
                    "https://127.0.0.1:\(port)",
                    "sha256//" + pin.trimmingCharacters(in: .whitespacesAndNewlines)
                )
            }
        }
    }

    /// Looks for its pin among all certificates that were sent, or compares what everybody can copy.
    private static let carelessClient = """
        import hashlib, json, socket, ssl, sys
        host, port, trust, genuine, how = sys.argv[1:]
        context = ssl.create_default_context(cafile=trust)
        with socket.create_connection(("127.0.0.1", int(port))) as connection:
            try:
                secure = context.wrap_socket(connection, server_hostname=host)
            except ssl.SSLCertVerificationError as error:
                print(error)
                sys.exit(60)
            if how == "sent":
                sent = [bytes(one.public_bytes(2)) for one in secure._sslobj.get_unverified_chain()]
                fits = ssl.PEM_cert_to_DER_cert(open(genuine).read()) in sent
            else:
                known = ssl._ssl._test_decode_cert(genuine)
                shown = secure.getpeercert()
                fits = all(known[key] == shown[key] for key in ["notBefore", "notAfter", "subjectAltName"])
            if not fits:
                print("wrong pin")
                sys.exit(90)
            secure.sendall(b"GET / HTTP/1.1\\r\\nHost: " + host.encode() + b"\\r\\nConnection: close\\r\\n\\r\\n")
            sys.exit(0 if secure.recv(100).startswith(b"HTTP/1.1 200") else 1)
        """

    private struct Document: Decodable {
        struct Trial: Decodable {
            var scenario: String
            var client: String
            var verdict: String
        }
        var trials: [Trial]
    }

    @Test(.enabled(if: Tool("python3") != nil, "python3 is not installed"))
    func `B: what is copied from production fools only who compares what can be copied`() async throws {
        try await Self.withServer("location / { return 200 hello; }") { folder, url, pin in
            try Self.carelessClient.write(
                to: folder.appending(path: "client.py"),
                atomically: false,
                encoding: .utf8
            )
            let told = "refused: { exit: 60 }, refused-pin: { exit: 90 }"
            let careless = "python3 {here}/client.py {host} {port} {trust} {here}/server.pem"
            let file = """
                version: 1
                host: \(Self.host)
                upstream: { url: "\(url)", trust: server.pem }
                keys: { evil: { by: attacker } }
                authorities: { root: {}, mallory: { by: attacker, key: evil } }
                stores: { phone: { system: [root, mallory] } }
                chains:
                  forged: { key: evil, issuer: mallory }
                  stuffed: { key: evil, issuer: mallory, append: upstream }
                  lookalike: { key: evil, issuer: mallory, mirror: upstream }
                policies: { production: { pins: ["\(pin.replacing("sha256//", with: "sha256/"))"] } }
                clients:
                  good: { run: "curl -sS --fail --cacert {trust} --pinnedpubkey \(pin) --connect-to ::{endpoint} {url}", \(told) }
                  stuffable: { run: "\(careless) sent", \(told) }
                  gullible: { run: "\(careless) fields", \(told) }
                scenarios:
                  - { name: forged, steps: [ { present: upstream }, { present: forged, intercepts: [] } ] }
                  - { name: stuffed, steps: [ { present: upstream }, { present: stuffed, intercepts: [] } ] }
                  - { name: lookalike, steps: [ { present: upstream }, { present: lookalike, intercepts: [] } ] }
                """
            try file.write(to: folder.appending(path: "f.yaml"), atomically: false, encoding: .utf8)

            let ending = try await Program.run(["run", "f.yaml", "--json"], in: folder)

            #expect(ending.status == 1, "\(ending.errors)")
            let report = try JSONDecoder().decode(Document.self, from: Data(ending.output.utf8))
            let verdicts = Dictionary(
                report.trials.map { ("\($0.client) \($0.scenario)", $0.verdict) },
                uniquingKeysWith: { $1 }
            )
            let expected = [
                "good forged": "pass", "good stuffed": "pass", "good lookalike": "pass",
                "stuffable forged": "pass", "stuffable stuffed": "fail", "stuffable lookalike": "pass",
                "gullible forged": "pass", "gullible stuffed": "pass", "gullible lookalike": "fail",
            ]
            #expect(verdicts == expected, "\(ending.output)\(ending.errors)")
        }
    }

    @Test func `B: the shipped attacks are refused by an app pinned to production, and fool one without pins`()
        async throws
    {
        try await Self.withServer("location / { return 200 hello; }") { folder, url, pin in
            let told = "refused: { exit: 60 }, refused-pin: { exit: 90 }"
            let curl = "curl -sS --fail --cacert {trust} --proxy {proxy}"
            let file = """
                version: 1
                host: \(Self.host)
                include: [shipped]
                upstream: { url: "\(url)", trust: server.pem }
                policies: { production: { pins: ["\(pin.replacing("sha256//", with: "sha256/"))"], allow: [no-redundancy] } }
                clients:
                  good: { policies: [production], run: "\(curl) --pinnedpubkey \(pin) {url}", \(told) }
                  naive: { policies: [production], run: "\(curl) {url}", \(told) }
                """
            try file.write(to: folder.appending(path: "f.yaml"), atomically: false, encoding: .utf8)
            let attacks = [
                "attacker-installed-root", "attacker-first", "second-connection-to-an-attacker",
                "copied-from-production",
            ]

            let ending = try await Program.run(
                ["run", "f.yaml", "--json"] + attacks.flatMap { ["--scenario", $0] },
                in: folder
            )

            #expect(ending.status == 1, "\(ending.errors)")
            let trials = try JSONDecoder().decode(Document.self, from: Data(ending.output.utf8)).trials
            #expect(trials.filter { $0.client == "good" }.map(\.scenario).sorted() == attacks.sorted())
            #expect(trials.allSatisfy { $0.verdict == ($0.client == "good" ? "pass" : "fail") }, "\(ending.output)")
        }
    }

    @Test(.enabled(if: Tool("git") != nil, "git is not installed"))
    func `relay: git clones a repository of nginx through our TLS, and refuses the attacker`() async throws {
        try await withTemporaryFolder { www in
            let script = """
                set -e; cd '\(www.path)'; git init -q work; cd work; echo hello >hello; git add hello
                git -c user.name=a -c user.email=a@acme.example commit -q -m first
                cd ..; git clone -q --bare work repo.git; git -C repo.git update-server-info
                """
            let made = try #require(Tool("sh")).run(
                ["-c", script],
                environment: Program.bareEnvironment.merging(["HOME": www.path]) { $1 }
            )
            #expect(made.status == 0, "\(made.output)")
            try await Self.withServer("root '\(www.path)';") { folder, url, _ in
                let clone = """
                    rm -rf "$HOME/copy" && git -c http.sslCAInfo="$1" -c http.pinnedPubkey="$2" -c http.proxy="$3" \
                    clone -q "$4/repo.git" "$HOME/copy" && test "$(cat "$HOME/copy/hello")" = hello
                    """
                try clone.write(to: folder.appending(path: "clone.sh"), atomically: false, encoding: .utf8)
                let file = """
                    version: 1
                    host: \(Self.host)
                    upstream: { url: "\(url)", trust: server.pem }
                    origin: relay
                    keys: { leaf: {}, evil: { by: attacker } }
                    authorities: { root: {}, mallory: { by: attacker, key: evil } }
                    stores: { phone: { system: [root, mallory] } }
                    chains: { today: { key: leaf, issuer: root }, forged: { key: evil, issuer: mallory } }
                    policies: { pinned: { pins: [leaf] } }
                    clients:
                      git:
                        run: sh {here}/clone.sh {trust} {pins} {socks} https://{host}
                        refused: { exit: 128 }
                        refused-pin: { exit: 128, text: "public key" }
                    scenarios:
                      - { name: cloned, steps: [ { present: today }, { present: forged } ] }
                    """
                try file.write(to: folder.appending(path: "f.yaml"), atomically: false, encoding: .utf8)

                let ending = try await Program.run(["run", "f.yaml", "--timeout", "60s"], in: folder)

                #expect(ending.status == 0, "\(ending.output)\(ending.errors)")
                #expect(ending.output.contains("2 passed"), "\(ending.output)")
            }
        }
    }
}
