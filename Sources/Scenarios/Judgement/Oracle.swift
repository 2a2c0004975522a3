package import Foundation
package import Pinning
package import TLSCore
package import Witness

/// Says what a client that obeys its policy must do with a chain, from the policy, the chain, the store and the
/// instant. It never sees a client.
package struct Oracle: Sendable {
    package let pki: PKI

    package init(_ pki: PKI) {
        self.pki = pki
    }

    /// The same for a variant of a scenario, in which attackers hold other keys.
    package func playing(_ scenario: Scenario) throws -> Oracle {
        try scenario.variant.map { Oracle(try pki.varied($0)) } ?? self
    }

    /// The same for a client with a step's clock, and how that client sees the step: as any other, at its own now.
    package func clocked(_ step: Step, _ instant: Date) -> (oracle: Oracle, step: Step, instant: Date) {
        var seen = step
        seen.movesClock = false
        return (Oracle(pki.moved(by: step.clock)), seen, instant + TimeInterval(step.clock.seconds))
    }

    /// What must be done with a chain as a step shows it.
    ///
    /// - Parameters:
    ///   - instant: the real one; the chain's windows have been shifted to it already.
    package func decide(
        _ policy: PolicyDeclaration,
        shown chain: String,
        in store: String,
        host: String,
        at time: StoryTime,
        version: TLSVersion? = nil,
        nearMiss: NearMiss? = nil,
        instant: Date
    ) throws -> Decision {
        // Until it is asked, it is taken for what its owner wants it to be.
        if pki.genuine == nil, isGenuine(chain) {
            return Decision(.accept, .trusted)
        }
        let identity = try pki.identity(chain: chain, at: time, host: host)
        let situation = Situation(
            chain: identity.chain,
            store: try pki.store(named: store, at: time),
            host: host,
            at: instant,
            version: version ?? .tls1_3
        )
        var rules = try pki.configuration(of: policy, at: time, host: host)
        if let nearMiss { rules = rules.missing(situation, by: nearMiss) }
        return unlessDisputed(rules.decide(situation), identity, chain)
    }

    /// What a client is handed in a step: its policy, with pins that are nearly right where the step says so.
    package func configuration(of policy: PolicyDeclaration, in step: Step, instant: Date) throws -> any PinRules {
        if step.clock != .zero {
            let moved = clocked(step, instant)
            return try moved.oracle.configuration(of: policy, in: moved.step, instant: moved.instant)
        }
        let rules = try pki.configuration(of: policy, at: step.at, host: step.host)
        guard let nearMiss = step.nearMiss else { return rules }
        let store = try pki.store(named: step.store, at: step.at)
        return try step.present.reduce(rules) { rules, chain in
            let chain = try pki.identity(chain: chain, at: step.at, host: step.host).chain
            return rules.missing(
                Situation(chain: chain, store: store, host: step.host, at: instant, version: .tls1_3),
                by: nearMiss
            )
        }
    }

    /// What no certificate tells: whether the server has the key, and what is stapled to the handshake.
    private func unlessDisputed(_ decision: Decision, _ identity: Identity, _ chain: String) -> Decision {
        guard decision.demand != .reject else { return decision }
        if pki.blueprint.chain(named: chain).map(pki.blueprint.isCopied) == true {
            return Decision(.reject, .untrusted(TrustFailure(.notItsKey)))
        }
        // A client that asks for a response must heed it (RFC 6066 section 8), and few ask.
        guard let status = pki.blueprint.chain(named: chain)?.stapled else {
            // RFC 7633: a client may know nothing of the extension.
            let isMissed = identity.leaf.mustStaple && decision.demand == .accept
            return isMissed
                ? Decision(
                    .either,
                    .systemRule("it must have a stapled OCSP response and has none, where TLS stacks differ")
                )
                : decision
        }
        return status == .good
            ? decision
            : Decision(
                .either,
                .systemRule("its stapled OCSP response is not good (\(status.rawValue)), where TLS stacks differ")
            )
    }

    /// What must be done with each chain of a step, in the order shown.
    ///
    /// - Parameter comparesPins: whether `pinsMatch` is asked for. It costs another search for a path.
    package func decide(
        _ policy: PolicyDeclaration,
        step: Step,
        instant: Date,
        comparesPins: Bool = true
    ) throws -> [ShownChain] {
        if step.clock != .zero {
            let moved = clocked(step, instant)
            return try moved.oracle.decide(
                policy,
                step: moved.step,
                instant: moved.instant,
                comparesPins: comparesPins
            )
        }
        return try step.present.map { chain in
            let decision = try decide(
                policy,
                shown: chain,
                in: step.store,
                host: step.host,
                at: step.at,
                // What the step limits is what we speak, and the genuine server is passed through to.
                version: isGenuine(chain) ? nil : step.offer.versions?.upperBound,
                nearMiss: step.nearMiss,
                instant: instant
            )
            var shown = shown(chain, in: step, decision)
            if step.writesDot, shown.decision.demand == .accept { shown.decision = Decision(.either, .hostWithADot) }
            if comparesPins, decision.demand != .accept {
                shown.pinsMatch = try matchesPins(chain, policy, step, instant)
            }
            return shown
        }
    }

    private func isGenuine(_ chain: String) -> Bool { pki.blueprint.chain(named: chain)?.isGenuine == true }

    private func shown(_ chain: String, in step: Step, _ decision: Decision) -> ShownChain {
        let key = pki.blueprint.chain(named: chain).flatMap { pki.blueprint.key(named: $0.key) }
        return ShownChain(
            chain: chain,
            key: key?.name ?? "",
            holder: key?.holder ?? .attacker,
            decision: isGenuine(chain) ? decision : decision.with(step.limits),
            isGenuine: isGenuine(chain)
        )
    }
}

