import Foundation
import MitmProxy
import NIOCore
import Pinning
package import Scenarios
import Witness

/// A look at a device before its drill: the app's own server is shown, and what comes is sorted.
package struct DeviceCheck: Sendable {
    private let stage: Stage
    private let step: Step
    private let page: DevicePage?

    /// - Returns: what `body` does, or `nil` where the trial never shows the app its own server.
    package static func with<Result: Sendable>(
        _ trial: Trial,
        of runner: Runner,
        _ body: (DeviceCheck) async throws -> Result
    ) async throws -> Result? {
        let oracle = try runner.oracle.playing(trial.scenario)
        let planned = try oracle.plan(trial, instant: runner.options.clock())
        guard let own = planned.first(where: { $0.shownChains.allSatisfy { $0.decision.demand == .accept } }) else {
            return nil
        }
        return try await Stage.with(oracle.pki, limits: runner.options, name: "device check") { stage in
            let check = DeviceCheck(stage: stage, step: own.step, page: runner.options.page)
            try await check.lookAnew()
            return try await body(check)
        }
    }

    package var host: String { step.host }
    package var port: Int { stage.proxy.port }

    /// What is in the way, by what was seen since the last `lookAnew`.
    package var finding: DeviceFinding {
        DeviceFinding(seen: stage.proxy.observations(), host: step.host, page: page)
    }

    /// The same, once what a device has done is known.
    package func settled() async throws -> DeviceFinding {
        _ = try await stage.proxy.settle(patience: .milliseconds(500))
        return finding
    }

    /// Forgets what was seen.
    package func lookAnew() async throws {
        page?.note(clock: nil, at: Date())
        var shown = step
        // Nobody is asked for this one.
        shown.origin = step.origin?.showing("0000")
        try await stage.present(shown)
    }
}
