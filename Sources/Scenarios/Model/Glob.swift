/// A pattern as shells know it: `*` stands for any characters, `?` for one; everything else for itself.
package struct Glob: Hashable, Sendable {
    private let pattern: [Character]

    package init(_ pattern: String) {
        self.pattern = Array(pattern)
    }

    package func matches(_ name: String) -> Bool {
        let name = Array(name)
        // Where the last `*` was, and up to where it has been taken to stand for: on a mismatch it takes one more.
        var (at, place) = (0, 0)
        var star: (at: Int, place: Int)?
        while place < name.count {
            if at < pattern.count, pattern[at] == "*" {
                star = (at, place)
                at += 1
            } else if at < pattern.count, pattern[at] == "?" || pattern[at] == name[place] {
                at += 1
                place += 1
            } else if let last = star {
                star = (last.at, last.place + 1)
                (at, place) = (last.at + 1, last.place + 1)
            } else {
                return false
            }
        }
        return pattern[at...].allSatisfy { $0 == "*" }
    }
}
