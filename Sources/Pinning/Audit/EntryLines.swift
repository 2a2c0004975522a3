/// Where the entries of a configuration stand in the file that it was read from, by their names.
///
/// Two configurations that differ in nothing else are equal.
struct EntryLines: Hashable, Sendable {
    private var lines: [String: Int]

    init(_ lines: [String: Int] = [:]) { self.lines = lines }

    subscript(name: String) -> Int? {
        get { lines[name] }
        set { lines[name] = newValue }
    }

    static func == (left: EntryLines, right: EntryLines) -> Bool { true }

    func hash(into hasher: inout Hasher) {}
}
