import Foundation
import TLSCore
import TestSupport
import Testing

/// `pindrill check`, and policies that a scenario file takes from an app's own configuration.
struct CheckCommandTests {
    private let now = Date()

    @Test func `a chain with the pinned key is accepted, and one with another key is not`() async throws {
        try await withFiles { files in
            let good = try await files.check("good.pem")
            let rotated = try await files.check("rotated.pem")

            #expect(good.status == 0)
            #expect(good.output.hasPrefix("accept: a pinned key is in it: CN=app.example.com\n"))
            #expect(rotated.status == 1)
            #expect(rotated.output.hasPrefix("reject: no pin matches\n"))
        }
    }

    @Test func `trust and time are told from the pin`() async throws {
        try await withFiles { files in
            let stranger = try await files.check("good.pem", trust: "other-root.pem")
            let later = try await files.check("good.pem", at: (now + 300 * CertificateTemplate.day).formatted(.iso8601))

            #expect(stranger.status == 1)
            #expect(stranger.output.hasPrefix("reject: its issuer is not trusted\n"))
            #expect(later.status == 1)
            #expect(later.output.hasPrefix("reject: it has expired\n"))
        }
    }

    @Test func `the answer can be read by programs`() async throws {
        try await withFiles { files in
            let ending = try await files.check("good.pem", more: ["--json"])

            let answer = try #require(
                try JSONSerialization.jsonObject(with: Data(ending.output.utf8)) as? [String: Any]
            )
            #expect(answer["decision"] as? String == "accept")
            #expect(answer["dialect"] as? String == "ats")
            #expect((answer["path"] as? [String])?.first == "CN=app.example.com")
        }
    }

    @Test(arguments: [
        ("Broken.plist", "good.pem", 65), ("none.plist", "good.pem", 65), ("good.pem", "good.pem", 65),
        ("Info.plist", "none.pem", 65), ("Info.plist", "Info.plist", 65),
    ])
    func `a bad file is named`(policy: String, chain: String, status: Int32) async throws {
        try await withFiles { files in
            let ending = try await files.check(chain, policy: policy)

            #expect(ending.status == status)
            #expect(ending.output == "")
            #expect(ending.errors.contains(policy == "Info.plist" ? chain : policy))
        }
    }

    @Test func `a scenario file plays an imported policy once our key stands for production's`() async throws {
        try await withFiles { files in
            let without = try await files.play(standsFor: nil)
            let with = try await files.play(standsFor: files.pin)

            #expect(without.status == 65)
            #expect(without.errors.contains("no key of the file stands for \(files.pin)"))
            #expect(with.status == 0)
            #expect(with.output.contains("pass  today    owner's leaf   must accept: a pinned key is in it"))
            #expect(with.output.contains("locked-out by the pin"))
        }
    }

    @Test func `roots that the app brings along are those that are named so`() async throws {
        try await withFiles { files in
            func check(_ more: String...) async throws -> Program.Ending {
                try await files.check("good.pem", policy: "own.xml", trust: "other-root.pem", more: more)
            }
            let unnamed = try await check()
            let named = try await check("--app-trust", "root.pem")
            let user = try await check("--user-trust", "root.pem")

            #expect((unnamed.status, named.status, user.status) == (1, 0, 1))
            #expect(unnamed.output.contains("see --app-trust"))
            #expect(!named.output.contains("see --app-trust"))
        }
    }

    @Test func `F3: a trust file without a root is remarked on`() async throws {
        try await withFiles { files in
            let leaf = try await files.check("good.pem", trust: "good.pem")
            let root = try await files.check("good.pem")
            let own = try await files.check("good.pem", more: ["--app-trust", "good.pem"])
            let audit = try await Program.run(
                ["audit", "Info.plist", "--chain", "good.pem", "--trust", "good.pem", "--host", "app.example.com"],
                in: files.folder
            )

            let remark =
                "good.pem: nothing in it is a root, which vouches for itself; what is in it is trusted all the same: "
            #expect(leaf.errors == "note: --trust \(remark)CN=app.example.com\n")
            #expect(leaf.status == 0)
            #expect(root.errors == "")
            #expect(own.errors == "note: --app-trust \(remark)CN=app.example.com\n")
            #expect(audit.errors == "note: --trust \(remark)CN=app.example.com\n")
        }
    }

    @Test(
        arguments: [
            ("bom.pem", 0, ""), ("twice-bom.pem", 0, ""), ("crlf.pem", 0, ""),
            ("u16.pem", 65, "u16.pem: this is UTF-16 text; save it as UTF-8\n"),
            (
                "line.pem", 65,
                "line.pem:1: this line holds more, or less, than '-----BEGIN …-----'; PEM needs line breaks around that\n"
            ),
            (
                "chain.p7b", 65,
                "chain.p7b:1: this is a PKCS#7 bundle; take the certificates out of it with "
                    + "'openssl pkcs7 -print_certs -in FILE', with '-inform DER' where it is binary\n"
            ),
        ] as [(String, Int32, String)]
    )
    func `F1, F9, F10, F12: a chain is read, or refused in a sentence`(
        chain: String,
        status: Int32,
        words: String
    ) async throws {
        try await withFiles { files in
            let pem = try String(contentsOf: files.folder.appending(path: "good.pem"), encoding: .utf8)
            let contents = [
                "bom.pem": "\u{FEFF}" + pem, "twice-bom.pem": "\u{FEFF}\(pem)\u{FEFF}\(pem)",
                "crlf.pem": pem.replacing("\n", with: "\r\n"), "line.pem": pem.replacing("\n", with: ""),
                "chain.p7b": pem.replacing("CERTIFICATE", with: "PKCS7"), "u16.pem": "",
            ]
            for (name, text) in contents { try Data(text.utf8).write(to: files.folder.appending(path: name)) }
            let wide = Data([0xFF, 0xFE] + pem.utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] })
            try wide.write(to: files.folder.appending(path: "u16.pem"))

            let ending = try await files.check(chain)

            #expect(ending.status == status)
            #expect(ending.errors == words)
            #expect(ending.output.hasPrefix("accept: ") == (status == 0))
        }
    }

    @Test(.enabled(if: Tool.openssl != nil, "there is no 'openssl' command, version 3 or newer"))
    func `F10: a PKCS#12 is a chain where it needs no password`() async throws {
        try await withFiles { files in
            let openssl = try #require(Tool.openssl)
            for (name, word) in [("open.p12", ""), ("locked.p12", "x")] {
                let (chain, bundle) = (files.folder.appending(path: "good.pem"), files.folder.appending(path: name))
                let command = ["pkcs12", "-export", "-nokeys", "-in", chain.path, "-out", bundle.path]
                _ = try openssl.run(command + ["-passout", "pass:\(word)"], environment: Tool.bareOpenSSL)
            }

            let open = try await files.check("open.p12")
            let locked = try await files.check("locked.p12")

            #expect(open.status == 0, "\(open.errors)")
            #expect(locked.status == 65)
            let advice = "take its certificates out of it with 'openssl pkcs12 -nokeys -in FILE'"
            #expect(locked.errors == "locked.p12: this PKCS#12 needs a password; \(advice)\n")
        }
    }

    @Test func `F11: a pipe without a writer is refused, and one with a writer is read`() async throws {
        try await withFiles { files in
            func shell(_ script: String) async throws -> Program.Ending {
                let check = "\"$0\" check --policy Info.plist --trust root.pem --host app.example.com"
                let script = "rm -f pipe; mkfifo pipe; \(script.replacing("CHECK", with: check))"
                return try await Started.with(
                    URL(filePath: "/bin/sh"),
                    ["-c", script, Program.url.path],
                    in: files.folder
                ) {
                    try await $0.ending()
                }
            }
            let alone = try await shell("CHECK --chain pipe")
            let written = try await shell("cat good.pem >pipe & CHECK --chain pipe")
            let piped = try await shell("cat good.pem | CHECK --chain /dev/stdin")
            let slow = try await shell("(read line <pipe; cat good.pem) | (echo go >pipe & CHECK --chain /dev/fd/0)")

            #expect(alone.status == 65)
            #expect(alone.errors == "pipe: this is a pipe, and nobody writes into it\n")
            for ending in [written, piped, slow] { #expect(ending.status == 0, "\(ending.errors)") }
        }
    }

    @Test(arguments: ["https://app.example.com", "app.example.com:443", "*.example.com", ""])
    func `what is no host is an error`(host: String) async throws {
        try await withFiles { files in
            let ending = try await files.check("good.pem", host: host)

            #expect(ending.status == 64)
            #expect(ending.errors.contains("'\(host)' is not the name of a host"))
        }
    }

    // MARK: Files

    private struct Files {
        let folder: URL
        let pin: Pin

        func check(
            _ chain: String,
            policy: String = "Info.plist",
            trust: String = "root.pem",
            host: String = "app.example.com",
            at: String? = nil,
            more: [String] = []
        ) async throws -> Program.Ending {
            let time = at.map { ["--at", $0] } ?? []
            return try await Program.run(
                ["check", "--policy", policy, "--chain", chain, "--trust", trust, "--host", host] + time + more,
                in: folder
            )
        }

        func play(standsFor pin: Pin?) async throws -> Program.Ending {
            let text = """
                version: 1
                host: app.example.com
                keys:
                  leaf: { \(pin.map { "stands-for: \($0)" } ?? "") }
                  other: {}
                authorities: { root: {} }
                stores: { phone: { system: [root] } }
                chains:
                  today: { key: leaf, issuer: root }
                  rotated: { key: other, issuer: root }
                policies:
                  app: { file: Info.plist }
                clients:
                  reference: { kind: reference }
                scenarios:
                  - name: rotation
                    steps: [ { present: today }, { present: rotated } ]
                """
            try Data(text.utf8).write(to: folder.appending(path: "rotation.yaml"))
            return try await Program.run(["run", "rotation.yaml"], in: folder)
        }
    }

    private func withFiles(_ body: (Files) async throws -> Void) async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "pindrill-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let root = try Authority(rootNamed: "Root", now: now)
        let template = CertificateTemplate.leaf(names: [.dns("app.example.com")], now: now)
        let good = try root.identity(template, key: PrivateKey())
        let rotated = try root.identity(template, key: PrivateKey())
        let plist = """
            <?xml version="1.0" encoding="UTF-8"?>
            <plist version="1.0"><dict><key>NSAppTransportSecurity</key><dict><key>NSPinnedDomains</key><dict>
              <key>app.example.com</key>
              <dict><key>NSPinnedLeafIdentities</key>
                <array><dict><key>SPKI-SHA256-BASE64</key><string>\(good.pin.base64)</string></dict></array>
              </dict>
            </dict></dict></dict></plist>
            """
        let texts = [
            "Info.plist": plist, "Broken.plist": String(plist.dropLast(40)), "good.pem": PEM.encode(good.chain),
            "rotated.pem": PEM.encode(rotated.chain), "root.pem": root.certificate.pem,
            "own.xml": """
            <network-security-config><domain-config><domain>app.example.com</domain>
            <trust-anchors><certificates src="@raw/own"/></trust-anchors></domain-config></network-security-config>
            """,
            "other-root.pem": try Authority(rootNamed: "Other", now: now).certificate.pem,
        ]
        for (name, text) in texts { try Data(text.utf8).write(to: folder.appending(path: name)) }
        try await body(Files(folder: folder, pin: good.pin))
    }
}
