import Pinning
import TLSCore
import TestSupport
import Testing

@testable import Scenarios

@Suite struct `A scenario file` {
    @Test func `declares keys with their type and holder`() throws {
        let blueprint = try CompleteFile.parsed().blueprint

        #expect(
            blueprint.keys == [
                KeyDeclaration(name: "leaf", location: at(4, 3)),
                KeyDeclaration(name: "rsa", type: .rsa2048, location: at(5, 3)),
                KeyDeclaration(name: "evil", type: .ed25519, holder: .attacker, location: at(6, 3)),
            ]
        )
    }

    @Test func `declares authorities`() throws {
        let blueprint = try CompleteFile.parsed().blueprint

        #expect(
            blueprint.authorities == [
                AuthorityDeclaration(
                    name: "root",
                    keyType: .p384,
                    valid: StoryWindow(from: .days(-3650), to: .days(3650)),
                    location: at(8, 3)
                ),
                AuthorityDeclaration(name: "issuing", issuer: "root", location: at(9, 3)),
                AuthorityDeclaration(
                    name: "crossed",
                    issuer: "other",
                    subject: .copied(from: "issuing"),
                    key: "issuing",
                    location: at(10, 3)
                ),
                AuthorityDeclaration(name: "other", subject: .literal("Other Root CA"), location: at(11, 3)),
                AuthorityDeclaration(
                    name: "mallory",
                    subject: .copied(from: "root"),
                    key: "evil",
                    holder: .attacker,
                    location: at(12, 3)
                ),
            ]
        )
    }

    @Test func `declares stores with the origin of each anchor`() throws {
        let lab = try #require(try CompleteFile.parsed().blueprint.store(named: "lab"))

        #expect(
            lab.anchors == [
                StoreDeclaration.Anchor("mallory", origin: .user),
                StoreDeclaration.Anchor("root", origin: .system),
                StoreDeclaration.Anchor("other", origin: .app),
            ]
        )
        #expect(lab.anchors(from: .app) == ["other"])
    }

    @Test func `declares chains`() throws {
        let blueprint = try CompleteFile.parsed().blueprint

        #expect(
            blueprint.chains == [
                ChainDeclaration(
                    name: "today",
                    key: "leaf",
                    issuer: .authority("issuing"),
                    valid: StoryWindow(from: .days(-30), to: .days(60)),
                    location: at(17, 3)
                ),
                ChainDeclaration(name: "bare", key: "rsa", issuer: .selfSigned, names: [], location: at(18, 3)),
                ChainDeclaration(
                    name: "odd",
                    key: "evil",
                    issuer: .authority("crossed"),
                    valid: StoryWindow(from: StoryTime(seconds: -5400), to: .hours(12)),
                    names: ["shop.other.example", "*.other.example"],
                    append: ["today", "bare"],
                    omit: ["crossed"],
                    order: .reversed,
                    location: at(19, 3)
                ),
            ]
        )
        #expect(blueprint.holder(of: blueprint.chains[0]) == .owner)
        #expect(blueprint.holder(of: blueprint.chains[2]) == .attacker)
    }

    @Test func `declares policies in a short and a long form`() throws {
        let policies = try CompleteFile.parsed().policies
        var none = PolicyDeclaration(name: "none", location: at(28, 3))
        none.isUnclaimed = true
        let literal = try Pin(parsing: "sha256/r/mIkG3eEpVdm+u/ko/cwxzOMo1bk4TyHIlByibiA5E=")

        #expect(
            policies == [
                none,
                PolicyDeclaration(
                    name: "short",
                    requirements: [
                        RequirementDeclaration(
                            pins: [.key(of: "leaf"), .key(of: "root"), .literal(literal)],
                            position: .leaf,
                            location: at(29, 3)
                        )
                    ],
                    stack: .go,
                    location: at(29, 3)
                ),
                PolicyDeclaration(
                    name: "lax",
                    requirements: [
                        RequirementDeclaration(
                            pins: [.leafCertificate(ofChain: "today"), .authorityCertificate(of: "root")],
                            match: .certificate,
                            search: .presentedChain,
                            location: at(32, 9)
                        ),
                        RequirementDeclaration(
                            pins: [.key(of: "issuing")],
                            position: .authority,
                            location: at(33, 9)
                        ),
                    ],
                    checks: [.path, .validity],
                    failure: .report,
                    exempt: [.user, .app],
                    location: at(30, 3)
                ),
            ]
        )
    }

    @Test func `declares clients`() throws {
        let clients = try CompleteFile.parsed().clients

        #expect(
            clients == [
                ClientDeclaration(
                    name: "reference",
                    kind: .reference,
                    applicationProtocols: ["h2"],
                    location: at(38, 3)
                ),
                ClientDeclaration(
                    name: "tool",
                    kind: .command(
                        CommandDeclaration(
                            run: "tool --port 8080 {url}",
                            stdin: "{step}",
                            env: ["TOOL_PINS": "{pins}", "DEBUG": "1"],
                            lifetime: .trial,
                            refused: OutcomeRule(exit: [60, 90], text: ["refused", "bad (pin|host)"]),
                            refusedPin: OutcomeRule(exit: [90], text: ["pin"]),
                            timeout: .seconds(120),
                            morePlaceholders: ["port.mqtt", "endpoint.mqtt"]
                        )
                    ),
                    policies: ["none", "short"],
                    location: at(39, 3)
                ),
                ClientDeclaration(
                    name: "mute",
                    kind: .command(
                        CommandDeclaration(
                            run: "mute",
                            isSilent: true,
                            version: "{here}/mute -V",
                            morePlaceholders: ["port.mqtt", "endpoint.mqtt"]
                        )
                    ),
                    deviations: [
                        Deviation(scenarios: ["bri*"], policies: ["none"], verdict: .inconclusive, because: "Dumb."),
                        Deviation(scenarios: ["long [TLS 1.2]"], isOccasional: true, because: "Old."),
                    ],
                    location: at(49, 3)
                ),
            ]
        )
    }

    @Test func `fills in what a step leaves out`() throws {
        let file = try CompleteFile.parsed()
        let steps = file.scenarios.flatMap(\.steps)

        #expect(file.host == "api.acme.example")
        #expect(steps.map(\.at) == [.zero, .days(1), .days(1), .days(-5), .days(-5)])
        #expect(steps.map(\.store) == ["lab", "lab", "phone", "phone", "phone"])
        #expect(
            steps.map(\.host) == [
                "api.acme.example", "api.acme.example", "shop.acme.example", "api.acme.example", "api.acme.example",
            ]
        )
        #expect(steps.map(\.attempts) == [1, 3, 1, 1, 1])
        #expect(steps.map(\.present) == [["today"], ["today", "odd"], ["bare"], ["today"], ["odd"]])
        #expect(steps.map(\.location) == [at(57, 9), at(58, 9), at(59, 9), at(66, 14), at(66, 43)])
    }

    @Test func `keeps what a scenario is about, and what the file would play`() throws {
        let file = try CompleteFile.parsed()

        #expect(file.play == ScenarioTag("quick"))
        let scenario = file.scenarios[0]
        #expect(
            (scenario.about, scenario.hurts, scenario.preventedBy) == ("A story.", "Its readers.", "Another story.")
        )
        #expect(
            scenario.references == ["CVE-2016-2402", "RFC 8446 section 4.4.2", "https://example.org/a?b=c"]
        )
        #expect(
            scenario.tags.map(\.name) == ["rotation", "quick", "MASVS-NETWORK-2", "MASTG-TEST-0244", "CWE-295"]
        )
        #expect(file.scenarios[1].tags.isEmpty)
        #expect(file.scenarios.map(\.exceptClients) == [[], ["mute", "stranger"]])
    }

    @Test func `keeps what an author claims, and that nothing was claimed`() throws {
        let steps = try CompleteFile.parsed().scenarios[0].steps

        #expect(steps[0].locksOut == nil)
        #expect(steps[1].locksOut == Claim(.all, location: at(58, 79)))
        #expect(steps[1].intercepts == Claim(.policies([]), location: at(58, 96)))
        #expect(steps[2].intercepts?.covers(policy: "short") == true)
        #expect(steps[2].intercepts?.covers(policy: "lax") == false)
    }

    @Test func `tries every combination that nobody excludes, in file order`() throws {
        let trials = try CompleteFile.parsed().trials

        #expect(
            trials.map { "\($0.scenario.name) \($0.policy.name) \($0.client.name)" } == [
                "long short reference", "long short tool", "long lax reference",
                "brief none reference", "brief none tool",
                "brief short reference", "brief short tool",
                "brief lax reference",
            ]
        )
    }

    @Test(arguments: ["yes", "on", "2024-01-01", "0x10", "1e5", "null-key", "a.b_c-d", "\"7\"", "\"true\""])
    func `takes YAML 1.2's view of what is text`(name: String) throws {
        let text = Mistake.sound.changing("spare: {}", to: "\(name): {}")

        let file = try ScenarioFile(parsing: text, file: "f.yaml")

        #expect(file.blueprint.keys[1].name == name.filter { $0 != "\"" })
    }

    @Test func `may repeat itself by aliases`() throws {
        let text = Mistake.sound
            .changing("steps: [ { present: today } ]", to: "steps: &usual [ { present: today } ]")
            .changing("] } ]", to: "] }, { name: again, steps: *usual } ]")

        let file = try ScenarioFile(parsing: text, file: "f.yaml")

        #expect(file.scenarios[1].steps == file.scenarios[0].steps)
    }

    @Test func `reads the same with the line ends of Windows`() throws {
        let text = CompleteFile.text.changing("\n", to: "\r\n")

        #expect(try ScenarioFile(parsing: text, file: "f.yaml") == CompleteFile.parsed())
    }

    @Test func `reads the same behind a byte order mark, and takes it nowhere else`() throws {
        let text = CompleteFile.text

        #expect(try ScenarioFile(parsing: "\u{FEFF}" + text, file: "f.yaml") == CompleteFile.parsed())
        #expect(throws: ScenarioFileError.self) { try ScenarioFile(parsing: "\u{FEFF}\u{FEFF}" + text, file: "f.yaml") }
    }

    private func at(_ line: Int, _ column: Int) -> Scenarios.SourceLocation {
        Scenarios.SourceLocation(file: "f.yaml", line: line, column: column)
    }
}