extension Oracle {
    /// What must be done with what a step shows at other hosts: those that have a chain of their own there, and those that
    /// its answers lead to, which are shown the step's.
    package func decideElsewhere(_ policy: PolicyDeclaration, step: Step, instant: Date) throws -> [ShownChain] {
        if step.clock != .zero {
            let moved = clocked(step, instant)
            return try moved.oracle.decideElsewhere(policy, step: moved.step, instant: moved.instant)
        }
        let declared = try step.also.map { other in
            let identity = try pki.identity(chain: other.chain, at: step.at, host: other.host)
            return try decide(policy, step, other.chain, identity, at: other.host, instant: instant)
        }
        return try declared
            + step.ledTo.flatMap { host in
                try step.present.uniqued.map { chain in
                    let asked = pki.followsName(chain) ? host : nil
                    let identity = try pki.identity(chain: chain, at: step.at, host: step.host, asked: asked)
                    return try decide(policy, step, chain, identity, at: host, instant: instant)
                }
            }
    }

    /// What must be done with the step's own chains by who asks for another host on their connection, as HTTP/2 allows.
    func decideCarried(_ policy: PolicyDeclaration, step: Step, instant: Date) throws -> [ShownChain] {
        try (step.also.map(\.host) + step.ledTo).uniqued.flatMap { host in
            try step.present.uniqued.map { chain in
                let identity = try pki.identity(chain: chain, at: step.at, host: step.host)
                return try decide(policy, step, chain, identity, at: host, instant: instant)
            }
        }
    }

    private func decide(
        _ policy: PolicyDeclaration,
        _ step: Step,
        _ chain: String,
        _ identity: Identity,
        at host: String,
        instant: Date
    ) throws -> ShownChain {
        var rules = try configuration(of: policy, in: step, instant: instant)
        // A client is handed one set of pins for all its hosts, unless its policy names those that it pins.
        if case .declared(let declared) = policy.source, declared.covers(host) != declared.covers(step.host) {
            rules = try pki.configuration(of: policy, at: step.at, host: host)
        }
        let situation = Situation(
            chain: identity.chain,
            store: try pki.store(named: step.store, at: step.at),
            host: host,
            at: instant,
            version: step.offer.versions?.upperBound ?? .tls1_3
        )
        var shown = shown(chain, in: step, unlessDisputed(rules.decide(situation), identity, chain))
        shown.otherHost = host
        return shown
    }

