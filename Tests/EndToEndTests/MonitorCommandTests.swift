import Foundation
import MitmHarness
import TLSCore
import TestSupport
import Testing

/// `pindrill monitor`: what servers show now, and what they will show next.
struct MonitorCommandTests {
    @Test func `all is well where every version accepts what is shown now and next`() async throws {
        try await withFiles { folder, world in
            try await withMitmProxy(presenting: world.today) { proxy in
                let ending = try await Program.run(world.monitor(proxy.port) + ["--next", "renewed.pem"], in: folder)

                #expect(ending.status == 0, "\(ending.output)\(ending.errors)")
                #expect(
                    ending.output.contains(
                        "accept  served  127.0.0.1:\(proxy.port) at 127.0.0.1: CN=api.acme.example\n"
                    )
                )
                #expect(ending.output.contains("accept  next    renewed.pem: CN=api.acme.example\n"))
                #expect(ending.output.hasSuffix("\nall 2 policies accept all 2 chains\n"))
            }
        }
    }

    @Test(arguments: ["next.key", "next.pem"])
    func `a key that a version lacks is told before there is a certificate, with its pin`(next: String) async throws {
        try await withFiles { folder, world in
            try await withMitmProxy(presenting: world.today) { proxy in
                let ending = try await Program.run(world.monitor(proxy.port) + ["--next", next], in: folder)

                #expect(ending.status == 1)
                #expect(ending.output.contains("reject  next    \(next)"))
                #expect(ending.output.contains("1.0.txt: locks users out: no pin matches\n"))
                #expect(ending.output.contains("needed: \(world.next.pin) (CN=api.acme.example)\n"))
                #expect(!ending.output.contains("2.0.plist:"))
                #expect(ending.output.contains("\n1 of 2 chains would lock users out\n"))
            }
        }
    }

    @Test func `the key of today is accepted in its next certificate`() async throws {
        try await withFiles { folder, world in
            try await withMitmProxy(presenting: world.today) { proxy in
                let ending = try await Program.run(world.monitor(proxy.port) + ["--next", "today.key"], in: folder)

                #expect(ending.status == 0, "\(ending.output)\(ending.errors)")
            }
        }
    }

    @Test func `each address is asked by itself, and one that does not answer hides no other`() async throws {
        try await withFiles { folder, world in
            try await withMitmProxy(presenting: world.today) { proxy in
                let more = ["--server", "127.0.0.1:1", "--server", "no-such-host.invalid:443"]
                let silent = try await Program.run(world.monitor(proxy.port) + more, in: folder)
                let quiet = try await Program.run(world.monitor(proxy.port) + more + ["--quiet"], in: folder)
                let both = try await Program.run(
                    world.monitor(proxy.port) + more + ["--next", "next.pem", "--json"],
                    in: folder
                )
                let document = try JSONDecoder().decode(JSONValue.self, from: Data(both.output.utf8))
                let schema = try Schema(at: Places.package.appending(path: "docs/output.schema.json"))

                #expect(silent.status == 2)
                for words in [silent.output, quiet.errors, both.errors] {
                    #expect(words.contains("127.0.0.1:1: connection refused: nothing listens there\n"))
                    #expect(words.contains("no-such-host.invalid:443: no such host\n"))
                }
                // Once: cron sends both streams in one mail.
                #expect(silent.errors == "")
                #expect(silent.output.contains("accept  served  127.0.0.1:\(proxy.port)"))
                #expect(both.status == 1)
                #expect(schema.complaints(about: document, as: "monitor") == [])
                #expect(document["silent"]?.array?.count == 2)
            }
        }
    }

    @Test(arguments: ["127.0.0.1:99999", "127.0.0.1", "::1:443"])
    func `what is no server is an error of the command line`(server: String) async throws {
        try await withFiles { folder, _ in
            let options = ["--policy", "policies", "--server", server, "--trust", "root.pem"]
            for command in ["monitor", "check"] {
                let ending = try await Program.run([command] + options, in: folder)

                #expect(ending.status == 64)
                #expect(ending.errors.contains("--server '\(server)'"), "\(ending.errors)")
            }
        }
    }

    @Test func `what ends soon is told, and its days`() async throws {
        try await withFiles { folder, world in
            try await withMitmProxy(presenting: world.today) { proxy in
                let calm = try await Program.run(world.monitor(proxy.port) + ["--warn-days", "190"], in: folder)
                let soon = try await Program.run(world.monitor(proxy.port) + ["--warn-days", "200"], in: folder)

                #expect(calm.status == 0)
                #expect(soon.status == 1)
                #expect(
                    soon.output.contains("197 days left: CN=api.acme.example, 127.0.0.1:\(proxy.port) at 127.0.0.1\n")
                )
                #expect(soon.output.hasSuffix("\n1 thing ends within 200 days\n"))
            }
        }
    }

    @Test func `metrics end as OpenMetrics does`() async throws {
        try await withFiles { folder, world in
            try await withMitmProxy(presenting: world.today) { proxy in
                let ending = try await Program.run(world.monitor(proxy.port) + ["--format", "openmetrics"], in: folder)

                #expect(ending.status == 0)
                #expect(ending.output.hasPrefix("# TYPE pindrill_accepted gauge\n"))
                #expect(ending.output.hasSuffix("\n# EOF\n"))
            }
        }
    }

    @Test func `a bad file is told before anybody is asked`() async throws {
        try await withFiles { folder, world in
            let ending = try await Program.run(world.monitor(1) + ["--next", "none.pem"], in: folder)
            let usage = try await Program.run("monitor", "--policy", "policies", in: folder)

            #expect((ending.status, ending.errors) == (65, "none.pem: no such file\n"))
            #expect(usage.status == 64)
            #expect(usage.errors.contains("Missing expected argument '--server <host:port>'"))
        }
    }

    struct World {
        let today: Identity
        let next: Identity

        func monitor(_ port: Int) -> [String] {
            [
                "monitor", "--policy", "policies", "--server", "127.0.0.1:\(port)", "--sni", Sample.host, "--trust",
                "root.pem",
            ]
        }
    }

    private func withFiles(_ body: (URL, World) async throws -> Void) async throws {
        try await withTemporaryFolder { folder in
            let now = Date()
            let root = try Authority(rootNamed: "Acme Root", now: now)
            let issuing = try root.authority(.authority(named: "Acme Issuing", now: now), key: PrivateKey())
            let template = CertificateTemplate.leaf(names: [.dns(Sample.host)], now: now)
            let (key, other) = (try PrivateKey(), try PrivateKey())
            let world = World(
                today: try issuing.identity(template, key: key),
                next: try issuing.identity(template, key: other)
            )
            let plist = """
                <plist version="1.0"><dict><key>NSAppTransportSecurity</key><dict><key>NSPinnedDomains</key><dict>
                <key>\(Sample.host)</key><dict><key>NSPinnedCAIdentities</key><array><dict>
                <key>SPKI-SHA256-BASE64</key><string>\(root.certificate.pin.base64)</string></dict></array></dict>
                </dict></dict></dict></plist>
                """
            let renewed = try issuing.identity(.leaf(names: [.dns(Sample.host)], now: now + 5), key: key)
            let files = [
                "policies/1.0.txt": world.today.pin.curl, "policies/2.0.plist": plist,
                "renewed.pem": PEM.encode(renewed.chain), "next.pem": PEM.encode(world.next.chain),
                "next.key": try other.pem(), "today.key": try key.pem(), "root.pem": root.certificate.pem,
            ]
            let policies = folder.appending(path: "policies")
            try FileManager.default.createDirectory(at: policies, withIntermediateDirectories: true)
            for (name, text) in files { try Data(text.utf8).write(to: folder.appending(path: name)) }
            try await body(folder, world)
        }
    }
}
