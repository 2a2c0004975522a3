package import Foundation
import Pinning
package import TLSCore

/// A scenario taken apart: for each step who vouches for whom, and what every policy makes of it. No client is asked.
package struct Explanation: Sendable {
    package var scenario: Scenario
    package var steps: [Step]

    package struct Step: Sendable {
        var step: Scenarios.Step
        /// What the device trusts.
        var store: StoreDeclaration
        package var views: [View]
    }

    /// One chain of a step.
    package struct View: Sendable {
        package var chain: String
        package var holder: Holder
        /// Anchor first, leaf last.
        package var path: [Link]
        /// What was sent besides.
        package var extras: [Link]
        var opinions: [Opinion]
    }

    /// A certificate, and its part in the chain.
    package struct Link: Sendable {
        package enum Role: String, Codable, Sendable { case leaf, intermediate, root }

        package var name: String
        package var role: Role
        /// The name that it carries, where that is somebody else's.
        var alias: String?
        /// Whether it may vouch for others; says nothing of a leaf.
        var mayIssue: Bool
        /// Who made the device trust it; `nil`: nobody.
        package var anchor: TrustAnchor.Origin?
        package var isSent: Bool
        package var key: String
        var keyDescription: String
        package var holder: Holder
        var names: [String]
        /// In the story, where the file says so.
        var window: StoryWindow?
        /// Seconds from the step to the first and to the last instant of validity.
        var begins: Int
        var ends: Int
        /// The policies of which a pin matches here.
        package var policies: [String]
        package var certificate: Certificate
    }

    /// What one policy makes of a chain.
    struct Opinion: Sendable {
        var policy: PolicyDeclaration
        /// Whether it has pins for the host.
        var isPinned: Bool
        var checksPath: Bool
        /// The names of the keys that its pins match in what is searched.
        var matches: [String]
        var shown: ShownChain
    }

    /// - Parameters:
    ///   - policies: those wanted; those that the scenario leaves out are left out.
    ///   - instant: the real one, at which the chains would be shown.
    package init(
        _ scenario: Scenario,
        policies: [PolicyDeclaration],
        oracle: Oracle,
        instant: Date
    ) throws {
        self.scenario = scenario
        let played = policies.filter { scenario.policies?.contains($0.name) ?? true }
        steps = try scenario.steps.map { step in
            let view = try StepView(step: step, policies: played, oracle: oracle, instant: instant)
            return Step(
                step: step,
                store: oracle.pki.blueprint.store(named: step.store) ?? StoreDeclaration(name: step.store, anchors: []),
                views: try step.present.map(view.view)
            )
        }
    }
}

/// Looks at the chains of one step.
private struct StepView {
    let step: Step
    let policies: [PolicyDeclaration]
    let oracle: Oracle
    let instant: Date
    /// What each policy holds the host to.
    private let scopes: [PinScope?]

    init(step: Step, policies: [PolicyDeclaration], oracle: Oracle, instant: Date) throws {
        self.step = step
        self.policies = policies
        self.oracle = oracle
        self.instant = instant
        scopes = try policies.map { policy in
            try oracle.pki.configuration(of: policy, at: step.at, host: step.host).scope(for: step.host)
        }
    }

    private var pki: PKI { oracle.pki }
    private var blueprint: Blueprint { oracle.pki.blueprint }

    func view(of name: String) throws -> Explanation.View {
        let chain = try pki.identity(chain: name, at: step.at, host: step.host).chain
        let declaration = blueprint.chain(named: name)
        let path = try path(of: chain, declaration)
        var single = step
        single.present = [name]
        let opinions = try zip(policies, scopes).compactMap { policy, scope -> Explanation.Opinion? in
            guard let shown = try oracle.decide(policy, step: single, instant: instant).first else { return nil }
            return Explanation.Opinion(
                policy: policy,
                isPinned: scope?.lists.isEmpty == false,
                checksPath: scope?.checks.contains(.path) ?? true,
                matches: scope.map { matches($0, chain, path) } ?? [],
                shown: shown
            )
        }
        let links = try path.enumerated().map { try link($1, at: $0, in: path, sent: chain, declaration) }
        let extras = chain.filter { !path.contains($0) }
        return Explanation.View(
            chain: name,
            holder: declaration.flatMap(blueprint.holder) ?? .attacker,
            path: links.reversed(),
            extras: try extras.map { try link($0, at: nil, in: extras, sent: chain, declaration) },
            opinions: opinions
        )
    }

