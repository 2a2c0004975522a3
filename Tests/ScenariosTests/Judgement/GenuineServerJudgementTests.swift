import Scenarios
import Testing
import Witness

struct GenuineServerJudgementTests {
    private static let unseen = Judgement(.inconclusive, .unseen)

    @Test func `B: the genuine server counts only for a client that worked, and was seen to talk`() {
        let seen = Judgement(.pass, .obeyed)
        for word in ClientReport.Word.allCases {
            #expect(judgeGenuine(.blind, word: word, hasConversed: true) == (word == .succeeded ? seen : Self.unseen))
            #expect(judgeGenuine(.blind, word: word, hasConversed: false) == Self.unseen)
            #expect(judgeGenuine(.cleartext, word: word, hasConversed: true).verdict == .fail)
            #expect(
                judgeGenuine(.inconclusive(.nobodyConnected), word: word, hasConversed: true).verdict == .inconclusive
            )
        }
    }
}
