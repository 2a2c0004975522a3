import Foundation
import MitmHarness
import Scenarios
import TLSCore

/// What the runner adds to its clients: time for each trial, and memory for each that was played.
struct Trials {
    let workshop: Workshop
    let rounds: Int

    func measure() async throws -> [Table] {
        let trials = try TrialFile()
        let (overhead, alone) = try await overhead(trials)
        return [overhead, try await rate(trials, beside: alone)]
    }

    // MARK: Beside a bare client

    private static let repetitions = 40

    /// One after the other, against one proxy that is running: what curl takes by itself, and what a trial of it takes.
    private func overhead(_ trials: TrialFile) async throws -> (Table, alone: Samples) {
        var (bare, whole): ([Double], [Double]) = ([], [])
        let curl = try trials.trial(of: "curl")
        let identity = try trials.oracle.pki.identity(chain: "today", at: .zero, host: TrialFile.host)
        let trust = try workshop.write(try trials.oracle.pki.store(named: "phone", at: .zero).pem(), to: "trust.pem")
        try await withMitmProxy(presenting: identity) { proxy in
            let words = [
                "curl", "--silent", "--show-error", "--fail", "--max-time", "5", "--cacert", trust,
                "--pinnedpubkey", identity.pin.curl, "--connect-to", "::127.0.0.1:\(proxy.port)",
                "https://\(TrialFile.host):\(proxy.port)/",
            ]
            for round in 0...rounds {
                Progress.show("trials of curl, round \(round) of \(rounds)")
                let alone = try await milliseconds { try runAlone(words) }
                let played = try await milliseconds { try await trials.play(curl, times: Trials.repetitions, jobs: 1) }
                // The first round only warms up.
                guard round > 0 else { continue }
                bare.append(alone / Double(Trials.repetitions))
                whole.append(played / Double(Trials.repetitions))
            }
        }
        var table = Table("Trial of one curl, one at a time", unit: "ms; ratio to curl alone", digits: 1)
        let added = Samples(zip(whole, bare).map { $0 - $1 })
        table.add("curl alone", Samples(bare))
        table.add("its trial", Samples(whole))
        let ratio = Samples(zip(whole, bare).map { $0 / $1 - 1 })
        table.add("added by the runner", added, ratio: ratio)
        table.judge("added / curl alone", ratio.median, atMost: 0.5)
        return (table, Samples(bare))
    }

    private func runAlone(_ words: [String]) throws {
        let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
        for _ in 0..<Trials.repetitions {
            let status = try Child(words, environment: ["PATH": path]).wait()
            guard status == 0 else { throw Failure("curl ended with \(status.map(String.init) ?? "a signal")") }
        }
    }

    private func milliseconds(_ body: () async throws -> Void) async throws -> Double {
        let start = ContinuousClock.now
        try await body()
        return (ContinuousClock.now - start).inSeconds * 1e3
    }

    // MARK: The reference client

    /// Trials of one attempt each, as many at a time as there are processors: the least that an attempt can cost.
    private func rate(_ trials: TrialFile, beside alone: Samples) async throws -> Table {
        let reference = try trials.trial(of: "reference")
        var rates: [Double] = []
        for round in 0...rounds {
            Progress.show("trials of the reference client, round \(round) of \(rounds)")
            let taken = try await milliseconds {
                try await trials.play(reference, times: 500, jobs: RunnerOptions().jobs)
            }
            if round > 0 { rates.append(500 / taken * 1000) }
        }
        var table = Table("Reference client, \(RunnerOptions().jobs) trials at a time", unit: "attempts a second")
        table.add("trials of one attempt", Samples(rates))
        // 400 a second where curl takes 8 ms.
        table.judge("time an attempt / curl alone", 1000 / Samples(rates).median / alone.median, atMost: 0.3125)
        return table
    }
}
