import Foundation
import Pinning
import TLSCore
import TestSupport
import Testing

private let host = Sample.host
private let now = Sample.now

/// A world with everything a pin may be set to, and chains that only some policies accept.
private enum World {
    static let user = try! Authority(rootNamed: "Installed by the user", now: now)
    static let store = try! TrustStore([
        TrustAnchor(Sample.root.certificate), TrustAnchor(user.certificate, origin: .user),
    ])
    static let today = Sample.server
    /// The same key under a new certificate.
    static let renewed = try! Sample.issuing.identity(Sample.leaf { $0.notAfter += 1 }, key: today.key)
    static let rotated = try! Sample.issuing.identity(Sample.leaf(), key: PrivateKey())
    static let attacker = try! user.identity(Sample.leaf(), key: PrivateKey())
    /// An attacker's leaf with the real chain behind it.
    static let stuffed: Identity = {
        var identity = attacker
        identity.chain += today.chain + [Sample.root.certificate]
        return identity
    }()
    static let all: [String: Identity] = [
        "today": today, "renewed": renewed, "rotated": rotated, "attacker": attacker, "stuffed": stuffed,
    ]
}

@Suite struct `A pin policy` {
    struct Row: Sendable, CustomTestStringConvertible {
        let pinned: String
        let match: PinRequirement.Match
        let position: PinRequirement.Position
        let search: PinRequirement.Search
        /// The chains that must be accepted; every other one must be rejected because of the pin.
        let accepted: Set<String>
        var testDescription: String { "\(pinned) \(match) \(position) \(search)" }
    }

    static let rows: [Row] =
        table(
            .key,
            .verifiedPath,
            [
                ("leaf", .leaf, ["today", "renewed"]), ("leaf", .authority, []), ("leaf", .any, ["today", "renewed"]),
                ("issuing", .leaf, []), ("issuing", .authority, ["today", "renewed", "rotated"]),
                ("issuing", .any, ["today", "renewed", "rotated"]),
                ("root", .leaf, []), ("root", .authority, ["today", "renewed", "rotated"]),
                ("root", .any, ["today", "renewed", "rotated"]),
            ]
        )
        + table(
            .key,
            .presentedChain,
            [
                ("leaf", .leaf, ["today", "renewed"]), ("leaf", .authority, ["stuffed"]),
                ("leaf", .any, ["today", "renewed", "stuffed"]),
                ("issuing", .leaf, []), ("issuing", .authority, ["today", "renewed", "rotated", "stuffed"]),
                ("issuing", .any, ["today", "renewed", "rotated", "stuffed"]),
                // Servers do not send their root; this attacker does.
                ("root", .leaf, []), ("root", .authority, ["stuffed"]), ("root", .any, ["stuffed"]),
            ]
        )
        + table(
            .certificate,
            .verifiedPath,
            [
                ("leaf", .leaf, ["today"]), ("leaf", .authority, []), ("leaf", .any, ["today"]),
                ("issuing", .leaf, []), ("issuing", .authority, ["today", "renewed", "rotated"]),
                ("issuing", .any, ["today", "renewed", "rotated"]),
                ("root", .leaf, []), ("root", .authority, ["today", "renewed", "rotated"]),
                ("root", .any, ["today", "renewed", "rotated"]),
            ]
        )
        + table(
            .certificate,
            .presentedChain,
            [
                ("leaf", .leaf, ["today"]), ("leaf", .authority, ["stuffed"]), ("leaf", .any, ["today", "stuffed"]),
                ("issuing", .leaf, []), ("issuing", .authority, ["today", "renewed", "rotated", "stuffed"]),
                ("issuing", .any, ["today", "renewed", "rotated", "stuffed"]),
                ("root", .leaf, []), ("root", .authority, ["stuffed"]), ("root", .any, ["stuffed"]),
            ]
        )

    private static func table(
        _ match: PinRequirement.Match,
        _ search: PinRequirement.Search,
        _ rows: [(String, PinRequirement.Position, Set<String>)]
    ) -> [Row] {
        rows.map { Row(pinned: $0.0, match: match, position: $0.1, search: search, accepted: $0.2) }
    }

