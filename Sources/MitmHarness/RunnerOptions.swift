public import Foundation
public import MitmProxy
import Scenarios
package import TLSCore
package import Witness

/// How trials are run.
public struct RunnerOptions: Sendable {
    /// How many trials run at the same time.
    public var jobs: Int
    /// How long one attempt of a client may take.
    public var timeout: Duration
    /// How long to wait, after a client has ended, for its connections to end.
    public var patience: Duration
    /// What the server behind the proxy answers.
    public var origin: Origin
    /// What time it is.
    public var clock: @Sendable () -> Date
    /// Where proxies listen; 0: wherever there is room, each anew.
    package var port = 0
    /// Whether clients that are commands are started; or else they are skipped.
    package var startsCommands = true
    /// Whether each client that is a command has a network of its own, in which all that it sends ends here.
    package var isolates = false
    /// Where to listen beside loopback, and who may come there; `nil`: nowhere.
    package var exposure: Exposure?
    /// Who begins with the PROXY protocol, and speaks for others.
    package var forwarders: [AddressRange] = []
    /// Who is told the secrets of connections; `nil`: nobody.
    package var secrets: SecretLog?
    /// Who is told what connections carry; `nil`: nobody.
    package var capture: PacketCapture?
    /// Through whom real servers are reached; `nil`: directly.
    package var upstreamProxy: UpstreamProxy?
    /// What devices are given in the clear; `nil`: nothing.
    package var page: DevicePage?
    /// The file's genuine server.
    var upstream: UpstreamDeclaration?
    /// What it showed when it was first asked, where attackers copy it.
    let genuine = GenuineCopy()
    /// What the server speaks, in order of preference; `nil`: what the proxy does by itself.
    var applicationProtocols: [String]?
    /// More ports, each for one place.
    var listeners: [NamedListener] = []
    /// Who vouches for clients' own certificates; `nil`: nobody.
    var clientRoots: [Certificate]?
    /// What becomes of tunnels; `nil`: what the file says.
    package var routing: Routing?

    public init(
        jobs: Int = ProcessInfo.processInfo.activeProcessorCount,
        timeout: Duration = .seconds(10),
        patience: Duration = .seconds(2),
        origin: Origin = Origin(),
        clock: @escaping @Sendable () -> Date = { Date() }
    ) {
        self.jobs = max(1, jobs)
        self.timeout = timeout
        self.patience = patience
        self.origin = origin
        self.clock = clock
    }
}
