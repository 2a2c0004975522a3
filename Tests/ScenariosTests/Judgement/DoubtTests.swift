import Pinning
import TestSupport
import Testing
import Witness

@testable import Scenarios
@testable import TLSCore

/// Refusals that the judge's table lets pass and that prove nothing (docs/adr/0011-doubtful-refusals.md). Each stands
/// beside its twin that does pass.
@Suite struct `A doubtful refusal` {
    @Test(arguments: [
        (false as Bool?, Judgement(.inconclusive, .pinNotTried)),
        (true, Judgement(.pass, .obeyed)),
        (nil, Judgement(.pass, .obeyed)),
    ])
    func `had another reason than the pins that alone forbid the chain`(blamesPin: Bool?, judgement: Judgement) {
        let step = refusal(byPin, Connection.alerting("forged"), ClientReport(.refused, blamesPin: blamesPin))

        #expect(step.judgement == judgement)
    }

    @Test func `is no doubt where trust forbids the chain as well`() {
        let step = refusal(untrusted, Connection.alerting("forged"), ClientReport(.refused, blamesPin: false))

        #expect(step.judgement == Judgement(.pass, .obeyed))
    }

    @Test(arguments: [
        (Connection.hangingUp("forged"), true, Judgement(.inconclusive, .failedOtherwise)),
        (Connection.withholding("forged"), true, Judgement(.inconclusive, .failedOtherwise)),
        (Connection.alerting("forged"), true, Judgement(.pass, .obeyed)),
        (Connection.hangingUp("forged"), false, Judgement(.pass, .obeyed)),
    ])
    func `ends otherwise than a client says that can tell`(
        connection: Observation,
        canTell: Bool,
        judgement: Judgement
    ) {
        var report = ClientReport(.failed)
        report.canTellRefusal = canTell

        #expect(refusal(untrusted, connection, report).judgement == judgement)
    }

    /// Node and Java call a handshake that cannot be finished a network error.
    @Test(arguments: [
        (TrustFailure.Reason.notItsKey, Judgement(.pass, .obeyed)),
        (.expired, Judgement(.inconclusive, .failedOtherwise)),
    ])
    func `is none where the handshake could not be finished`(reason: TrustFailure.Reason, judgement: Judgement) {
        var report = ClientReport(.failed)
        report.canTellRefusal = true
        let decision = Decision(.reject, .untrusted(TrustFailure(reason)))

        #expect(refusal(decision, Connection.hangingUp("forged"), report).judgement == judgement)
    }

    @Test(arguments: [untrusted, Decision(.either, .stackDecides(TrustFailure(.tooWeak)))])
    func `J1, J2: a request to the same attacker under another name is a leak`(decision: Decision) {
        let elsewhere = Connection.accepting("forged", to: "other.example")
        let step = refusal(decision, Connection.alerting("forged"), elsewhere, ClientReport(.refused))

        #expect(step.judgement == Judgement(.inconclusive, .acceptedElsewhere))
        #expect(step.consequence == .intercepted)
    }

    @Test(arguments: [untrusted, Decision(.either, .stackDecides(TrustFailure(.tooWeak)))])
    func `J1, J2: a request to the owner under another name is none`(decision: Decision) {
        let elsewhere = Connection.accepting("today", to: "other.example")
        let step = refusal(decision, Connection.alerting("forged"), elsewhere, ClientReport(.refused))

        #expect(step.judgement == Judgement(.pass, .obeyed))
        #expect(step.consequence == .protected)
    }

    @Test(arguments: [true, false])
    func `J2: bytes that an attacker got under another name leave open what they were`(isClosed: Bool) {
        var elsewhere = Connection.mumbling("forged", to: "other.example")
        if !isClosed { elsewhere.events.removeLast() }
        let step = refusal(untrusted, Connection.alerting("forged"), elsewhere, ClientReport(.refused))

        #expect(step.judgement == Judgement(.inconclusive, .acceptedElsewhere))
        #expect(step.consequence == .unknown)
    }

    @Test func `J2: a client that refuses under both names has leaked nothing`() {
        let elsewhere = Connection.alerting("forged", to: "other.example")
        let step = refusal(untrusted, Connection.alerting("forged"), elsewhere, ClientReport(.refused))

        #expect(step.judgement == Judgement(.pass, .obeyed))
        #expect(step.consequence == .protected)
    }

    @Test func `J1: a client that ends otherwise than it says is in doubt where it may do either as well`() {
        var report = ClientReport(.failed)
        report.canTellRefusal = true
        let either = Decision(.either, .stackDecides(TrustFailure(.tooWeak)))

        #expect(refusal(either, Connection.withholding("forged"), report).judgement.grounds == .failedOtherwise)
        #expect(refusal(either, Connection.alerting("forged"), report).judgement == Judgement(.pass, .obeyed))
    }

    /// GnuTLS hangs up at a chain that is too long for it, and its clients call that a failure of the network.
    @Test func `is none where a limit of the client's library ends the handshake`() {
        var report = ClientReport(.failed)
        report.canTellRefusal = true
        let either = Decision(.either, .systemRule("the chain is very long in bytes, where TLS stacks differ"))

        #expect(refusal(either, Connection.hangingUp("forged"), report).judgement == Judgement(.pass, .obeyed))
        #expect(refusal(either, Connection.withholding("forged"), report).judgement.grounds == .failedOtherwise)
        #expect(refusal(untrusted, Connection.hangingUp("forged"), report).judgement.grounds == .failedOtherwise)
    }

