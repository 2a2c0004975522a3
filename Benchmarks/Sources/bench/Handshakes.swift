import Foundation

/// What one full handshake costs a server, with its request, its answer and its end: processor time in microseconds.
struct Handshakes {
    private struct Subject {
        let server: Server
        let names: Load.Names
        /// One for each round.
        var microseconds: [Double] = []
        var failed = 0

        var samples: Samples { Samples(microseconds) }

        /// Round by round, since both ran under the same noise.
        func ratio(to other: Subject) -> Samples { Samples(zip(microseconds, other.microseconds).map { $0 / $1 }) }
    }

    let workshop: Workshop
    let rounds: Int

    func measure() throws -> [Table] {
        let sameHost = try [
            Server.ours(mints: false, in: workshop), Server.nginx(in: workshop), Server.sslsplit(in: workshop),
            Server.mitmproxy(mints: false, in: workshop),
        ]
        let newNames = try [
            Server.ours(mints: true, in: workshop), Server.sslsplit(in: workshop),
            Server.mitmproxy(mints: true, in: workshop),
        ]
        var subjects =
            sameHost.compactMap { $0 }.map { Subject(server: $0, names: .same) }
            + newNames.compactMap { $0 }.map { Subject(server: $0, names: .new) }
        // The first round only warms up.
        for round in 0...rounds {
            for index in subjects.indices {
                Progress.show("handshakes, round \(round) of \(rounds): \(subjects[index].server.name)")
                try measure(&subjects[index], isWarmUp: round == 0)
            }
        }
        return tables(subjects.filter { $0.names == .same }, subjects.filter { $0.names == .new })
    }

    private func measure(_ subject: inout Subject, isWarmUp: Bool) throws {
        let before = subject.server.usage
        let count = isWarmUp ? 200 : Handshakes.count[subject.server.name, default: 1000]
        let outcome = try Load(workshop: workshop).handshakes(count, subject.names, with: subject.server)
        // The server may still be closing.
        usleep(100_000)
        guard !isWarmUp else { return }
        let spent = subject.server.usage.processorTime - before.processorTime
        subject.microseconds.append(spent.inSeconds * 1e6 / Double(max(1, outcome.completed)))
        subject.failed += outcome.failed
    }

    /// How many connections a round makes: the slow ones fewer, so that rounds are about equally long.
    private static let count = ["pindrill": 6000, "nginx": 6000, "sslsplit": 1500, "mitmproxy": 600]

    private func tables(_ sameHost: [Subject], _ newNames: [Subject]) -> [Table] {
        let ours = sameHost[0]
        let nginx = sameHost.first { $0.server.name == "nginx" }
        var cached = Table("Full handshake, one host", unit: "µs of server CPU; ratio to nginx")
        for subject in sameHost {
            let ratio = nginx.map(subject.ratio)
            cached.add(
                subject.server.name,
                subject.samples,
                ratio: ratio,
                failed: subject.failed,
                remark: subject.server.remark
            )
        }
        if let nginx { cached.judge("pindrill / nginx", ours.ratio(to: nginx).median, atMost: 1.15) }

        var minting = Table(
            "Full handshake, a new name each",
            unit: "µs of server CPU; ratio to pindrill with one host"
        )
        for subject in newNames {
            let ratio = subject.ratio(to: ours)
            minting.add(
                subject.server.name,
                subject.samples,
                ratio: ratio,
                failed: subject.failed,
                remark: subject.server.remark
            )
        }
        minting.judge("minting / one host", newNames[0].ratio(to: ours).median, atMost: 1.15)
        return [cached, minting]
    }
}
