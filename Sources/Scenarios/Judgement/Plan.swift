public import Foundation
import Pinning
import TLSCore

/// A step as it will be run: the file's, or a control that the runner inserts.
public struct PlannedStep: Hashable, Sendable {
    public var step: Step
    /// The file does not declare it: it only shows that the client can accept.
    public var isControl: Bool
    public var showings: [Showing]

    public init(step: Step, isControl: Bool = false, showings: [Showing]) {
        self.step = step
        self.isControl = isControl
        self.showings = showings
    }

    /// Whether a client that refuses here must be shown to be able to accept.
    var needsControl: Bool { showings.contains { $0.decision.demand != .accept } }

    /// Whether passing here shows that the client can accept its own server.
    var isAcceptance: Bool {
        showings.allSatisfy { $0.decision.demand == .accept && $0.holder == .owner }
    }

    /// Where a control counts: the same host, the same store, and the same choice of TLS versions.
    struct Scene: Hashable {
        var host: String
        var store: String
        var tls: TLSVersion?
    }

    /// A step about an old version itself is proven by an ordinary one: where it leaves everything to the TLS stack, or
    /// where a platform's rule and no pin forbids what the step speaks.
    var scene: Scene {
        let isOld = step.tls.map { $0 < .tls1_2 } ?? false
        let isAboutVersion = showings.allSatisfy { showing in
            if isOld, case .systemRule = showing.decision.reason { return true }
            return showing.decision.demand == .either
        }
        return Scene(host: step.host, store: step.store, tls: isAboutVersion ? nil : step.tls)
    }
}

extension Oracle {
    /// The steps of a trial, each with its demands, and before the first step that must be refused a control, where
    /// the file declares none for that host and store.
    public func plan(_ trial: Trial, instant: Date) throws -> [PlannedStep] {
        var planned = try trial.scenario.steps.map { step in
            PlannedStep(step: step, showings: try decide(trial.policy, step: step, instant: instant))
        }
        let declared = Set(planned.filter(\.isAcceptance).map(\.scene))
        var wanting = Set(planned.filter(\.needsControl).map(\.scene)).subtracting(declared)
        var index = 0
        while index < planned.count {
            defer { index += 1 }
            let step = planned[index]
            guard step.needsControl, wanting.contains(step.scene),
                let control = try control(for: step.step, in: step.scene, policy: trial.policy, instant: instant)
            else { continue }
            // Where none is possible yet, a later step's time may allow one.
            wanting.remove(step.scene)
            planned.insert(control, at: index)
            index += 1
        }
        return planned
    }

    /// The first owner chain in file order that the policy accepts, at the step's time, host and store.
    private func control(
        for step: Step,
        in scene: PlannedStep.Scene,
        policy: PolicyDeclaration,
        instant: Date
    ) throws -> PlannedStep? {
        for chain in pki.blueprint.chains where pki.blueprint.holder(of: chain) == .owner {
            var control = step
            control.present = [chain.name]
            control.attempts = 1
            control.tls = scene.tls
            control.note = nil
            control.locksOut = nil
            control.intercepts = nil
            let showings = try decide(policy, step: control, instant: instant)
            guard showings.allSatisfy({ $0.decision.demand == .accept }) else { continue }
            return PlannedStep(step: control, isControl: true, showings: showings)
        }
        return nil
    }
}
