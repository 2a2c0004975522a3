import Foundation
import Pinning
import Scenarios
import Synchronization
import TestSupport
import Testing

/// Files that are read as one.
@Suite struct `A scenario file that includes others` {
    @Test func `is read as if they stood in it`() throws {
        let file = try Folder(
            Self.main,
            [
                "packs/more.yaml": """
                version: 1
                include: [deeper/still.yaml]
                keys: { spare: {} }
                scenarios: [ { name: changed, steps: [ { present: today }, { present: rotated } ] } ]
                """,
                "packs/deeper/still.yaml": """
                version: 1
                chains: { rotated: { key: spare, issuer: root } }
                """,
            ]
        ).file()

        #expect(file.scenarios.map(\.name) == ["calm", "changed"])
        #expect(file.scenarios.map(\.location.description) == ["f.yaml:10:14", "packs/more.yaml:4:14"])
        #expect(file.blueprint.keys.map(\.name) == ["leaf", "spare"])
        #expect(file.blueprint.chain(named: "rotated")?.location.description == "packs/deeper/still.yaml:2:11")
    }

    @Test func `may leave every section to them`() throws {
        let sections = Self.main.split(separator: "\n").dropFirst(3).joined(separator: "\n")

        let file = try Folder(
            "version: 1\nhost: a.example\ninclude: [all.yaml]",
            ["all.yaml": "version: 1\n\(sections)"]
        )
        .file()

        #expect(file.scenarios.map(\.name) == ["calm"])
    }

    @Test func `may include one that is whole by itself, and plays all of it`() throws {
        let file = try Folder(
            "version: 1\nhost: api.acme.example\ninclude: [all.yaml]",
            ["all.yaml": Self.main.changing("include: [packs/more.yaml]", to: "play: quick")]
        )
        .file()

        #expect(file.host == "api.acme.example")
        #expect(file.scenarios.map(\.name) == ["calm"])
        #expect(file.play == nil)
    }

    @Test func `may include the shipped catalogue, for a host and clients of its own`() throws {
        let shipped = try ScenarioFile.shipped()
        let own = """
            version: 1
            host: own.example
            include: [shipped]
            clients: { app: { run: "app {url}", policies: [no-pins] } }
            """

        let file = try ScenarioFile(parsing: own, file: "f.yaml")

        #expect(file.scenarios.map(\.name) == shipped.scenarios.map(\.name))
        #expect(file.policies.map(\.name) == shipped.policies.map(\.name))
        #expect(file.clients.map(\.name) == ["app"])
        #expect(file.scenarios.allSatisfy { $0.clients == nil })
        #expect(file.play == nil)
        let hosts = Set(file.scenarios.flatMap(\.steps).map(\.writtenHost))
        #expect(hosts == ["own.example", "own.example.", "OWN.EXAMPLE", "eu.own.example", "de.eu.own.example"])
    }

    @Test func `is told of its own place where a shipped name is taken`() {
        let own = """
            version: 1
            host: own.example
            include: [shipped]
            clients: { app: { run: "app {url}" } }
            scenarios: [{ name: rotated-to-backup, steps: [{ present: today }] }]
            """

        let problems = problems(in: own)

        #expect(problems.count == 1)
        #expect(problems.first?.hasPrefix("f.yaml:5:21: scenario 'rotated-to-backup' is declared already (") == true)
        #expect(problems.first?.contains("(shipped):") == true)
    }

    @Test func `leaves the shipped scenarios the store that they are told of`() throws {
        let own = """
            version: 1
            host: own.example
            include: [shipped]
            stores: { mine: { system: [acme-root] } }
            clients: { app: { run: "app {url}", policies: [no-pins] } }
            scenarios: [{ name: of-my-own, steps: [{ present: today }] }]
            """

        let file = try ScenarioFile(parsing: own, file: "f.yaml")

        #expect(file.scenario(named: "of-my-own")?.steps.map(\.store) == ["mine"])
        #expect(file.scenario(named: "same-certificate")?.steps.first?.store == "phone")
    }

    @Test func `takes the shipped scenarios that can be told of its host`() throws {
        let own = """
            version: 1
            host: localhost
            include: [shipped]
            policies: { own: { pins: [leaf-3] } }
            clients: { app: { run: "app {url}" } }
            """
        var file = try ScenarioFile(parsing: own, file: "f.yaml")
        let oracle = Oracle(try PKI(file.blueprint, now: Date()))

        let (problems, leftOut) = try file.leaveOutForeign(oracle, instant: Date())

        #expect(problems.isEmpty)
        #expect(leftOut.contains("wildcard-certificate"))
        #expect(leftOut.count < 10)
        #expect(file.scenarios.contains { $0.name == "attacker-trusted-ca" })
        #expect(!file.scenarios.contains { leftOut.contains($0.name) })
    }

