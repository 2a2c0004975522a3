import MitmHarness
import Scenarios
import Synchronization
import Testing

/// Plays some steps, as YAML, to a client that pins `leaf-1`.
func playSteps(
    _ steps: String,
    _ client: any ClientUnderTest,
    patience: Duration = RunnerOptions.quick.patience
) async throws -> TrialResult {
    let catalogue = try Catalogue.story(steps)
    var options = RunnerOptions.quick
    options.patience = patience
    return try #require(await catalogue.runner(options) { _ in client }.run(catalogue.file.trials).first)
}

extension Catalogue {
    /// One scenario of these steps, for one policy.
    static func story(_ steps: String) throws -> Catalogue { try Catalogue(storyText(steps), file: "story.yaml") }

    static func storyText(_ steps: String) -> String {
        """
        version: 1
        host: api.acme.example
        keys:
          leaf-1: {}
          leaf-2: {}
          evil: { by: attacker }
        authorities:
          acme-root: {}
          other-root: {}
          mallory: { by: attacker }
        stores:
          phone: { system: [acme-root] }
          attacked: { system: [acme-root], user: [mallory] }
          elsewhere: { system: [other-root] }
        chains:
          today: { key: leaf-1, issuer: acme-root }
          rotated: { key: leaf-2, issuer: acme-root }
          forged: { key: evil, issuer: mallory }
        policies:
          leaf-only: { pins: [leaf-1], position: leaf }
        clients:
          client: { kind: reference }
        scenarios:
          - name: story
            steps:
        \(steps.split(separator: "\n").map { "      \($0)" }.joined(separator: "\n"))
        """
    }
}

/// Obeys, and lets the test take part.
struct EventfulClient: ClientUnderTest {
    var onAttempt: @Sendable () async -> Void
    var onFinish: @Sendable () -> Void = {}
    var onEndpoint: @Sendable (Endpoint) -> Void = { _ in }

    func attempt(
        _ endpoint: Endpoint,
        beforeEnding: @escaping BeforeEnding
    ) async throws(CancellationError) -> ClientReport {
        onEndpoint(endpoint)
        await onAttempt()
        return try await ReferenceClient().attempt(endpoint, beforeEnding: beforeEnding)
    }

    func finish() async { onFinish() }
}

/// Something that happens once, and somebody who waits for it.
struct Signal: Sendable {
    private let stream: AsyncStream<Void>
    private let continuation: AsyncStream<Void>.Continuation

    init() { (stream, continuation) = AsyncStream.makeStream() }

    func send() { continuation.finish() }
    func wait() async { for await _ in stream {} }
}

/// What was seen, in order.
final class Record<Element: Sendable>: Sendable {
    private let elements = Mutex<[Element]>([])

    var all: [Element] { elements.withLock(\.self) }

    @Sendable func append(_ element: Element) { elements.withLock { $0.append(element) } }
}
