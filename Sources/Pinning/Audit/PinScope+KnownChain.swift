import Foundation
import TLSCore

extension PinScope {
    /// How the pins and production's own chain fit.
    func chainFindings(_ chain: [Certificate], at instant: Date) -> [PolicyFinding] {
        guard !chain.isEmpty else { return [] }
        return lists.filter { !$0.digests.isEmpty }.flatMap { list -> [PolicyFinding] in
            var seen: Set<PinnedDigest> = []
            let digests = list.digests.filter { seen.insert($0).inserted }
            let matches = digests.map { PinMatch($0, list.position, in: chain) }
            let pinsServer = matches.contains { $0.digest.match == .certificate && $0.certificate == chain[0] }
            return (pinsServer ? [certificatePin(isServers: true)] : [])
                + matches.compactMap { finding(about: $0, at: instant) }
                + twoForms(matches)
                + whole(matches, list, isWhole: chain.last?.isSelfSigned == true)
        }
    }

    private func finding(about match: PinMatch, at instant: Date) -> PolicyFinding? {
        if let misplaced = match.misplaced {
            return finding(
                .wrongPosition,
                .outage,
                match.position == .leaf
                    ? "the pin \(match.digest) is that of the authority \(misplaced.subject) and stands among the leaf "
                        + "pins, where it never matches"
                    : "the pin \(match.digest) is that of the server and stands among the authorities' pins, where it "
                        + "never matches",
                fix: match.position == .leaf ? "move it to the authorities' pins" : "move it to the leaf pins"
            )
        }
        guard let certificate = match.certificate else { return nil }
        if match.digest.match == .certificate { return expiryFinding(of: certificate, at: instant) }
        guard match.isIntermediate else { return nil }
        return finding(
            .intermediatePin,
            .warning,
            "the pin \(match.digest) is that of the intermediate \(certificate.subject), which its provider may replace "
                + "without notice",
            fix: "pin a root, or keys of your own"
        )
    }

    /// Different pins of one certificate: a digest of each kind.
    private func twoForms(_ matches: [PinMatch]) -> [PolicyFinding] {
        Dictionary(grouping: matches.filter { $0.certificate != nil }) { $0.certificate?.pin }.values
            .compactMap { forms in
                guard forms.count > 1, let certificate = forms.first?.certificate else { return nil }
                return finding(
                    .duplicatePin,
                    .warning,
                    "the pins \(forms.map { "\($0.digest)" }.joined(separator: " and ")) are of one key, that of "
                        + "\(certificate.subject), so there are fewer backups than it seems",
                    fix: "take one out, or put the backup there that was meant"
                )
            }
            .sorted { $0.message < $1.message }
    }

    private func whole(_ matches: [PinMatch], _ list: List, isWhole: Bool) -> [PolicyFinding] {
        if matches.allSatisfy({ $0.certificate == nil }) {
            // A root that is not given may have the pin.
            guard isWhole || list.position == .leaf else { return [] }
            return [
                finding(
                    .refusesKnownChain,
                    .outage,
                    "no pin matches the server's own chain: the app rejects it today",
                    fix: "pin a key of the chain that the server shows, and a backup"
                )
            ]
        }
        let strangers = matches.filter { $0.certificate == nil && $0.misplaced == nil }
        let hint = isWhole || list.position == .leaf ? "" : " (its root was not given)"
        let unverified = strangers.map { match in
            finding(
                .unverifiedBackup,
                .warning,
                "the pin \(match.digest) matches nothing in the known chain\(hint): a backup that was never tried may be "
                    + "mistyped, or its key lost",
                fix: "compare it with the backup key, and rehearse the change to it"
            )
        }
        guard matches.count > 1, matches.allSatisfy({ $0.certificate != nil }) else { return unverified }
        let noWayOut = finding(
            .noWayOut,
            .outage,
            "every pin is of the one chain that is in use: the day that its provider must be left, every user is locked "
                + "out",
            fix: "pin the key of a backup that is in no chain yet, or of another provider"
        )
        return [noWayOut]
    }
}

/// Where in a chain a pin is found.
private struct PinMatch {
    let digest: PinnedDigest
    let position: PinRequirement.Position
    /// The first that it matches, where it may.
    let certificate: Certificate?
    /// The first that it matches where it may not, if it matches nowhere else.
    let misplaced: Certificate?
    /// Neither the leaf nor a root.
    let isIntermediate: Bool

    init(_ digest: PinnedDigest, _ position: PinRequirement.Position, in chain: [Certificate]) {
        self.digest = digest
        self.position = position
        let range =
            switch position {
            case .leaf: 0..<1
            case .authority: 1..<max(1, chain.count)
            case .any: 0..<chain.count
            }
        let index = range.first { digest.matches(chain[$0]) }
        certificate = index.map { chain[$0] }
        misplaced = index == nil ? chain.first(where: digest.matches) : nil
        isIntermediate = index.map { $0 > 0 && !chain[$0].isSelfSigned } ?? false
    }
}