    @Test func `lints clean though it leaves most of the shipped catalogue unused`() throws {
        let own = """
            version: 1
            host: own.example
            include: [shipped]
            policies: { unused: { pins: [leaf-1, leaf-2] } }
            clients: { app: { run: "app {url}", policies: [no-pins] } }
            """
        let file = try ScenarioFile(parsing: own, file: "f.yaml")

        let findings = try file.lint(Oracle(PKI(file.blueprint, now: Date())), instant: Date())

        #expect(findings.map(\.subject.name) == ["unused"])
    }

    @Test func `may include empty ones`() throws {
        let pack = "version: 1\nkeys: {}\nscenarios: []"

        #expect(
            try Folder(Self.main, ["packs/more.yaml": pack]).file() == ScenarioFile(parsing: Self.alone, file: "f.yaml")
        )
    }

    @Test func `reads its policies' own files from where each is named`() throws {
        let asked = Mutex<[String]>([])
        let policy = "{ file: pins.plist }"
        let main = Self.main.changing("no-pins: {}", to: "no-pins: {}, here: \(policy)")
        let folder = Folder(main, ["packs/more.yaml": "version: 1\npolicies: { there: \(policy) }"])

        _ = try? folder.file { name, file in asked.withLock { $0.append("\(name) in \(file)") } }

        #expect(asked.withLock(\.self) == ["pins.plist in f.yaml", "pins.plist in packs/more.yaml"])
    }

    @Test(arguments: [
        Complaint(
            "a name declared twice names both places",
            ["packs/more.yaml": "version: 1\nkeys:\n  leaf: {}"],
            "packs/more.yaml:3:3: key 'leaf' is declared already (f.yaml:4)"
        ),
        Complaint(
            "so does a scenario",
            ["packs/more.yaml": "version: 1\nscenarios: [ { name: calm, steps: [ { present: today } ] } ]"],
            "packs/more.yaml:2:22: scenario 'calm' is declared already (f.yaml:10)"
        ),
        Complaint(
            "a key and an authority of one name",
            ["packs/more.yaml": "version: 1\nauthorities: { leaf: {} }"],
            "packs/more.yaml:2:16: 'leaf' is a key already (f.yaml:4); keys and authorities share their names"
        ),
        Complaint(
            "a wrong name in an included file",
            ["packs/more.yaml": "version: 1\nchains: { odd: { key: laef, issuer: root } }"],
            "packs/more.yaml:2:23: no key 'laef'; did you mean 'leaf'?"
        ),
        Complaint(
            "another host",
            ["packs/more.yaml": "version: 1\nhost: b.example"],
            "packs/more.yaml:2:7: another host than in the file that includes this one, 'api.acme.example'"
        ),
        Complaint(
            "another version",
            ["packs/more.yaml": "version: 2"],
            "packs/more.yaml:1:10: this program reads version 1 of scenario files only"
        ),
        Complaint("no version", ["packs/more.yaml": "keys: {}"], "packs/more.yaml:1:1: the file has no 'version'"),
        Complaint(
            "no YAML",
            ["packs/more.yaml": "version: 1\nkeys: ]"],
            "packs/more.yaml:2:7: not valid YAML: did not find expected node content (while parsing a block node, line 2)"
        ),
        Complaint("a missing file", [:], "f.yaml:3:11: cannot include 'packs/more.yaml': no such file"),
        Complaint(
            "a circle",
            [
                "packs/more.yaml": "version: 1\ninclude: [again.yaml]",
                "packs/again.yaml": "version: 1\ninclude: [more.yaml]",
            ],
            "packs/again.yaml:2:11: cannot include 'more.yaml': files would go in a circle, for it includes this one"
        ),
        Complaint(
            "a file that includes itself",
            ["packs/more.yaml": "version: 1\ninclude: [more.yaml]"],
            "packs/more.yaml:2:11: cannot include 'more.yaml': files would go in a circle, for it includes this one"
        ),
        Complaint(
            "a file named twice",
            ["packs/more.yaml": "version: 1\ninclude: [a.yaml, a.yaml]", "packs/a.yaml": "version: 1"],
            "packs/more.yaml:2:19: 'a.yaml' is included already (line 2)"
        ),
        Complaint(
            "a file elsewhere",
            ["packs/more.yaml": "version: 1\ninclude: [../f.yaml, a/../../f.yaml, /etc/passwd]"],
            "packs/more.yaml:2:11: cannot include '../f.yaml': it must lie in the folder of this file, or below it",
            "packs/more.yaml:2:22: cannot include 'a/../../f.yaml': it must lie in the folder of this file, or below it",
            "packs/more.yaml:2:38: cannot include '/etc/passwd': it must lie in the folder of this file, or below it"
        ),
        Complaint(
            "no list",
            ["packs/more.yaml": "version: 1\ninclude: a.yaml"],
            "packs/more.yaml:2:10: expected a list of files, found text"
        ),
    ])
    fileprivate func `names the file and the line of`(complaint: Complaint) {
        #expect(Folder(Self.main, complaint.others).problems() == complaint.expected)
    }

    @Test func `complains in the order of reading, of the first file first`() {
        let main = Self.main.changing("present: today", to: "present: tomorrow")
            .changing("packs/more.yaml", to: "a.yaml, 0.yaml")
        let pack = "version: 1\nchains: { @: { key: nothing-like-it, issuer: root } }"

        let problems = Folder(
            main,
            ["a.yaml": pack.changing("@", to: "a"), "0.yaml": pack.changing("@", to: "b")]
        ).problems()

        #expect(problems.map { $0.prefix { $0 != ":" } } == ["f.yaml", "a.yaml", "0.yaml"])
    }

    @Test func `knows nothing of the names in a file that it could not read`() {
        let main = Self.main.changing("present: today", to: "present: tomorrow")

        #expect(Folder(main, [:]).problems() == ["f.yaml:3:11: cannot include 'packs/more.yaml': no such file"])
    }

    @Test func `includes a hundred files at most, whatever leads to them`() {
        // As folders that link to themselves do.
        let endless = Folder(Self.main, [:], usual: "version: 1\ninclude: [a/more.yaml]")

        let problems = endless.problems()

        #expect(problems.count == 1)
        #expect(problems.first?.hasSuffix("cannot include 'a/more.yaml': more than 100 files") == true)
    }

    @Test func `cannot include anything where there are no files`() {
        #expect(
            problems(in: Self.main) == [
                "f.yaml:3:11: cannot include 'packs/more.yaml': other scenario files cannot be read here"
            ]
        )
    }

    private static let main = """
        version: 1
        host: api.acme.example
        include: [packs/more.yaml]
        keys: { leaf: {} }
        authorities: { root: {} }
        stores: { phone: { system: [root] } }
        chains: { today: { key: leaf, issuer: root } }
        policies: { no-pins: {} }
        clients: { reference: { kind: reference } }
        scenarios: [ { name: calm, steps: [ { present: today } ] } ]
        """

    private static let alone = main.changing("include: [packs/more.yaml]", to: "")
}

