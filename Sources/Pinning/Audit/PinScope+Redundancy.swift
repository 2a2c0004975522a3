extension PinScope {
    /// One pin only, and pins that stand twice.
    var redundancyFindings: [Finding] {
        let doubled = written.flatMap { list in
            let counts = Dictionary(grouping: list.digests) { $0 }.mapValues(\.count)
            var seen: Set<PinnedDigest> = []
            return list.digests.filter { counts[$0, default: 0] > 1 && seen.insert($0).inserted }
        }
        let duplicates = doubled.map { digest in
            finding(
                .duplicatePin,
                .warning,
                "the pin \(digest) stands twice, so there are fewer backups than it seems",
                fix: "take it out once, or put the backup there that was meant"
            )
        }
        return lists.compactMap(singlePin) + duplicates
    }

    private func singlePin(_ list: List) -> Finding? {
        guard let only = list.digests.first, Set(list.digests).count == 1 else { return nil }
        let what =
            switch (only.match, list.position) {
            case (.certificate, _): "certificate"
            case (.key, .authority): "authority's key"
            case (.key, _): "key"
            }
        return finding(
            .singlePin,
            .outage,
            "one \(what) is pinned and nothing else, \(only): the day it is replaced or lost, every user is locked out",
            fix: list.position == .authority
                ? "pin an authority of a second provider as well"
                : "pin a backup key as well, made today and kept away from the server"
        )
    }
}

extension PinConfiguration {
    /// Pins that look like another one, in the same entry or elsewhere in the file.
    static func confusableFindings(_ scopes: [PinScope], among all: [PinScope]) -> [Finding] {
        scopes.flatMap { scope -> [Finding] in
            let own = scope.written.flatMap(\.digests)
            return Set(own).sorted { "\($0)" < "\($1)" }.flatMap { digest -> [Finding] in
                let others = Set((own + all.flatMap { $0.written.flatMap(\.digests) }).filter { digest.looksLike($0) })
                return others.sorted { "\($0)" < "\($1)" }
                    .filter { "\(digest)" < "\($0)" || !own.contains($0) }
                    .map { other in
                        // Without the misspelt one a single pin is left.
                        let isAlone = own.contains(other) && Set(own).count == 2
                        return scope.finding(
                            .confusablePin,
                            isAlone ? .outage : .warning,
                            "the pins \(digest) and \(other) differ only in letters that look alike, so that one of "
                                + "them is surely misspelt, and matches nothing",
                            fix: "compute the pin again from the key, and copy it as text"
                        )
                    }
            }
        }
    }
}

extension PinnedDigest {
    /// Whether the texts differ, and would not if `I`, `l` and `1`, or `O` and `0`, were the same.
    func looksLike(_ other: PinnedDigest) -> Bool {
        self != other && match == .key && other.match == .key && folded == other.folded
    }

    private var folded: String {
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
