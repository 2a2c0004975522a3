package import TLSCore
package import Witness

/// A `scenarios.yaml`, version 1, with every default filled in. All lists are in file order.
///
/// Every name in a value that came from a file is declared in that file, or in one that is read as part of it.
public struct ScenarioFile: Hashable, Sendable {
    public var version: Int = 1
    /// The server's DNS name, where a step does not say otherwise; already part of every step.
    public var host: String
    package var blueprint: Blueprint
    package var policies: [PolicyDeclaration]
    package var clients: [ClientDeclaration]
    public var scenarios: [Scenario]
    /// What the file declares to be meant, so that no lint warns of it.
    package var allowances: [Allowance] = []
    /// More ports to listen on, and where connections to each are meant to go.
    package var listeners: [NamedListener] = []
    /// What becomes of tunnels; each step adds the hosts that it tests.
    package var routing = Routing()
    /// The genuine server; `nil`: the file names none.
    package var upstream: UpstreamDeclaration?
    /// What the server speaks where a step does not say, in order of preference; `nil`: what it always does.
    package var applicationProtocols: [String]?
    /// Who vouches for clients' own certificates; `nil`: nobody.
    package var clientRoots: [Certificate]?
    /// The tag of the scenarios that are played where nobody asks for others; `nil`: all are.
    package var play: ScenarioTag?
    /// What places call the files that it was read from, where these are the shipped catalogue's to the letter.
    var shippedFiles: Set<String> = []

    package func policy(named name: String) -> PolicyDeclaration? { policies.first { $0.name == name } }
    package func client(named name: String) -> ClientDeclaration? { clients.first { $0.name == name } }
    public func scenario(named name: String) -> Scenario? { scenarios.first { $0.name == name } }
}

/// In what form a file's collector takes reports.
enum ReportForm: String, CaseIterable {
    case trustKit = "trustkit"
}