/// A file `f.yaml` and others, in no folder of this machine.
private struct Folder {
    let main: String
    let others: [String: String]
    /// What a file says that is not among the others; `nil`: there is none.
    let usual: String?

    init(_ main: String, _ others: [String: String], usual: String? = nil) {
        self.main = main
        self.others = others
        self.usual = usual
    }

    func file(onPolicy: @escaping @Sendable (String, String) -> Void = { _, _ in }) throws(ScenarioFileError)
        -> ScenarioFile
    {
        let files = NamedFiles(
            pack: { [others, usual] name, file in
                let path = (file.split(separator: "/").dropLast() + [Substring(name)]).joined(separator: "/")
                guard let text = others[path] ?? usual else { throw Missing() }
                return ScenarioSource(file: path, text: text)
            },
            policy: { name, file, _, _ in
                onPolicy(name, file)
                throw Missing()
            }
        )
        return try ScenarioFile(ScenarioSource(file: "f.yaml", text: main), files: files)
    }

    func problems() -> [String] {
        do {
            _ = try file()
            return []
        } catch {
            return error.problems.map(\.description)
        }
    }
}

private struct Missing: Error, CustomStringConvertible { let description = "no such file" }

/// Files beside the first, and what the loader says of them.
private struct Complaint: CustomTestStringConvertible {
    let testDescription: String
    let others: [String: String]
    let expected: [String]

    init(_ description: String, _ others: [String: String], _ expected: String...) {
        testDescription = description
        self.others = others
        self.expected = expected
    }
}
