import Foundation
import Scenarios
import Testing

@Suite struct `The shipped scenario file` {
    @Test func parses() throws {
        let file = try ShippedFile.parsed()

        #expect(file.version == 1)
        #expect(file.host == "api.acme.example")
        #expect(Set(file.blueprint.keys.map(\.holder)) == [.owner, .attacker])
        #expect(Set(file.policies.map(\.name)).isSuperset(of: ["no-pins", "leaf-only", "leaf-and-backup", "root-ca"]))
        #expect(Set(file.clients.map(\.name)).isSuperset(of: ["reference", "curl", "wget", "git", "openssl-leaf"]))
    }

    @Test func `is what the program carries along`() throws {
        let packs = try FileManager.default.contentsOfDirectory(
            atPath: ShippedFile.folder.appending(path: "catalogue").path
        )
        let names = ["scenarios.yaml"] + packs.map { "catalogue/\($0)" }

        let shipped = ScenarioFile.shippedTexts

        #expect(shipped.keys.sorted() == names.sorted())
        for (name, text) in shipped { #expect(try text == ShippedFile.text(of: name), "\(name)") }
    }

    @Test(arguments: ["", "# of my own\n"])
    func `is known again in a folder, unless a word of it was changed`(change: String) throws {
        let texts = ScenarioFile.shippedTexts
        let files = NamedFiles(pack: { name, _ in
            let text = try #require(texts[name])
            return ScenarioSource(file: name, text: name.hasSuffix("attack.yaml") ? change + text : text)
        })
        let source = ScenarioSource(file: "scenarios.yaml", text: try #require(texts["scenarios.yaml"]))

        let file = try ScenarioFile(source, files: files)

        #expect(file.isShipped == change.isEmpty)
    }

    @Test func `H28: has no attacker who signs by a root, whose pin would never be sent`() throws {
        let blueprint = try ShippedFile.parsed().blueprint

        // A chain that says what is sent, or that its root signs by itself, says it on purpose.
        let odd = blueprint.chains.filter { $0.send != nil || $0.name == "right-below-its-root" }
        for chain in blueprint.chains where blueprint.holder(of: chain) == .attacker && !odd.contains(chain) {
            guard case .authority(let name) = chain.issuer else { continue }
            #expect(blueprint.authority(named: name)?.issuer != nil, "\(chain.name)")
        }
    }

    @Test func `tells every event that a team meets`() throws {
        let names = Set(try ShippedFile.parsed().scenarios.map(\.name))

        let wanted: Set = [
            "same-certificate", "renewed-same-key", "rotated-unknown-key", "rotated-to-backup", "every-backup-key",
            "rsa-to-ecdsa-pinned", "rsa-to-ecdsa-unpinned", "new-trusted-ca", "new-intermediate", "cross-signed-root",
            "two-edges", "unordered-chain", "incomplete-chain", "expired-certificate", "not-yet-valid-certificate",
            "misnamed-certificate", "one-label-subdomain", "two-label-subdomain", "old-tls-version",
            "attacker-installed-root", "attacker-unknown-root", "self-signed-lookalike", "stuffed-chain",
            "pinned-ca-for-another-host", "leaf-used-as-authority", "a-quarter-in-production", "forty-seven-day-leaves",
        ]
        #expect(names.isSuperset(of: wanted))
    }

    @Test(arguments: try! ShippedFile.parsed().scenarios)
    func `says of every scenario what it is about, whom it hurts and what prevents it`(scenario: Scenario) throws {
        let sentences = try #require(scenario.about).split(separator: #/[.!?:;] /#)
        let tags = scenario.tags.map(\.name)
        let kinds = tags.filter(ScenarioTag.kinds.contains)

        #expect((1...4).contains(sentences.count))
        #expect(scenario.hurts?.hasSuffix(".") == true)
        #expect(scenario.preventedBy?.hasSuffix(".") == true)
        #expect(!scenario.references.isEmpty)
        #expect(
            !kinds.isEmpty && kinds.first == tags.first,
            "first the one kind of \(ScenarioTag.kinds) that its pack has"
        )
        #expect(tags.contains { $0.hasPrefix("MASVS-") })
        #expect(kinds.first != "attack" || tags.contains { $0.hasPrefix("CWE-") })
    }

    @Test func `keeps each kind of scenario in its own pack, and what a person reads first short`() throws {
        let file = try ShippedFile.parsed()

        for scenario in file.scenarios where scenario.location.file != ScenarioFile.shippedName {
            let kind = try #require(scenario.tags.first).name
            #expect(scenario.location.file == "catalogue/\(kind).yaml (shipped)", "\(scenario.name)")
        }
        let first = file.scenarios.filter { $0.location.file == ScenarioFile.shippedName }
        #expect(first.allSatisfy { $0.tags.contains { $0.name == ScenarioTag.quick } })
        #expect(file.play?.name == ScenarioTag.quick)
    }

    @Test func `claims what the oracle computes, of policies that can be satisfied`() throws {
        let file = try ShippedFile.parsed()
        let now = Date(timeIntervalSince1970: 1_800_000_000)

        let contradictions = try file.contradictions(Oracle(PKI(file.blueprint, now: now)), instant: now)

        #expect(contradictions.map(\.description) == [])
    }

    @Test func `plays every policy to the client that obeys any`() throws {
        let file = try ShippedFile.parsed()

        for scenario in file.scenarios where scenario.policies == nil {
            let played = file.trials.filter { $0.scenario.name == scenario.name && $0.client.name == "reference" }
            #expect(played.map(\.policy.name) == file.policies.map(\.name), "\(scenario.name)")
        }
    }
}

enum ShippedFile {
    static let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()

    /// What a person reads first.
    // A checkout has the file, or every test of it fails.
    static let text = try! text(of: "scenarios.yaml")

    static func text(of name: String) throws -> String {
        try String(contentsOf: folder.appending(path: name), encoding: .utf8)
    }

    static func parsed() throws -> ScenarioFile { try ScenarioFile.shipped() }
}
