import Foundation
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
        let clients = try StackClient.all(in: folder, isLong: Self.setting("PINDRILL_DIFFERENTIAL") != nil)
        let differential = try await Differential(seed: seed, clients: clients, in: folder)

        for number in 0..<count { try differential.show(number) }

        await differential.stop()
        print("seed \(seed), \(count) chains, \(differential.disagreements.count) disagreements")
        for (words, number) in differential.tally.sorted(by: { $0.key < $1.key }) { print("  \(words): \(number)") }
        for disagreement in differential.disagreements { Issue.record("\(disagreement)") }
        for failure in differential.failures { Issue.record("no answer: \(failure)") }
        #expect(!clients.isEmpty)
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