    /// Leaf first: as validation builds it where any path can be built, dates and names aside, and else as it was meant.
    private func path(of chain: [Certificate], _ declaration: ChainDeclaration?) throws -> [Certificate] {
        let store = try pki.store(named: step.store, at: step.at)
        if case .trusted(let path) = store.evaluate(chain, host: nil, at: instant, toleratesWeakness: true) {
            return path
        }
        if case .trusted(let path) = store.evaluate(chain, host: nil, at: nil, toleratesWeakness: true) { return path }
        guard case .authority(let issuer)? = declaration?.issuer else { return Array(chain.prefix(1)) }
        return Array(chain.prefix(1)) + (try pki.authority(named: issuer, at: step.at).path)
    }

    /// The names of the keys that the pins of a host match, each once.
    private func matches(_ scope: PinScope, _ chain: [Certificate], _ path: [Certificate]) -> [String] {
        let found = scope.lists.compactMap { list in
            let searched = list.search == .presentedChain || !scope.checks.contains(.path) ? chain : path
            return searched.enumerated().first { list.matches($1, at: $0) }.map { pki.name(of: $1.pin) ?? "?" }
        }
        return found.uniqued
    }

    private func link(
        _ certificate: Certificate,
        at index: Int?,
        in path: [Certificate],
        sent chain: [Certificate],
        _ declaration: ChainDeclaration?
    ) throws -> Explanation.Link {
        let authority = try authority(of: certificate)
        let key = pki.name(of: certificate.pin) ?? "?"
        let anchors = try pki.store(named: step.store, at: step.at).anchors
        let owner = blueprint.key(named: key)?.holder ?? blueprint.authority(named: key)?.holder
        let leaf = try index == 0 ? declaration : lender(of: certificate)
        let names = leaf.map { $0.names == nil ? [step.host] : certificate.names.map { "\($0)" } } ?? [step.host]
        let name = authority?.name ?? names.first ?? "nobody"
        return Explanation.Link(
            name: name,
            role: authority == nil ? .leaf : authority?.issuer == nil ? .root : .intermediate,
            alias: certificate.subject == "CN=\(name)" || authority == nil
                ? nil : String(certificate.subject.trimmingPrefix("CN=")),
            mayIssue: authority?.isAuthority ?? false,
            anchor: anchors.first { $0.certificate == certificate }?.origin,
            isSent: chain.contains(certificate),
            key: key,
            keyDescription: certificate.keyDescription,
            holder: owner ?? .attacker,
            names: names,
            window: authority == nil ? leaf?.valid : authority?.valid,
            begins: seconds(until: certificate.validity.notBefore),
            ends: seconds(until: certificate.validity.notAfter),
            policies: zip(policies, scopes).filter { isPinned(certificate, at: index, by: $1) }.map(\.0.name),
            certificate: certificate
        )
    }

    /// Certificates know whole seconds only.
    private func seconds(until date: Date) -> Int {
        Int(date.timeIntervalSince1970.rounded(.down) - instant.timeIntervalSince1970.rounded(.down))
    }

    private func authority(of certificate: Certificate) throws -> AuthorityDeclaration? {
        try blueprint.authorities.first {
            try pki.authority(named: $0.name, at: step.at).certificate == certificate
        }
    }

    /// The chain that an appended leaf belongs to.
    private func lender(of certificate: Certificate) throws -> ChainDeclaration? {
        try blueprint.chains.first {
            try pki.identity(chain: $0.name, at: step.at, host: step.host).leaf == certificate
        }
    }

    private func isPinned(_ certificate: Certificate, at index: Int?, by scope: PinScope?) -> Bool {
        // What was only sent counts only for those who look there.
        let lists = scope?.lists.filter { index != nil || $0.search == .presentedChain } ?? []
        return lists.contains { $0.matches(certificate, at: index) }
    }
}

extension PinScope.List {
    /// - Parameter index: its place in the path, leaf first; `nil` beside the path.
    func matches(_ certificate: Certificate, at index: Int?) -> Bool {
        switch position {
        case .leaf where index != 0, .authority where index == 0: false
        default: digests.contains { $0.matches(certificate) }
        }
    }
}
