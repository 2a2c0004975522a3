package import Pinning
import TLSCore
package import Witness

/// The judge: pure, and complete. What a correct client must do, what the wire saw and what the client says go in; a
/// verdict and its grounds come out. The control rule comes after it, because it needs the whole trial.
///
/// - Parameter holder: whose server it was, which only the words depend on.
package func judge(
    _ demand: Decision.Demand,
    wire: Wire,
    word: ClientReport.Word,
    of holder: Holder = .attacker
) -> Judgement {
    switch demand {
    case .accept: judgeAcceptance(wire, word)
    case .reject: judgeRejection(wire, word, of: holder)
    case .either: judgeEither(judgeAcceptance(wire, word), judgeRejection(wire, word, of: holder))
    }
}

/// What comes of a step that shows the genuine server: the client's word counts, if more than a handshake went both ways.
/// A client that was kept from it by anything but us cannot be told from one that rejected it.
package func judgeGenuine(_ wire: Wire, word: ClientReport.Word, hasConversed: Bool) -> Judgement {
    switch (wire, word) {
    case (.blind, .succeeded) where hasConversed: Judgement(.pass, .obeyed)
    case (.cleartext, _): Judgement(.fail, .spokeInTheClear)
    case (.inconclusive(let doubt), _): Judgement(.inconclusive, .wireProvesNothing(doubt))
    default: Judgement(.inconclusive, .unseen)
    }
}

private func judgeAcceptance(_ wire: Wire, _ word: ClientReport.Word) -> Judgement {
    switch (wire, word) {
    case (.accepted, .succeeded), (.accepted, .nothing): Judgement(.pass, .obeyed)
    case (.accepted, .refused): Judgement(.fail, .refusedTooLate)
    case (.accepted, .failed): Judgement(.inconclusive, .failedAfterAccepting)
    case (.rejected, .succeeded): Judgement(.fail, .witnessesDisagree)
    case (.rejected, _): Judgement(.fail, .refusedWhatItsPolicyAccepts)
    case (.cleartext, _): Judgement(.fail, .spokeInTheClear)
    case (.blind, _): Judgement(.inconclusive, .unseen)
    case (.inconclusive(let doubt), _): Judgement(.inconclusive, .wireProvesNothing(doubt))
    }
}

private func judgeRejection(_ wire: Wire, _ word: ClientReport.Word, of holder: Holder) -> Judgement {
    switch (wire, word) {
    // Who talks to his own server has neither met a wrong one nor leaked anything.
    case (.accepted, .refused) where holder == .owner: Judgement(.fail, .refusedTooLate)
    case (.accepted, _) where holder == .owner:
        Judgement(.fail, .acceptedWhatItsPolicyForbids)
    case (.accepted, .succeeded), (.accepted, .nothing): Judgement(.fail, .talkedToTheWrongServer)
    case (.accepted, _): Judgement(.fail, .leaked)
    case (.rejected, .succeeded): Judgement(.fail, .succeededByAnotherRoute)
    case (.rejected, .refused), (.rejected, .failed): Judgement(.pass, .obeyed)
    case (.rejected(let how), .nothing):
        how.isAlert ? Judgement(.pass, .obeyed) : Judgement(.inconclusive, .turnedAwayInSilence)
    case (.cleartext, _): Judgement(.fail, .spokeInTheClear)
    case (.blind, _): Judgement(.inconclusive, .unseen)
    case (.inconclusive(let doubt), _): Judgement(.inconclusive, .wireProvesNothing(doubt))
    }
}

private func judgeEither(_ accepting: Judgement, _ rejecting: Judgement) -> Judgement {
    if accepting.verdict == .pass { return accepting }
    if rejecting.verdict == .pass { return rejecting }
    return accepting.verdict == .inconclusive ? accepting : rejecting.verdict == .inconclusive ? rejecting : accepting
}

/// What an attempt meant for the people behind the client. The attacker's row is read from the wire, the owner's from
/// the client's word where it speaks.
package func consequence(for holder: Holder, wire: Wire, word: ClientReport.Word) -> Consequence {
    switch (holder, word, wire) {
    case (.attacker, _, .accepted), (.attacker, _, .cleartext): .intercepted
    case (.attacker, _, .rejected): .protected
    case (.attacker, _, _): .unknown
    case (.owner, .succeeded, _): .served
    case (.owner, .refused, _): .lockedOut
    case (.owner, .failed, _): .unknown
    case (.owner, .nothing, .accepted): .served
    case (.owner, .nothing, .rejected): .lockedOut
    case (.owner, .nothing, _): .unknown
    }
}
