import Pinning
import Scenarios
import TLSCore
import TestSupport
import Testing

@Suite struct `The oracle` {
    private static let oracle = Result { Oracle(try World.pki()) }

    @Test(arguments: Demands.table)
    func `demands what the policy says`(_ row: Demands) throws {
        let oracle = try Self.oracle.get()
        try #require(row.demands.count == Demands.chains.count)
        for (chain, expected) in zip(Demands.chains, row.demands) {
            let decision = try oracle.decide(
                row.policy,
                shown: chain,
                in: row.store,
                host: Sample.host,
                at: row.time,
                instant: Sample.now
            )

            #expect(Demands.sign(decision) == expected, "\(chain): \(decision)")
        }
    }

    @Test(arguments: Reason.table)
    func `gives its reason`(_ row: Reason) throws {
        let decision = try Self.oracle.get().decide(
            row.policy,
            shown: row.chain,
            in: row.store,
            host: row.host,
            at: row.time,
            instant: Sample.now
        )

        #expect("\(decision.demand): \(decision)" == row.text)
    }

    @Test func `says of each chain of a step whose it is`() throws {
        let step = Step.presenting("today", "forged", store: "attacked")

        let shownChains = try Self.oracle.get().decide(Policies.leaf, step: step, instant: Sample.now)

        #expect(shownChains.map(\.chain) == ["today", "forged"])
        #expect(shownChains.map(\.key) == ["leaf", "evil"])
        #expect(shownChains.map(\.holder) == [.owner, .attacker])
        #expect(shownChains.map(\.decision.demand) == [.accept, .reject])
        #expect(shownChains.map(\.consequence) == [.served, .protected])
    }

    @Test(
        arguments: [
            (.accepted("a"), .served), (.rejected("a"), .lockedOut), (.tolerated("a"), .unknown),
            (.accepted("a", by: .attacker), .intercepted), (.rejected("a", by: .attacker), .protected),
            (.tolerated("a", by: .attacker), .unknown),
        ] as [(ShownChain, Consequence)]
    )
    func `knows what obeying means to people`(_ shown: ShownChain, _ expected: Consequence) {
        #expect(shown.consequence == expected)
    }
}

/// What a policy demands of every chain of `World`: `+` accept, `p` reject by the pin, `t` reject for want of trust,
/// `?` either.
struct Demands: CustomTestStringConvertible {
    var policy: PolicyDeclaration
    var store: String
    var time: StoryTime
    var demands: [Character]
    var testDescription: String { "\(policy.name), \(store), \(time)" }

    init(_ policy: PolicyDeclaration, in store: String = "phone", at time: StoryTime = .zero, _ demands: String) {
        self.policy = policy
        self.store = store
        self.time = time
        self.demands = demands.filter { $0 != " " }
    }

    static func sign(_ decision: Decision) -> Character {
        switch decision.demand {
        case .accept: "+"
        case .either: "?"
        case .reject: decision.isRefusalByPin ? "p" : "t"
        }
    }

    static let chains = [
        "today", "renewed", "fresh", "rotated",
        "deep", "reversed", "bare", "aging", "bridged",
        "short", "own",
        "forged", "stuffed", "mis-issued", "foreign", "lookalike",
    ]

