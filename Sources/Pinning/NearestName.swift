/// The candidate that a mistyped name was probably meant to be; `nil` when none is near.
///
/// Near is: a third of the name's length in insertions, deletions, replacements and swaps of neighbours, at least one and
/// at most three. Of equally near candidates the first wins.
package func nearest(to name: String, among candidates: some Sequence<String>) -> String? {
    let name = Array(name.lowercased().unicodeScalars.prefix(64))
    let limit = min(3, max(1, name.count / 3))
    var best: (name: String, distance: Int)?

    for candidate in candidates {
        let other = Array(candidate.lowercased().unicodeScalars.prefix(64))
        guard abs(other.count - name.count) <= limit else { continue }
        let distance = editDistance(name, other)
        // A name of one or two letters is near to every other one: more than half of it has to be right.
        guard distance <= limit, distance * 2 < max(name.count, other.count) else { continue }
        if best.map({ distance < $0.distance }) ?? true { best = (candidate, distance) }
    }
    return best?.name
}

/// The Damerau-Levenshtein distance in its restricted form ("optimal string alignment"): no part is edited twice.
private func editDistance(_ left: [Unicode.Scalar], _ right: [Unicode.Scalar]) -> Int {
    var beforeLast: [Int] = []
    var last = Array(0...right.count)
    for row in left.indices {
        var current = [row + 1]
        for column in right.indices {
            let isSame = left[row] == right[column]
            var cost = min(current[column] + 1, last[column + 1] + 1, last[column] + (isSame ? 0 : 1))
            if row > 0, column > 0, left[row] == right[column - 1], left[row - 1] == right[column] {
                cost = min(cost, beforeLast[column - 1] + 1)
            }
            current.append(cost)
        }
        (beforeLast, last) = (last, current)
    }
    return last[right.count]
}
