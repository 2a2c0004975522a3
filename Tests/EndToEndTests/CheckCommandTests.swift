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

    @Test(arguments: ["https://app.example.com", "app.example.com:443", "*.example.com", ""])
    func `what is no host is an error`(host: String) async throws {
        try await withFiles { files in
            let ending = try await files.check("good.pem", more: ["--host", host])

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
            at: String? = nil,
            more: [String] = []
        ) async throws -> Program.Ending {
            let time = at.map { ["--at", $0] } ?? []
            return try await Program.run(
                ["check", "--policy", policy, "--chain", chain, "--trust", trust, "--host", "app.example.com"] + time
                    + more,
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
