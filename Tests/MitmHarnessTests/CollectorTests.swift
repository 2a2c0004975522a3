import MitmHarness
import Pinning
import TestSupport
import Testing

@testable import Scenarios

/// Obeys, and changes what it reports of that.
private struct TellingClient: ClientUnderTest {
    var change: @Sendable ([TrustKitReport]) -> [TrustKitReport]

    var takesPins: Bool { true }
    var takesCollector: Bool { true }

    func attempt(
        _ endpoint: Endpoint,
        beforeEnding: @escaping BeforeEnding
    ) async throws(CancellationError) -> ClientReport {
        let failures = PinFailures()
        let outcome = await failures.watching(TLSExchange(obeying: endpoint), at: endpoint).run(endpoint)
        for report in change(failures.reports(of: endpoint)) { await report.post(to: endpoint.collector) }
        return ClientReport(outcome, duration: .zero)
    }
}

@Suite struct `A collector` {
    private static let steps = """
        - { present: today, reports: true }
        - { present: forged, store: attacked, reports: true }
        """

    private static func play(
        _ client: any ClientUnderTest,
        _ steps: String = steps,
        failure: String = "block"
    ) async throws -> [Judgement] {
        let text = Catalogue.storyText(steps).replacing("version: 1", with: "version: 1\ncollector: trustkit")
            .replacing("position: leaf }", with: "position: leaf, failure: \(failure) }")
        let catalogue = try Catalogue(text, file: "story.yaml")
        let result = try #require(await catalogue.runner(.quick) { _ in client }.run(catalogue.file.trials).first)
        return result.steps.filter { !$0.planned.isControl }.map(\.judgement)
    }

    private static func changing(_ change: @escaping @Sendable (inout TrustKitReport) -> Void) -> TellingClient {
        TellingClient { reports in
            reports.map { report in
                var report = report
                change(&report)
                return report
            }
        }
    }

    @Test(arguments: ["block", "report"])
    func `is told of each failure once, and of nothing else`(failure: String) async throws {
        let right = try await Self.play(TellingClient { $0 }, failure: failure)
        let reference = try await Self.play(ReferenceClient(), failure: failure)
        let silent = try await Self.play(TellingClient { _ in [] }, failure: failure)
        let eager = try await Self.play(TellingClient { $0 + $0 }, failure: failure)

        #expect(right == [Judgement(.pass, .obeyed), Judgement(.pass, .obeyed)])
        #expect(reference == right)
        #expect(silent == [Judgement(.pass, .obeyed), Judgement(.fail, .missingReport("forged"))])
        #expect(
            eager == [
                Judgement(.pass, .obeyed), Judgement(.fail, .repeatedReport("forged", count: 2, failures: 1)),
            ]
        )
    }

    /// What is wrong with a report, and what must be said of it.
    private enum Flaw: String, CaseIterable {
        case host = "it names the host 'acme.example'"
        case domain = "it names the domain 'other.example'"
        case pins = "its known pins are not those of the policy"
        case enforcement = "it says that pins are enforced: false"
        case result = "it says that the validation succeeded"
        case time = "its time is 'now'"
        case leaf = "its first certificate is not one that was shown"
        case form = "a certificate in it is no PEM"

        func spoil(_ report: inout TrustKitReport) {
            switch self {
            case .host: report.hostname = "acme.example"
            case .domain: report.notedHostname = "other.example"
            case .pins: report.knownPins = []
            case .enforcement: report.enforcePinning = false
            case .result: report.validationResult = .success
            case .time: report.dateTime = "now"
            case .leaf: report.validatedCertificateChain.removeFirst()
            case .form: report.validatedCertificateChain[0].removeLast()
            }
        }
    }

    @Test func `is told what was shown, and by whom`() async throws {
        for flaw in Flaw.allCases {
            let judgements = try await Self.play(Self.changing(flaw.spoil))

            #expect(judgements.last == Judgement(.fail, .wrongReport(flaw.rawValue)))
        }
    }

    /// What it may tell, and what it may not.
    @Test func `is not told of what is accepted, and need not be of what no pin has decided`() async throws {
        let untrusted = "- { present: today }\n- { present: forged, reports: true }"
        let quiet = try await Self.play(TellingClient { _ in [] }, untrusted)
        let vain = try await Self.play(VainClient())

        #expect(quiet.last == Judgement(.pass, .obeyed))
        #expect(vain == [Judgement(.fail, .vainReport("today")), Judgement(.pass, .obeyed)])
    }

    /// One that reports whatever it is shown.
    private struct VainClient: ClientUnderTest {
        var takesPins: Bool { true }
        var takesCollector: Bool { true }

        func attempt(
            _ endpoint: Endpoint,
            beforeEnding: @escaping BeforeEnding
        ) async throws(CancellationError) -> ClientReport {
            let failures = PinFailures()
            var strict = TLSExchange(obeying: endpoint)
            strict.judge = { _ in Decision(.accept, .reportedOnly) }
            let seeing = TLSExchange(obeying: endpoint)
            let outcome = await failures.watching(strict, at: endpoint).handshaking(like: seeing).run(endpoint)
            for report in failures.reports(of: endpoint) { await report.post(to: endpoint.collector) }
            return ClientReport(outcome, duration: .zero)
        }
    }

    @Test func `skips a client that is not told of it`() async throws {
        let judgements = try await Self.play(EventfulClient(onAttempt: {}))

        let reason = "it is not told where to report: its command has no {collector}"
        #expect(judgements == [Judgement(.skipped, .skipped(reason)), Judgement(.skipped, .skipped(reason))])
    }

    @Test(.enabled(if: Tool("curl") != nil, "curl is not installed"))
    func `reads what a command posts`() async throws {
        let play = { (options: String) in
            let curl = "curl --silent --fail --cacert {trust} --connect-to ::{endpoint} --pinnedpubkey {pins} {url}"
            let client = try CommandClient(
                CommandDeclaration(
                    run: "sh -c '\(curl); s=$?; test $s = 0 || curl --silent \(options); exit $s'",
                    refused: OutcomeRule(exit: [60, 90]),
                    refusedPin: OutcomeRule(exit: [90])
                )
            )
            return try await Self.play(client).last
        }

        #expect(try await play("--head {collector}") == Judgement(.fail, .wrongReport("it came by HEAD")))
        #expect(
            try await play("--data a=b {collector}")
                == Judgement(
                    .fail,
                    .wrongReport("its type is 'application/x-www-form-urlencoded', not application/json")
                )
        )
        #expect(
            try await play("--json \\{\\\"port\\\":0\\} {collector}")
                == Judgement(.fail, .wrongReport("it lacks 'app-bundle-id'"))
        )
        #expect(
            try await play("--json [] --cacert {trust} {collector.https}")
                == Judgement(.fail, .wrongReport("it is no JSON object"))
        )
        #expect(try await play("--json [] {collector.https}") == Judgement(.fail, .missingReport("forged")))
    }
}

extension TLSExchange {
    /// Its own judgement is noted, another's is obeyed.
    fileprivate func handshaking(like other: TLSExchange) -> TLSExchange {
        var copy = other
        let note = judge
        copy.judge = { seen in
            _ = note(seen)
            return other.judge(seen)
        }
        return copy
    }
}
