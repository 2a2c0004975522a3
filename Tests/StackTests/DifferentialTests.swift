import Foundation
import MitmProxy
import Pinning
import TestSupport
import Testing

@testable import TLSCore

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
        let clients = try StackClient.all(in: folder)
        let first = try RandomChain(seed: seed, number: 0, now: Date())
        let proxy = try await InterceptingProxy.start(presenting: Presentation(first.identity))
        var tally: [String: Int] = [:]
        var disagreements = 0

        for number in 0..<count {
            let now = Date()
            let chain = try RandomChain(seed: seed, number: number, now: now)
            _ = proxy.present(Presentation(chain.identity))
            let store = try TrustStore(chain.anchors.map { TrustAnchor($0) })
            let anchors = folder.appending(path: "anchors-\(number).pem")
            try store.pem().write(to: anchors, atomically: true, encoding: .utf8)
            for client in clients { try client.ask(port: proxy.port, host: RandomChain.host, anchors: anchors) }

            for client in clients {
                let answer = client.answer()
                let decision = client.model(
                    Situation(chain: chain.identity.chain, store: store, host: RandomChain.host, at: now)
                )
                tally[
                    "\(client.name): \(answer.accepts ? "accepts" : "rejects"), must \(decision.demand.rawValue)",
                    default: 0
                ] += 1
                guard decision.demand != .either, (decision.demand == .accept) != answer.accepts else { continue }
                disagreements += 1
                let kept = try keep(chain, seed, number)
                print(
                    "\(seed)/\(number) \(client.name): \(answer.line) BUT \(decision.demand.rawValue): \(decision) [\(chain)] \(kept)"
                )
            }
        }

        await proxy.stop()
        print("seed \(seed), \(count) chains, \(disagreements) disagreements")
        for (words, number) in tally.sorted(by: { $0.key < $1.key }) { print("  \(words): \(number)") }
        #expect(disagreements == 0, "seed \(seed)")
        #expect(!clients.isEmpty)
    }

    /// Where a chain that a model is wrong about can be looked at.
    private func keep(_ chain: RandomChain, _ seed: UInt64, _ number: Int) throws -> String {
        let folder = Places.package.appending(path: ".build/differential/\(seed)-\(number)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try PEM.encode(chain.identity.chain).write(
            to: folder.appending(path: "chain.pem"),
            atomically: true,
            encoding: .utf8
        )
        try PEM.encode(chain.anchors).write(to: folder.appending(path: "trust.pem"), atomically: true, encoding: .utf8)
        return folder.path
    }
}
