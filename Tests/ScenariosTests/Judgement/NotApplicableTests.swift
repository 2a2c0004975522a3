import TestSupport
import Testing

@testable import Pinning
@testable import Scenarios
@testable import TLSCore
@testable import Witness

/// Rule I of `docs/verdicts.md`: who lacks what the server speaks has judged nobody.
@Suite struct `A step about what the client lacks` {
    @Test(arguments: [lacking(70), lacking(40), refusingVersion], [ClientReport.Word.refused, .failed, .nothing])
    func `H8: is not applicable, and protects nobody`(connection: Observation, word: ClientReport.Word) {
        for shown in [ShownChain.rejected("forged", by: .attacker), .tolerated("forged", by: .attacker)] {
            let result = judged([connection], word, [shown])

            #expect(result.judgement.verdict == .notApplicable)
            #expect(result.consequence == .unknown)
            #expect(!result.isRefusal)
        }
    }

    @Test(arguments: [
        (ClientReport.Word.refused, Consequence.lockedOut), (.failed, .unknown), (.nothing, .unknown),
    ])
    func `H8: is not applicable to its own server either, whose users may be kept out`(
        word: ClientReport.Word,
        consequence: Consequence
    ) {
        for shown in [ShownChain.accepted("today"), .tolerated("today")] {
            let result = judged([lacking(70)], word, [shown])

            #expect(result.judgement.verdict == .notApplicable)
            #expect(result.consequence == consequence)
        }
    }

    /// Each beside the twin that is not applicable.
    @Test(
        arguments: [
            ([lacking(70), Connection.accepting("forged")], .failed, Judgement(.fail, .leaked)),
            ([lacking(70), Connection.inTheClear], .failed, Judgement(.fail, .spokeInTheClear)),
            // Another route, or a cache.
            ([lacking(70)], .succeeded, doubt(.nothingInCommon(.version(offered: ["TLS 1.3"])))),
            // It was shown a chain on the other one, so it has judged it; what the first would have been is not known.
            (
                [lacking(70), Connection.alerting("forged")], .refused,
                doubt(.nothingInCommon(.version(offered: ["TLS 1.3"])))
            ),
            ([lacking(120)], .failed, doubt(.nothingInCommon(.applicationProtocol(offered: ["h2"])))),
            ([Connection.alerting("forged", 47)], .failed, doubt(.protocolAlert(Alert(47, isFatal: true)))),
            ([Connection.silent], .failed, doubt(.nothingPresented)),
            ([], .failed, Judgement(.inconclusive, .wireProvesNothing(.nobodyConnected))),
        ] as [([Observation], ClientReport.Word, Judgement)]
    )
    func `H8: is judged where somebody was met`(
        connections: [Observation],
        word: ClientReport.Word,
        judgement: Judgement
    ) {
        let shown = ShownChain.rejected("forged", by: .attacker)

        #expect(judged(connections, word, [shown]).judgement == judgement)
        #expect(judged([lacking(70)], .failed, [shown]).judgement.verdict == .notApplicable)
    }

    @Test func `H8: may be about a key of the attacker's that no cipher fits, and not about the owner's`() {
        let attacked = attempt([lacking(40)], ClientReport(.failed), [.rejected("forged", by: .attacker)])
        let owners = attempt([lacking(40)], ClientReport(.failed), [.accepted("today")])
        let anyVersion = attempt([lacking(70)], ClientReport(.failed), [.rejected("forged", by: .attacker)])

        #expect(attacked.judgement.verdict == .notApplicable)
        #expect(owners.judgement.verdict == .inconclusive)
        #expect(anyVersion.judgement.verdict == .inconclusive)
    }

    @Test(arguments: [true, false], [302, 200])
    func `is what a redirect is to a client that speaks no HTTP, and it has accepted its own server`(
        beginsLater: Bool,
        status: Int
    ) {
        var connection = Connection.accepting("today")
        if beginsLater { connection.events.insert(.startTLS(.smtp), at: 1) }
        var step = Step.presenting("today")
        step.origin = OriginDeclaration(routes: [RouteDeclaration(path: "/", status: status)])
        let shown = [ShownChain.accepted("today")]
        let led = StepResult(
            PlannedStep(step: step, shownChains: shown),
            attempts: [attempt([connection], ClientReport(.succeeded), shown)],
            duration: .zero
        )

        let trial = Results.trial(led, Results.protected)

        let isNone = beginsLater && status == 302
        #expect(trial.steps.map(\.judgement.verdict) == [isNone ? .notApplicable : .pass, .pass])
        #expect(Results.trial(led).verdict == (isNone ? .notApplicable : .pass))
    }

