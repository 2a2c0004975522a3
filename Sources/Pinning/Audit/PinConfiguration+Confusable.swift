import Foundation

extension PinConfiguration {
    /// Pins of these entries that look like another one, in the same entry or elsewhere in the file.
    func confusableFindings(in scopes: [PinScope], at instant: Date) -> [PolicyFinding] {
        let all = Set((self.scopes + scopes).flatMap(\.keys))
        let alike = Dictionary(grouping: all) { $0.folded }.filter { $0.value.count > 1 }
            .mapValues { $0.sorted { "\($0)" < "\($1)" } }
        guard !alike.isEmpty else { return [] }
        return scopes.flatMap { scope -> [PolicyFinding] in
            let own = Set(scope.keys)
            return Set(own.map(\.folded)).sorted().flatMap { folded -> [PolicyFinding] in
                let alike = alike[folded] ?? []
                // A pair of one entry is told once, and of many that look alike each beside its next.
                let foreign = alike.firstIndex { !own.contains($0) } ?? alike.endIndex
                return alike.indices.filter { own.contains(alike[$0]) && min($0 + 1, foreign) < alike.endIndex }.map {
                    let other = alike[min($0 + 1, foreign)]
                    return scope.confusable(alike[$0], other, areAlone: own.contains(other) && own.count == 2)
                }
            }
            .map { $0.weakened(scope.isToothless(at: instant)) }
        }
    }
}

extension PinScope {
    fileprivate var keys: [PinnedDigest] { written.flatMap(\.digests).filter { $0.match == .key } }

    /// - Parameter areAlone: whether a single pin is left without the misspelt one.
    fileprivate func confusable(_ pin: PinnedDigest, _ other: PinnedDigest, areAlone: Bool) -> PolicyFinding {
        finding(
            .confusablePin,
            areAlone ? .outage : .warning,
            "the pins \(pin) and \(other) differ only in letters that look alike, so that one of them is surely "
                + "misspelt, and matches nothing",
            fix: "compute the pin again from the key, and copy it as text"
        )
    }
}

extension PinnedDigest {
    /// The text as it is when `I`, `l` and `1`, and `O` and `0`, are the same.
    fileprivate var folded: String {
        String(
            "\(self)".map { character in
                switch character {
                case "I", "l", "1": "l"
                case "O", "0": "0"
                default: character
                }
            }
        )
    }
}
