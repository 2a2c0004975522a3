import Foundation
import MitmProxy
import Pinning
import TLSCore
import TestSupport
import Testing

/// The models of TLS stacks against those of this machine, over chains that a seed makes.
@Suite struct `The models of TLS stacks` {
    private static func setting(_ name: String) -> Int? {
        ProcessInfo.processInfo.environment[name].flatMap { Int($0) }
    }

    @Test func `do as the stacks of this machine do`() async throws {
        let count = Self.setting("PINDRILL_DIFFERENTIAL") ?? 25
        let seed = UInt64(Self.setting("PINDRILL_SEED") ?? 13)
        let folder = FileManager.default.temporaryDirectory.appending(path: "pindrill-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let isLong = Self.setting("PINDRILL_DIFFERENTIAL") != nil
        let clients = try StackClient.all(in: folder, isLong: isLong)
        let differential = try await Differential(seed: seed, clients: clients, in: folder)

        for number in 0..<count { try differential.show(number) }
        for (index, chain) in try OddChains(now: Date()).all.enumerated() where isLong || index.isMultiple(of: 4) {
            try differential.show(chain)
        }

        await differential.stop()
        print("seed \(seed), \(count) chains, \(differential.disagreements.count) disagreements")
        for (words, number) in differential.tally.sorted(by: { $0.key < $1.key }) { print("  \(words): \(number)") }
        for disagreement in differential.disagreements { Issue.record("\(disagreement)") }
        for failure in differential.failures { Issue.record("no answer: \(failure)") }
        #expect(!clients.isEmpty)
    }

    @Test func `do as the stacks do in the second that a certificate ends in`() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "pindrill-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        // gnutls-cli was once seen to give up on a busy machine while its clock stands still; wget is on GnuTLS as well.
        let isLong = Self.setting("PINDRILL_DIFFERENTIAL") != nil
        let programs = ["curl", "wget", "openssl s_client"] + (isLong ? ["gnutls-cli"] : [])
        let hasClock = Tool("faketime") != nil
        if !hasClock { print("faketime is not here: \(programs.joined(separator: ", ")) are not compared") }
        let told = ["Go", "Java"] + (hasClock ? programs : [])
        let clients = try StackClient.all(in: folder, isLong: false).filter { told.contains($0.name) }
        // It is valid now as well: our side of the handshake has no other clock.
        let end = Date(timeIntervalSince1970: (Date().timeIntervalSince1970 + 3600).rounded(.down))
        var leaf = CertificateTemplate.leaf(names: [SubjectName(Sample.host)], now: Date())
        leaf.notAfter = end
        let root = try Authority(rootNamed: "Root", now: Date())
        let identity = try root.identity(leaf, key: PrivateKey())
        let store = try TrustStore([TrustAnchor(root.certificate)])
        let anchors = folder.appending(path: "anchors.pem")
        try store.pem().write(to: anchors, atomically: true, encoding: .utf8)
        let proxy = try await InterceptingProxy.start(presenting: Presentation(identity))
        func answers(_ second: TimeInterval) -> [String: StackClient.Answer] {
            for client in clients {
                let port = proxy.port
                client.ask(port: port, host: Sample.host, anchors: anchors, pin: identity.leaf.pin, at: end + second)
            }
            return Dictionary(uniqueKeysWithValues: clients.map { ($0.name, $0.answer()) })
        }

        let (before, first, middle, after) = (answers(-1), answers(0), answers(0.5), answers(1))

        await proxy.stop()
        for client in clients {
            func demand(_ second: TimeInterval) -> Decision.Demand {
                client.model(Situation(chain: identity.chain, store: store, host: Sample.host, at: end + second)).demand
            }
            #expect(before[client.name] == .accepts && demand(-1) == .accept, "\(client.name): \(before)")
            #expect(after[client.name]?.isRefusal == true && demand(1) == .reject, "\(client.name)")
            let inSecond = [first[client.name], middle[client.name]]
            let demanded: Decision.Demand =
                inSecond.allSatisfy { $0 == .accepts }
                ? .accept : inSecond.allSatisfy { $0?.isRefusal == true } ? .reject : .either
            #expect(demand(0) == .either || demanded == demand(0), "\(client.name): \(inSecond)")
        }
    }

    @Test(arguments: [
        (["sh", "-c", "exit"], "it has ended"), (["sh", "-c", "read -r _; echo Hello"], "not an answer: Hello"),
        (["sh", "-c", "read -r _; echo fail no network"], "no network"),
    ])
    func `take no silence for a refusal`(command: [String], reason: String) throws {
        let client = try StackClient("odd", command) { $0.decide(.unpinned) }

        client.ask(port: 1, host: "h", anchors: URL(filePath: "/nowhere"), pin: Sample.server.leaf.pin)

        #expect(client.answer() == .fails(reason))
    }

    @Test(arguments: [("accept", StackClient.Answer.accepts), ("reject for a reason", .rejects("for a reason"))])
    func `take a word for what it says`(line: String, answer: StackClient.Answer) throws {
        let client = try StackClient("plain", ["sh", "-c", "read -r _; echo \(line)"]) { $0.decide(.unpinned) }

        client.ask(port: 1, host: "h", anchors: URL(filePath: "/nowhere"), pin: Sample.server.leaf.pin)

        #expect(client.answer() == answer)
    }
}

extension StackClient.Answer {
    fileprivate var isRefusal: Bool { if case .rejects = self { true } else { false } }
}
