import MitmHarness
import TestSupport
import Testing

@testable import Scenarios

/// No server can make a client leave out its SNI (RFC 6066 section 3); so a client that does has to be judged right.
@Suite(.enabled(if: Tool("openssl") != nil, "openssl is not installed")) struct `Of a client without SNI` {
    private static let named = openssl("-servername {host}")
    private static let unnamed = openssl("-noservername")

    private static func openssl(_ options: String) -> String {
        "printf \"GET / HTTP/1.0\\r\\n\\r\\n\" | openssl s_client -connect {endpoint} \(options) -CAfile {trust} "
            + "-verify_hostname {host} -verify_return_error -quiet"
    }

    private static func play(_ steps: String, _ commands: String) async throws -> TrialResult {
        try await playSteps(
            steps,
            CommandClient(CommandDeclaration(run: "sh -c '\(commands)'", refused: OutcomeRule(exit: [1])))
        )
    }

    @Test func `the own server is accepted, and one whose root is not trusted is rejected`() async throws {
        let result = try await Self.play("- { present: today }\n- { present: forged }", Self.unnamed)

        #expect(result.steps.map(\.judgement) == [Judgement(.pass, .obeyed), Judgement(.pass, .obeyed)])
        #expect(result.steps.map(\.consequence) == [.served, .protected])
    }

    /// Its certificate is for the host, or the client would be protected by a name.
    @Test func `an attacker with a trusted root is found`() async throws {
        let steps = "- { present: today, store: attacked }\n- { present: forged, store: attacked }"
        let unnamed = try await Self.play(steps, Self.unnamed)
        let named = try await Self.play(steps, Self.named)

        #expect(unnamed.steps.map(\.judgement) == named.steps.map(\.judgement))
        #expect(unnamed.steps.last?.judgement == Judgement(.fail, .talkedToTheWrongServer))
        #expect(unnamed.steps.last?.consequence == .intercepted)
    }

    /// The second connection of an attempt is the second, whatever it names.
    @Test(arguments: [named, unnamed, openssl("-servername API.Acme.Example.")])
    func `it takes its turn in a step with several chains`(second: String) async throws {
        let steps = "- { present: [today, forged], store: attacked }"
        let result = try await Self.play(steps, "\(Self.named) && \(second)")

        #expect(result.steps.last?.attempts.flatMap(\.observations).map(\.shown) == ["today", "forged"])
        #expect(result.steps.last?.judgement == Judgement(.fail, .talkedToTheWrongServer))
    }

    @Test func `the report says so, and says nothing of one that has it`() async throws {
        let report = { (command: String) in
            let trials = [try await Self.play("- { present: today }", command)]
            return Report(file: "story.yaml", started: Sample.now, duration: .zero, trials: trials, planned: 1)
        }

        #expect(try await report(Self.unnamed).clientsWithoutServerName == ["client"])
        #expect(try await report(Self.named).clientsWithoutServerName == [])
    }
}
