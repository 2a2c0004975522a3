import Pinning
import TLSCore
import Witness

/// One pass over the values of a file, and of those it includes, that turns them into declarations and notes every
/// problem on the way.
///
/// A reading function that finds a problem reports it and gives back `nil`; its caller goes on with a stand-in, so that
/// one mistake does not hide the next. Nothing with a stand-in leaves: any problem makes `file(from:)` throw.
final class ScenarioReader: YAMLReader {
    private(set) var problems: [ScenarioProblem] = []
    let names = DeclaredNames()
    let files: NamedFiles
    /// The files read so far, in order, with the place that includes each.
    var sources: [(identity: String, file: String, place: SourceLocation?)] = []
    /// Whether all of them are the shipped catalogue's to the letter.
    var isShipped = true
    /// The host that the shipped catalogue was written for, where a file includes it for another.
    var borrowedHost: String?
    /// The first store of the shipped catalogue, where that is borrowed.
    var borrowedStore: String?
    /// Collected from every declaration that has an `allow`.
    var allowances: [Allowance] = []
    /// What scenarios name in vain.
    var missingClients: [(name: String, location: SourceLocation)] = []
    /// Whether there is somebody to report to, and somebody to relay to.
    var hasCollector = false
    var hasUpstream = false
    /// Whether somebody's chain can be fetched and copied.
    var hasGenuine = false
    /// Where a pack copies somebody's chain, and the file that includes it names nobody.
    var missingGenuine: SourceLocation?

    /// What listens beside the usual port.
    var listeners: [NamedListener] = []
    /// Made once: to make an expression takes longer than to read a scenario.
    let formOfReferences = /CVE-[0-9]{4}-[0-9]{4,}|RFC [1-9][0-9]*( section [0-9A-Z][0-9.]*)?|https?:\/\/[^\s<>"]+/
    /// Which scenarios clients are said to deviate in, to be looked up once all are known.
    var deviatingScenarios: [(pattern: String, node: YAMLNode)] = []

    init(_ files: NamedFiles) {
        self.files = files
    }

    /// More than anybody reads, and each may search all names for a near one.
    private static let problemLimit = 100

    func report(_ message: @autoclosure () -> String, at location: SourceLocation) {
        guard problems.count < Self.problemLimit else { return }
        problems.append(ScenarioProblem(message(), at: location))
    }

    func report(_ message: @autoclosure () -> String, at node: YAMLNode) { report(message(), at: node.location) }

    func file(from source: ScenarioSource) throws(ScenarioFileError) -> ScenarioFile {
        let file = read(source)
        guard problems.isEmpty, let file else {
            let order = Dictionary(sources.enumerated().map { ($1.file, $0) }, uniquingKeysWith: min)
            let found = problems.map { (order[$0.location.file] ?? 0, $0) }
            throw ScenarioFileError(found.sorted { ($0.0, $0.1.location) < ($1.0, $1.1.location) }.map(\.1))
        }
        return file
    }

    private func read(_ source: ScenarioSource) -> ScenarioFile? {
        let parts = parts(of: source)
        guard let main = parts.first else { return nil }
        func sections(_ key: String) -> [YAMLNode] { parts.compactMap { $0.fields[key] } }
        for key in Self.sections where key != "authorities" && sections(key).isEmpty && names.unreadable.isEmpty {
            report("the file has no '\(key)'", at: main.root)
        }

        let host = main.fields["host"].flatMap { hostName($0) } ?? ""
        for node in parts.dropFirst().compactMap({ $0.fields["host"] }) {
            guard let other = hostName(node), other != host, !host.isEmpty else { continue }
            report("another host than in the file that includes this one, '\(host)'", at: node)
        }
        // Names may be used before they are declared, so all are collected first.
        let keys = declare(.key, in: sections("keys"))
        let authorities = declare(.authority, in: sections("authorities"), isOptional: true)
        let stores = declare(.store, in: sections("stores"))
        let chains = declare(.chain, in: sections("chains"))
        let policies = declare(.policy, in: sections("policies"))
        let clients = declare(.client, in: sections("clients"))

        listeners = sections("listeners").first.map(namedListeners) ?? []
        let upstream = sections("upstream").first.flatMap { self.upstream($0, host: host) }
        hasUpstream = !sections("upstream").isEmpty
        hasGenuine = upstream?.tls != nil
        hasCollector = sections("collector").contains { choice($0, "a form of reports") == ReportForm.trustKit }
        var blueprint = Blueprint(
            keys: keys.compactMap(key),
            authorities: authorities.compactMap(authority),
            stores: stores.compactMap(store),
            chains: lendLeaves(chains.compactMap(chain))
        )
        findCycles(in: blueprint)
        findNeedlessOmissions(in: blueprint)
        let origin = sections("origin").first.flatMap { self.origin($0, isComplete: true) }
        let store = blueprint.stores.first?.name ?? ""
        borrowedStore = stores.first(where: { isBorrowed($0.value) })?.name
        findImpossibleDigests(in: blueprint)
        let (declaredPolicies, declaredClients) = (policies.compactMap(policy), clients.compactMap(client))
        // Only a step may name it.
        if let upstream, upstream.tls != nil { addGenuineChain(of: upstream, to: &blueprint) }
        if let missingGenuine { addMissingChain(at: missingGenuine, to: &blueprint) }
        var file = ScenarioFile(
            host: DNSName.host(SubjectName.relative(host)) ?? "",
            blueprint: blueprint,
            policies: declaredPolicies,
            clients: declaredClients,
            scenarios: scenarios(sections("scenarios"), host: host, store: store, origin: origin)
        )
        findNeedlessVariants(file.scenarios, in: blueprint)
        findHiddenAttackers(file.scenarios, in: blueprint)
        file.allowances = allowances
        if isShipped { file.shippedFiles = Set(sources.map(\.file)) }
        file.play = main.fields["play"].flatMap(tag)
        file.upstream = upstream
        if let node = main.fields["tls"] { limits(ofAll: node, in: &file) }
        file.listeners = listeners
        file.routing = routing(sections("routes").first, sections("others").first, sections("reachable").first)
        reportMissingClients()
        checkDeviations(file.scenarios)
        return file
    }
}

extension YAMLNode {
    var location: SourceLocation { SourceLocation(file: file, line: mark.line, column: mark.column) }
}
