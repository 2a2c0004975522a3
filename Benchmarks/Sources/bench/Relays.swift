import Foundation

/// What it costs to stand between two connections of TLS: a client's, and one to a verified nginx on the other core.
struct Relays {
    let workshop: Workshop
    let rounds: Int

    private static let gibibyte = 1 << 30

    func measure() throws -> [Table] {
        let upstream = try Server.Upstream(in: workshop)
        let ours = try Server.relay(to: upstream, in: workshop)
        let nginx = try Server.nginx(to: upstream, in: workshop)
        return [
            try connections([
                ours, nginx, Server.sslsplit(in: workshop), Server.mitmproxy(mints: false, to: upstream, in: workshop),
            ])
        ] + (try transfers([ours, nginx])) + [try idle(to: upstream)]
    }

    private func connections(_ servers: [Server?]) throws -> Table {
        let load = Load(workshop: workshop)
        let counts = ["sslsplit": 1000, "mitmproxy": 300]
        let contest = try Contest("relays", servers, rounds: rounds) { server, round in
            let before = server.usage
            let outcome = try load.handshakes(
                round == 0 ? 200 : counts[server.name, default: 3000],
                .same,
                with: server
            )
            usleep(100_000)
            let spent = server.usage.processorTime - before.processorTime
            return (spent.inSeconds * 1e6 / Double(max(1, outcome.completed)), outcome.failed)
        }
        var table = Table("Relay, TLS to TLS, a connection each", unit: "µs of server CPU; ratio to nginx")
        contest.fill(&table)
        let targets = ["nginx": 1.05, "sslsplit": 0.5, "mitmproxy": 0.17]
        for entry in contest.entries {
            guard let target = targets[entry.server.name] else { continue }
            table.judge("pindrill / \(entry.server.name)", contest.ours.ratio(to: entry).median, atMost: target)
        }
        return table
    }

    private func transfers(_ servers: [Server]) throws -> [Table] {
        let load = Load(workshop: workshop)
        var rates = Table("1 GiB through a relay, TLS to TLS", unit: "MB a second of server CPU; ratio to nginx")
        var memory = Table("Memory that this takes", unit: "MB more at its peak", digits: 1)
        var peaks: [String: [Double]] = [:]
        let contest = try Contest("transfers", servers, rounds: rounds) { server, round in
            let before = server.usage
            ProcessUsage.forgetPeak(of: server.id)
            let bytes = round == 0 ? Relays.gibibyte / 16 : Relays.gibibyte
            let outcome = try load.pull(bytes, with: server)
            let after = server.usage
            if round > 0 {
                let peak = ProcessUsage.peakBytes(of: server.id) - before.residentBytes
                peaks[server.name, default: []].append(Double(peak) / 1e6)
            }
            let spent = (after.processorTime - before.processorTime).inSeconds
            return (Double(outcome.completed) / 1000 / spent, outcome.completed < bytes / 1000 - 1000 ? 1 : 0)
        }
        contest.fill(&rates)
        if let nginx = contest.nginx {
            rates.judge("pindrill / nginx", contest.ours.ratio(to: nginx).median, atLeast: 1.1)
        }
        for server in servers { memory.add(server.name, Samples(peaks[server.name] ?? [0])) }
        memory.judge("pindrill", Samples(peaks["pindrill"] ?? [0]).median, atMost: 17)

        var slow = Table("A reader at 2 MB/s of 1 GiB, for five seconds", unit: "MB more at its peak", digits: 1)
        for server in servers {
            let before = server.usage.residentBytes
            ProcessUsage.forgetPeak(of: server.id)
            _ = try load.pull(10_000_000, rate: 2_000_000, with: server)
            slow.add(server.name, Samples([Double(ProcessUsage.peakBytes(of: server.id) - before) / 1e6]))
        }
        return [rates, memory, slow]
    }

    /// With the connection behind each, which nginx makes only for a request.
    private func idle(to upstream: Server.Upstream) throws -> Table {
        let connections = 2000
        var table = Table("Idle intercepted connection", unit: "kB resident, of \(connections)", digits: 1)
        var (kilobytes, failed) = ([Double](), 0)
        for _ in 1...rounds {
            let server = try Server.relay(to: upstream, in: workshop)
            let (cost, failures) = try IdleConnections.cost(of: connections, with: server, in: workshop)
            kilobytes.append(cost)
            failed += failures
        }
        table.add("pindrill", Samples(kilobytes), failed: failed)
        table.judge("pindrill", Samples(kilobytes).median, atMost: 45)
        return table
    }
}

/// Requests of HTTP/2, 64 at a time on one connection.
struct Streams {
    let workshop: Workshop
    let rounds: Int

    func measure() throws -> [Table] {
        let servers = [try Server.ours(mints: false, in: workshop), try Server.nginx(in: workshop)]
        let contest = try Contest("HTTP/2", servers, rounds: rounds) { server, round in
            let before = server.usage
            let outcome = try Load(workshop: workshop).streams(
                connections: 4,
                each: round == 0 ? 640 : 12_800,
                with: server
            )
            let spent = (server.usage.processorTime - before.processorTime).inSeconds
            return (Double(outcome.completed) / spent, outcome.failed)
        }
        var table = Table("HTTP/2", unit: "requests a second of server CPU; ratio to nginx")
        contest.fill(&table)
        if let nginx = contest.nginx {
            table.judge("pindrill / nginx", contest.ours.ratio(to: nginx).median, atLeast: 0.8)
        }
        return [table]
    }
}

/// Very many connections that are open at once, and then all have something to ask.
struct Crowd {
    let workshop: Workshop

    private static let connections = 10_000

    func measure() throws -> [Table] {
        var table = Table("\(Crowd.connections) connections at once", unit: "answered")
        var limit = rlimit()
        getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        guard limit.rlim_cur > Crowd.connections + 500 else {
            table.skip("only \(limit.rlim_cur) open files are allowed: ulimit -n 12000")
            return [table]
        }
        Progress.show("\(Crowd.connections) connections")
        let server = try Server.crowd(in: workshop)
        let outcome = try Load(workshop: workshop).crowd(Crowd.connections, with: server)
        table.add("pindrill", Samples([Double(outcome.completed)]), failed: outcome.failed)
        table.judge("lost", Double(Crowd.connections - outcome.completed), atMost: 0)
        return [table]
    }
}
