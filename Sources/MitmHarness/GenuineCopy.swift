import Scenarios
import Synchronization

/// The genuine server's chain as attackers copy it: asked for once in a run.
final class GenuineCopy: Sendable {
    private let asking = Mutex<Task<PKI.Genuine, any Error>?>(nil)

    func chain(_ ask: @escaping @Sendable () async throws -> PKI.Genuine) async throws -> PKI.Genuine {
        let task = asking.withLock { asking in
            let task = asking ?? Task { try await ask() }
            asking = task
            return task
        }
        return try await task.value
    }
}
