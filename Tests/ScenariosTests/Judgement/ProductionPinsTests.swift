import Foundation
import Pinning
import Synchronization
import TLSCore
import TestSupport
import Testing

@testable import Scenarios

/// An app with production's pins, whose keys nobody here has: the oracle is asked no more often than a file is long.
struct ProductionPinsTests {
    private final class Questions: Sendable {
        let count = Mutex(0)
    }

    /// The pin of somebody else's key, which counts how often it is asked.
    private struct StrangersPin: HostlessPinConfiguration {
        static let dialect = Dialect.delegate
        static let format = LeafDelegate.format
        static var onlyKeyType: KeyType? { nil }
        var questions: Questions
        var checks = PinPolicy.Failure.block

        var pins: [ConfiguredPin] { [ConfiguredPin(domain: nil, pin: Pin(hashing: [1]), position: .leaf)] }
        var scopes: [PinScope] {
            [PinScope(written: [.init(keys: [Pin(hashing: [1])], position: .leaf)], failure: checks)]
        }
        var bringsAnchors: Bool { false }

        func decide(_ situation: Situation) -> Decision {
            questions.count.withLock { $0 += 1 }
            let pins = [PinRequirement(pins: [Pin(hashing: [1])], position: .leaf)]
            return situation.decide(PinPolicy(requirements: pins, failure: checks))
        }

        func mapPins(_ transform: (Pin) -> Pin) -> StrangersPin { self }
        func rendered() -> String { "" }
        func remembered(from host: String, path: [Certificate]) -> StrangersPin { self }
        func ownFindings(at instant: Date) -> [PolicyFinding] { [] }
        func ownFindings(of scope: PinScope, knownChain: [Certificate]) -> [PolicyFinding] { [] }
    }

    /// A file with as many chains, stores, hosts and times as said, and each step at another place.
    private static func file(size: Int, upstream: Bool, failure: PinPolicy.Failure = .block) throws -> (
        file: ScenarioFile, oracle: Oracle, questions: Questions
    ) {
        let range = 1...size
        let text = """
            version: 1
            host: \(Sample.host)
            \(upstream ? "upstream: { url: \"https://127.0.0.1:4433\", trust: roots.pem }" : "")
            keys: { leaf: {} }
            authorities: { root: {} }
            stores: { \(range.map { "s\($0): { system: [root] }" }.joined(separator: ", ")) }
            chains: { \(range.map { "c\($0): { key: leaf, issuer: root }" }.joined(separator: ", ")) }
            clients: { reference: { kind: reference } }
            policies: { app: { file: app.plist } }
            scenarios:
              - name: story
                steps: [ \(range.map { "{ at: \($0)d, store: s\($0), present: c\($0) }" }.joined(separator: ", ")) ]
            """
        let questions = Questions()
        let file = try ScenarioFile(
            ScenarioSource(file: "f.yaml", text: text),
            files: NamedFiles(
                policy: { _, _, _, _ in StrangersPin(questions: questions, checks: failure) },
                body: { _, _ in Array(PEM.encode(Sample.root.certificate).utf8) }
            )
        )
        return (file, Oracle(try PKI(file.blueprint, now: Sample.now)), questions)
    }

    @Test
    func `B: that a policy accepts nobody is asked of each chain where steps are, and not everywhere at all times`()
        throws
    {
        let size = 6
        let (file, oracle, questions) = try Self.file(size: size, upstream: false)

        let problems = try file.contradictions(oracle, instant: Sample.now)

        #expect(problems.count == 1)
        // Each store at the file's host, and each step.
        #expect(questions.count.withLock { $0 } == size * (size + size))
    }

    @Test func `B: that a policy accepts the genuine server is known without a question`() throws {
        let (file, oracle, questions) = try Self.file(size: 6, upstream: true)

        #expect(try file.contradictions(oracle, instant: Sample.now).isEmpty)
        #expect(questions.count.withLock { $0 } == 0)
    }

    @Test func `B: a control of production's pins is not looked for among chains that no pin of theirs fits`() throws {
        let size = 6
        let (file, oracle, questions) = try Self.file(size: size, upstream: true)

        let planned = try oracle.plan(file.trials[0], instant: Sample.now)

        #expect(planned.filter(\.isControl).map(\.step.present) == Array(repeating: ["upstream"], count: size))
        #expect(questions.count.withLock { $0 } == size)
    }

    @Test func `B: where a wrong pin stops nobody, the file's own chains are looked at`() throws {
        let (file, oracle, _) = try Self.file(size: 1, upstream: true, failure: .report)
        var trial = file.trials[0]
        // Weak enough for a refusal, and so in want of a control.
        trial.scenario.steps[0].tls = .tls1_1

        let planned = try oracle.plan(trial, instant: Sample.now)

        #expect(planned.allSatisfy { !$0.isGenuine })
    }

    @Test func `B: the genuine server speaks the versions that it speaks, whatever a step limits ours to`() throws {
        let (file, oracle, _) = try Self.file(size: 1, upstream: true)
        var trial = file.trials[0]
        trial.scenario.steps[0].tls = .tls1_1

        let planned = try oracle.plan(trial, instant: Sample.now)

        #expect(planned.map(\.step.present) == [["upstream"], ["c1"]])
        #expect(planned[0].shownChains[0].decision == Decision(.accept, .trusted))
    }
}
