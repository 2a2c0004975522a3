public import TLSCore
public import Witness

/// Did the client do what its own policy demands?
public enum Verdict: String, CaseIterable, Codable, Comparable, Sendable {
    case pass
    /// The step is about what this client lacks, such as a version of TLS: neither refused nor accepted.
    case notApplicable = "not-applicable"
    /// It could not be tried.
    case skipped
    /// Nothing was proven, either way.
    case inconclusive
    case fail

    /// From best to worst.
    public static func < (left: Verdict, right: Verdict) -> Bool { left.rank < right.rank }
    private var rank: Int { Verdict.allCases.firstIndex(of: self) ?? 0 }
}

/// What it meant for the people behind the client.
public enum Consequence: String, CaseIterable, Codable, Comparable, Sendable {
    /// They could work with their own server.
    case served
    /// They were kept from an attacker.
    case `protected`
    /// Neither witness can tell.
    case unknown
    /// They were kept from their own server: an outage.
    case lockedOut = "locked-out"
    /// An attacker got their data: a breach.
    case intercepted

    /// From best to worst.
    public static func < (left: Consequence, right: Consequence) -> Bool { left.rank < right.rank }
    private var rank: Int { Consequence.allCases.firstIndex(of: self) ?? 0 }
}

/// Whether the pin made a client refuse.
public enum Attribution: String, CaseIterable, Codable, Comparable, Sendable {
    case pin
    /// The client was handed a damaged pin, and would not work with it.
    case configuration
    /// The client has no way to say.
    case unproven
    /// The client can say when it is the pin, and did not.
    case other

    /// From what proves most to what proves least.
    public static func < (left: Attribution, right: Attribution) -> Bool { left.rank < right.rank }
    private var rank: Int { Attribution.allCases.firstIndex(of: self) ?? 0 }
}

/// A verdict and what it rests on.
public struct Judgement: Hashable, Sendable {
    public var verdict: Verdict
    public var grounds: Grounds

    public init(_ verdict: Verdict, _ grounds: Grounds) {
        self.verdict = verdict
        self.grounds = grounds
    }
}

/// Why a verdict is what it is.
public enum Grounds: Hashable, Sendable {
    case obeyed
    /// It accepted an attacker's chain, which its policy forbids.
    case talkedToTheWrongServer
    /// It accepted a chain of its own server that its policy forbids.
    case acceptedWhatItsPolicyForbids
    /// It said that it refused, and had sent its request already.
    case refusedTooLate
    /// As before, to an attacker: data left before it noticed.
    case leaked
    /// As before, by another way: a token that it was given arrived in the clear, or at the attacker.
    case leakedToken(Leak.Place)
    /// It accepted and then failed: perhaps the origin does not answer what it needs.
    case failedAfterAccepting
    /// The wire saw a refusal and the client says it succeeded.
    case witnessesDisagree
    /// As before, with a server that its policy forbids: it found another route.
    case succeededByAnotherRoute
    case refusedWhatItsPolicyAccepts
    /// It turned away without an alert and without a word: that is no proof of a refusal.
    case turnedAwayInSilence
    case spokeInTheClear
    /// Its bytes went through unread, so nobody knows what it was shown.
    case unseen
    case wireProvesNothing(Wire.Doubt)
    /// The step shows several chains, and the client made too few connections to see this one.
    case neverShown(String)
    /// It came back with a session of this chain, and was not shown the step's.
    case resumed(String)
    /// The step shows several chains, and the client opened a connection to this one and left it unused.
    case neverUsed(String)
    /// It refused, but never proved that it can accept.
    case noControl
    /// It refused, and was seen to accept the genuine server only, whose root is none of ours.
    case blindControl
    /// It refused for another reason than its pins, which alone forbid the chain: they were not put to the test.
    case pinNotTried
    /// It turned away without an alert and says that something else went wrong.
    case failedOtherwise
    /// It refused here, and sent a request to the same server under another name.
    case acceptedElsewhere
    /// It was handed a damaged pin, and did not even connect.
    case refusedItsPins
    /// It refused here, and sent something in the clear that is no request: a token of ours, or bytes that we cannot read.
    case spokeAnotherWay
    /// It refused somebody, and from then on ends in the same way without a connection.
    case stayedAway
    /// The server never finished a handshake, and the client left it at that.
    case gaveUp
    /// The server never finished a handshake, and the client was still waiting, or trying, when its time was over.
    case neverGaveUp
    /// The step has a chain for another host, and the client never came there.
    case neverCame(String)
    /// It told the collector nothing of a chain in which no pin matches.
    case missingReport(String)
    /// It told more often of a chain than it had met it.
    case repeatedReport(String, count: Int, failures: Int)
    /// It told of a failure that was none.
    case vainReport(String)
    /// Its report is not what was to be told.
    case wrongReport(String)
    /// It made more connections or requests than the step allows.
    case storm(Storm)
    /// It refused, and what it had started was still running: nobody knows what that would have done.
    case leftRunning([String])
    /// What must be done was not the same before and after.
    case overtakenByTime
    /// The client lacks what the step speaks, and judged nobody.
    case notApplicable(Wire.Doubt)
    /// It breaks this version of TLS off with its own server, too, which it accepts in another.
    case breaksOffVersion(BreakOff)
    /// The step is about what the server answers in HTTP, and the client speaks something else.
    case speaksNoHTTP
    /// It turns its own server away, too, where the host is written with a dot at its end.
    case takesNoDot
    /// It asked the attacker under an unrelated name that he may show a good certificate for, and that it does not ask
    /// for where all is well.
    case askedAnotherName(String)
    /// It goes no further where a server asks for a certificate of its own.
    case cannotBeAsked
    /// It showed no certificate of its own where the step requires one.
    case lacksCertificate
    case skipped(String)
    /// Whoever attended the client left the step out.
    case leftOut
    /// No connection that refused looks like the TLS stack that was seen to accept.
    case anotherStack
    /// Something on our side went wrong.
    case couldNotRun(String)
}

