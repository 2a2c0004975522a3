import Pinning
import Scenarios
import TLSCore
import TestSupport
import Testing
import Witness

@Suite struct `The judge` {
    @Test(arguments: Ruling.table)
    func `rules by the whole table`(_ ruling: Ruling) {
        #expect(judge(.accept, wire: ruling.wire, word: ruling.word) == ruling.mustAccept)
        #expect(judge(.reject, wire: ruling.wire, word: ruling.word) == ruling.mustReject)
        #expect(judge(.either, wire: ruling.wire, word: ruling.word) == ruling.either)
    }

    @Test(arguments: Ruling.table)
    func `J7: finds neither a wrong server nor a leak where the server is the owner's own`(_ ruling: Ruling) {
        let judgement = judge(.reject, wire: ruling.wire, word: ruling.word, of: .owner)

        #expect(judgement.verdict == ruling.mustReject.verdict)
        #expect(![.talkedToTheWrongServer, .leaked].contains(judgement.grounds))
    }

    @Test func `has a table without holes`() {
        let rows = Ruling.table.map { "\($0.wire) / \($0.word)" }

        #expect(Set(rows).count == 7 * ClientReport.Word.allCases.count)
        #expect(rows.count == Set(rows).count)
    }

    @Test(arguments: doubts)
    func `proves nothing by a wire that proves nothing`(_ doubt: Wire.Doubt) {
        let ruling = Judgement(.inconclusive, .wireProvesNothing(doubt))

        for demand in Decision.Demand.allCases {
            for word in ClientReport.Word.allCases {
                #expect(judge(demand, wire: .inconclusive(doubt), word: word) == ruling)
            }
        }
    }

    @Test(arguments: Meaning.table)
    func `reads the consequence by the whole table`(_ row: Meaning) {
        #expect(consequence(for: .owner, wire: row.wire, word: row.word) == row.owner)
        #expect(consequence(for: .attacker, wire: row.wire, word: row.word) == row.attacker)
    }

    @Test func `has consequences for every wire and word`() {
        let rows = Set(Meaning.table.map { "\($0.wire) / \($0.word)" })

        #expect(rows.count == 7 * ClientReport.Word.allCases.count)
        #expect(Meaning.table.count == rows.count)
    }

    @Test func `orders verdicts from best to worst`() {
        #expect(Verdict.allCases.shuffled().sorted() == [.pass, .notApplicable, .skipped, .inconclusive, .fail])
    }

    @Test func `orders consequences from best to worst`() {
        #expect(
            Consequence.allCases.shuffled().sorted() == [.served, .protected, .unknown, .lockedOut, .intercepted]
        )
    }

    @Test(arguments: [(true, .pin), (false, .other), (nil, .unproven)] as [(Bool?, Attribution)])
    func `attributes a refusal to what the client blames`(_ blamesPin: Bool?, _ expected: Attribution) {
        #expect(ClientReport(.refused, blamesPin: blamesPin).attribution == expected)
    }

    @Test(arguments: Clause.table)
    func `gives its grounds in words`(_ clause: Clause) {
        #expect(clause.grounds.description == clause.text)
    }
}

let doubts: [Wire.Doubt] = [
    .nobodyConnected, .onlyElsewhere, .connection(.nothingPresented), .connection(.unknownData),
    .connection(.stillOpen), .connection(.closedByUs(.timedOut)), .connection(.closedByUs(.superseded)),
    .connection(.closedByUs(.protocolError("no TLS"))), .connection(.closedByUs(.refused)),
    .connection(.protocolAlert(Alert(70, isFatal: true))),
]

/// One row of the table in `docs/verdicts.md`, written out by hand.
struct Ruling: CustomTestStringConvertible {
    var wire: Wire
    var word: ClientReport.Word
    var mustAccept: Judgement
    var mustReject: Judgement
    var either: Judgement
    var testDescription: String { "\(wire), and it says \(word)" }

    init(
        _ wire: Wire,
        _ word: ClientReport.Word,
        accept: Judgement,
        reject: Judgement,
        either: Judgement
    ) {
        self.wire = wire
        self.word = word
        mustAccept = accept
        mustReject = reject
        self.either = either
    }

