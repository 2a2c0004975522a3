import Pinning
import TestSupport
import Testing

@testable import Scenarios

@Suite struct `A trial's plan` {
    @Test(arguments: Outline.table)
    func `inserts a control just before the first step that needs one`(_ outline: Outline) throws {
        let trial = Trial(
            scenario: Scenario(name: "story", store: "phone", steps: outline.steps),
            policy: outline.policy,
            client: ClientDeclaration(name: "reference", kind: .reference)
        )

        let planned = try Oracle(World.pki()).plan(trial, instant: Sample.now)

        #expect(planned.map(Outline.line) == outline.plan)
    }

    /// The first owner chain of the file that no step shows, and the one that another scenario shows.
    @Test(
        arguments: [
            (["rotated", "forged"], [], "rotated"), (["forged"], ["deep"], "deep"),
            (["rotated", "forged"], ["deep"], "rotated"), (["forged"], [], "today"),
        ] as [([String], [String], String)]
    )
    func `J8: takes for a control the scenario's own chains, then what any step shows, then the rest`(
        chains: [String],
        shown: [String],
        control: String
    ) throws {
        let steps = chains.map { Step.presenting($0, store: $0 == "forged" ? "attacked" : "phone") }
        let trial = Trial(
            scenario: Scenario(name: "story", store: "phone", steps: steps),
            policy: Policies.issuing,
            client: ClientDeclaration(name: "reference", kind: .reference),
            shown: Set(shown)
        )

        let planned = try Oracle(World.pki()).plan(trial, instant: Sample.now)

        #expect(planned.filter(\.isControl).map(\.step.present) == [[control]])
    }

    @Test func `J8: an unused chain that is declared first changes no trial`() throws {
        var blueprint = World.blueprint
        blueprint.chains.insert(ChainDeclaration(name: "unused", key: "leaf", issuer: .authority("issuing")), at: 0)
        let file = ScenarioFile(
            host: Sample.host,
            blueprint: blueprint,
            policies: [Policies.leaf],
            clients: [ClientDeclaration(name: "reference", kind: .reference)],
            scenarios: [
                Scenario(name: "attack", store: "attacked", steps: [.presenting("forged", store: "attacked")]),
                Scenario(name: "peace", store: "phone", steps: [.presenting("fresh")]),
            ]
        )

        let planned = try Oracle(PKI(blueprint, now: Sample.now)).plan(file.trials[0], instant: Sample.now)

        #expect(planned.map(\.step.present) == [["fresh"], ["forged"]])
    }

    @Test(arguments: [(Policies.none, false), (Policies.leaf, true)])
    func `J6: knows whether there are pins at all`(policy: PolicyDeclaration, isPinned: Bool) throws {
        let trial = Trial(
            scenario: Scenario(name: "story", store: "phone", steps: [.presenting("forged")]),
            policy: policy,
            client: ClientDeclaration(name: "reference", kind: .reference)
        )

        let planned = try Oracle(World.pki()).plan(trial, instant: Sample.now)

        #expect(planned.map(\.isPinned) == [isPinned, isPinned])
    }

    @Test func `makes of a step a control that claims nothing`() throws {
        let claim = Claim(.all)
        let step = Step(
            at: .days(9),
            present: ["forged"],
            store: "attacked",
            host: "b.example",
            attempts: 3,
            note: "an attack",
            locksOut: claim,
            intercepts: claim
        )
        let trial = Trial(
            scenario: Scenario(name: "story", store: "phone", steps: [step]),
            policy: Policies.leaf,
            client: ClientDeclaration(name: "reference", kind: .reference)
        )

        let planned = try Oracle(World.pki()).plan(trial, instant: Sample.now)

        #expect(planned[0].step == Step(at: .days(9), present: ["today"], store: "attacked", host: "b.example"))
        #expect(planned[0].isControl)
        #expect(planned[1].step == step)
    }
}

/// The steps of a file, and those of the plan: `chains / day / store / host`.
struct Outline: CustomTestStringConvertible {
    var testDescription: String
    var policy: PolicyDeclaration
    var steps: [Step]
    var plan: [String]

    init(_ name: String, by policy: PolicyDeclaration = Policies.leaf, _ steps: [Step], _ plan: [String]) {
        testDescription = name
        self.policy = policy
        self.steps = steps
        self.plan = plan
    }

    static func line(_ planned: PlannedStep) -> String {
        let step = planned.step
        let place = step.host == Sample.host ? step.store : "\(step.store) \(step.host)"
        return "\(step.present.joined(separator: "+")) \(step.at) \(place)" + (planned.isControl ? " control" : "")
    }

    static let table: [Outline] = [
        Outline("nothing to refuse", [.presenting("today")], ["today 0d phone"]),
        Outline(
            "declared before",
            [.presenting("today"), .presenting("forged")],
            ["today 0d phone", "forged 0d phone"]
        ),
        Outline(
            "declared after",
            [.presenting("forged"), .presenting("today")],
            ["forged 0d phone", "today 0d phone"]
        ),
        Outline(
            "none declared",
            [.presenting("forged", at: .days(3)), .presenting("lookalike", at: .days(4))],
            ["today 3d phone control", "forged 3d phone", "lookalike 4d phone"]
        ),
        Outline(
            "declared with another store",
            [.presenting("today"), .presenting("forged", store: "attacked")],
            ["today 0d phone", "today 0d attacked control", "forged 0d attacked"]
        ),
        Outline(
            "declared for another host",
            [.presenting("today", host: "b.example"), .presenting("forged")],
            ["today 0d phone b.example", "today 0d phone control", "forged 0d phone"]
        ),
        Outline(
            "two stores, two controls",
            [.presenting("forged"), .presenting("forged", store: "attacked"), .presenting("lookalike")],
            [
                "today 0d phone control", "forged 0d phone", "today 0d attacked control", "forged 0d attacked",
                "lookalike 0d phone",
            ]
        ),
        Outline(
            "the first chain is too old",
            [.presenting("forged", at: .days(61))],
            ["renewed 61d phone control", "forged 61d phone"]
        ),
        Outline(
            "the first chain has another key",
            by: Policies.spare,
            [.presenting("today")],
            ["rotated 0d phone control", "today 0d phone"]
        ),
        Outline(
            "an acceptance of an attacker is none",
            by: Policies.none,
            [.presenting("forged", store: "attacked"), .presenting("lookalike", store: "attacked")],
            ["forged 0d attacked", "today 0d attacked control", "lookalike 0d attacked"]
        ),
        Outline(
            "a sequence is none",
            [.presenting("today", "forged")],
            ["today 0d phone control", "today+forged 0d phone"]
        ),
        Outline(
            "the stack decides",
            by: Policies.none,
            [.presenting("short")],
            ["today 0d phone control", "short 0d phone"]
        ),
        Outline(
            "none is possible",
            by: Policies.issuing,
            [.presenting("today", store: "modern")],
            ["today 0d modern"]
        ),
        Outline(
            "none is possible until later",
            by: Policies.datedLeaf,
            [.presenting("forged"), .presenting("forged", at: .days(55))],
            ["forged 0d phone", "renewed 55d phone control", "forged 55d phone"]
        ),
    ]
}
