public import Foundation
package import Pinning
package import Scenarios
public import TLSCore
import Witness

/// A program that is judged: it is told where the server is, tries to talk to it, and gives its own account.
///
/// One value serves one trial.
package protocol ClientUnderTest: Sendable {
    /// Whether it applies the pins that an endpoint names, so that it can be given others.
    var takesPins: Bool { get }

    /// Whether it has a certificate of its own to show, and so is asked for it.
    var takesIdentity: Bool { get }

    /// Whether the client can be told where to report failures of its pins.
    var takesCollector: Bool { get }

    /// Whether it may connect when nobody asked it to, as an app on a device does: then nothing is presented between attempts.
    var connectsUnasked: Bool { get }

    /// Whether it can be given a network of its own.
    var canBeIsolated: Bool { get }

    /// Why it cannot play a trial, in words; `nil` where it can.
    func reasonToSkip(_ trial: Trial) -> String?

    /// Why its clock cannot be moved; `nil` where that can be tried.
    var clockObstacle: String? { get }

    /// What it says of its own version; `nil` where it does not tell.
    func version() async -> String?

    /// Tries once. What goes wrong is part of the report; only being cancelled is thrown.
    ///
    /// - Parameter beforeEnding: is called where what is left of the attempt is made to end.
    func attempt(
        _ endpoint: Endpoint,
        beforeEnding: @escaping BeforeEnding
    ) async throws(CancellationError) -> ClientReport

    /// Ends whatever outlives an attempt. Nothing is asked of the client afterwards.
    func finish() async

    /// Whoever attends it is told what came of a step; the next is shown when this returns.
    func take(_ step: StepResult, number: Int, mayPause: Bool) async throws(CancellationError)

    /// Whoever attends it is told what came of the trial; `nil`: it was ended before.
    func take(_ result: TrialResult?)
}

extension ClientUnderTest {
    package var takesPins: Bool { false }

    package var takesIdentity: Bool { false }

    package var takesCollector: Bool { false }

    package var connectsUnasked: Bool { false }

    package var canBeIsolated: Bool { false }

    package func reasonToSkip(_ trial: Trial) -> String? { nil }

    package var clockObstacle: String? { "its clock cannot be moved" }

    package func version() async -> String? { nil }

    package func finish() async {}

    package func take(_ step: StepResult, number: Int, mayPause: Bool) async throws(CancellationError) {}

    package func take(_ result: TrialResult?) {}
}

/// Called when a client has ended, or its time is up, and before what is left of it is made to end: connections that are
/// open by then end by our hand, which proves nothing.
///
/// - Parameter hasTimedOut: whether the client's time is up.
package typealias BeforeEnding = @Sendable (_ hasTimedOut: Bool) async -> Void

/// Everything a client may know about one attempt.
public struct Endpoint: Sendable {
    /// The server's name, as the scenario writes it: what to ask for, and what its certificate must say.
    public var host: String
    /// Where it listens, on 127.0.0.1 and where available on ::1; also as an HTTP proxy that knows `CONNECT`.
    public var port: Int
    /// Where the file's other listeners are, by name.
    package var listeners: [String: Int] = [:]
    /// What the client's device trusts.
    public var store: TrustStore
    /// What the client's app demands of servers.
    package var configuration: any PinRules
    /// Texts of pins, and the damaged ones that the client is handed in their place.
    package var damage: [String: String] = [:]
    /// Where certificates are pinned, those.
    package var certificates: [Certificate] = []
    /// What a client proves itself with that takes such a thing.
    package var identity: Identity?
    /// Where the client is to run; `nil`: where we do.
    var network: IsolatedNetwork?
    /// The step's place in the scenario and what it presents, as in `2-forged`; `control-2-today` is the control that was
    /// inserted before it.
    public var step: String
    /// A token for the client to send: the report says where it arrived.
    public var canary = ""
    /// Where to report failures of pins; empty where nobody takes them.
    public var collector = ""
    /// The trial's own temporary folder, of mode 0700.
    public var folder: URL
    /// How long the attempt may take.
    public var timeout: Duration
    /// The client's own instant, against which dates are checked: the real one, unless the step has moved its clock.
    public var instant: Date
    /// How far the client's clock is to be ahead.
    var clock = StoryTime.zero
    /// What an attendant is told; no other client learns it.
    var scene: Scene?

    struct Scene: Sendable {
        var trial: Trial
        var planned: PlannedStep
        var number: Int
        var count: Int
        /// What the answers of this attempt carry, so that an old one is told from them.
        var code: String?
        var observations: @Sendable () -> [Observation]
    }

    /// The keys that the policy pins, for whichever host.
    public var pins: [Pin] { configuration.pins.filter { $0.match == .key }.map(\.pin) }

    package func isDamaged(_ pin: Pin) -> Bool { damage[pin.base64] != nil }

    /// The host as names are compared: in lower case, without a dot at the end.
    var name: String { SubjectName.relative(host.lowercased()) }

    /// `https://host:port/`: the host must be mapped to loopback by the client, with its own option or a proxy.
    public var url: String { "https://\(host):\(port)/" }

    /// The same listener as an HTTP proxy that knows `CONNECT`: every host then leads here.
    public var proxyURL: String { "http://127.0.0.1:\(port)" }
}
