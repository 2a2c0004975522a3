/// What a few rounds gave.
struct Samples {
    private let sorted: [Double]

    /// - Precondition: not empty.
    init(_ values: [Double]) {
        precondition(!values.isEmpty, "there was no round")
        sorted = values.sorted()
    }

    var median: Double {
        let middle = sorted.count / 2
        return sorted.count % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
    }

    var range: ClosedRange<Double> { sorted[0]...sorted[sorted.count - 1] }
}

extension Duration {
    var inSeconds: Double { Double(components.seconds) + Double(components.attoseconds) / 1e18 }
}
