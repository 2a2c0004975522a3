package import Foundation
import Pinning
import TLSCore

/// A step as it will be run: the file's, or a control that the runner inserts.
package struct PlannedStep: Hashable, Sendable {
    package var step: Step
    /// The file does not declare it: it only shows that the client can accept.
    package var isControl: Bool = false
    package var shownChains: [ShownChain]
    /// What is shown at other hosts.
    package var others: [ShownChain] = []
    /// What is shown at the step's host, as it must be taken for another host that is asked for on the same connection.
    var carried: [ShownChain] = []
    /// What its collector must be told; `nil`: nothing is asked of it.
    package var reporting: ReportDemand?
    /// Whether the policy has pins for the step's host: without any, no refusal is their doing.
    package var isPinned = true
    /// Where a control counts whose place is not the step's own: for a host that the policy accepts nothing of.
    var controlScene: Scene?

    /// Whether a client that refuses here must be shown to be able to accept.
    var needsControl: Bool { shownChains.contains { $0.decision.demand != .accept } }

    /// Whether the client meets the genuine server here, and its connections are passed through.
    package var isGenuine: Bool { shownChains.contains(where: \.isGenuine) }

    /// Whether passing here shows that the client can accept its own server.
    package var isAcceptance: Bool {
        step.handshake?.showsNothing != true
            && shownChains.allSatisfy { $0.decision.demand == .accept && $0.holder == .owner }
    }

    /// Whether a client that accepts here has shown that it can: also where its TLS stack may lack the old version spoken, or
    /// may not take the name as it is written.
    var mayProve: Bool {
        step.handshake?.showsNothing != true
            && shownChains.allSatisfy { shown in
                guard shown.holder == .owner, shown.decision.demand == .either else {
                    return shown.holder == .owner && shown.decision.demand == .accept
                }
                return switch shown.decision.reason {
                case .oldVersion, .hostWithADot: true
                default: false
                }
            }
    }

    /// Where a control counts: the same host, the same store, the same choice of TLS versions, and the same clock.
    struct Scene: Hashable {
        var host: String
        var store: String
        var tls: TLSVersion?
        var clock = StoryTime.zero
        /// Whether the client is asked for a certificate of its own, which some cannot bear.
        var asks = false
    }

    /// A step about an old version itself is proven by an ordinary one: where it leaves everything to the TLS stack, or
    /// where a platform's rule and no pin forbids what the step speaks.
    var scene: Scene {
        let isOld = step.tls.map { $0 < .tls1_2 } ?? false
        let isAboutVersion = shownChains.allSatisfy { shown in
            if isOld, case .systemRule = shown.decision.reason { return true }
            return shown.decision.demand == .either
        }
        return Scene(
            host: step.writtenHost,
            store: step.store,
            tls: isAboutVersion ? nil : step.tls,
            clock: step.clock,
            asks: step.asks
        )
    }

    /// What an acceptance here is a control of.
    var provenScene: Scene {
        isAcceptance
            ? scene
            : Scene(host: step.writtenHost, store: step.store, tls: step.tls, clock: step.clock, asks: step.asks)
    }

    /// Who can bear to be asked accepts as well where it is not.
    var provenScenes: [Scene] { [provenScene, provenScene.unasked].uniqued }

    /// Where a control counts of what the file has other hosts show and a client may refuse.
    var refusableElsewhere: [Scene] { declaredElsewhere.filter { $0.decision.demand != .accept }.map(scene) }

    /// Which other hosts passing here shows the client to accept.
    var acceptableElsewhere: [Scene] {
        declaredElsewhere.filter { $0.decision.demand == .accept && $0.holder == .owner }.map(scene)
    }

    private var declaredElsewhere: [ShownChain] {
        others.filter { shown in step.also.contains { $0.host == shown.otherHost } }
    }

    func scene(of other: ShownChain) -> Scene {
        Scene(
            host: other.otherHost ?? "",
            store: step.store,
            tls: step.tls,
            clock: step.clock,
            asks: step.asks
        )
    }

    /// Where this step's control counts.
    var provingScene: Scene { controlScene ?? scene }
}

extension Oracle {
    /// The steps of a trial, each with its demands, and before the first step that must be refused a control, where
    /// the file declares none for that host and store.
    package func plan(_ trial: Trial, instant: Date) throws -> [PlannedStep] {
        var planned = try trial.scenario.steps.map { try self.planned($0, trial.policy, instant) }
        try proveElsewhere(&planned, trial, instant)
        let declared = Set(planned.filter(\.mayProve).flatMap(\.provenScenes))
        var wanting = Set(planned.filter(\.needsControl).map(\.scene)).subtracting(declared)
        var index = 0
        while index < planned.count {
            defer { index += 1 }
            let step = planned[index]
            guard step.needsControl, wanting.contains(step.scene),
                let control = try control(for: step.step, in: step.scene, of: trial, instant)
            else { continue }
            // Where none is possible yet, a later step's time may allow one.
            wanting.remove(step.scene)
            planned.insert(control, at: index)
            index += 1
        }
        try proveByParents(&planned, wanting, trial, instant)
        return planned
    }