    private static let pass = Judgement(.pass, .obeyed)
    private static let clear = Judgement(.fail, .spokeInTheClear)
    private static let wrong = Judgement(.fail, .talkedToTheWrongServer)
    private static let late = Judgement(.fail, .refusedTooLate)
    private static let leak = Judgement(.fail, .leaked)
    private static let after = Judgement(.inconclusive, .failedAfterAccepting)
    private static let strict = Judgement(.fail, .refusedWhatItsPolicyAccepts)
    private static let disagree = Judgement(.fail, .witnessesDisagree)
    private static let route = Judgement(.fail, .succeededByAnotherRoute)
    private static let mute = Judgement(.inconclusive, .turnedAwayInSilence)
    private static let unseen = Judgement(.inconclusive, .unseen)
    private static let nobody = Judgement(.inconclusive, .wireProvesNothing(.nobodyConnected))

    static let table: [Ruling] = [
        Ruling(.cleartext, .succeeded, accept: clear, reject: clear, either: clear),
        Ruling(.cleartext, .refused, accept: clear, reject: clear, either: clear),
        Ruling(.cleartext, .failed, accept: clear, reject: clear, either: clear),
        Ruling(.cleartext, .nothing, accept: clear, reject: clear, either: clear),

        Ruling(.accepted, .succeeded, accept: pass, reject: wrong, either: pass),
        Ruling(.accepted, .refused, accept: late, reject: leak, either: late),
        Ruling(.accepted, .failed, accept: after, reject: leak, either: after),
        Ruling(.accepted, .nothing, accept: pass, reject: wrong, either: pass),

        Ruling(.blind, .succeeded, accept: unseen, reject: unseen, either: unseen),
        Ruling(.blind, .refused, accept: unseen, reject: unseen, either: unseen),
        Ruling(.blind, .failed, accept: unseen, reject: unseen, either: unseen),
        Ruling(.blind, .nothing, accept: unseen, reject: unseen, either: unseen),

        Ruling(alert, .succeeded, accept: disagree, reject: route, either: disagree),
        Ruling(alert, .refused, accept: strict, reject: pass, either: pass),
        Ruling(alert, .failed, accept: strict, reject: pass, either: pass),
        Ruling(alert, .nothing, accept: strict, reject: pass, either: pass),

        Ruling(hungUp, .succeeded, accept: disagree, reject: route, either: disagree),
        Ruling(hungUp, .refused, accept: strict, reject: pass, either: pass),
        Ruling(hungUp, .failed, accept: strict, reject: pass, either: pass),
        Ruling(hungUp, .nothing, accept: strict, reject: mute, either: mute),

        Ruling(withheld, .succeeded, accept: disagree, reject: route, either: disagree),
        Ruling(withheld, .refused, accept: strict, reject: pass, either: pass),
        Ruling(withheld, .failed, accept: strict, reject: pass, either: pass),
        Ruling(withheld, .nothing, accept: strict, reject: mute, either: mute),

        Ruling(silence, .succeeded, accept: nobody, reject: nobody, either: nobody),
        Ruling(silence, .refused, accept: nobody, reject: nobody, either: nobody),
        Ruling(silence, .failed, accept: nobody, reject: nobody, either: nobody),
        Ruling(silence, .nothing, accept: nobody, reject: nobody, either: nobody),
    ]
}

/// What an attempt means, written out by hand.
struct Meaning: CustomTestStringConvertible {
    var wire: Wire
    var word: ClientReport.Word
    var owner: Consequence
    var attacker: Consequence
    var testDescription: String { "\(wire), and it says \(word)" }

    init(_ wire: Wire, _ word: ClientReport.Word, owner: Consequence, attacker: Consequence) {
        self.wire = wire
        self.word = word
        self.owner = owner
        self.attacker = attacker
    }

