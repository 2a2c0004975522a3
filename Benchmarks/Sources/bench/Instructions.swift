import Foundation

/// What one full handshake costs a server in instructions: unlike its time, a number that no neighbour disturbs.
struct Instructions {
    let workshop: Workshop

    private static let handshakes = 300

    func measure() throws -> [Table] {
        var table = Table("Instructions per handshake", unit: "user code, by callgrind; ratio to nginx")
        guard let callgrind = try Callgrind(in: workshop) else {
            table.skip("not installed: \(Callgrind.missing.joined(separator: ", "))")
            return [table]
        }
        let nginx = try perHandshake { try Server.nginx(in: workshop, under: callgrind) }
        let ours = try perHandshake { try Server.ours(mints: false, in: workshop, under: callgrind) }
        guard let nginx, let ours else {
            table.skip("not installed: nginx")
            return [table]
        }
        let ratio = ours.count / nginx.count
        table.add("pindrill", Samples([ours.count]), ratio: Samples([ratio]), failed: ours.failed)
        table.add("nginx", Samples([nginx.count]), ratio: Samples([1]), failed: nginx.failed)
        table.judge("pindrill / nginx", ratio, atMost: 1.05)
        let minting = try perHandshake(.new) { try Server.ours(mints: true, in: workshop, under: callgrind) }
        guard let minting else { return [table] }
        let surcharge = minting.count / ours.count
        table.add(
            "a new name each",
            Samples([minting.count]),
            ratio: Samples([minting.count / nginx.count]),
            failed: minting.failed
        )
        table.judge("a new name each / pindrill", surcharge, atMost: 1.15)
        return [table]
    }

    /// A server that makes handshakes beside the same server that makes none.
    private func perHandshake(
        _ names: Load.Names = .same,
        _ start: () throws -> Server?
    ) throws -> (count: Double, failed: Int)? {
        guard let idle = try start(), let busy = try start() else { return nil }
        Progress.show("instructions: \(idle.name)")
        let startAndEnd = try Callgrind.count(of: idle, in: workshop)
        let load = try Load(workshop: workshop).handshakes(Instructions.handshakes, names, with: busy)
        // The server may still be closing, and is many times slower than by itself.
        sleep(1)
        let all = try Callgrind.count(of: busy, in: workshop)
        return (Double(all - startAndEnd) / Double(max(1, load.completed)), load.failed)
    }
}

/// Counts the instructions of a program from its start to its end.
struct Callgrind {
    /// What runs another program under it.
    let words: [String]
    /// A copy of `bench-server`: valgrind 3.19 cannot read the debug information that Swift writes.
    let benchServer: String

    /// `nil` where one of its programs is not installed.
    init?(in workshop: Workshop) throws {
        guard Callgrind.missing.isEmpty else { return nil }
        words = ["valgrind", "--tool=callgrind", "--callgrind-out-file=\(workshop.path("callgrind")).%p"]
        benchServer = workshop.path("bench-server")
        let strip = try Child(["strip", "--strip-debug", "-o", benchServer, workshop.program("bench-server")])
        guard strip.wait() == 0 else { throw Failure("strip cannot copy bench-server") }
    }

    static var missing: [String] { ["valgrind", "strip"].filter { !Server.isInstalled($0) } }

    /// Ends a server, and says what was counted of it.
    static func count(of server: Server, in workshop: Workshop) throws -> Int {
        server.stop()
        let path = workshop.path("callgrind.\(server.id)")
        let text = String(decoding: (try? Data(contentsOf: URL(filePath: path))) ?? Data(), as: UTF8.self)
        guard let total = text.firstMatch(of: /\ntotals: ([0-9]+)/).flatMap({ Int($0.1) }) else {
            throw Failure("callgrind has counted nothing of \(server.name)")
        }
        return total
    }
}