    /// Whether every list of pins matches what of a chain can be told without trusting it: the path where there is one,
    /// dates, names and weakness aside, and else the leaf.
    private func matchesPins(_ chain: String, _ policy: PolicyDeclaration, _ step: Step, _ instant: Date) throws -> Bool
    {
        let rules = try configuration(of: policy, in: step, instant: instant)
        guard let lists = rules.scope(for: step.host)?.lists, !lists.isEmpty else { return false }
        let sent = try pki.identity(chain: chain, at: step.at, host: step.host).chain
        let store = try pki.store(named: step.store, at: step.at).on(rules.stack)
        var path = Array(sent.prefix(1))
        if case .trusted(let built) = store.evaluate(sent, host: nil, at: nil, toleratesWeakness: true) { path = built }
        return lists.allSatisfy { list in
            (list.search == .presentedChain ? sent : path).enumerated().contains { list.matches($1, at: $0) }
        }
    }

    /// Whether a connection elsewhere has nothing to do with a step's host: a name that belongs to somebody else, that the
    /// policy does not pin, and that was shown a certificate which anybody who trusts this store may take for good. Who
    /// takes another one has switched its checks off, and would have told that server anything.
    package func isStranger(_ connection: Observation, _ policy: PolicyDeclaration, _ step: Step, instant: Date) -> Bool
    {
        if step.clock != .zero {
            let moved = clocked(step, instant)
            return moved.oracle.isStranger(connection, policy, moved.step, instant: moved.instant)
        }
        guard let name = connection.target?.lowercased(), let chain = connection.shown,
            !PublicSuffixList.haveOneOwner(name, step.host),
            let rules = try? pki.configuration(of: policy, at: step.at, host: name), !policy.pins(name, in: rules),
            let usual = try? pki.identity(chain: chain, at: step.at, host: step.host),
            // A root of a keyring may not vouch for a stranger's name, and not every client knows that.
            let store = try? pki.free.store(named: step.store, at: step.at)
        else { return false }
        var identity = usual
        if connection.fingerprint != usual.leaf.fingerprint {
            // It was minted for the name asked for: another of the same make, for signatures differ each time.
            guard pki.followsName(chain),
                let minted = try? pki.free.identity(chain: chain, at: step.at, host: step.host, asked: name)
            else { return false }
            identity = minted
        } else if pki.keptRoots != nil, let same = try? pki.free.identity(chain: chain, at: step.at, host: step.host) {
            identity = same
        }
        return PinPolicy.unpinned.evaluate(identity.chain, in: store, host: name, at: instant).demand == .accept
    }
}

extension PolicyDeclaration {
    /// Whether it names this very host, among others that it pins. One that names none is about the file's.
    fileprivate func pins(_ name: String, in rules: any PinRules) -> Bool {
        let isScoped =
            switch source {
            case .declared(let rules): !rules.hosts.isEmpty
            case .imported(let imported): !imported.configuration.entryNames.isEmpty
            }
        return isScoped && rules.scope(for: name)?.lists.isEmpty == false
    }
}

extension Observation {
    fileprivate var fingerprint: Pin? {
        for case .presented(_, let fingerprint, _) in events { return fingerprint }
        return nil
    }
}

/// One chain of a step: whose it is, and what must be done with it.
package struct ShownChain: Hashable, Sendable {
    package var chain: String
    /// The name of the leaf's key.
    package var key: String
    /// Who holds that key.
    package var holder: Holder
    package var decision: Decision
    /// Whether the pins match it, so that no refusal of it can be their doing.
    package var pinsMatch = false
    /// Whether it is the genuine server's, and connections to it are passed through.
    package var isGenuine = false
    /// The host that it is shown for; `nil`: the step's own.
    package var otherHost: String?

    /// What a client that obeys would do to its users.
    package var consequence: Consequence {
        switch (holder, decision.demand) {
        case (.owner, .accept): .served
        case (.owner, .reject): .lockedOut
        case (.attacker, .accept): .intercepted
        case (.attacker, .reject): .protected
        case (_, .either): .unknown
        }
    }
}

extension Decision {
    /// The same where the server's offer matters as well.
    fileprivate func with(_ offer: TLSOffer) -> Decision {
        // RFC 9325 section 4.1.
        if offer.isInTheOpen {
            return Decision(.reject, .systemRule("the connection is not encrypted, or no certificate is shown on it"))
        }
        // OpenSSL's security level 2 refuses 1024 bits, and GnuTLS takes them.
        guard demand == .accept, let bits = offer.finiteFieldBits, bits < 2048 else { return self }
        return Decision(.either, .systemRule("the key exchange has \(bits) bits only, where TLS stacks differ"))
    }
}