    static let table: [Demands] = [
        // The owner's: today, renewed, fresh, rotated; deep, reversed, bare, aging, bridged; short, own.
        // An attacker's: forged, stuffed, mis-issued, foreign, lookalike.
        Demands(Policies.none, "+t++ ++t++ ?t tt+tt"),
        Demands(Policies.none, in: "attacked", "+t++ ++t++ ?t +++tt"),
        Demands(Policies.none, in: "modern", "tttt tttt+ tt ttttt"),
        Demands(Policies.none, at: .days(-31), "tt++ ++t?+ ?t tt+tt"),
        Demands(Policies.none, at: .days(55), "++++ ++t?+ ?t tt+tt"),
        Demands(Policies.none, at: .days(60), "?+++ ++t?+ ?t tt+tt"),

        Demands(Policies.leaf, "+t+p ++t++ pt ttptt"),
        Demands(Policies.leaf, in: "attacked", "+t+p ++t++ pt pppt t"),
        Demands(Policies.leaf, in: "modern", "tttt tttt+ tt ttttt"),
        Demands(Policies.leaf, at: .days(61), "t++p ++t?+ pt ttptt"),
        Demands(Policies.backup, "+t++ ++t++ pt ttptt"),
        Demands(Policies.issuing, "+t++ ++tpp ?t tt+tt"),
        Demands(Policies.issuing, in: "attacked", "+t++ ++tpp ?t pp+tt"),
        Demands(Policies.root, "+t++ ++tp+ ?t tt+tt"),
        Demands(Policies.root, in: "attacked", "+t++ ++tp+ ?t pp+tt"),
        // The path through the other root holds the pinned key too: the two certificates share it.
        Demands(Policies.root, in: "modern", "tttt tttt+ tt ttttt"),

        Demands(Policies.certificate, "+tpp pptpp pt ttptt"),
        Demands(Policies.certificate, at: .days(55), "+ppp pptpp pt ttptt"),
        Demands(Policies.rootCertificate, "+t++ ++tp+ ?t tt+tt"),
        Demands(Policies.rootCertificate, in: "modern", "tttt ttttp tt ttttt"),

        Demands(Policies.both, "+t+p ++tpp pt ttptt"),
        Demands(Policies.reporting, in: "attacked", "+t++ ++t++ ?t +++tt"),
        Demands(Policies.exempting, in: "attacked", "+t+p ++t++ pt ++ptt"),
        Demands(Policies.presented, in: "attacked", "+t+p ++t++ pt p+ptt"),

        Demands(Policies.anyHost, "+t++ ++t++ ?t tt++t"),
        Demands(Policies.anyTime, at: .days(61), "++++ ++t++ ?t tt+tt"),
        Demands(Policies.anyPath, "+t++ +++++ ++ +++t+"),
        Demands(Policies.pinOnly, "+++p +++++ p+ ppppp"),
    ]
}

/// One decision in words.
struct Reason: CustomTestStringConvertible {
    var policy: PolicyDeclaration
    var chain: String
    var store: String
    var host: String
    var time: StoryTime
    var text: String
    var testDescription: String { "\(policy.name), \(chain): \(text)" }

    init(
        _ policy: PolicyDeclaration,
        _ chain: String,
        _ store: String,
        host: String = Sample.host,
        at time: StoryTime = .zero,
        _ text: String
    ) {
        self.policy = policy
        self.chain = chain
        self.store = store
        self.host = host
        self.time = time
        self.text = text
    }

    static let table: [Reason] = [
        Reason(Policies.none, "today", "phone", "accept: it is trusted, and nothing is pinned"),
        Reason(
            Policies.none,
            "today",
            "phone",
            at: .days(60),
            "either: a certificate ends in this very second, where TLS stacks differ"
        ),
        Reason(Policies.none, "today", "phone", at: .days(61), "reject: it has expired"),
        Reason(Policies.none, "renewed", "phone", at: .days(49), "reject: it is not valid yet"),
        Reason(
            Policies.none,
            "aging",
            "phone",
            at: .days(21),
            "either: an authority above it has expired, where TLS stacks differ"
        ),
        Reason(
            Policies.none,
            "aging",
            "phone",
            at: .days(-31),
            "either: an authority above it is not valid yet, where TLS stacks differ"
        ),
        Reason(Policies.none, "foreign", "phone", "reject: it does not name the host"),
        Reason(
            Policies.none,
            "foreign",
            "phone",
            host: "a.other.example",
            "accept: it is trusted, and nothing is pinned"
        ),
        Reason(Policies.none, "bare", "phone", "reject: its issuer is not trusted"),
        Reason(Policies.none, "lookalike", "phone", "reject: it vouches only for itself"),
        Reason(Policies.none, "short", "phone", "either: a key or a digest is too weak, where TLS stacks differ"),
        Reason(Policies.leaf, "rotated", "phone", "reject: no pin matches"),
        Reason(Policies.reporting, "rotated", "phone", "accept: no pin matches, but the policy only reports"),
        Reason(
            Policies.exempting,
            "forged",
            "attacked",
            "accept: no pin matches, but anchors of origin 'user' are exempt"
        ),
    ]
}
