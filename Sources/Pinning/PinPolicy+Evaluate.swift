package import Foundation
package import TLSCore

extension PinPolicy {
    /// What a client with this policy must do with the chain that a server presents.
    ///
    /// - Parameters:
    ///   - chain: as presented, leaf first.
    ///   - store: what the device trusts.
    ///   - host: the name the client asked for.
    ///   - instant: when.
    package func evaluate(_ chain: [Certificate], in store: TrustStore, host: String, at instant: Date) -> Decision {
        // No check is needed to notice this: TLS itself ends without a certificate.
        guard !chain.isEmpty else { return Decision(.reject, .untrusted(TrustFailure(.noCertificate))) }
        guard checks.isDisjoint(with: .validity) || checks.contains(.validity) else {
            return evaluateOneDate(chain, in: store, host: host, at: instant)
        }
        let host = checks.contains(.host) ? host : nil
        let instant = checks.contains(.validity) ? instant : nil
        guard checks.contains(.path) else {
            if let failure = chain.first?.failure(host: host, at: instant) {
                return Decision(.reject, .untrusted(failure))
            }
            return judgePins(presented: chain, verified: [], in: store)
        }
        switch store.evaluate(chain, host: host, at: instant) {
        case .trusted(let path):
            let decision = judgePins(presented: chain, verified: path, in: store)
            guard decision.demand == .accept, let dispute = store.stack.dispute(sent: chain, path: path) else {
                return decision
            }
            return Decision(.either, .systemRule("\(dispute), where TLS stacks differ"))
        case .refused(let failure) where !store.stack.isSure(of: failure.reason):
            // A stack that lets this pass goes on to the rest: only if that accepts is there a choice.
            let lenient: Decision
            switch store.evaluate(chain, host: host, at: instant, isLenient: true) {
            case .trusted(let path): lenient = judgePins(presented: chain, verified: path, in: store)
            case .refused(let other): lenient = .untrusted(other)
            }
            return lenient.demand == .reject ? lenient : Decision(.either, .stackDecides(failure))
        case .refused(let failure): return .untrusted(failure)
        }
    }

    /// With one end of the validity unchecked: as without dates, and then the other end of what was looked at.
    private func evaluateOneDate(
        _ chain: [Certificate],
        in store: TrustStore,
        host: String,
        at instant: Date
    ) -> Decision {
        var undated = self
        undated.checks.subtract(.validity)
        // Paths whose dates are in order come first.
        var dated = self
        dated.checks.formUnion(.validity)
        let strict = dated.evaluate(chain, in: store, host: host, at: instant)
        guard strict.demand == .reject else { return strict }
        let decision = undated.evaluate(chain, in: store, host: host, at: instant)
        guard decision.demand != .reject, let failure = dateFailure(of: looked(at: chain, in: store), at: instant)
        else { return decision }
        return Decision(.reject, .untrusted(failure))
    }

    /// The certificates whose dates count, leaf first.
    private func looked(at chain: [Certificate], in store: TrustStore) -> [Certificate] {
        guard checks.contains(.path),
            case .trusted(let path) = store.evaluate(chain, host: nil, at: nil, toleratesWeakness: true)
        else { return Array(chain.prefix(1)) }
        return path
    }

    /// The first date of a path that the policy checks and that is not in order.
    package func dateFailure(of path: [Certificate], at instant: Date) -> TrustFailure? {
        path.lazy.compactMap { $0.failure(host: nil, at: instant) }.first {
            checks.contains($0.reason == .expired ? .notAfter : .notBefore)
        }
    }

    /// The pins alone, for a client that has verified the chain by itself.
    ///
    /// - Parameters:
    ///   - presented: what the server sent, leaf first.
    ///   - verified: the path that was built, leaf first and anchor last; empty where the policy checks none, and then
    ///     the presented chain stands in for it.
    package func judgePins(presented: [Certificate], verified: [Certificate], in store: TrustStore) -> Decision {
        guard !requirements.isEmpty else { return Decision(.accept, .trusted) }
        var matched: [Certificate] = []
        for requirement in requirements {
            guard let match = requirement.match(presented: presented, verified: verified) else {
                return mismatch(requirement, anchor: verified.last, in: store)
            }
            matched.append(match)
        }
        return Decision(.accept, .pinned(matched: matched))
    }

    private func mismatch(_ requirement: PinRequirement, anchor: Certificate?, in store: TrustStore) -> Decision {
        if let origin = store.anchors.first(where: { $0.certificate == anchor })?.origin, exempt.contains(origin) {
            return Decision(.accept, .exempt(origin))
        }
        if failure == .report { return Decision(.accept, .reportedOnly) }
        return Decision(.reject, .noPinMatches(requirement))
    }
}

extension Decision {
    /// What a client does whose TLS library finds this, on a stack that is sure.
    static func untrusted(_ failure: TrustFailure) -> Decision {
        // A search that stopped cannot say that nobody finds a way; nor can anybody say when in a second a client looks.
        [.tooManyPaths, .undecided, .disputedName, .lastSecond].contains(failure.reason)
            ? Decision(.either, .stackDecides(failure)) : Decision(.reject, .untrusted(failure))
    }
}

extension PinRequirement {
    /// The first certificate that meets this requirement; `nil` when none does.
    package func match(presented: [Certificate], verified: [Certificate]) -> Certificate? {
        let searched = search == .presentedChain || verified.isEmpty ? presented : verified
        return candidates(in: searched).first { certificate in
            switch match {
            case .key: pins.contains(certificate.pin)
            case .certificate: pins.contains(certificate.fingerprint)
            }
        }
    }

    /// The certificates of a chain or path that may match, by position.
    package func candidates(in certificates: [Certificate]) -> ArraySlice<Certificate> {
        switch position {
        case .leaf: certificates.prefix(1)
        case .authority: certificates.dropFirst()
        case .any: certificates[...]
        }
    }
}