    @Test(arguments: rows)
    func `matches what its axes say, and nothing else`(row: Row) {
        let requirement = PinRequirement(
            pins: [pin(of: row.pinned, row.match)],
            match: row.match,
            position: row.position,
            search: row.search
        )
        let policy = PinPolicy(requirements: [requirement])

        let decisions = World.all.mapValues { policy.evaluate($0.chain, in: World.store, host: host, at: now) }

        for (name, decision) in decisions {
            let isAccepted = row.accepted.contains(name)
            #expect(decision.demand == (isAccepted ? .accept : .reject), "\(name)")
            #expect(decision.isRefusalByPin == !isAccepted, "\(name)")
            if !isAccepted { #expect(decision.reason == .noPinMatches(requirement), "\(name)") }
        }
    }

    @Test(
        arguments: [
            (.block, [], .reject), (.report, [], .accept), (.block, [.user], .accept), (.report, [.user], .accept),
            (.block, [.system, .app], .reject), (.block, [.system, .user, .app], .accept),
        ] as [(PinPolicy.Failure, Set<TrustAnchor.Origin>, Decision.Demand)]
    )
    func `blocks, reports or exempts on a mismatch`(
        failure: PinPolicy.Failure,
        exempt: Set<TrustAnchor.Origin>,
        demand: Decision.Demand
    ) {
        let requirement = PinRequirement(pins: [World.today.pin])
        let policy = PinPolicy(requirements: [requirement], failure: failure, exempt: exempt)

        let mismatch = policy.evaluate(World.attacker.chain, in: World.store, host: host, at: now)
        let match = policy.evaluate(World.today.chain, in: World.store, host: host, at: now)

        let reason: Decision.Reason =
            exempt.contains(.user) ? .exempt(.user) : failure == .report ? .reportedOnly : .noPinMatches(requirement)
        #expect(mismatch == Decision(demand, reason))
        #expect(match == Decision(.accept, .pinned(matched: [World.today.leaf])))
    }

    @Test func `exempts by the anchor that ends the path`() {
        let policy = PinPolicy(requirements: [PinRequirement(pins: [World.today.pin])], exempt: [.user])

        let own = policy.evaluate(World.rotated.chain, in: World.store, host: host, at: now)
        let users = policy.evaluate(World.stuffed.chain, in: World.store, host: host, at: now)

        #expect(own.isRefusalByPin)
        #expect(users == Decision(.accept, .exempt(.user)))
    }

    @Test func `exempts by an anchor that is the leaf itself`() throws {
        let store = try TrustStore([
            TrustAnchor(Sample.root.certificate), TrustAnchor(World.rotated.leaf, origin: .user),
        ])
        let policy = PinPolicy(requirements: [PinRequirement(pins: [World.today.pin])], exempt: [.user])

        let decision = policy.evaluate(World.rotated.chain, in: store, host: host, at: now)

        #expect(decision == Decision(.accept, .exempt(.user)))
    }

    struct Fault: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let failure: TrustFailure
        /// The check that finds it: without it, the pins alone decide.
        let check: PinPolicy.Checks
        let change: @Sendable (inout CertificateTemplate) -> Void
    }

    static let faults = [
        Fault(testDescription: "another host", failure: TrustFailure(.wrongHost), check: .host) {
            $0.names = [.dns("shop.acme.example")]
        },
        Fault(testDescription: "expired", failure: TrustFailure(.expired), check: .notAfter) { $0.notAfter = now - 1 },
        Fault(testDescription: "not yet valid", failure: TrustFailure(.notYetValid), check: .notBefore) {
            $0.notBefore = now + 1
        },
        Fault(testDescription: "forged", failure: TrustFailure(.badSignature), check: .path) {
            $0.corruptsSignature = true
        },
        Fault(testDescription: "not for servers", failure: TrustFailure(.wrongPurpose), check: .path) {
            $0.extendedKeyUsage = [CertificateTemplate.clientAuthentication]
        },
    ]

