import Scenarios
import TestSupport
import Testing
import Witness

@testable import TLSCore

@Suite struct `The text report` {
    private let plain = TextReport()

    @Test func `has two lines for each step`() {
        let trial = Results.trial(
            Results.served,
            Results.protected,
            Results.fooled,
            Results.leaked,
            Results.unpinned,
            Results.lockedOut,
            Results.strict,
            Results.absent,
            Results.strayed
        )

        #expect(
            plain.render(trial)
                == """
                attack · pinned · curl
                  pass          today          owner's leaf     must accept: it is trusted, and nothing is pinned
                                wire: sent its request; client: succeeded (exit 0)  served  21 ms
                  pass          forged         attacker's evil  must reject: its issuer is not trusted
                                wire: rejected with unknown_ca (48); client: refused (exit 90)
                                protected by the pin  34 ms
                  fail          forged at 75d  attacker's evil  must reject: its issuer is not trusted
                                wire: sent its request; client: succeeded (exit 0)  intercepted  21 ms
                                talked to the wrong server
                  fail          forged         attacker's evil  must reject: its issuer is not trusted
                                wire: sent its request; client: refused (exit 90)
                                intercepted; rejected by the pin  21 ms
                                a leak: data left before it noticed
                  pass          forged         attacker's evil  must accept: it is trusted, and nothing is pinned
                                wire: sent its request; client: succeeded  intercepted  21 ms
                  pass          rotated        owner's leaf     must reject: its issuer is not trusted
                                wire: withheld its request; client: refused  locked-out, not by the pin  21 ms
                  fail          today          owner's leaf     must accept: it is trusted, and nothing is pinned
                                wire: rejected with unknown_ca (48); client: refused (exit 60)
                                locked-out, by the pin: unproven  21 ms
                                rejected what its policy accepts
                  inconclusive  today          owner's leaf     must accept: it is trusted, and nothing is pinned
                                wire: never connected; client: nothing (timed out)  unknown  21 ms
                  pass          forged         attacker's evil  must reject: its issuer is not trusted
                                wire: rejected with unknown_ca (48); client: failed (exit 7)
                                protected, by the pin: unproven  21 ms
                                note: the tracker is not pinned
                                also connected to: tracker.example�[2J

                """
        )
    }

    @Test func `marks controls and the embedded client`() {
        let trial = Results.trial(Results.control, Results.protected, client: "reference")

        #expect(
            plain.render(trial)
                == """
                attack · pinned · reference  (model: proves the catalogue, not a client)
                  pass  today (control)  owner's leaf     must accept: it is trusted, and nothing is pinned
                        wire: sent its request; client: succeeded (exit 0)  served  21 ms
                  pass  forged           attacker's evil  must reject: its issuer is not trusted
                        wire: rejected with unknown_ca (48); client: refused (exit 90)  protected by the pin  34 ms

                """
        )
    }

    @Test func `says why a refusal without a control is worth nothing`() {
        #expect(
            plain.render(Results.trial(Results.protected))
                == """
                attack · pinned · curl
                  inconclusive  forged  attacker's evil  must reject: its issuer is not trusted
                                wire: rejected with unknown_ca (48); client: refused (exit 90)
                                protected by the pin  34 ms
                                no control: the same client was not seen to accept its own server

                """
        )
    }

    @Test(arguments: [true, false, nil])
    func `J6: speaks of no pin where nothing is pinned`(blamesPin: Bool?) {
        var planned = Results.protected.planned
        planned.isPinned = false
        let report = ClientReport(.refused, blamesPin: blamesPin)
        let attempt = AttemptResult(
            [Connection.alerting("forged")],
            report: report,
            shownChains: planned.shownChains,
            host: planned.step.host
        )

        let unpinned = StepResult(planned, attempts: [attempt], duration: .zero)
        planned.isPinned = true
        let pinned = StepResult(planned, attempts: [attempt], duration: .zero)

        #expect(unpinned.attribution == nil)
        #expect(!plain.render(Results.trial(Results.served, unpinned)).contains("pin:"))
        #expect(!plain.render(Results.trial(Results.served, unpinned)).contains("the pin"))
        #expect(plain.render(Results.trial(Results.served, pinned)).contains("the pin"))
    }

    @Test func `needs one line for a trial that was skipped`() {
        #expect(
            plain.render(Results.trial(Results.skipped, Results.skipped))
                == """
                attack · pinned · curl
                  skipped  'curl' is not installed

                """
        )
    }

    @Test func `says where the connections of an attempt look like two TLS stacks`() {
        // A hello with one cipher suite and no extension (RFC 8446 section 4.1.2).
        func hello(_ cipher: UInt8) -> Observation {
            let body = [3, 3] + [UInt8](repeating: 7, count: 32) + [0, 0, 2, 0x13, cipher, 1, 0]
            var connection = Connection.accepting()
            let fingerprint = JA4(message: [1, 0, 0, UInt8(body.count)] + body)
            connection.events.insert(.hello(ClientHello(fingerprint: fingerprint)), at: 0)
            return connection
        }
        var (same, other) = (Results.served, Results.served)
        same.attempts[0].observations = [hello(1), hello(1)]
        other.attempts[0].observations = [hello(1), hello(2)]

        let words = "its connections look like 2 TLS stacks: t12i010000_"

        #expect(TextReport(isVerbose: true).render(Results.trial(other)).contains(words))
        #expect(!TextReport(isVerbose: true).render(Results.trial(same)).contains("TLS stacks"))
        #expect(!TextReport().render(Results.trial(other)).contains("TLS stacks"))
    }

    @Test func `shows every connection and the client's words on request`() {
        let trial = Results.trial(Results.served, Results.strayed)

        #expect(
            TextReport(isVerbose: true).render(trial)
                == """
                attack · pinned · curl
                  pass  today   owner's leaf     must accept: it is trusted, and nothing is pinned
                        wire: sent its request; client: succeeded (exit 0)  served  21 ms
                        connection to api.acme.example: shown today, sent its request, “GET / HTTP/1.1”
                        | hello
                  pass  forged  attacker's evil  must reject: its issuer is not trusted
                        wire: rejected with unknown_ca (48); client: failed (exit 7)
                        protected, by the pin: unproven  21 ms
                        note: the tracker is not pinned
                        also connected to: tracker.example�[2J
                        connection to api.acme.example: shown forged, rejected with unknown_ca (48)
                        connection to tracker.example�[2J: shown today, sent its request, “GET / HTTP/1.1”
                        | one
                        | two �[31mred

                """
        )
    }

    @Test func `colours verdicts and consequences, and nothing when told so`() {
        let coloured = TextReport(style: TextStyle(isColoured: true))
        let trial = Results.trial(Results.served, Results.fooled, Results.absent, client: "reference")
        let report = Results.report(trial, Results.trial(Results.skipped))

        #expect(coloured.render(trial).codes == ["1", "2", "32", "32", "31", "31", "33", "33"])
        #expect(coloured.renderSummary(report).codes == ["1", "1", "1", "32", "31", "33"])
        #expect(plain.render(trial).codes == [])
        #expect(coloured.render(trial).withoutCodes == plain.render(trial))
        #expect(coloured.renderSummary(report).withoutCodes == plain.renderSummary(report))
    }

    @Test func `sums up what matters, worst first`() {
        let report = Results.report(
            Results.trial(Results.served, Results.fooled, Results.strict),
            Results.trial(Results.served, Results.unpinned, policy: "loose"),
            Results.trial(Results.served, Results.lockedOut, scenario: "rotation"),
            Results.trial(
                Results.served,
                Results.lockedOut.declaring(locksOut: Claim(.all)),
                Results.unpinned.declaring(intercepts: Claim(.all)),
                scenario: "declared"
            ),
            Results.trial(Results.absent, Results.protected, scenario: "silence"),
            Results.trial(Results.skipped, Results.skipped, scenario: "first", client: "wget"),
            Results.trial(Results.skipped, Results.skipped, scenario: "second", client: "wget")
        )

        #expect(
            plain.renderSummary(report)
                == """
                Failed
                  attack · pinned · curl, forged at 75d: talked to the wrong server (intercepted)
                  attack · pinned · curl, today: rejected what its policy accepts (locked-out)

                Breaches the file does not declare
                  attack · loose · curl, forged: an attacker got its users' data, as its policy allows

                Outages the file does not declare
                  rotation · pinned · curl, rotated: its users were kept from their own server, as its policy
                    demands

                Inconclusive
                  silence · pinned · curl, today: never connected
                  silence · pinned · curl, forged: no control: the same client was not seen to accept its own
                    server

                Skipped
                  wget: 'curl' is not installed

                7 trials, 16 steps in 1234 ms: 8 passed, 2 failed, 2 inconclusive, 4 skipped
                For their users: 4 served, 1 protected, 3 locked out (1 declared), 3 intercepted (1 declared), 1
                  unknown

                """
        )
    }

    @Test func `tells below the table of what failed, worst for people first, and once for all policies`() {
        let report = Results.report(
            Results.trial(Results.served, Results.strict, scenario: "renewal"),
            Results.trial(Results.served, Results.fooled),
            Results.trial(Results.served, Results.fooled, policy: "loose"),
            Results.trial(Results.served, Results.protected, scenario: "good")
        )

        #expect(
            plain.renderMatrix(report)
                == """
                          curl
                          1 2
                renewal   F
                attack    F F
                good      .

                Marks: . right, F FAILED.
                Policies: 1 pinned, 2 loose.

                Failed (3 steps)
                attack · pinned · curl
                  fail  forged at 75d  attacker's evil  must reject: its issuer is not trusted
                        wire: sent its request; client: succeeded (exit 0)  intercepted  21 ms
                        talked to the wrong server
                        'pindrill explain attack' draws what it was shown
                        the same with loose
                renewal · pinned · curl
                  fail  today  owner's leaf  must accept: it is trusted, and nothing is pinned
                        wire: rejected with unknown_ca (48); client: refused (exit 60)
                        locked-out, by the pin: unproven  21 ms
                        rejected what its policy accepts
                        are its pins or roots not the file's? 'pindrill explain renewal' draws what it was shown

                4 trials, 8 steps in 1234 ms: 5 passed, 3 failed, 0 inconclusive, 0 skipped
                For their users: 4 served, 1 protected, 1 locked out, 2 intercepted, 0 unknown

                """
        )
    }

    @Test func `colours a verdict by what it means for people`() {
        let coloured = TextReport(style: TextStyle(isColoured: true))

        let obeyed = coloured.render(Results.trial(Results.served, Results.lockedOut))
        let served = coloured.render(Results.trial(Results.served, Results.protected))

        #expect(obeyed.codes == ["1", "32", "32", "31", "31"])
        #expect(served.codes == ["1", "32", "32", "32", "32"])
    }

    @Test func `sums up in two lines when all is well`() {
        #expect(
            plain.renderSummary(Results.report(Results.trial(Results.served)))
                == """
                1 trial, 1 step in 1234 ms: 1 passed, 0 failed, 0 inconclusive, 0 skipped
                For their users: 1 served, 0 protected, 0 locked out, 0 intercepted, 0 unknown

                """
        )
    }

    @Test func `says that scenarios were left out`() {
        let report = Results.report(Results.trial(Results.served), scenarios: Coverage(played: 1, known: 3))

        #expect(
            plain.renderSummary(report)
                == """
                1 trial, 1 step in 1234 ms: 1 passed, 0 failed, 0 inconclusive, 0 skipped
                For their users: 1 served, 0 protected, 0 locked out, 0 intercepted, 0 unknown
                1 of 3 scenarios played (--all plays every one).

                """
        )
    }

    @Test func `says that it was interrupted`() {
        let report = Results.report(Results.trial(Results.served, Results.protected), planned: 3)

        #expect(
            plain.renderSummary(report)
                == """
                Interrupted: the rest was not tried.
                1 of 3 trials, 2 steps in 1234 ms: 2 passed, 0 failed, 0 inconclusive, 0 skipped
                For their users: 1 served, 1 protected, 0 locked out, 0 intercepted, 0 unknown

                """
        )
    }
}

extension String {
    /// Select Graphic Rendition codes, in order, without the resets.
    fileprivate var codes: [String] { matches(of: /\u{1B}\[([0-9;]*)m/).map { String($0.1) }.filter { $0 != "0" } }
    fileprivate var withoutCodes: String { replacing(/\u{1B}\[[0-9;]*m/, with: "") }
}
