import TLSCore

extension TrustKitAndroid {
    package var scopes: [PinScope] { networkSecurity.scopes.map(asTrustKitSees) }

    package func scope(for host: String) -> PinScope? { networkSecurity.scope(for: host).map(asTrustKitSees) }

    /// The system refuses, and TrustKit overrules it where it is not to enforce pins; before Android 7 the system knows
    /// of no pins, and before 4.2 nobody does.
    private func asTrustKitSees(_ scope: PinScope) -> PinScope {
        var scope = scope
        let policy = policy(for: scope.host)
        if policy?.enforcesPinning == false {
            scope.failure = .report
            if apiLevel >= 24 { scope.reporter = "TrustKit" }
        }
        if apiLevel < 24, policy == nil || apiLevel < 17 { scope.lists = [] }
        return scope
    }
}
