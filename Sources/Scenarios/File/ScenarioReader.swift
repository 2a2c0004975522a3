import Pinning

/// One pass over a file's values that turns them into declarations and notes every problem on the way.
///
/// A reading function that finds a problem reports it and gives back `nil`; its caller goes on with a stand-in, so that
/// one mistake does not hide the next. Nothing with a stand-in leaves: any problem makes `file(from:)` throw.
final class ScenarioReader: YAMLReader {
    private(set) var problems: [ScenarioProblem] = []
    let names = DeclaredNames()
    let loadPolicy: PolicyLoader
    /// Collected from every declaration that has an `allow`.
    var allowances: [Allowance] = []

    init(loadPolicy: @escaping PolicyLoader) {
        self.loadPolicy = loadPolicy
    }

    private static let sections = [
        "version", "host", "keys", "authorities", "stores", "chains", "policies", "clients", "scenarios",
    ]

    /// More than anybody reads, and each may search all names for a near one.
    private static let problemLimit = 100

    func report(_ message: @autoclosure () -> String, at location: SourceLocation) {
        guard problems.count < Self.problemLimit else { return }
        problems.append(ScenarioProblem(message(), at: location))
    }

    func report(_ message: @autoclosure () -> String, at node: YAMLNode) { report(message(), at: node.location) }

    func file(from root: YAMLNode) throws(ScenarioFileError) -> ScenarioFile {
        let file = read(root)
        guard problems.isEmpty, let file else { throw ScenarioFileError(problems.sorted { $0.location < $1.location }) }
        return file
    }

    private func read(_ root: YAMLNode) -> ScenarioFile? {
        guard root.kind == .mapping else {
            report("expected 'version: 1' and the sections of a scenario file, found \(root.kind.rawValue)", at: root)
            return nil
        }
        guard
            isVersionKnown(in: root),
            let fields = fields(
                of: root,
                called: "the file",
                known: Self.sections,
                required: Self.sections.filter { $0 != "authorities" }
            )
        else { return nil }

        let host = fields["host"].flatMap { hostName($0) } ?? ""
        // Names may be used before they are declared, so all are collected first.
        let keys = declare(.key, in: fields["keys"])
        let authorities = declare(.authority, in: fields["authorities"], isOptional: true)
        let stores = declare(.store, in: fields["stores"])
        let chains = declare(.chain, in: fields["chains"])
        let policies = declare(.policy, in: fields["policies"])
        let clients = declare(.client, in: fields["clients"])

        let blueprint = Blueprint(
            keys: keys.compactMap(key),
            authorities: authorities.compactMap(authority),
            stores: stores.compactMap(store),
            chains: lendLeaves(chains.compactMap(chain))
        )
        findCycles(in: blueprint)
        findNeedlessOmissions(in: blueprint)
        var file = ScenarioFile(
            host: host,
            blueprint: blueprint,
            policies: policies.compactMap(policy),
            clients: clients.compactMap(client),
            scenarios: scenarios(fields["scenarios"], host: host, store: blueprint.stores.first?.name ?? "")
        )
        file.allowances = allowances
        return file
    }

    /// A file of another version means something else by the same words: there is no point in reading on.
    private func isVersionKnown(in root: YAMLNode) -> Bool {
        guard
            case .mapping(let entries) = root.content,
            let node = entries.first(where: { $0.key.scalar == "version" })?.value
        else { return true }
        guard case .scalar("1", isPlain: true) = node.content else {
            report("this program reads version 1 of scenario files only", at: node)
            return false
        }
        return true
    }
}

extension YAMLNode {
    var location: SourceLocation { SourceLocation(file: file, line: mark.line, column: mark.column) }
}