    @Test(arguments: faults, 0..<16)
    func `H24: keeps the ordinary checks it names, and no others`(fault: Fault, rawChecks: Int) throws {
        let checks = PinPolicy.Checks(rawValue: rawChecks)
        let bad = try Sample.issuing.identity(Sample.leaf(fault.change), key: World.today.key)
        let policy = PinPolicy(requirements: [PinRequirement(pins: [World.today.pin])], checks: checks)

        let decision = policy.evaluate(bad.chain, in: World.store, host: host, at: now)
        let twin = policy.evaluate(World.today.chain, in: World.store, host: host, at: now)

        if checks.contains(fault.check) {
            #expect(decision == Decision(.reject, .untrusted(fault.failure)))
        } else {
            #expect(decision == Decision(.accept, .pinned(matched: [bad.leaf])))
        }
        #expect(twin.demand == .accept)
    }

    @Test(arguments: 0..<16)
    func `needs an anchor only where it checks the path`(rawChecks: Int) throws {
        let checks = PinPolicy.Checks(rawValue: rawChecks)
        let alone = try Identity(selfSigned: Sample.leaf(), key: World.today.key)
        let pinned = PinPolicy(requirements: [PinRequirement(pins: [alone.pin])], checks: checks)
        let unpinned = PinPolicy(checks: checks)

        let decisions = [pinned, unpinned].map { $0.evaluate(alone.chain, in: World.store, host: host, at: now) }

        let demand: Decision.Demand = checks.contains(.path) ? .reject : .accept
        #expect(decisions.map(\.demand) == [demand, demand])
        #expect(decisions.allSatisfy { !$0.isRefusalByPin })
    }

    @Test func `searches what was presented where it builds no path`() {
        let requirement = PinRequirement(pins: [World.today.pin])
        let policy = PinPolicy(requirements: [requirement], checks: [.host, .validity])

        let stuffed = policy.evaluate(World.stuffed.chain, in: World.store, host: host, at: now)
        let attacker = policy.evaluate(World.attacker.chain, in: World.store, host: host, at: now)

        #expect(stuffed.demand == .accept)
        #expect(attacker == Decision(.reject, .noPinMatches(requirement)))
    }

    @Test func `needs every requirement to hold`() {
        let leaf = PinRequirement(pins: [World.today.pin], position: .leaf)
        let root = PinRequirement(pins: [Sample.root.certificate.pin], position: .authority)
        let other = PinRequirement(pins: [World.user.certificate.pin], position: .authority)
        let both = PinPolicy(requirements: [leaf, root])
        let contradictory = PinPolicy(requirements: [leaf, other])

        let accepted = both.evaluate(World.today.chain, in: World.store, host: host, at: now)
        let rotated = both.evaluate(World.rotated.chain, in: World.store, host: host, at: now)
        let never = contradictory.evaluate(World.today.chain, in: World.store, host: host, at: now)

        #expect(accepted == Decision(.accept, .pinned(matched: [World.today.leaf, Sample.root.certificate])))
        #expect(rotated == Decision(.reject, .noPinMatches(leaf)))
        #expect(never == Decision(.reject, .noPinMatches(other)))
    }

    @Test func `needs one of a requirement's pins, and none is never enough`() {
        let backup = Pin(hashing: [1])
        let either = PinPolicy(requirements: [PinRequirement(pins: [backup, World.today.pin])])
        let none = PinPolicy(requirements: [PinRequirement(pins: [])])

        let accepted = either.evaluate(World.today.chain, in: World.store, host: host, at: now)
        let rejected = none.evaluate(World.today.chain, in: World.store, host: host, at: now)

        #expect(accepted.demand == .accept)
        #expect(rejected == Decision(.reject, .noPinMatches(PinRequirement(pins: []))))
    }

