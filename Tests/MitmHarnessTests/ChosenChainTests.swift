import MitmHarness
import Pinning
import TestSupport
import Testing

@testable import Scenarios

/// A server with a certificate for RSA and one for ECDSA, against a client that says what it likes.
@Suite(.enabled(if: Tool("openssl") != nil, "openssl is not installed")) struct `A server that chooses by the hello` {
    private static let ecdsa = "ECDSA+SHA256"
    private static let rsa = "RSA-PSS+SHA256:RSA+SHA256"

    /// The second step: the first is a control.
    private static func play(_ options: String, pins: String = "leaf-1") async throws -> StepResult {
        let text = Catalogue.storyText("- { present: today }\n- { present: [today, old], chosen-by: hello }")
            .changing("leaf-2: {}", to: "leaf-2: { type: rsa2048 }")
            .changing("rotated: {", to: "old: {")
            .changing("pins: [leaf-1]", to: "pins: [\(pins)]")
        let catalogue = try Catalogue(text, file: "story.yaml")
        let command =
            "printf \"GET / HTTP/1.0\\r\\n\\r\\n\" | openssl s_client -connect {endpoint} -servername {host} "
            + "-CAfile {trust} -verify_return_error -quiet \(options)"
        let client = try CommandClient(CommandDeclaration(run: "sh -c '\(command)'", refused: OutcomeRule(exit: [1])))
        let result = await catalogue.runner { _ in client }.run(catalogue.file.trials).first
        return try #require(result?.steps.last)
    }

    @Test(
        arguments: [
            ("-sigalgs \(ecdsa):\(rsa)", "today"), ("-sigalgs \(rsa):\(ecdsa)", "old"), ("-sigalgs \(rsa)", "old"),
            ("-tls1_2 -sigalgs \(rsa):\(ecdsa)", "old"), ("-tls1_2 -sigalgs \(ecdsa):\(rsa)", "today"),
            ("-tls1_2 -sigalgs \(ecdsa):\(rsa) -cipher ECDHE-RSA-AES128-GCM-SHA256", "old"),
        ]
    )
    func `shows the chain that the client likes, and the other need not be seen`(options: String, chain: String)
        async throws
    {
        let result = try await Self.play(options, pins: "leaf-1, leaf-2")

        #expect(result.attempts.flatMap(\.observations).map(\.shown) == [chain])
        #expect(result.judgement == Judgement(.pass, .obeyed))
    }

    /// This client compares no pins; so it does wrong where the policy knows one of the keys only.
    @Test func `is judged by the chain that it showed`() async throws {
        let known = try await Self.play("-sigalgs \(Self.ecdsa):\(Self.rsa)")
        let unknown = try await Self.play("-sigalgs \(Self.rsa):\(Self.ecdsa)")

        #expect(known.judgement == Judgement(.pass, .obeyed))
        #expect(unknown.judgement == Judgement(.fail, .acceptedWhatItsPolicyForbids))
        #expect(known.planned.shownChains.map(\.decision.demand) == [.accept, .reject])
    }
}
