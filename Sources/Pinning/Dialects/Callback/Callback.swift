package import TLSCore

/// The callbacks in which Go and Node programs pin keys, in their usual forms, right and wrong.
package struct Callback: HostlessPinConfiguration, Equatable {
    package static let dialect = Dialect.callback

    package static let format = PolicyFormat(dialect) { Callback(reading: $1, with: $0) }

    package enum Form: String, CaseIterable, Sendable {
        /// Go's `VerifyConnection` over `VerifiedChains`: the right form, called on resumption too.
        case goVerifyConnection = "go-verify-connection"
        /// Go's `VerifyPeerCertificate` over `verifiedChains[0][0]`: right but for resumed sessions, which skip it.
        case goLeaf = "go-leaf"
        /// Go's `VerifyPeerCertificate` over all of `rawCerts`, which the server chooses.
        case goRawAny = "go-raw-any"
        /// The same with `InsecureSkipVerify`: the key of any certificate that anybody can send.
        case goRawAnySkip = "go-raw-any-skip"
        /// Go's `VerifyPeerCertificate` over `rawCerts[0]` with `InsecureSkipVerify`: the leaf's key and nothing else.
        case goLeafSkip = "go-leaf-skip"
        /// Node's `checkServerIdentity` that calls the default, then compares the leaf.
        case nodePin = "node-pin"
        /// Node's `checkServerIdentity` that only compares the leaf: the host is checked no more.
        case nodePinNoHost = "node-pin-no-host"
        /// The first with `rejectUnauthorized: false`: Node notes the mismatch in `authorizationError` and goes on.
        case nodePinUnauthorized = "node-pin-unauthorized"
    }

    package var form: Form
    package var keys: [Pin]

    package init(_ form: Form, keys: [Pin]) {
        self.form = form
        self.keys = keys
    }

    package func decide(_ situation: Situation) -> Decision {
        let runtime = form.isNode ? "Node" : "Go"
        if let refusal = situation.refusal(below: .tls1_2, by: runtime) { return refusal }
        let situation = situation.on(stack)
        let decision = situation.decide(policy)
        guard form == .goVerifyConnection, case .noPinMatches = decision.reason else { return decision }
        // `VerifiedChains` has every path.
        let (chain, store) = (situation.chain, situation.store)
        let others = store.paths(of: chain, host: situation.host, at: situation.instant)
            .map { policy.judgePins(presented: chain, verified: $0, in: store) }
        return others.first { $0.demand == .accept } ?? decision
    }

    package var stack: TrustStack { form.isNode ? .openSSLToRoots : .go }

    private var policy: PinPolicy {
        let requirement = PinRequirement(pins: keys, position: form.position, search: form.search)
        return PinPolicy(requirements: [requirement], checks: form.checks, failure: form.failure)
    }

    package var pins: [ConfiguredPin] { keys.map { ConfiguredPin(domain: nil, pin: $0, position: form.position) } }

    package func mapPins(_ transform: (Pin) -> Pin) -> Callback { Callback(form, keys: keys.map(transform)) }
}

extension Callback.Form {
    fileprivate var isNode: Bool {
        switch self {
        case .goVerifyConnection, .goLeaf, .goRawAny, .goRawAnySkip, .goLeafSkip: false
        case .nodePin, .nodePinNoHost, .nodePinUnauthorized: true
        }
    }

    var position: PinRequirement.Position {
        switch self {
        case .goLeaf, .goLeafSkip, .nodePin, .nodePinNoHost, .nodePinUnauthorized: .leaf
        case .goVerifyConnection, .goRawAny, .goRawAnySkip: .any
        }
    }

    var search: PinRequirement.Search {
        switch self {
        case .goRawAny, .goRawAnySkip, .goLeafSkip: .presentedChain
        case .goVerifyConnection, .goLeaf, .nodePin, .nodePinNoHost, .nodePinUnauthorized: .verifiedPath
        }
    }

    var checks: PinPolicy.Checks {
        switch self {
        case .goRawAnySkip, .goLeafSkip, .nodePinUnauthorized: []
        case .nodePinNoHost: [.path, .validity]
        case .goVerifyConnection, .goLeaf, .goRawAny, .nodePin: .all
        }
    }

    var failure: PinPolicy.Failure { self == .nodePinUnauthorized ? .report : .block }
}
