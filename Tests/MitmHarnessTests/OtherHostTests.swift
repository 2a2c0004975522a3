import MitmHarness
import TestSupport
import Testing
import Witness

@testable import Scenarios

/// Redirects to a host that has a chain of its own.
@Suite(.enabled(if: Tool("curl") != nil, "curl is not installed")) struct `H13: A redirect to another host` {
    private static let curl = "curl --silent --fail --max-time 60 --cacert {trust} --connect-to ::{endpoint}"

    private static func client(_ run: String) throws -> CommandClient {
        try CommandClient(
            CommandDeclaration(
                run: run,
                refused: OutcomeRule(exit: [60, 90]),
                refusedPin: OutcomeRule(exit: [90])
            )
        )
    }

    /// The last step: the first is a control.
    private static func play(
        _ options: String,
        to url: String = "https://other.example:{port}/landing",
        also: String = ""
    ) async throws -> StepResult {
        let step = """
            - { present: today, store: attacked, \(also) origin: { "GET /*": { redirect: "\(url)" } } }
            """
        return try await #require(playSteps(step, client("\(curl) \(options) {url}")).steps.last)
    }

    @Test func `is judged by that host's chain`() async throws {
        let pinned = try await Self.play("--location --pinnedpubkey {pins}", also: "also: { other.example: forged },")
        let naive = try await Self.play("--location", also: "also: { Other.example: forged },")

        #expect(pinned.judgement == Judgement(.pass, .obeyed))
        #expect(pinned.consequence == .protected)
        #expect(pinned.attribution == .pin)
        #expect(naive.judgement == Judgement(.fail, .talkedToTheWrongServer))
        #expect(naive.consequence == .intercepted)
    }

    @Test func `to a good chain must be followed, and one that is not followed proves nothing`() async throws {
        let followed = try await Self.play("--location --pinnedpubkey {pins}", also: "also: { other.example: today },")
        let left = try await Self.play("--pinnedpubkey {pins}", also: "also: { other.example: today },")

        #expect(followed.judgement == Judgement(.pass, .obeyed))
        #expect(followed.consequence == .served)
        #expect(left.judgement == Judgement(.notApplicable, .neverCame("other.example")))
        #expect(left.consequence == .served)
    }

    @Test func `without a chain there is shown the step's own, which is not for it`() async throws {
        let pinned = try await Self.play("--location --pinnedpubkey {pins}")
        let unpinned = try await Self.play("--location")
        let unchecked = try await Self.play("--location --insecure")

        #expect(pinned.judgement == Judgement(.pass, .obeyed))
        #expect(unpinned.judgement == Judgement(.pass, .obeyed))
        #expect(unchecked.judgement == Judgement(.fail, .acceptedWhatItsPolicyForbids))
    }

    @Test func `that leaves TLS must not be followed`() async throws {
        let url = "http://other.example:{port}/landing"
        let followed = try await Self.play("--location --pinnedpubkey {pins}", to: url)
        let refused = try await Self.play("--location --proto-redir =https --pinnedpubkey {pins}", to: url)

        #expect(followed.judgement == Judgement(.fail, .spokeInTheClear))
        #expect(refused.judgement == Judgement(.pass, .obeyed))
    }

    @Test(arguments: ["https://other.example:{port}/", "http://{host}:{port}/"])
    func `may be refused by a client that says so`(url: String) async throws {
        let script = "\(Self.curl) --pinnedpubkey {pins} --head {url} | grep -qi location && exit 60"
        let step = #"- { present: today, origin: { "GET /*": { redirect: "\#(url)" } } }"#
        let wary = try await playSteps(step, Self.client("sh -c '\(script)'"))
        let late = try await playSteps("- { present: today }", Self.client("sh -c '\(Self.curl) {url}; exit 60'"))

        #expect(wary.steps.map(\.judgement) == [Judgement(.pass, .obeyed)])
        #expect(wary.steps.map(\.consequence) == [.served])
        #expect(late.steps.map(\.judgement) == [Judgement(.fail, .refusedTooLate)])
    }

    /// One that looks at another host first, or afterwards, of its own accord.
    @Test func `of the client's own accord is not held against what it sent to its own host`() async throws {
        let other = "\(Self.curl) https://metrics.example.net:{port}/"
        let own = "\(Self.curl) --pinnedpubkey {pins} {url}"
        let told = try await playSteps("- { present: today }", Self.client("sh -c '\(own) && \(other)'"))
        let first = try await playSteps("- { present: today }", Self.client("sh -c '\(other); \(own) && exit 60'"))
        let attacked = try await playSteps(
            "- { present: forged, store: attacked }",
            Self.client("sh -c '\(Self.curl) {url} && \(Self.curl) https://metrics.example.net:1/ --insecure; exit 60'")
        )

        #expect(told.steps.map(\.judgement) == [Judgement(.pass, .obeyed)])
        #expect(first.steps.map(\.judgement) == [Judgement(.pass, .obeyed)])
        #expect(attacked.steps.last?.judgement == Judgement(.fail, .leaked))
        #expect(attacked.steps.last?.consequence == .intercepted)
    }

    /// curl pins one host here, and follows to another.
    @Test func `is held to the policy for that host`() async throws {
        let steps = """
            - present: today
              also: { other.example: rotated }
              origin: { "GET /*": { redirect: "https://other.example:{port}/" } }
            """
        let client = try Self.client(
            "sh -c '\(Self.curl) --pinnedpubkey {pins} {url} && \(Self.curl) https://other.example:{port}/'"
        )
        let catalogue = { (hosts: String) in
            try Catalogue(
                Catalogue.storyText(steps).replacing("position: leaf }", with: "position: leaf\(hosts) }"),
                file: "story.yaml"
            )
        }
        let play = { (catalogue: Catalogue) in
            try #require(await catalogue.runner(.quick) { _ in client }.run(catalogue.file.trials).first?.steps.last)
        }

        let one = try await play(catalogue(", hosts: [api.acme.example]"))
        let all = try await play(catalogue(""))

        #expect(one.judgement == Judgement(.pass, .obeyed))
        #expect(one.consequence == .served)
        #expect(all.judgement == Judgement(.fail, .acceptedWhatItsPolicyForbids))
    }

    @Test func `counts as refused only beside a good chain of that host`() async throws {
        let other = "\(Self.curl) https://other.example:{port}/"
        let client = { (pins: String) in
            try Self.client("sh -c '\(Self.curl) --pinnedpubkey {pins} {url} && \(other) --pinnedpubkey \(pins)'")
        }
        let step = "- { present: today, store: attacked, also: { other.example: forged } }"
        let wrongPin = "sha256//AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="

        let pinned = try await playSteps(step, client("{pins}"))
        let broken = try await playSteps(step, client(wrongPin))
        let declared = try await playSteps(step.replacing("forged", with: "today") + "\n" + step, client(wrongPin))

        #expect(pinned.steps.map(\.planned.isControl) == [true, false])
        #expect(pinned.steps.map(\.judgement) == [Judgement(.pass, .obeyed), Judgement(.pass, .obeyed)])
        #expect(
            broken.steps.map(\.judgement)
                == [Judgement(.fail, .refusedWhatItsPolicyAccepts), Judgement(.inconclusive, .noControl)]
        )
        #expect(declared.steps.map(\.planned.isControl) == [false, false])
        #expect(declared.steps.last?.judgement == Judgement(.inconclusive, .noControl))
    }
}
