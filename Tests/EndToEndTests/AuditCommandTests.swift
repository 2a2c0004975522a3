import Foundation
import TLSCore
import TestSupport
import Testing

/// `pindrill audit`, and `pindrill run --policy-file`.
struct AuditCommandTests {
    @Test func `Apple's own sample has one pin twice`() async throws {
        try await withFiles { files in
            let ending = try await files.audit("Sample.plist")

            #expect(ending.status == 1)
            #expect(ending.errors == "")
            #expect(ending.output.contains("stands twice, so there are fewer backups"))
            #expect(ending.output.contains("[duplicate-pin]"))
            #expect(ending.output.contains("[single-pin]"))
            #expect(
                ending.output.contains("\nexample.net\n  sha256/i9HaIScvf6T/…  taken for the server's key of today\n")
            )
        }
    }

    @Test func `pins where the system does not look are a breach, and where it looks they are not`() async throws {
        try await withFiles { files in
            let good = try String(contentsOf: files.folder.appending(path: "Info.plist"), encoding: .utf8)
            let bad = good.replacing("NSAppTransportSecurity", with: "NSTransportSecurity")
            try Data(bad.utf8).write(to: files.folder.appending(path: "bad.plist"))

            let placed = try await files.audit("Info.plist")
            let misplaced = try await files.audit("bad.plist")

            #expect(misplaced.status == 1)
            #expect(
                misplaced.output.contains("the system does not look here"),
                "\(misplaced.output)\(misplaced.errors)"
            )
            #expect(misplaced.output.contains("[not-pinned]"))
            #expect(!placed.output.contains("[not-pinned]"))
        }
    }

    @Test func `TrustKit does not start with one pin`() async throws {
        try await withFiles { files in
            let one = try await files.audit("one.json")
            let two = try await files.audit("two.json", ["--verbose"])

            #expect(one.status == 1)
            #expect(one.output.contains("TrustKit throws"))
            #expect(one.output.contains("The app does not start with this configuration, so no scenario was tried."))
            #expect(two.status == 0)
            #expect(two.output.contains(/\n  same-certificate +survives\n/))
        }
    }

    @Test func `R7: more hosts than can be tried are said to be too many`() async throws {
        try await withFiles { files in
            let pins = [Sample.server.pin, Sample.root.key.pin].map { "<pin digest=\"SHA-256\">\($0.base64)</pin>" }
            let domains = (0...200).map { number in
                "<domain-config><domain>h\(number).example.com</domain><pin-set>\(pins.joined())</pin-set></domain-config>"
            }
            let text = "<network-security-config>\(domains.joined())</network-security-config>"
            try Data(text.utf8).write(to: files.folder.appending(path: "many.xml"))

            let all = try await files.audit("many.xml")
            let one = try await files.audit("many.xml", ["--host", "h7.example.com"])

            let limit =
                "the configuration names 201 hosts, and at most 200 can be tried in one go; choose one with --host"
            #expect(all.errors == "\(limit)\n")
            #expect(all.status == 65)
            #expect(one.output.contains("\nh7.example.com\n"))
        }
    }

    @Test func `R8: JSON has no text that commands a terminal or a build server, and the same values`() async throws {
        try await withFiles { files in
            let name = "##vso[x]\u{202E}.plist"
            let folder = files.folder
            try FileManager.default.copyItem(at: folder.appending(path: "Info.plist"), to: folder.appending(path: name))

            let ending = try await files.audit(name, ["--format", "json"])

            let answer = try JSONSerialization.jsonObject(with: Data(ending.output.utf8)) as? [String: Any]
            #expect(answer?["file"] as? String == name)
            #expect(ending.output.contains(##""#\u0023vso[x]\u202e.plist""##))
        }
    }

    @Test func `with production's chain the parts of the pins are known`() async throws {
        try await withFiles { files in
            let options = ["--chain", "prod.pem", "--trust", "root.pem"]
            let ending = try await files.audit("Info.plist", options + ["--verbose"])

            #expect(ending.status == 0, "\(ending.output)")
            #expect(ending.output.contains("…  the server's key of today: CN=app.example.com\n"))
            #expect(ending.output.contains("…  taken for a backup key\n"))
            #expect(ending.output.contains(/\n  rotated-to-backup +survives\n/))
            // newcomers: a headline, and the worst first.
            #expect(
                ending.output.contains(
                    /\n  survives \d+ of \d+; lets an attacker in: 0; locks users out: \d+;.*\n  \S+ +locks users out/
                )
            )
            #expect(ending.output.contains(/\n  rotated-unknown-key +locks users out/))
        }
    }

    @Test func `a file begins with a headline, and rows that hurt nobody more than others are folded`() async throws {
        try await withFiles { files in
            let options = ["--chain", "prod.pem", "--trust", "root.pem"]
            let brief = try await files.audit("Info.plist", options)
            let whole = try await files.audit("Info.plist", options + ["--verbose"])

            #expect(brief.output.hasPrefix("1 warning: "))
            #expect(brief.output.contains(/^1 warning: \d+ of \d+ events lock users out\nInfo.plist \(ats\)\n\n/))
            #expect(brief.output.contains(/\n  \d+ that no app survives: expired-certificate,/))
            #expect(!brief.output.contains(/\n  expired-certificate\b/))
            #expect(!brief.output.contains(/\n  same-certificate\b/))
            #expect(brief.output.hasSuffix("\n\n--verbose shows every event.\n"))
            #expect(whole.output.contains(/\n  expired-certificate +locks out, pins or not/))
            #expect(!whole.output.contains("--verbose"))
        }
    }

    @Test func `the day of the audit can be told`() async throws {
        try await withFiles { files in
            let json = try await files.audit("Info.plist", ["--json", "--today", "2027-03-01"])
            let bad = try await files.audit("Info.plist", ["--today", "2027-02-29"])

            #expect(json.output.contains(#""at" : "2027-03-01T12:00:00Z""#))
            #expect(bad.status == 64)
            #expect(bad.errors.contains("--today '2027-02-29' is no day; write it as in 2026-11-30"))
        }
    }

    @Test func `several files are answered as a folder is`() async throws {
        try await withFiles { files in
            let ending = try await Program.run(["audit", "Info.plist", "Sample.plist", "two.json"], in: files.folder)
            let missing = try await Program.run(["audit", "Info.plist", "none.plist"], in: files.folder)

            #expect(ending.status == 1)
            #expect(ending.output.contains(/^1 outage, \d+ warnings?: \d+ of \d+ events/))
            #expect(ending.output.contains("Looked at 3 files: 3 configurations read, 0 not read."))
            for name in ["Info.plist (ats)", "Sample.plist (ats)", "two.json (trustkit)"] {
                #expect(ending.output.contains("\n\n\(name)\n"), "\(name)")
            }
            #expect(missing.status == 65)
            #expect(missing.errors == "none.plist: no such file\n")
        }
    }

    @Test(arguments: [("warning", 1), ("outage", 0), ("breach", 0)])
    func `fails on what it is told to`(severity: String, status: Int32) async throws {
        try await withFiles { files in
            // A backup that nobody can verify is a warning.
            let options = ["--chain", "prod.pem", "--trust", "root.pem", "--fail-on", severity]
            let ending = try await files.audit("Info.plist", options)

            #expect(ending.status == status)
        }
    }

    @Test func `the answer can be read by programs and put on a page`() async throws {
        try await withFiles { files in
            let json = try await files.audit(
                "Info.plist",
                ["--chain", "prod.pem", "--trust", "root.pem", "--format", "json"]
            )
            let page = try await files.audit("Info.plist", ["--format", "markdown"])

            let answer = try #require(try JSONSerialization.jsonObject(with: Data(json.output.utf8)) as? [String: Any])
            let hosts = try #require(answer["hosts"] as? [[String: Any]])
            let events = try #require(hosts.first?["events"] as? [[String: String]])
            #expect(answer["dialect"] as? String == "ats")
            #expect(hosts.map { $0["host"] as? String } == ["app.example.com"])
            #expect(
                events.first == [
                    "scenario": "same-certificate", "outcome": "survives", "at": "0d", "chain": "today",
                    "reason": "a pinned key is in it: CN=app.example.com",
                ]
            )
            #expect(page.output.hasPrefix("# Info.plist (ats)\n"))
            #expect(
                page.output.contains(
                    "\n| rotated-unknown-key | **locks users out** | 30d, unplanned: no pin matches |\n"
                )
            )
            // What hurts nobody has no row, and what no app survives shares a line.
            #expect(!page.output.contains("| survives |"))
            #expect(page.output.contains(#/\n\d+ that no app survives: /#))
        }
    }

    @Test(arguments: [
        (["Broken.plist"], 65, "Broken.plist"), (["none.plist"], 65, "none.plist"), (["prod.pem"], 65, "a certificate"),
        (["Info.plist", "--chain", "none.pem"], 65, "none.pem"),
        (["Info.plist", "--chain", "Info.plist"], 65, "Info.plist"),
        (["Sample.plist", "--chain", "prod.pem", "--trust", "root.pem"], 65, "say by --host which host is meant"),
        (["Info.plist", "--chain", "prod.pem"], 65, "name its root by --trust"),
        (["Info.plist", "--chain", "reversed.pem", "--trust", "root.pem"], 65, "expected the server's own first"),
        (["Info.plist", "--trust", "root.pem"], 64, "--trust means nothing without --chain"),
        (["Info.plist", "--host", "a b"], 65, "'a b' is not the name of a host"),
        (["Info.plist", "--fail-on", "anything"], 64, "warning"), ([], 64, "file"),
    ])
    func `bad input is named`(arguments: [String], status: Int32, culprit: String) async throws {
        try await withFiles { files in
            let ending = try await Program.run(["audit"] + arguments, in: files.folder)

            #expect(ending.status == status)
            #expect(ending.output == "")
            #expect(ending.errors.contains(culprit), "\(ending.errors)")
        }
    }

    @Test func `the shipped scenarios are played to a configuration`() async throws {
        try await withFiles { files in
            let ending = try await Program.run(
                ["run", "--policy-file", "Info.plist", "--chain", "prod.pem", "--trust", "root.pem", "--verbose"],
                in: files.folder
            )

            #expect(ending.status == 0, "\(ending.output)\(ending.errors)")
            #expect(ending.output.contains("rotated-to-backup · ats · reference"))
            #expect(ending.output.contains(" 0 failed, 0 inconclusive, 0 skipped\n"))
            #expect(ending.output.contains("owner's leaf-2  must accept: a pinned key is in it: CN=app.example.com"))
        }
    }

    @Test func `findings are told where nothing can be tried`() async throws {
        try await withFiles { files in
            let ending = try await files.audit("Address.plist")

            #expect(ending.status == 1)
            #expect(ending.output.contains("[dead-entry]"))
            #expect(
                ending.output.contains("No scenario was tried: no host can have the name 'https://app.example.com'")
            )
        }
    }

    @Test func `a chain that is refused today is said to be`() async throws {
        try await withFiles { files in
            let options = ["--chain", "prod.pem", "--trust", "root.pem", "--host"]
            let named = try await files.audit("Info.plist", options + ["app.example.com"])
            let misnamed = try await files.audit("Info.plist", options + ["www.example.com"])

            #expect(named.status == 0)
            #expect(!named.output.contains("rejected today"))
            #expect(misnamed.status == 1)
            #expect(misnamed.output.contains("Production's own chain is rejected today: it does not name the host."))
        }
    }

    @Test func `a configuration that our server cannot satisfy is no green run`() async throws {
        try await withFiles { files in
            let options = ["--chain", "prod.pem", "--trust", "root.pem", "--host", "app.example.com"]
            let stranger = try await Program.run(
                ["run", "--policy-file", "Stranger.plist"] + options,
                in: files.folder
            )
            let twin = try await Program.run(["run", "--policy-file", "Info.plist"] + options, in: files.folder)

            #expect(stranger.status == 65)
            #expect(stranger.output == "")
            #expect(
                stranger.errors.contains(
                    "production's own chain is rejected for app.example.com: no pin in the list can match"
                )
            )
            #expect(twin.status == 0)
        }
    }

    @Test func `a chain that no pin matches is rejected with the pins' names`() async throws {
        try await withFiles { files in
            let pin = Pin(hashing: [7])
            try Data("callback:\n  form: go-leaf\n  keys: [\(pin)]\n".utf8)
                .write(to: files.folder.appending(path: "go.yaml"))

            let ending = try await Program.run(
                ["run", "--policy-file", "go.yaml", "--chain", "prod.pem", "--trust", "root.pem"],
                in: files.folder
            )

            #expect(ending.status == 65)
            #expect(ending.errors.contains("no pin matches\n  \(pin) matches none of its certificates\n"))
        }
    }

    /// Without a control under another name nothing of such a host could be proven.
    @Test(arguments: [("", "one-label-subdomain"), ("  allHostsMustBeEvaluated: false\n", "one-label-subdomain")])
    func `a configuration that turns other hosts away can be played`(flag: String, scenario: String) async throws {
        try await withFiles { files in
            let keys = "[\(Pin(hashing: [1])), \(Pin(hashing: [2]))]"
            let host = "    app.example.com: { evaluator: public-keys, keys: \(keys) }\n"
            try Data("alamofire:\n\(flag)  hosts:\n\(host)".utf8).write(to: files.folder.appending(path: "af.yaml"))

            let ending = try await Program.run(
                ["run", "--policy-file", "af.yaml", "--scenario", scenario],
                in: files.folder
            )

            #expect(ending.status == 0, "\(ending.output)")
            #expect(ending.output.contains("1 locked out") == flag.isEmpty)
            #expect(ending.output.contains("(control)") == flag.isEmpty)
        }
    }

    @Test func `a header that browsers pass over is not said to keep an app from starting`() async throws {
        try await withFiles { files in
            try Data("Public-Key-Pins: pin-sha256=\"x\"; max-age=1\n".utf8)
                .write(to: files.folder.appending(path: "h.txt"))

            let ending = try await Program.run("audit", "h.txt", in: files.folder)

            #expect(ending.status == 1)
            #expect(ending.output.contains("Nothing can be made of this configuration"))
        }
    }

    @Test func `options of a configuration need one`() async throws {
        let ending = try await Program.run("run", "--chain", "prod.pem")

        #expect(ending.status == 64)
        #expect(ending.errors.contains("--chain means nothing without --policy-file"))
    }

    // MARK: Files

    private struct Files {
        let folder: URL

        func audit(_ file: String, _ options: [String] = []) async throws -> Program.Ending {
            try await Program.run(["audit", file] + options, in: folder)
        }
    }

    private func withFiles(_ body: (Files) async throws -> Void) async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "pindrill-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let now = Date()
        let root = try Authority(rootNamed: "Root", now: now)
        let template = CertificateTemplate.leaf(names: [.dns("app.example.com")], now: now)
        let leaf = try root.identity(template, key: PrivateKey())
        let pins = [leaf.pin, try PrivateKey().pin]
        let info = plist(["app.example.com": pins.map(\.base64)])
        let apple = "i9HaIScvf6T/skE3/A7QOq5n5cTYs8UHNOEFCnkguSI="
        let texts = [
            "Info.plist": info,
            "Broken.plist": String(info.dropLast(40)),
            "Sample.plist": plist(["example.net": [apple, apple]]),
            // An empty list refuses every server.
            "Stranger.plist": plist(["app.example.com": []]),
            "Address.plist": plist(["https://app.example.com": pins.map(\.base64)]),
            "one.json": trustKit(pins.prefix(1).map(\.base64)),
            "two.json": trustKit(pins.map(\.base64)),
            "prod.pem": PEM.encode(leaf.chain), "root.pem": root.certificate.pem,
            "reversed.pem": root.certificate.pem + PEM.encode(leaf.chain),
        ]
        for (name, text) in texts { try Data(text.utf8).write(to: folder.appending(path: name)) }
        try await body(Files(folder: folder))
    }

    private func plist(_ domains: [String: [String]]) -> String {
        let entries = domains.map { name, pins in
            let values = pins.map { "<dict><key>SPKI-SHA256-BASE64</key><string>\($0)</string></dict>" }.joined()
            return "<key>\(name)</key><dict><key>NSPinnedLeafIdentities</key><array>\(values)</array></dict>"
        }
        return """
            <?xml version="1.0" encoding="UTF-8"?>
            <plist version="1.0"><dict><key>NSAppTransportSecurity</key><dict><key>NSPinnedDomains</key><dict>
            \(entries.joined(separator: "\n"))
            </dict></dict></dict></plist>

            """
    }

    private func trustKit(_ pins: [String]) -> String {
        """
        {"TSKPinnedDomains": {"www.example.com": {
          "TSKIncludeSubdomains": true,
          "TSKPublicKeyHashes": [\(pins.map { "\"\($0)\"" }.joined(separator: ", "))]
        }}}
        """
    }
}
