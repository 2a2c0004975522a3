import Scenarios

/// In which order trials begin: that of the file, but those that wait for a second or more begin early, so that nobody waits
/// for the last of them alone. One job is left to the others, whose results come at once.
struct TrialOrder {
    /// Places among the trials, the next one first.
    private var others: ArraySlice<Int>
    private var patient: ArraySlice<Int>
    private var running: Set<Int> = []
    private let jobs: Int

    init(_ trials: [Trial], jobs: Int) {
        let isPatient = trials.map { jobs > 1 && $0.waiting >= 1000 }
        others = trials.indices.filter { !isPatient[$0] }[...]
        patient = trials.indices.filter { isPatient[$0] }[...]
        self.jobs = jobs
    }

    /// The place of the trial that begins now; `nil` when all have begun.
    mutating func next() -> Int? {
        guard let next = patient.first, running.count < jobs - 1 || others.isEmpty else { return others.popFirst() }
        running.insert(next)
        patient.removeFirst()
        return next
    }

    mutating func finish(_ place: Int) {
        running.remove(place)
    }
}
