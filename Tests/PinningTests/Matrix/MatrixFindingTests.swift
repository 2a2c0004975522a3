import Foundation
import Pinning
import TLSCore
import TestSupport
import Testing

/// What is read out of a configuration, against what it does: a finding without an event that it explains is a false
/// alarm, and an event without a finding was missed.
@Suite struct `The findings about every pinning system` {
    /// In which somebody else answers for the host, whom no user has let in.
    private static let intrusions = ["E09", "E11", "E12", "E13t", "E13u", "E14"]
    /// In which the owner's own key is shown with a certificate that ordinary checks refuse.
    private static let lapses = ["E14k", "E15", "E16"]

    private static func accepts(_ policy: String, _ event: String) throws -> Bool {
        let configure = try #require(MatrixPolicies.all[policy])
        let situation = try #require(MatrixWorld.shared.situation(event))
        return configure(event).decide(situation).demand == .accept
    }

    private static func findings(_ policy: String, _ chain: [Certificate] = []) throws -> [PolicyFinding] {
        let configure = try #require(MatrixPolicies.all[policy])
        return configure("E01").findings(at: MatrixWorld.now, knownChain: chain, host: MatrixWorld.host)
    }

    @Test(arguments: MatrixPolicies.all.keys.sorted())
    func `are a breach where an intruder gets in, and nowhere else`(policy: String) throws {
        let breaches = try Self.findings(policy).filter { $0.severity == .breach && $0.rule != .exemptAnchors }

        let isBroken = try Self.intrusions.contains { try Self.accepts(policy, $0) }

        #expect(breaches.isEmpty != isBroken, "\(breaches)")
    }

    @Test(arguments: MatrixPolicies.all.keys.sorted())
    func `name a skipped check where it lets a bad certificate pass`(policy: String) throws {
        let skipped = try Self.findings(policy).filter { $0.rule == .skippedCheck }

        let isLax = try Self.lapses.contains { try Self.accepts(policy, $0) }

        #expect(skipped.isEmpty != isLax, "\(skipped)")
    }

    @Test(arguments: MatrixPolicies.all.keys.sorted())
    func `foretell what a renewal does`(policy: String) throws {
        let chain = try #require(MatrixWorld.shared.situation("E01")).chain + [MatrixWorld.shared.root]
        let certificatePins = try Self.findings(policy, chain)
            .filter { $0.rule == .certificatePin && $0.severity == .outage }
        let intermediatePins = try Self.findings(policy, chain).filter { $0.rule == .intermediatePin }

        let takesToday = try Self.accepts(policy, "E01")
        let takesRenewed = try Self.accepts(policy, "E02")
        let takesReissued = try Self.accepts(policy, "E06")

        if takesToday { #expect(certificatePins.isEmpty == takesRenewed, "\(certificatePins)") }
        if takesRenewed { #expect(intermediatePins.isEmpty == takesReissued, "\(intermediatePins)") }
    }

    @Test(arguments: MatrixPolicies.all.keys.sorted())
    func `tell who is locked out today`(policy: String) throws {
        let chain = try #require(MatrixWorld.shared.situation("E01")).chain + [MatrixWorld.shared.root]
        let rules = try Self.findings(policy, chain).map(\.rule)

        let isLocked = !Set<PolicyFinding.Rule>([.locksOut, .refusesKnownChain, .unhashableKey]).isDisjoint(with: rules)
        let takesToday = try Self.accepts(policy, "E01")

        #expect(isLocked != takesToday, "\(rules)")
    }
}
