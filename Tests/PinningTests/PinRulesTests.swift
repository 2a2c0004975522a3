import TLSCore
import TestSupport
import Testing

@testable import Pinning

/// What every kind of rules can do, be they an app's own configuration or one policy for every host.
@Suite struct `Pin rules` {
    private static let stranger = Pin(hashing: [1])
    private static let other = Pin(hashing: [2])

    static let all: [any PinRules] = [
        UniformPolicy(PinPolicy(requirements: [PinRequirement(pins: [stranger])])),
        UniformPolicy(PinPolicy(requirements: [PinRequirement(pins: [stranger], position: .authority)])),
        UniformPolicy(PinPolicy(requirements: [PinRequirement(pins: [stranger], match: .certificate)])),
        Callback(.goLeaf, keys: [stranger, other]), Callback(.goVerifyConnection, keys: [stranger, other]),
        LeafDelegate(.asIntended, certificates: [stranger]), PublicKeyPinning(keys: [stranger]),
    ]

    @Test(arguments: all.indices)
    func `accept with the pins of a chain what only their own pins refuse`(index: Int) {
        let rules = Self.all[index]
        let chain = Sample.server.chain
        let situation = Situation(chain: chain, store: Sample.store, host: Sample.host, at: Sample.now)

        let twin = rules.pinning(chain, in: Sample.store, host: Sample.host, at: Sample.now)

        #expect(rules.decide(situation).isRefusalByPin)
        #expect(twin.decide(situation).demand == (rules is PublicKeyPinning ? .reject : .accept))
        #expect(Set(twin.pins.map(\.position)) == Set(rules.pins.map(\.position)))
    }

    @Test func `of one policy leave an old version to the TLS stack, where they would accept`() {
        let situation = Situation(
            chain: Sample.server.chain,
            store: Sample.store,
            host: Sample.host,
            at: Sample.now,
            version: .tls1_1
        )
        let pinned = UniformPolicy(PinPolicy(requirements: [PinRequirement(pins: [Self.stranger])]))

        #expect(UniformPolicy(.unpinned).decide(situation) == Decision(.either, .oldVersion(.tls1_1)))
        #expect(pinned.decide(situation).isRefusalByPin)
    }

    @Test func `of one policy name every pin once and hold every host to it`() {
        let requirements = [
            PinRequirement(pins: [Self.stranger, Self.other], position: .leaf),
            PinRequirement(pins: [Self.other], match: .certificate, position: .authority, search: .presentedChain),
        ]
        let rules = UniformPolicy(PinPolicy(requirements: requirements, checks: .path, failure: .report))

        let mapped = rules.mapPins { $0 == Self.other ? Self.stranger : $0 }

        #expect(rules.pins.map(\.pin) == [Self.stranger, Self.other, Self.other])
        #expect(rules.pins.map(\.match) == [.key, .key, .certificate])
        #expect(mapped.pins.map(\.pin) == [Self.stranger, Self.stranger, Self.stranger])
        #expect(rules.scope(for: "any.example")?.lists.map(\.position) == [.leaf, .authority])
        #expect(rules.scope(for: "any.example")?.checks == .path)
        #expect(rules.rendered().isEmpty)
    }
}