    /// Limits of a TLS library end a handshake so: OpenSSL's of 100 KB for a chain by illegal_parameter (47).
    @Test(arguments: [UInt8(47), 50, 22])
    func `is none where the client may do either, and breaks off as over a broken protocol`(number: UInt8) {
        let broken = Connection.alerting("weak", number)
        let either = attempt([broken], ClientReport(.failed), [.tolerated("weak")])
        let disagreeing = attempt([broken], ClientReport(.succeeded), [.tolerated("weak")])
        let others = [ShownChain.accepted("weak"), .rejected("weak", by: .attacker)].map {
            attempt([broken], ClientReport(.failed), [$0])
        }

        #expect(either.judgement == Judgement(.pass, .obeyed))
        #expect(either.isRefusal)
        #expect((others + [disagreeing]).map(\.judgement.verdict) == [.inconclusive, .inconclusive, .inconclusive])
    }

    /// Its connections end with it, by our hand.
    @Test(arguments: [
        [Connection.alerting("forged")], [Connection.alerting("forged"), Connection.cutOff("forged")],
        [Connection.stayingOpen("forged")], [],
    ])
    func `H4: names what the client left running, whatever the wire has seen`(connections: [Observation]) {
        var report = ClientReport(.refused)
        report.leftRunning = ["'sleep' (process 7)"]
        let shown = [ShownChain.rejected("forged", by: .attacker)]

        let doubtful = attempt(connections, report, shown)
        let certain = attempt(connections + [Connection.accepting("forged")], report, shown)

        #expect(doubtful.judgement == Judgement(.inconclusive, .leftRunning(report.leftRunning)))
        #expect(doubtful.consequence == .unknown)
        #expect(certain.judgement == Judgement(.fail, .leaked))
    }

    @Test func `comes beside connections that were forgotten`() {
        let forgotten = Observation([.forgotten(count: 7)])
        let step = refusal(untrusted, forgotten, Connection.alerting("forged"), ClientReport(.refused))

        #expect(step.judgement == Judgement(.inconclusive, .wireProvesNothing(.connection(.forgotten(7)))))
    }

    @Test(arguments: [
        ("backup.api.acme.example", false), ("www.acme.example", false), ("acme.example.", false),
        // As of a question about revocation.
        ("ocsp.example.net", true), ("acme.other", true),
    ])
    func `comes beside a request in the clear to a host of the same owner`(name: String, isProven: Bool) {
        let clear = Observation([.connected(target: nil), .cleartext(host: name), .closed(by: .client, .ended)])
        let step = refusal(untrusted, Connection.alerting("forged"), clear, ClientReport(.refused))

        #expect(step.judgement == (isProven ? Judgement(.pass, .obeyed) : Judgement(.inconclusive, .acceptedElsewhere)))
        #expect(step.consequence == (isProven ? .protected : .unknown))
    }

    /// A looked-up name, a datagram, a request under another name: where the token is, there is what it was to protect.
    @Test(arguments: [ClientReport.Word.refused, .failed, .nothing])
    func `H16: a token in the clear, or at the attacker under another name, is a leak and no doubt`(
        word: ClientReport.Word
    ) {
        var lookup = Observation([.cleartext(host: "0123.other.example")])
        lookup.leaks = [Leak(.lookup, offset: 0)]
        var request = Connection.accepting("forged", to: "other.example")
        request.leaks = [Leak(.header("X-Token"), offset: 9)]
        for connection in [lookup, request] {
            let leaking = refusal(untrusted, Connection.alerting("forged"), connection, ClientReport(word))

            #expect(leaking.judgement.verdict == .fail)
            #expect(leaking.judgement.grounds == .leakedToken(connection.leaks[0].place))
            #expect(leaking.consequence == .intercepted)
        }
        // What its owner has of it is no leak.
        var owners = Connection.accepting("today", to: "other.example")
        owners.leaks = request.leaks
        let sparing = refusal(untrusted, Connection.alerting("forged"), owners, ClientReport(.refused))
        #expect(sparing.judgement == Judgement(.pass, .obeyed))
    }

    @Test(arguments: [
        "localhost", "127.0.0.1", "127.1.2.3", "::1", "localhost.", "x.localhost", "ip6-localhost", "127.1", "0",
        "2130706433", "::ffff:7f00:1", "::",
    ])
    func `does not hide a leak to this machine by another name`(name: String) {
        let leak = Connection.accepting("forged", to: name)
        let step = refusal(untrusted, Connection.alerting("forged"), leak, ClientReport(.refused))

        #expect(step.judgement == Judgement(.fail, .leaked))
        #expect(step.consequence == .intercepted)
    }

    private func refusal(_ decision: Decision, _ observations: Observation..., report: ClientReport) -> StepResult {
        let shown = ShownChain(chain: "forged", key: "evil", holder: .attacker, decision: decision)
        let attempt = AttemptResult(observations, report: report, shownChains: [shown], host: Connection.host)
        let planned = PlannedStep(
            step: Step(present: ["forged"], store: "phone", host: Connection.host),
            shownChains: [shown]
        )
        return StepResult(planned, attempts: [attempt], duration: .zero)
    }

    private func refusal(_ decision: Decision, _ one: Observation, _ report: ClientReport) -> StepResult {
        refusal(decision, one, report: report)
    }

    private func refusal(
        _ decision: Decision,
        _ one: Observation,
        _ other: Observation,
        _ report: ClientReport
    ) -> StepResult {
        refusal(decision, one, other, report: report)
    }
}

private let untrusted = Decision(.reject, .untrusted(TrustFailure(.unknownAuthority)))
private let byPin = Decision(.reject, .noPinMatches(PinRequirement(pins: [])))
