package import Scenarios
package import Witness

/// A step that is shown to whoever comes, until it is closed. Nobody judges what they do.
package final class ShowCase: Sendable {
    private let stage: Stage
    private let end: AsyncStream<Void>.Continuation
    private let play: Task<Void, Never>

    fileprivate init(_ stage: Stage, _ end: AsyncStream<Void>.Continuation, _ play: Task<Void, Never>) {
        (self.stage, self.end, self.play) = (stage, end, play)
    }

    package var port: Int { stage.proxy.port }
    package var observations: [Observation] { stage.proxy.observations() }

    package func close() async {
        end.finish()
        await play.value
    }
}

extension Runner {
    /// Shows a step of a scenario until it is closed.
    package func show(_ step: Step, of scenario: Scenario) async throws -> ShowCase {
        let oracle = try oracle.playing(scenario)
        let (ending, end) = AsyncStream.makeStream(of: Void.self)
        let (opening, opened) = AsyncStream.makeStream(of: Result<Stage, any Error>.self)
        let play = Task { [options] in
            do {
                // People think, and devices keep connections.
                try await Stage.with(oracle.pki, limits: options, clientTimeout: .seconds(86_400)) { stage in
                    try await stage.present(step)
                    opened.yield(.success(stage))
                    for await () in ending {}
                }
            } catch {
                opened.yield(.failure(error))
            }
            opened.finish()
        }
        for await result in opening { return ShowCase(try result.get(), end, play) }
        throw CancellationError()
    }
}
