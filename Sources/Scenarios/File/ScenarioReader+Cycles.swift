import Pinning

/// Declarations that each read well and make no sense together.
extension ScenarioReader {
    func findCycles(in blueprint: Blueprint) {
        let authorities = blueprint.authorities
        let places = Dictionary(authorities.map { ($0.name, $0.location) }, uniquingKeysWith: { first, _ in first })
        let chainPlaces = Dictionary(
            blueprint.chains.map { ($0.name, $0.location) },
            uniquingKeysWith: { first, _ in first }
        )

        reportCycle(
            "issuers go in a circle",
            authorities.map { ($0.name, $0.issuer.map { [$0] } ?? []) },
            places,
            advice: "; a root has none"
        )
        reportCycle("keys are taken in a circle", authorities.map { ($0.name, $0.key.map { [$0] } ?? []) }, places)
        reportCycle("subjects are copied in a circle", authorities.map { ($0.name, copied($0.subject)) }, places)
        reportCycle(
            "chains are made of each other",
            blueprint.chains.map { chain in
                let copied = [chain.mirrors, chain.traits.serialOf].compactMap(\.self)
                return (chain.name, chain.append + lentLeaves(chain) + copied)
            },
            chainPlaces
        )
    }

    /// `omit` without effect is a misunderstanding: the author believes that something is not sent.
    func findNeedlessOmissions(in blueprint: Blueprint) {
        let issuers = Dictionary(
            blueprint.authorities.map { ($0.name, $0.issuer) },
            uniquingKeysWith: { first, _ in first }
        )
        for chain in blueprint.chains where !chain.omit.isEmpty {
            var path: Set<String> = []
            var next: String? = if case .authority(let name) = chain.issuer { name } else { nil }
            while let name = next, path.insert(name).inserted { next = issuers[name] ?? nil }
            for name in chain.omit where !path.contains(name) {
                report("chain '\(chain.name)' cannot omit '\(name)', which did not issue it", at: chain.location)
            }
        }
    }

    /// Names that are not of authorities are of chains.
    private func lentLeaves(_ chain: ChainDeclaration) -> [String] {
        (chain.send ?? []).filter { names.kind(of: $0, among: [.authority]) == nil }
    }

    private func copied(_ subject: AuthorityDeclaration.Subject) -> [String] {
        if case .copied(let name) = subject { [name] } else { [] }
    }

    private func reportCycle(
        _ message: String,
        _ edges: [(String, [String])],
        _ locations: [String: SourceLocation],
        advice: String = ""
    ) {
        guard let cycle = firstCycle(in: edges), let location = locations[cycle[0]] else { return }
        report("\(message): \((cycle + [cycle[0]]).joined(separator: " -> "))\(advice)", at: location)
    }
}

/// The names of one cycle, beginning with the one declared first; `nil` when there is none.
///
/// Not recursive: a file may chain thousands of names.
func firstCycle(in edges: [(name: String, successors: [String])]) -> [String]? {
    var successors = Dictionary(edges.map { ($0.name, $0.successors) }, uniquingKeysWith: { first, _ in first })
    var predecessors: [String: [String]] = [:]
    for (name, targets) in edges { for target in targets { predecessors[target, default: []].append(name) } }

    // Whatever leads nowhere is on no cycle; what is left leads to one.
    var open = successors.mapValues { targets in targets.count { successors[$0] != nil } }
    var dead = open.filter { $0.value == 0 }.map(\.key)
    while let name = dead.popLast() {
        successors[name] = nil
        for predecessor in predecessors[name] ?? [] {
            open[predecessor, default: 0] -= 1
            if open[predecessor] == 0 { dead.append(predecessor) }
        }
    }

    guard var name = edges.first(where: { successors[$0.name] != nil })?.name else { return nil }
    var walk: [String] = []
    var positions: [String: Int] = [:]
    while positions[name] == nil {
        positions[name] = walk.count
        walk.append(name)
        guard let next = successors[name]?.first(where: { successors[$0] != nil }) else { return nil }
        name = next
    }
    let cycle = Array(walk[(positions[name] ?? 0)...])
    let order = Dictionary(edges.enumerated().map { ($1.name, $0) }, uniquingKeysWith: min)
    let first = cycle.indices.min { order[cycle[$0], default: 0] < order[cycle[$1], default: 0] } ?? 0
    return Array(cycle[first...] + cycle[..<first])
}