/// How a client ends a handshake that it cannot go on with.
public enum BreakOff: Hashable, Sendable, CustomStringConvertible {
    case alert(Alert)
    /// Without a word, as asyncio does: it closes before it has sent what OpenSSL says.
    case hangingUp

    public var description: String {
        switch self {
        case .alert(let alert): "by \(alert)"
        case .hangingUp: "without an alert"
        }
    }
}

extension Grounds: CustomStringConvertible {
    /// A clause for people.
    public var description: String {
        switch self {
        case .obeyed: "did what its policy demands"
        case .talkedToTheWrongServer: "talked to the wrong server"
        case .acceptedWhatItsPolicyForbids: "accepted what its policy forbids"
        case .refusedTooLate: "rejected, but too late: its request was already sent"
        case .leaked: "a leak: data left before it noticed"
        case .leakedToken(let place): "a leak: the token that it was given left another way, in \(place)"
        case .failedAfterAccepting: "accepted and then failed: does the origin answer what this client needs?"
        case .witnessesDisagree: "the witnesses disagree: the wire saw a rejection, the client reports success"
        case .succeededByAnotherRoute: "succeeded by another route"
        case .refusedWhatItsPolicyAccepts: "rejected what its policy accepts"
        case .turnedAwayInSilence: "turned away in silence, which proves nothing"
        case .spokeInTheClear: "sent its request in the clear"
        case .unseen: "its bytes went through unread, so nobody knows what it was shown"
        case .wireProvesNothing(let doubt): "\(doubt)"
        case .neverShown(let chain): "made too few connections to be shown '\(chain)'"
        case .resumed(let chain): "resumed a session of '\(chain)': the new chain was not shown"
        case .neverUsed(let chain): "opened a connection, was shown '\(chain)' and did not use it, which proves nothing"
        case .noControl: "no control: the same client was not seen to accept its own server"
        case .blindControl:
            "its control was the genuine server, passed through: does the app trust our root? Nothing shows that its pins rejected"
        case .pinNotTried: "rejected for another reason than its pins, which were not put to the test"
        case .failedOtherwise: "turned away without an alert, and says that something else went wrong"
        case .acceptedElsewhere: "rejected here, and sent a request to the same server under another name"
        case .refusedItsPins: "would not work with a damaged pin, and connected to nobody"
        case .spokeAnotherWay: "rejected here, and sent something in the clear another way"
        case .stayedAway: "never connected, and ended as it did when it rejected before: it remembers that"
        case .gaveUp: "gave up on a server that finished no handshake, and asked no other"
        case .neverGaveUp:
            "had not given up on a server that finished no handshake when its time was over: what follows was not seen"
        case .neverCame(let host): "never came to '\(host)': does it follow where the answers lead?"
        case .missingReport(let chain): "no pin matches '\(chain)', and it reported nothing to the collector"
        case .repeatedReport(let chain, let count, let failures):
            "it reported '\(chain)' \(count) times, and met it \(failures == 1 ? "once" : "\(failures) times")"
        case .vainReport(let chain): "it reported a failure of its pins at '\(chain)', where nothing failed"
        case .wrongReport(let flaw): "its report to the collector is wrong: \(flaw)"
        case .storm(let storm): "\(storm)"
        case .leftRunning(let processes):
            "left \(processes.joined(separator: ", ")) running, which might have gone on to connect"
        case .overtakenByTime: "a certificate's validity began or ended meanwhile"
        case .notApplicable(let doubt): "\(doubt)"
        case .breaksOffVersion(let how):
            "it breaks this version of TLS off with its own server, too, \(how): it judged nobody"
        case .speaksNoHTTP: "it speaks no HTTP, so what its server answers here says nothing to it"
        case .takesNoDot: "it takes no host with a dot at its end, its own server's neither: it judged nobody"
        case .askedAnotherName(let name):
            "rejected here, and then asked the same server for '\(name)', as it does not where it is served: "
                + "was that meant for this host?"
        case .cannotBeAsked:
            "broke off because it was asked for a client certificate: it accepts the same server where it is not asked"
        case .lacksCertificate: "sent no client certificate, which the step requires, and was answered 400"
        case .skipped(let reason): reason
        case .leftOut: "left out by whoever attended the client"
        case .anotherStack:
            "another stack: no connection that rejected looks like the TLS stack that accepted the app's own server"
        case .couldNotRun(let reason): "could not be run: \(reason)"
        }
    }
}
