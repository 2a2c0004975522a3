import Foundation
import MitmHarness
import Pinning
import TLSCore
import TestSupport
import Testing

/// `pindrill check` of several configurations with several chains.
struct CheckMatrixTests {
    @Test func `a table says which app accepts which chain, and which pin would have been needed`() async throws {
        try await withFiles { folder, world in
            let ending = try await Program.run(world.check + ["--trust", "root.pem"], in: folder)

            #expect(ending.status == 1)
            #expect(
                ending.output == """
                    reject: 3 of 6, of 2 policies and 3 chains

                    1   today.pem, for api.acme.example
                    2   next.pem, for api.acme.example
                    3   alone.pem, for api.acme.example

                                        1        2        3
                    policies/1.0.txt    accept   reject!  reject!
                    policies/2.0.plist  accept   accept   reject!

                    policies/1.0.txt with next.pem:
                      locks users out: no pin matches
                        needed: \(world.next.pin) (CN=api.acme.example)

                    policies/1.0.txt with alone.pem:
                      locks out, pins or not: its issuer is not trusted (the chain has no intermediate: neither it nor
                      the store has 'CN=Acme Issuing', which signed 'CN=api.acme.example')

                    policies/2.0.plist with alone.pem:
                      locks out, pins or not: its issuer is not trusted (the chain has no intermediate: neither it nor
                      the store has 'CN=Acme Issuing', which signed 'CN=api.acme.example')

                    --trust root.pem: 1 certificate trusted

                    """
            )
            #expect(ending.errors == "note: policies: 1 file is no pin configuration, and left out: notes.md\n")
        }
    }

    @Test func `the pin that is said to be needed lets the app in`() async throws {
        try await withFiles { folder, world in
            let without = try await Program.run(world.check + ["--trust", "root.pem", "--json"], in: folder)
            let document = try JSONDecoder().decode(JSONValue.self, from: Data(without.output.utf8))
            let cell = try #require(document["cells"]?.array?.first { $0["decision"]?.string == "reject" })
            let pin = try #require(cell["needed"]?.array?.first?.array?.first?["sha256"]?.string)
            try Data("sha256//\(pin)".utf8).write(to: folder.appending(path: "mended.txt"))

            let mended = try await Program.run(
                "check",
                "--policy",
                "mended.txt",
                "--chain",
                "next.pem",
                "--host",
                Sample.host,
                "--trust",
                "root.pem",
                in: folder
            )

            #expect(mended.status == 0, "\(mended.output)")
        }
    }

    @Test(arguments: [
        ("policies/2.0.plist@next.pem", 0), ("2.0*@*.pem", 1), ("1.0.txt@today*", 0), ("1.0.txt", 1), ("*@next.pem", 1),
    ])
    func `only what is required must be accepted`(pattern: String, status: Int32) async throws {
        try await withFiles { folder, world in
            let ending = try await Program.run(
                world.check + ["--trust", "root.pem", "--quiet", "--require", pattern],
                in: folder
            )

            #expect(ending.status == status)
        }
    }

    /// A folder that is given by its whole path need not be written in a pattern.
    @Test(arguments: [("policies/2.0.plist@next.pem", 0), ("policies/1.0.*@next.pem", 1), ("olicies/*@next.pem", 64)])
    func `a requirement may begin at any folder of a path`(pattern: String, status: Int32) async throws {
        try await withFiles { folder, world in
            let whole = folder.appending(path: "policies").path(percentEncoded: false)
            let ending = try await Program.run(
                world.check.map { $0 == "policies" ? whole : $0 } + ["--trust", "root.pem", "--require", pattern],
                in: folder
            )

            #expect(ending.status == status, "\(ending.errors)")
        }
    }

    @Test func `what is accepted because nothing is pinned for the host is marked, and what a pin accepts is not`()
        async throws
    {
        try await withFiles { folder, world in
            let other = try String(contentsOf: folder.appending(path: "policies/2.0.plist"), encoding: .utf8)
                .replacing(Sample.host, with: "www.acme.example")
            try Data(other.utf8).write(to: folder.appending(path: "policies/3.0.plist"))
            let arguments = [
                "check", "--policy", "policies", "--chain", "today.pem", "--host", Sample.host, "--trust", "root.pem",
            ]

            let text = try await Program.run(arguments, in: folder)
            let markdown = try await Program.run(arguments + ["--format", "markdown"], in: folder)

            #expect(text.status == 0, "\(text.errors)")
            #expect(text.output.contains("policies/2.0.plist  accept\npolicies/3.0.plist  accept*\n"))
            let caution =
                "policies/3.0.plist with today.pem (api.acme.example): nothing is pinned for this host, so that"
            #expect(text.output.contains("\n* \(caution)"), "\(text.output)")
            #expect(
                markdown.output.contains("| policies/3.0.plist | accept* |\n\n\\* \(caution)"),
                "\(markdown.output)"
            )
        }
    }

    @Test(arguments: [
        ("typo.yaml", "okhtpp:\n  - \"sha256/utmg5NIuXjXc321JwUBw4B1DNpJJkgnuJk88qs0RTVM=\"\n", 65),
        ("short.txt", "sha256/xx=\n", 65), ("ca.pem", "-----BEGIN CERTIFICATE-----\n", 1), ("notes.txt", "sha256\n", 1),
    ])
    func `what was meant as a policy and cannot be read is an error, and other files are left out`(
        name: String,
        text: String,
        status: Int32
    ) async throws {
        try await withFiles { folder, world in
            try Data(text.utf8).write(to: folder.appending(path: "policies/\(name)"))

            let ending = try await Program.run(world.check + ["--trust", "root.pem"], in: folder)

            #expect(ending.status == status)
            let words = status == 65 ? "policies/\(name):" : "left out: "
            #expect(ending.errors.contains(words) && ending.errors.contains(name), "\(ending.errors)")
        }
    }

    @Test func `one policy and one chain tell what it means for users, and what is trusted`() async throws {
        try await withFiles { folder, world in
            func check(_ chain: String) async throws -> Program.Ending {
                try await Program.run(
                    [
                        "check", "--policy", "policies/1.0.txt", "--chain", chain, "--host", Sample.host, "--trust",
                        "root.pem",
                    ],
                    in: folder
                )
            }

            let (good, bad) = (try await check("today.pem"), try await check("next.pem"))

            #expect(good.output.hasPrefix("accept: a pinned key is in it: CN=api.acme.example\n\nPath"))
            #expect(bad.output.hasPrefix("reject: no pin matches\nOutcome: locks users out\n\nPath"))
            #expect([good, bad].allSatisfy { $0.output.hasSuffix("\n--trust root.pem: 1 certificate trusted\n") })
        }
    }

    @Test func `a requirement that fits nothing is an error, and so is a device that means nothing`() async throws {
        try await withFiles { folder, world in
            let typo = try await Program.run(world.check + ["--trust", "root.pem", "--require", "3.0*"], in: folder)
            let device = try await Program.run(
                world.check + ["--trust", "root.pem", "--device", "api-level=23"],
                in: folder
            )

            #expect(typo.status == 64)
            #expect(typo.errors.contains("--require '3.0*' matches nothing; the policies are policies/1.0.txt"))
            #expect(device.status == 65)
            #expect(device.errors.contains("--device api-level=23 means nothing for any of these configurations"))
        }
    }

    @Test func `what a server shows now is a chain like another`() async throws {
        try await withFiles { folder, world in
            try await withMitmProxy(presenting: world.today) { proxy in
                let server = "127.0.0.1:\(proxy.port)"
                let good = try await Program.run(
                    [
                        "check", "--policy", "policies", "--server", server, "--sni", Sample.host, "--trust",
                        "root.pem",
                        "--format", "markdown",
                    ],
                    in: folder
                )
                let bad = try await Program.run(
                    ["check", "--policy", "policies", "--server", server, "--trust", "root.pem"],
                    in: folder
                )

                #expect(good.status == 0, "\(good.errors)")
                #expect(good.output.contains("| Policy | \(server) (api.acme.example) |"))
                // It is asked for its address, which its certificate does not name; what pins another host minds as well.
                #expect(bad.status == 1)
                #expect(bad.output.contains("it does not name the host"))
            }
        }
    }

    @Test func `a server that does not answer, and a folder without a configuration, are errors that name it`()
        async throws
    {
        try await withFiles { folder, world in
            let silent = try await Program.run(
                ["check", "--policy", "policies", "--server", "127.0.0.1:1", "--trust", "root.pem"],
                in: folder
            )
            let empty = try await Program.run(
                "check",
                "--policy",
                "empty",
                "--chain",
                "next.pem",
                "--host",
                Sample.host,
                in: folder
            )

            #expect(silent.status == 65)
            #expect(silent.errors.contains("127.0.0.1:1: connection refused: nothing listens there\n"))
            #expect(empty.status == 65)
            #expect(empty.errors == "empty: the only file in it is no pin configuration; name one with --policy\n")
        }
    }

    @Test func `a table for programs keeps to its schema`() async throws {
        try await withFiles { folder, world in
            let schema = try Schema(at: Places.package.appending(path: "docs/output.schema.json"))
            let ending = try await Program.run(world.check + ["--trust", "root.pem", "--json"], in: folder)
            let document = try JSONDecoder().decode(JSONValue.self, from: Data(ending.output.utf8))

            #expect(schema.complaints(about: document, as: "check-matrix") == [])
            #expect(document["cells"]?.array?.count == 6)
        }
    }

    struct World {
        let today: Identity
        let next: Identity
        let check = [
            "check", "--policy", "policies", "--chain", "today.pem", "--chain", "next.pem", "--chain", "alone.pem",
            "--host", Sample.host,
        ]
    }

    private func withFiles(_ body: (URL, World) async throws -> Void) async throws {
        try await withTemporaryFolder { folder in
            let now = Date()
            let root = try Authority(rootNamed: "Acme Root", now: now)
            let issuing = try root.authority(.authority(named: "Acme Issuing", now: now), key: PrivateKey())
            let template = CertificateTemplate.leaf(names: [.dns(Sample.host)], now: now)
            let world = World(
                today: try issuing.identity(template, key: PrivateKey()),
                next: try issuing.identity(template, key: PrivateKey())
            )
            let plist = """
                <plist version="1.0"><dict><key>NSAppTransportSecurity</key><dict><key>NSPinnedDomains</key><dict>
                <key>\(Sample.host)</key><dict><key>NSPinnedCAIdentities</key><array><dict>
                <key>SPKI-SHA256-BASE64</key><string>\(issuing.certificate.pin.base64)</string></dict></array></dict>
                </dict></dict></dict></plist>
                """
            let files = [
                "policies/1.0.txt": world.today.pin.curl, "policies/2.0.plist": plist, "policies/notes.md": "Notes",
                "empty/notes.md": "Notes",
                "today.pem": PEM.encode(world.today.chain), "next.pem": PEM.encode(world.next.chain),
                "alone.pem": world.next.leaf.pem, "root.pem": root.certificate.pem,
            ]
            for name in ["policies", "empty"] {
                try FileManager.default.createDirectory(
                    at: folder.appending(path: name),
                    withIntermediateDirectories: true
                )
            }
            for (name, text) in files { try Data(text.utf8).write(to: folder.appending(path: name)) }
            try await body(folder, world)
        }
    }
}
