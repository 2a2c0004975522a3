import Witness

extension Grounds {
    /// What a person who reads of it does next, as a sentence; `nil` where nothing more can be said.
    func nextStep(in scenario: Scenario) -> String? {
        switch self {
        case .obeyed, .notApplicable, .breaksOffVersion, .speaksNoHTTP, .takesNoDot, .skipped, .couldNotRun, .resumed,
            .gaveUp,
            .refusedItsPins:
            nil
        case .talkedToTheWrongServer, .succeededByAnotherRoute:
            scenario.preventedBy.map { "prevented by: \($0)" } ?? Self.explain(scenario)
        case .acceptedWhatItsPolicyForbids:
            "is a check switched off, or are its pins not the file's? " + Self.explain(scenario)
        case .refusedWhatItsPolicyAccepts: "are its pins or roots not the file's? " + Self.explain(scenario)
        case .refusedTooLate, .leaked:
            "compare the pins inside the handshake, or before the first byte of the request is written"
        case .failedAfterAccepting: "say in 'origin:' what this client needs to be answered"
        case .witnessesDisagree:
            "find what served it instead: a cache, or a connection that went elsewhere; {proxy} shows every host"
        case .turnedAwayInSilence, .failedOtherwise:
            "say how this client rejects: refused: { exit: [...] } or { text: ... }"
        case .spokeInTheClear: "take plain http, and every way back to it, out of the client"
        case .unseen: "say how this client ends: refused: { exit: [...] }, succeeded: { text: ... }"
        case .wireProvesNothing(let doubt): doubt.nextStep
        case .neverCame: "let the client follow the redirect, or take the other host out of the step's 'also:'"
        case .neverShown, .neverUsed: "let the client open one connection for each chain of the step and use it"
        case .blindControl:
            "let the client say that it was the pin ('refused-pin'), or give it pins by {pins}, so that its twin can show it"
        case .noControl: "find first why the client does not accept its own server in this scenario"
        case .pinNotTried: "give the client the roots in {trust}: only its pins may be left to reject this chain"
        case .acceptedElsewhere: "give the client one name for one server, or pin every name that it uses"
        case .spokeAnotherWay, .leakedToken:
            "send nothing past TLS: datagrams, looked-up names and server names can be read by everybody on the way"
        case .stayedAway: "judge each connection by itself: what was rejected once may be in order the next time"
        case .neverGaveUp: "give the client a time limit of its own for handshakes, or more time here: --timeout"
        case .storm: "wait longer after each failed try, and stop after a few"
        case .leftRunning: "let the client wait for what it starts, or end it"
        case .missingReport: "send a report to {collector} whenever no pin matches"
        case .repeatedReport: "send one report for each failed connection"
        case .vainReport: "send a report only where no pin matches"
        case .wrongReport: "write the report as TrustKit does: docs/scenarios.md says what it holds"
        case .cannotBeAsked: "let its TLS library answer that it has none, or give it one: {cert} and {key}"
        case .lacksCertificate: "give the client a certificate of its own: {cert} and {key}, or one of its owner's"
        case .overtakenByTime, .leftOut: "play it again"
        case .anotherStack:
            "make the app itself connect: what rejected may be its web view, its analytics or the device"
        case .askedAnotherName(let name): "if '\(name)' is a host of its own, let the client ask for it in every run"
        }
    }

    private static func explain(_ scenario: Scenario) -> String {
        "'pindrill explain \(scenario.name)' draws what it was shown"
    }
}

extension Wire.Doubt {
    fileprivate var nextStep: String? {
        switch self {
        case .nobodyConnected: "give the client {url} and {endpoint}, or {proxy}; --verbose shows what it printed"
        case .onlyElsewhere: "let the client ask for {host}: it asked for other names only"
        case .connection(.closedByUs(.upstream)): "mend the server that 'upstream' names, or the way to it"
        case .connection(.closedByUs), .connection(.stillOpen):
            "let the client end its connections, or give it more time: --timeout"
        case .connection: nil
        }
    }
}