    @Test func `without requirements trusts whom the store trusts`() {
        let trusted = PinPolicy.unpinned.evaluate(World.attacker.chain, in: World.store, host: host, at: now)
        let untrusted = PinPolicy.unpinned.evaluate(World.attacker.chain, in: Sample.store, host: host, at: now)
        let nothing = PinPolicy.unpinned.evaluate([], in: World.store, host: host, at: now)

        #expect(trusted == Decision(.accept, .trusted))
        #expect(untrusted == Decision(.reject, .untrusted(TrustFailure(.unknownAuthority))))
        #expect(nothing == Decision(.reject, .untrusted(TrustFailure(.noCertificate))))
    }

    @Test(arguments: 0..<16)
    func `is never satisfied by no certificate`(rawChecks: Int) {
        let checks = PinPolicy.Checks(rawValue: rawChecks)
        let pinned = PinPolicy(requirements: [PinRequirement(pins: [World.today.pin])], checks: checks)
        let unpinned = PinPolicy(checks: checks)

        for policy in [pinned, unpinned] {
            let nothing = policy.evaluate([], in: World.store, host: host, at: now)
            let something = policy.evaluate(World.today.chain, in: World.store, host: host, at: now)

            #expect(nothing == Decision(.reject, .untrusted(TrustFailure(.noCertificate))))
            #expect(something.demand == .accept)
        }
    }
}

@Suite struct `A weak chain` {
    @Test func `is for the stack to decide where the rest is well`() throws {
        let weak = try Sample.issuing.identity(Sample.leaf(), key: Sample.rsa1024)
        let policies = [PinPolicy.unpinned, PinPolicy(requirements: [PinRequirement(pins: [weak.pin])])]

        let decisions = policies.map { $0.evaluate(weak.chain, in: World.store, host: host, at: now) }

        let expected = Decision(.either, .stackDecides(TrustFailure(.tooWeak)))
        #expect(decisions == [expected, expected])
    }

    @Test func `is refused where no pin matches`() throws {
        let weak = try Sample.issuing.identity(Sample.leaf(), key: Sample.rsa1024)
        let requirement = PinRequirement(pins: [World.today.pin])

        let decision = PinPolicy(requirements: [requirement])
            .evaluate(weak.chain, in: World.store, host: host, at: now)

        #expect(decision == Decision(.reject, .noPinMatches(requirement)))
    }

    @Test func `is refused where something else is wrong too`() throws {
        let weak = try Sample.issuing.identity(Sample.leaf { $0.notAfter = now - 1 }, key: Sample.rsa1024)

        let decision = PinPolicy(requirements: [PinRequirement(pins: [weak.pin])])
            .evaluate(weak.chain, in: World.store, host: host, at: now)

        #expect(decision == Decision(.reject, .untrusted(TrustFailure(.expired))))
    }
}

@Suite struct `A decision` {
    @Test(
        arguments: [
            (Decision(.accept, .trusted), "it is trusted, and nothing is pinned"),
            (
                Decision(.accept, .pinned(matched: [Sample.server.leaf, Sample.root.certificate, Sample.server.leaf])),
                "a pinned key is in it: CN=api.acme.example, CN=Acme Root"
            ),
            (Decision(.accept, .reportedOnly), "no pin matches, but the policy only reports"),
            (Decision(.accept, .exempt(.user)), "no pin matches, but anchors of origin 'user' are exempt"),
            (Decision(.reject, .untrusted(TrustFailure(.expired))), "it has expired"),
            (Decision(.reject, .noPinMatches(PinRequirement(pins: [Sample.server.pin]))), "no pin matches"),
            (Decision(.reject, .noPinMatches(PinRequirement(pins: []))), "no pin in the list can match"),
            (
                Decision(.either, .stackDecides(TrustFailure(.tooWeak))),
                "a key or a digest is too weak, where TLS stacks differ"
            ),
        ]
    )
    func `says why`(decision: Decision, text: String) {
        #expect(decision.description == text)
    }
}

private func pin(of name: String, _ match: PinRequirement.Match) -> Pin {
    let certificates = [
        "leaf": World.today.leaf, "issuing": Sample.issuing.certificate, "root": Sample.root.certificate,
    ]
    let certificate = certificates[name]!
    return match == .key ? certificate.pin : certificate.fingerprint
}