    @Test func `H8: is no control, and fails nothing; alone it proves nothing`() {
        let lacking = Results.step(.rejected("forged", by: .attacker), [lacking(40)], ClientReport(.failed))
        let alone = Results.trial(lacking)
        let beside = Results.trial(Results.served, lacking)

        #expect(alone.verdict == .notApplicable)
        #expect(beside.verdict == .notApplicable)
        #expect(Results.report(alone).exitStatus() == 2)
        #expect(Results.report(Results.trial(Results.control, lacking)).exitStatus() == 2)
        #expect(Results.report(beside).exitStatus() == 0)
        #expect(
            TextReport().renderSummary(Results.report(beside)).contains(
                "1 passed, 0 failed, 0 inconclusive, 0 skipped, 1 not applicable"
            )
        )
    }

    /// `internal_error` and others, by a library that cannot go on; with the genuine server as with the attacker.
    @Test(arguments: [UInt8(40), 70, 71, 80], [ClientReport.Word.failed, .nothing, .refused])
    func `H8: is so where the library breaks the version off with its own server, too`(
        own: UInt8,
        word: ClientReport.Word
    ) {
        for other in [UInt8(48), 80] {
            let trial = Results.trial(
                Results.served,
                Self.step(.old("today"), [.alerting("today", own)], word, isControl: true),
                Self.step(.rejected("forged", by: .attacker), [.alerting("forged", other)], .refused)
            )

            #expect(trial.steps.map(\.judgement.verdict) == [.pass, .notApplicable, .notApplicable])
            #expect(trial.steps.dropFirst().map(\.consequence) == [.unknown, .unknown])
            #expect(trial.steps.last?.judgement.grounds == .breaksOffVersion(.alert(Alert(own, isFatal: true))))
        }
    }

    @Test(arguments: [true, false, nil] as [Bool?])
    func `H8: is judged where the client blames its pins`(blames: Bool?) {
        var control = Self.step(.old("today"), [.alerting("today", 80)], .refused, isControl: true)
        control.attempts[0].report.blamesPin = blames
        let trial = Results.trial(
            Results.served,
            control,
            Self.step(.rejected("forged", by: .attacker), [.alerting("forged", 80)], .refused)
        )

        #expect(trial.steps.last?.judgement.verdict == (blames == true ? .inconclusive : .notApplicable))
    }

    /// What the client did with its own server, with the attacker, and the verdict there.
    @Test(
        arguments: [
            // It turned the certificate away.
            ([.alerting("today", 48)], .failed, [.alerting("forged", 48)], .refused, .inconclusive),
            ([.alerting("today", 48)], .refused, [.alerting("forged", 48)], .refused, .inconclusive),
            // It did not break off: it hung up, finished the handshake, or never came.
            ([.hangingUp("today")], .failed, [.alerting("forged", 48)], .refused, .inconclusive),
            ([.alerting("today", 80)], .failed, [.withholding("forged")], .refused, .inconclusive),
            ([.alerting("today", 80)], .failed, [.hangingUp("forged")], .refused, .inconclusive),
            (
                [.alerting("today", 80), .withholding("today")], .failed, [.alerting("forged", 48)], .refused,
                .inconclusive
            ),
            (
                [.alerting("today", 80)], .failed, [.alerting("forged", 48), .withholding("forged")], .refused,
                .inconclusive
            ),
            ([.alerting("today", 80)], .failed, [], .failed, .inconclusive),
            // It hangs up without an alert, whoever the server is; or on the attacker alone.
            ([.hangingUp("today")], .failed, [.hangingUp("forged")], .failed, .notApplicable),
            ([.hangingUp("today")], .refused, [.hangingUp("forged")], .refused, .notApplicable),
            ([.hangingUp("today")], .failed, [.withholding("forged")], .refused, .inconclusive),
            ([.hangingUp("today")], .failed, [.hangingUp("forged"), .accepting("forged")], .failed, .fail),
            ([.accepting("today")], .succeeded, [.hangingUp("forged")], .refused, .pass),
            // It talks to the attacker, or says that it is served.
            ([.alerting("today", 80)], .failed, [.accepting("forged")], .succeeded, .fail),
            ([.alerting("today", 80)], .failed, [.alerting("forged", 80), .accepting("forged")], .failed, .fail),
            ([.alerting("today", 80)], .failed, [.alerting("forged", 80)], .succeeded, .fail),
            // It speaks the version.
            ([.accepting("today")], .succeeded, [.alerting("forged", 80)], .failed, .pass),
        ] as [([Seen], ClientReport.Word, [Seen], ClientReport.Word, Verdict)]
    )
    func `H8: is judged where the library can go on`(
        own: [Seen],
        ownWord: ClientReport.Word,
        attacker: [Seen],
        word: ClientReport.Word,
        verdict: Verdict
    ) {
        let trial = Results.trial(
            Results.served,
            Self.step(.old("today"), own, ownWord, isControl: true),
            Self.step(.rejected("forged", by: .attacker), attacker, word)
        )

        #expect(trial.steps.last?.judgement.verdict == verdict)
    }

    @Test func `H8: needs a client that accepts its own server in another version`() {
        let trial = Results.trial(
            Self.step(.old("today"), [.alerting("today", 80)], .failed, isControl: true),
            Self.step(.rejected("forged", by: .attacker), [.alerting("forged", 80)], .failed)
        )

        #expect(trial.steps.last?.judgement == Judgement(.inconclusive, .noControl))
    }

    @Test func `H8: may be the owner's key, where the client may do either`() {
        let either = attempt([lacking(40)], ClientReport(.failed), [.tolerated("today")])
        let served = attempt([lacking(40)], ClientReport(.failed), [.accepted("today")])

        #expect((either.judgement.verdict, served.judgement.verdict) == (.notApplicable, .inconclusive))
    }

    @Test func `H8: may be told in a record of a version that the server cannot read`() {
        let shown = ShownChain.tolerated("today")
        let unread = Connection.cutOff("today", .protocolError("wrong version number"))
        let broken = Connection.cutOff("today", .protocolError("bad record mac"))

        #expect(judged([unread], .failed, [shown]).judgement.verdict == .notApplicable)
        #expect(judged([broken], .failed, [shown]).judgement.verdict == .inconclusive)
    }

    /// A step in TLS 1.1, and what was seen of it.
    private static func step(
        _ shown: ShownChain,
        _ seen: [Seen],
        _ word: ClientReport.Word,
        isControl: Bool = false
    ) -> StepResult {
        var result = Results.step(shown, seen.map(\.connection), ClientReport(word))
        result.planned.step.tls = .tls1_1
        result.planned.isControl = isControl
        return result
    }

    enum Seen {
        case accepting(String), alerting(String, UInt8), hangingUp(String), withholding(String)

        var connection: Observation {
            switch self {
            case .accepting(let chain): Connection.accepting(chain)
            case .alerting(let chain, let alert): Connection.alerting(chain, alert)
            case .hangingUp(let chain): Connection.hangingUp(chain)
            case .withholding(let chain): Connection.withholding(chain)
            }
        }
    }

    private func judged(
        _ connections: [Observation],
        _ word: ClientReport.Word,
        _ shownChains: [ShownChain]
    ) -> AttemptResult {
        AttemptResult(
            connections,
            report: ClientReport(word),
            shownChains: shownChains,
            host: Connection.host,
            isAboutVersion: true
        )
    }
}

extension ShownChain {
    /// The owner's, in a version of TLS that not every library speaks.
    fileprivate static func old(_ chain: String) -> ShownChain {
        var shown = ShownChain.tolerated(chain)
        shown.decision = Decision(.either, .oldVersion(.tls1_1))
        return shown
    }
}

private func doubt(_ doubt: Reaction.Doubt) -> Judgement {
    Judgement(.inconclusive, .wireProvesNothing(.connection(doubt)))
}

/// Turned away by an alert of ours before anything was shown.
private func lacking(_ alert: UInt8) -> Observation {
    let hello = ClientHello(serverName: Connection.host, applicationProtocols: ["h2"], versions: [.tls1_3])
    return Observation([
        .connected(target: nil), .hello(hello), .alert(.outward, Alert(alert, isFatal: true)),
        .closed(by: .us, .protocolError("unsupported")),
    ])
}

/// Of those that say their newest version only: the server takes an older one, and shows its chain in the same breath.
private let refusingVersion = Connection.alerting("forged", 70)
