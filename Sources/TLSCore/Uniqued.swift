extension Sequence where Element: Hashable {
    /// The elements, each where it comes first.
    package var uniqued: [Element] {
        var known: Set<Element> = []
        return filter { known.insert($0).inserted }
    }
}
