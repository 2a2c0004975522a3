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

    /// Pins that were never computed from anything.
    var placeholderFindings: [PolicyFinding] {
        var seen: Set<PinnedDigest> = []
        return lists.flatMap { list -> [PolicyFinding] in
            let made = list.digests.filter { seen.insert($0).inserted }.compactMap { digest in
                digest.placeholder.map { (digest: digest, why: $0) }
            }
            let others = Set(list.digests).subtracting(made.map(\.digest)).count
            let rest =
                switch others {
                case 0: "no pin of the list does, so that every connection is rejected"
                case 1: "one pin is left, and no backup"
                default: "it matches nothing"
                }
            return made.map { digest, why in
                finding(
                    .placeholderPin,
                    others < 2 ? .outage : .warning,
                    "the pin \(digest) stands for no key (\(why)); \(rest)",
                    fix: others < 2 ? "put the pin there that was meant, computed from the key" : "take it out"
                )
            }
        }
    }

    static let backup = "pin a backup key as well, made today and kept away from the server"

    private func singlePin(_ list: List) -> PolicyFinding? {
        guard let only = list.digests.first, Set(list.digests).count == 1 else { return nil }
        let what =
            switch (only.match, list.position) {
            case (.certificate, _): "certificate"
            case (.key, .authority): "authority's key"
            case (.key, _): only.authority == nil ? "key" : "authority's key"
            }
        let isAuthority = list.position == .authority || only.authority != nil
        return finding(
            .singlePin,
            .outage,
            "one \(what) is pinned and nothing else, \(only)\(only.authority.map { ", that of \($0)" } ?? ""): the day it is "
                + "replaced or lost, every user is locked out",
            fix: only.match == .certificate
                ? "pin the next certificate as well, or keys instead"
                : isAuthority ? "pin an authority of a second provider as well" : PinScope.backup
        )
    }
}