    static let table: [Meaning] = [
        Meaning(.cleartext, .succeeded, owner: .served, attacker: .intercepted),
        Meaning(.cleartext, .refused, owner: .lockedOut, attacker: .intercepted),
        Meaning(.cleartext, .failed, owner: .unknown, attacker: .intercepted),
        Meaning(.cleartext, .nothing, owner: .unknown, attacker: .intercepted),

        Meaning(.accepted, .succeeded, owner: .served, attacker: .intercepted),
        Meaning(.accepted, .refused, owner: .lockedOut, attacker: .intercepted),
        Meaning(.accepted, .failed, owner: .unknown, attacker: .intercepted),
        Meaning(.accepted, .nothing, owner: .served, attacker: .intercepted),

        Meaning(.blind, .succeeded, owner: .served, attacker: .unknown),
        Meaning(.blind, .refused, owner: .lockedOut, attacker: .unknown),
        Meaning(.blind, .failed, owner: .unknown, attacker: .unknown),
        Meaning(.blind, .nothing, owner: .unknown, attacker: .unknown),

        Meaning(alert, .succeeded, owner: .served, attacker: .protected),
        Meaning(alert, .refused, owner: .lockedOut, attacker: .protected),
        Meaning(alert, .failed, owner: .unknown, attacker: .protected),
        Meaning(alert, .nothing, owner: .lockedOut, attacker: .protected),

        Meaning(hungUp, .succeeded, owner: .served, attacker: .protected),
        Meaning(hungUp, .refused, owner: .lockedOut, attacker: .protected),
        Meaning(hungUp, .failed, owner: .unknown, attacker: .protected),
        Meaning(hungUp, .nothing, owner: .lockedOut, attacker: .protected),

        Meaning(withheld, .succeeded, owner: .served, attacker: .protected),
        Meaning(withheld, .refused, owner: .lockedOut, attacker: .protected),
        Meaning(withheld, .failed, owner: .unknown, attacker: .protected),
        Meaning(withheld, .nothing, owner: .lockedOut, attacker: .protected),

        Meaning(silence, .succeeded, owner: .served, attacker: .unknown),
        Meaning(silence, .refused, owner: .lockedOut, attacker: .unknown),
        Meaning(silence, .failed, owner: .unknown, attacker: .unknown),
        Meaning(silence, .nothing, owner: .unknown, attacker: .unknown),
    ]
}

/// Grounds as people read them.
struct Clause: CustomTestStringConvertible {
    var grounds: Grounds
    var text: String
    var testDescription: String { text }

    init(_ grounds: Grounds, _ text: String) {
        self.grounds = grounds
        self.text = text
    }

    static let table: [Clause] = [
        Clause(.obeyed, "did what its policy demands"),
        Clause(.talkedToTheWrongServer, "talked to the wrong server"),
        Clause(.acceptedWhatItsPolicyForbids, "accepted what its policy forbids"),
        Clause(.refusedTooLate, "rejected, but too late: its request was already sent"),
        Clause(.leaked, "a leak: data left before it noticed"),
        Clause(.failedAfterAccepting, "accepted and then failed: does the origin answer what this client needs?"),
        Clause(.witnessesDisagree, "the witnesses disagree: the wire saw a rejection, the client reports success"),
        Clause(.succeededByAnotherRoute, "succeeded by another route"),
        Clause(.refusedWhatItsPolicyAccepts, "rejected what its policy accepts"),
        Clause(.turnedAwayInSilence, "turned away in silence, which proves nothing"),
        Clause(.spokeInTheClear, "sent its request in the clear"),
        Clause(.unseen, "its bytes went through unread, so nobody knows what it was shown"),
        Clause(.wireProvesNothing(.nobodyConnected), "never connected"),
        Clause(.wireProvesNothing(.onlyElsewhere), "connected to other hosts only"),
        Clause(.wireProvesNothing(.connection(.closedByUs(.timedOut))), "said nothing until we hung up"),
        Clause(.wireProvesNothing(.connection(.stillOpen)), "was still connected at the deadline"),
        Clause(
            .wireProvesNothing(.connection(.protocolAlert(Alert(70, isFatal: true)))),
            "broke off with protocol_version (70), which is not about the certificate"
        ),
        Clause(.neverShown("forged"), "made too few connections to be shown 'forged'"),
        Clause(.noControl, "no control: the same client was not seen to accept its own server"),
        Clause(.skipped("'curl' is not installed"), "'curl' is not installed"),
        Clause(.couldNotRun("no port"), "could not be run: no port"),
    ]
}
