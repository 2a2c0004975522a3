import TestSupport
import Testing

@testable import Scenarios

@Suite struct `A scenario file's claims` {
    @Test(arguments: Contradiction.table)
    func `are held against the oracle`(_ row: Contradiction) throws {
        let file = try ScenarioFile(parsing: row.text, file: "f.yaml")

        let problems = try file.contradictions(Oracle(PKI(file.blueprint, now: Sample.now)), instant: Sample.now)

        #expect(problems.map(\.description) == row.expected)
    }

    @Test(arguments: [true, false])
    func `are looked at where they are played, and in a file of somebody's own always`(isShipped: Bool) throws {
        var file = try ScenarioFile.shipped()
        if !isShipped { file.scenarios = file.scenarios.map(\.ofItsOwnFile) }
        let wrong = try #require(file.scenarios.firstIndex { $0.name == "same-certificate" })
        file.scenarios[wrong].steps[0].locksOut = Claim(.all)
        let oracle = Oracle(try PKI(file.blueprint, now: Sample.now))
        func problems(playing name: String?) throws -> [ScenarioProblem] {
            var copy = file
            let trials = name.map { name in
                file.trials.filter { $0.scenario.base == name && $0.policy.name == "no-pins" }
            }
            return try copy.leaveOutForeign(oracle, instant: Sample.now, playing: trials).problems
        }

        #expect(try problems(playing: "same-certificate").isEmpty == false)
        #expect(try problems(playing: nil).isEmpty == false)
        #expect(try problems(playing: "attacker-unknown-root").isEmpty == isShipped)
        #expect(file.isShipped == isShipped)
    }
}

extension Scenario {
    fileprivate var ofItsOwnFile: Scenario {
        var copy = self
        copy.location = .code
        return copy
    }
}

/// A file with one step, and what the oracle says against it.
struct Contradiction: CustomTestStringConvertible {
    var testDescription: String
    var text: String
    var expected: [String]

    init(_ step: String, policies: String = "", _ expected: String...) {
        testDescription = step + policies
        text =
            Contradiction.head + policies + "scenarios: [ { name: story, store: phone, steps: [\n  { \(step) }\n] } ]\n"
        self.expected = expected
    }

    private static let head = """
        version: 1
        host: api.acme.example
        keys: { leaf: {}, spare: {}, weak: { type: rsa1024 }, evil: { by: attacker } }
        authorities: { root: {}, mallory: { by: attacker } }
        stores: { phone: { system: [root], user: [mallory] } }
        chains:
          today: { key: leaf, issuer: root }
          rotated: { key: spare, issuer: root }
          short: { key: weak, issuer: root }
          forged: { key: evil, issuer: mallory }
          lookalike: { key: evil, issuer: self }
        clients: { reference: { kind: reference } }
        policies:
          loose: {}
          strict: { pins: [leaf], position: leaf }

        """

    static let table: [Contradiction] = [
        // True claims, and none.
        Contradiction("present: rotated"),
        Contradiction("present: rotated, locks-out: [strict], intercepts: []"),
        Contradiction("present: forged, locks-out: [], intercepts: [loose]"),
        Contradiction("present: [today, forged], locks-out: [], intercepts: [loose]"),
        Contradiction("present: [forged, rotated], locks-out: [strict], intercepts: [loose]"),
        // A policy that came later than the claims.
        Contradiction(
            "present: rotated, locks-out: [strict], intercepts: []",
            policies: "  late: { pins: [leaf], unclaimed: true }\n"
        ),
        Contradiction(
            "present: rotated, locks-out: [strict]",
            policies: "  late: { pins: [leaf] }\n",
            "f.yaml:18:34: 'locks-out' leaves out the policy 'late', but here its users are kept from their own "
                + "server: it must reject the owner's 'rotated' (no pin matches); write locks-out: [strict, late]"
        ),

        Contradiction(
            "present: rotated, locks-out: []",
            "f.yaml:17:34: 'locks-out' leaves out the policy 'strict', but here its users are kept from their own "
                + "server: it must reject the owner's 'rotated' (no pin matches); write locks-out: [strict]"
        ),
        Contradiction(
            "present: forged, intercepts: []",
            "f.yaml:17:34: 'intercepts' leaves out the policy 'loose', but here an attacker gets its users' data: "
                + "it must accept the attacker's 'forged' (it is trusted, and nothing is pinned); write intercepts: [loose]"
        ),
        Contradiction(
            "present: rotated, locks-out: [strict, loose]",
            "f.yaml:17:34: 'locks-out' names the policy 'loose', but here its users are not kept from their own "
                + "server: it must accept the owner's 'rotated' (it is trusted, and nothing is pinned); write locks-out: [strict]"
        ),
        Contradiction(
            "present: forged, intercepts: [loose, strict]",
            "f.yaml:17:34: 'intercepts' names the policy 'strict', but here no attacker gets its users' data: "
                + "it must reject the attacker's 'forged' (no pin matches); write intercepts: [loose]"
        ),
        Contradiction(
            "present: rotated, locks-out: all",
            "f.yaml:17:34: 'locks-out: all' includes the policy 'loose', but here its users are not kept from their "
                + "own server: it must accept the owner's 'rotated' (it is trusted, and nothing is pinned); write locks-out: [strict]"
        ),
        // To be turned away is no outage when it is an attacker that is turned away.
        Contradiction(
            "present: lookalike, locks-out: [strict]",
            "f.yaml:17:36: 'locks-out' names the policy 'strict', but here its users are not kept from their own "
                + "server: it must reject the attacker's 'lookalike' (it vouches only for itself); write locks-out: []"
        ),
        // Each mistake of a claim, and both claims of a step.
        Contradiction(
            "present: rotated, locks-out: [loose], intercepts: [strict]",
            "f.yaml:17:34: 'locks-out' names the policy 'loose', but here its users are not kept from their own "
                + "server: it must accept the owner's 'rotated' (it is trusted, and nothing is pinned); write locks-out: [strict]",
            "f.yaml:17:34: 'locks-out' leaves out the policy 'strict', but here its users are kept from their own "
                + "server: it must reject the owner's 'rotated' (no pin matches); write locks-out: [strict]",
            "f.yaml:17:55: 'intercepts' names the policy 'strict', but here no attacker gets its users' data: "
                + "it must reject the owner's 'rotated' (no pin matches); write intercepts: []"
        ),
        Contradiction(
            "present: [today, forged], intercepts: all",
            "f.yaml:17:43: 'intercepts: all' includes the policy 'strict', but here no attacker gets its users' "
                + "data: it must accept the owner's 'today' (a pinned key is in it: CN=api.acme.example) and reject "
                + "the attacker's 'forged' (no pin matches); write intercepts: [loose]"
        ),
        // Where the TLS stack decides, the author may know better.
        Contradiction("present: short, locks-out: [loose, strict]"),
        Contradiction("present: short, locks-out: [strict]"),
        Contradiction(
            "present: today",
            policies: "  lost: { pins: [evil] }\n",
            "f.yaml:16:3: the policy 'lost' accepts none of the owner's chains, whatever the store: a client that "
                + "obeys it can talk to nobody"
        ),
    ]
}
