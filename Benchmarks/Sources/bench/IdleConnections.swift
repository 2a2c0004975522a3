import Foundation

/// What a server keeps in memory for a connection that shook hands and says nothing.
struct IdleConnections {
    let workshop: Workshop
    let rounds: Int

    private static let connections = 2000

    func measure() throws -> [Table] {
        let kinds: [(Workshop) throws -> Server?] = [
            { try .ours(mints: false, in: $0) }, { try .nginx(in: $0) }, { try .mitmproxy(mints: false, in: $0) },
        ]
        var table = Table("Idle connection", unit: "kB resident, of \(IdleConnections.connections)", digits: 1)
        var kilobytes: [[Double]] = kinds.map { _ in [] }
        var failed = kinds.map { _ in 0 }
        var names = kinds.map { _ in "" }
        for round in 1...rounds {
            for (index, kind) in kinds.enumerated() {
                // A new process each time: memory that was freed once is not seen to be taken again.
                guard let server = try kind(workshop) else { continue }
                names[index] = server.name
                Progress.show("idle connections, round \(round) of \(rounds): \(server.name)")
                let (cost, failures) = try Self.cost(of: Self.connections, with: server, in: workshop)
                kilobytes[index].append(cost)
                failed[index] += failures
            }
        }
        for index in kinds.indices where !kilobytes[index].isEmpty {
            table.add(names[index], Samples(kilobytes[index]), failed: failed[index])
        }
        table.judge("pindrill", Samples(kilobytes[0]).median, atMost: 25)
        return [table]
    }

    /// What each of so many adds.
    static func cost(of connections: Int, with server: Server, in workshop: Workshop) throws -> (
        kilobytes: Double, failed: Int
    ) {
        let load = Load(workshop: workshop)
        // Code that is read in at its first use is not a connection's.
        _ = try load.handshakes(200, .same, with: server)
        usleep(500_000)
        let before = server.usage.residentBytes
        var result = (kilobytes: 0.0, failed: 0)
        try load.holding(connections, with: server) { outcome in
            usleep(500_000)
            let grown = server.usage.residentBytes - before
            result = (Double(grown) / 1000 / Double(max(1, outcome.completed)), outcome.failed)
        }
        return result
    }
}
