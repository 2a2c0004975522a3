import Foundation
import MitmProxy
import Pinning
import TLSCore
import TestSupport

/// Random chains, shown to every client, and compared with what the models say.
final class Differential {
    /// A client that did not as its model says.
    struct Disagreement: CustomStringConvertible {
        var client: String
        var number: Int
        var description: String
    }

    let seed: UInt64
    private(set) var tally: [String: Int] = [:]
    private(set) var disagreements: [Disagreement] = []
    /// Clients that said nothing about a chain.
    private(set) var failures: [String] = []
    private var clients: [StackClient]
    private let proxy: InterceptingProxy
    private let folder: URL

    /// - Parameter folder: takes the anchors of each chain.
    init(seed: UInt64, clients: [StackClient], in folder: URL) async throws {
        (self.seed, self.clients, self.folder) = (seed, clients, folder)
        let first = try RandomChain(seed: seed, number: 0, now: Date())
        proxy = try await InterceptingProxy.start(presenting: Presentation(first.identity))
    }

    func stop() async { await proxy.stop() }

    /// Shows one random chain to all clients whose turn it is.
    func show(_ number: Int) throws {
        let chain = try RandomChain(seed: seed, number: number, now: Date())
        try show(chain, "chain \(number)", to: clients.filter { number.isMultiple(of: $0.interval) }) {
            try self.minimised(number, $0, $1)
        }
    }

    /// Shows a chain to all clients.
    func show(_ chain: RandomChain) throws {
        try show(chain, "\(chain)", to: clients) { client, answer in
            let words = "\(client.name), \(chain): \(answer)"
            return Disagreement(client: client.name, number: 0, description: words)
        }
    }

    private func show(
        _ chain: RandomChain,
        _ name: String,
        to asked: [StackClient],
        _ disagreement: (StackClient, StackClient.Answer) throws -> Disagreement
    ) throws {
        let situation = try ask(asked, chain, at: Date())
        for client in asked {
            let (answer, decision) = (client.answer(), client.model(situation))
            if case .fails(let reason) = answer {
                failures.append("\(client.name), seed \(seed), \(name): \(reason) [\(chain)]")
                // Who has answered out of turn may do so again, and the rest of its answers would be for other chains.
                clients.removeAll { $0 === client }
                continue
            }
            let word = answer == .accepts ? "accepts" : "rejects"
            tally["\(client.name): \(word), must \(decision.demand.rawValue)", default: 0] += 1
            guard disagree(answer, decision) else { continue }
            if let known = Difference.all.first(where: { $0.explains(client.name, answer, situation, decision) }) {
                tally["\(client.name): \(word), explained: \(known.chain)", default: 0] += 1
                continue
            }
            try disagreements.append(disagreement(client, answer))
        }
    }

    private func ask(_ clients: [StackClient], _ chain: RandomChain, at now: Date) throws -> Situation {
        _ = proxy.present(Presentation(chain.identity))
        let store = try TrustStore(chain.anchors.map { TrustAnchor($0) })
        let anchors = folder.appending(path: "anchors.pem")
        // Under a new name at once: a client may read it still for the chain before.
        try store.pem().write(to: anchors, atomically: true, encoding: .utf8)
        for client in clients {
            client.ask(port: proxy.port, host: chain.host, anchors: anchors, pin: chain.identity.leaf.pin)
        }
        return Situation(chain: chain.identity.chain, store: store, host: chain.host, at: now)
    }

    private func disagree(_ answer: StackClient.Answer, _ decision: Decision) -> Bool {
        switch (answer, decision.demand) {
        case (.accepts, .reject), (.rejects, .accept): true
        default: false
        }
    }

    // MARK: What is left of a chain

    /// What is taken out of a chain.
    private struct Cut {
        var faults: Set<Int> = []
        var sent: Set<Int> = []
        var anchors: Set<Int> = []
    }

    /// Takes out of the chain whatever is not needed for the client to disagree in the same way, and keeps the rest.
    private func minimised(_ number: Int, _ client: StackClient, _ answer: StackClient.Answer) throws -> Disagreement {
        let whole = try RandomChain(seed: seed, number: number, now: Date())
        var cut = Cut()
        var last = (chain: whole, answer: answer, decision: Decision(.either, .trusted))
        func attempt(_ change: (inout Cut) -> Void) throws {
            var next = cut
            change(&next)
            let now = Date()
            let minted = try RandomChain(seed: seed, number: number, now: now, without: next.faults)
            let chain = RandomChain(minted, withoutSent: next.sent, anchors: next.anchors)
            let situation = try ask([client], chain, at: now)
            let (answer, decision) = (client.answer(), client.model(situation))
            guard disagree(answer, decision), (answer == .accepts) == (last.answer == .accepts) else { return }
            (cut, last) = (next, (chain, answer, decision))
        }
        try attempt { _ in }
        for fault in 0..<whole.faultCount { try attempt { $0.faults.insert(fault) } }
        for anchor in whole.anchors.indices.dropFirst(whole.anchors.count > 1 ? 0 : 1)
        where cut.anchors.count + 1 < whole.anchors.count {
            try attempt { $0.anchors.insert(anchor) }
        }
        for sent in whole.identity.chain.indices.dropFirst().reversed() { try attempt { $0.sent.insert(sent) } }

        let line =
            switch last.answer {
            case .accepts: "accepts"
            case .rejects(let reason): "rejects: \(reason)"
            case .fails(let reason): "fails: \(reason)"
            }
        let sent = last.chain.identity.chain.map { "\($0.subject) by \($0.issuer)" }.joined(separator: ", ")
        let words = """
            \(client.name), seed \(seed), chain \(number): it \(line)
              but must \(last.decision.demand.rawValue): \(last.decision)
              made of: \(last.chain)
              left of it is: \(sent) for \(last.chain.host)
              trusted: \(last.chain.anchors.map { "\($0.subject) by \($0.issuer)" }.joined(separator: ", "))
            """
        let place = try keep(last.chain, "\(seed)-\(number)-\(client.name.replacing(" ", with: "-"))", words)
        return Disagreement(client: client.name, number: number, description: "\(words)\n  kept in \(place)")
    }

    /// Where a chain that a model is wrong about can be looked at.
    private func keep(_ chain: RandomChain, _ name: String, _ words: String) throws -> String {
        let folder = Places.package.appending(path: ".build/differential/\(name)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let files = [
            ("chain.pem", PEM.encode(chain.identity.chain)), ("trust.pem", PEM.encode(chain.anchors)),
            ("about.txt", words + "\n"),
        ]
        for (name, text) in files {
            try text.write(to: folder.appending(path: name), atomically: true, encoding: .utf8)
        }
        return folder.path
    }
}