    /// Who is to refuse at another host is first led to the owner's chain there.
    private func proveElsewhere(_ planned: inout [PlannedStep], _ trial: Trial, _ instant: Date) throws {
        var proven = Set(planned.flatMap(\.acceptableElsewhere) + planned.filter(\.mayProve).flatMap(\.provenScenes))
        var index = 0
        while index < planned.count {
            defer { index += 1 }
            let step = planned[index]
            guard !proven.isSuperset(of: step.refusableElsewhere),
                var control = try control(for: step.step, in: step.scene, of: trial, instant)
            else { continue }
            control.step.origin = step.step.origin
            control.step.also = try step.step.also.compactMap { other in
                var scene = step.scene
                (scene.host, scene.tls) = (other.host, step.step.tls)
                let accepted = try self.control(for: step.step, in: scene, of: trial, instant)
                return accepted.map { OtherHost(host: other.host, chain: $0.step.present[0]) }
            }
            control.others = try decideElsewhere(trial.policy, step: control.step, instant: instant)
            guard Set(control.acceptableElsewhere).isSuperset(of: step.refusableElsewhere) else { continue }
            proven.formUnion(step.refusableElsewhere)
            planned.insert(control, at: index)
            index += 1
        }
    }

    /// A trial of nothing but the first step in which this one shows the client's own server; `nil` where it does not.
    package func control(of trial: Trial, instant: Date) throws -> Trial? {
        guard let step = try plan(trial, instant: instant).first(where: \.isAcceptance)?.step else { return nil }
        var trial = trial
        trial.scenario.name = "control"
        trial.scenario.steps = [step]
        return trial
    }

    private func planned(_ step: Step, _ policy: PolicyDeclaration, _ instant: Date) throws -> PlannedStep {
        var planned = PlannedStep(step: step, shownChains: try decide(policy, step: step, instant: instant))
        planned.others = try decideElsewhere(policy, step: step, instant: instant)
        planned.carried = try decideCarried(policy, step: step, instant: instant)
        planned.reporting = try reportDemand(policy, planned.shownChains, step, instant)
        planned.isPinned = pki.hasPins(policy, host: step.host)
        return planned
    }

    /// A system may turn away every host that it has no entry for. That its client can accept at all is then shown by
    /// the nearest host above that is accepted.
    private func proveByParents(
        _ planned: inout [PlannedStep],
        _ wanting: Set<PlannedStep.Scene>,
        _ trial: Trial,
        _ instant: Date
    ) throws {
        var index = 0
        while index < planned.count {
            defer { index += 1 }
            let step = planned[index]
            guard step.needsControl, wanting.contains(step.scene), step.shownChains.allSatisfy(\.isByRule) else {
                continue
            }
            var parent = step.scene
            while let dot = parent.host.firstIndex(of: "."), parent.host[dot...].dropFirst().contains(".") {
                parent.host = String(parent.host[dot...].dropFirst())
                guard let control = try control(for: step.step, in: parent, of: trial, instant) else {
                    continue
                }
                planned[index].controlScene = parent
                if !planned[..<index].contains(where: { $0.isAcceptance && $0.scene == parent }) {
                    planned.insert(control, at: index)
                    index += 1
                }
                break
            }
        }
    }

    /// The first chain of the owner that the policy accepts, at the step's time, host and store: of the scenario's own
    /// chains, then of those that any step shows, then of the rest, each in file order.
    private func control(
        for step: Step,
        in scene: PlannedStep.Scene,
        of trial: Trial,
        _ instant: Date
    ) throws -> PlannedStep? {
        var chains = pki.blueprint.chains.filter { pki.blueprint.holder(of: $0) == .owner }
        if chains.contains(where: \.isGenuine), try pinsStrangers(trial.policy, step, at: scene.host, instant) {
            chains.removeAll { !$0.isGenuine }
        }
        let own = Set(trial.scenario.steps.flatMap(\.present))
        let groups = [chains.filter { own.contains($0.name) }, chains.filter { trial.shown.contains($0.name) }, chains]
        for chain in groups.joined() {
            var control = step
            control.writtenHost = scene.host
            control.present = [chain.name]
            control.attempts = 1
            control.tls = scene.tls
            // It shows that the client can accept: whatever else a step asks of it does not belong there.
            control.origin = trial.scenario.origin?.staying(at: step.host)
            control.budget = nil
            control.resumption = false
            control.nearMiss = nil
            control.handshake = nil
            control.restart = false
            control.isChosenByHello = false
            control.reports = false
            control.limits = TLSOffer(clientCertificate: scene.asks ? step.limits.clientCertificate : nil)
            control.also = []
            control.note = nil
            control.locksOut = nil
            control.intercepts = nil
            var candidate = try planned(control, trial.policy, instant)
            candidate.isControl = true
            if candidate.mayProve { return candidate }
        }
        return nil
    }

    /// Whether what a policy pins for a host is known to nobody here, so that it accepts none of the chains that are ours and
    /// they need not be minted: an app with production's pins.
    private func pinsStrangers(
        _ policy: PolicyDeclaration,
        _ step: Step,
        at host: String,
        _ instant: Date
    ) throws -> Bool {
        let seen = clocked(step, instant)
        let pki = seen.oracle.pki
        let scope = try pki.configuration(of: policy, at: step.at, host: host).scope(for: host)
        guard let scope, !scope.isToothless(at: seen.instant),
            // What a user has installed may be exempt.
            try pki.store(named: step.store, at: step.at).anchors.allSatisfy({ $0.origin == .system })
        else { return false }
        return scope.lists.contains { !$0.digests.isEmpty && $0.digests.allSatisfy { !pki.mayKnow($0) } }
    }
}

extension PlannedStep.Scene {
    var unasked: Self {
        var scene = self
        scene.asks = false
        return scene
    }
}

extension Step {
    fileprivate var asks: Bool { limits.clientCertificate != nil }
}

extension ShownChain {
    /// Whether a rule of the system turns it away, and no certificate could change that.
    fileprivate var isByRule: Bool {
        if case .systemRule = decision.reason { decision.demand == .reject } else { false }
    }
}
