extension PinScope {
    /// One pin only, and pins that stand twice.
    var redundancyFindings: [PolicyFinding] {
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

    static let backup = "pin a backup key as well, made today and kept away from the server"

    private func singlePin(_ list: List) -> PolicyFinding? {
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
            fix: only.match == .certificate
                ? "pin the next certificate as well, or keys instead"
                : list.position == .authority ? "pin an authority of a second provider as well" : PinScope.backup
        )
    }
}
