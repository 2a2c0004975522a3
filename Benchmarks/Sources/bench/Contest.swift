/// Servers that are measured in turn, round by round, since both then ran under the same noise.
struct Contest {
    struct Entry {
        let server: Server
        var values: [Double] = []
        var failed = 0

        var samples: Samples { Samples(values) }

        func ratio(to other: Entry) -> Samples { Samples(zip(values, other.values).map { $0 / $1 }) }
    }

    private(set) var entries: [Entry]
    var ours: Entry { entries[0] }
    var nginx: Entry? { entries.first { $0.server.name == "nginx" } }

    /// - Parameter measure: is given the round, of which the first, 0, only warms up.
    init(
        _ what: String,
        _ servers: [Server?],
        rounds: Int,
        measure: (Server, _ round: Int) throws -> (value: Double, failed: Int)
    ) throws {
        entries = servers.compactMap { $0.map { Entry(server: $0) } }
        for round in 0...rounds {
            for index in entries.indices {
                Progress.show("\(what), round \(round) of \(rounds): \(entries[index].server.name)")
                let (value, failed) = try measure(entries[index].server, round)
                guard round > 0 else { continue }
                entries[index].values.append(value)
                entries[index].failed += failed
            }
        }
    }

    /// A row for each, with its ratio to nginx.
    func fill(_ table: inout Table) {
        for entry in entries {
            table.add(
                entry.server.name,
                entry.samples,
                ratio: nginx.map(entry.ratio),
                failed: entry.failed,
                remark: entry.server.remark
            )
        }
    }
}
