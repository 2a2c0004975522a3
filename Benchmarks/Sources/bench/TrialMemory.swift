import CAllocator
import Foundation
import MitmHarness
import Scenarios

/// Whether playing trials leaves anything behind.
struct TrialMemory {
    private static let early = 1000
    private static let late = 10_000
    private static let batch = 250

    func measure() async throws -> [Table] {
        let trials = try TrialFile()
        let reference = try trials.trial(of: "reference")
        var residentBytes: [Int: Int] = [:]
        var played = 0
        while played < TrialMemory.late {
            Progress.show("memory: \(played) of \(TrialMemory.late) trials")
            // Results belong to whoever asked for them; these are dropped.
            try await trials.play(reference, times: TrialMemory.batch, jobs: RunnerOptions().jobs)
            played += TrialMemory.batch
            residentBytes[played] = trimmedResidentBytes()
        }
        var table = Table("Memory of the runner, after malloc_trim", unit: "MB resident", digits: 1)
        for count in [TrialMemory.early, TrialMemory.late / 2, TrialMemory.late] {
            table.add("after \(count) trials", Samples([Double(residentBytes[count] ?? 0) / 1e6]))
        }
        let growth = Double((residentBytes[TrialMemory.late] ?? 0) - (residentBytes[TrialMemory.early] ?? 0))
        table.judge("MB grown", growth / 1e6, atMost: 0.5)
        return [table]
    }

    /// What is in use: freed memory that the allocator keeps is given back first.
    private func trimmedResidentBytes() -> Int {
        malloc_trim(0)
        return ProcessUsage(of: getpid()).residentBytes
    }
}
