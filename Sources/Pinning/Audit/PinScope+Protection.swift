extension PinScope {
    /// What lets somebody in, and what lets nobody in.
    var protectionFindings: [PolicyFinding] {
        var found = [reportOnly].compactMap(\.self)
        if lists.contains(where: { $0.search == .presentedChain && $0.position != .leaf }) {
            found.append(PinScope.presentedChain)
        }
        if let skippedCheck { found.append(skippedCheck) }
        if lists.contains(where: \.digests.isEmpty) { found.append(emptyList) }
        if let certificatePin { found.append(certificatePin) }
        return found
    }

    var reportOnly: PolicyFinding? {
        guard failure == .report, !lists.isEmpty else { return nil }
        return finding(
            .reportOnly,
            .breach,
            "a mismatch is reported and stops nobody\(reporter.map { " whose connection \($0) checks" } ?? ""): an attacker "
                + "with a trusted certificate reads everything",
            fix: "enforce the pins once the reports are clean"
        )
    }

    /// Of the whole configuration, and so without a place.
    private static let presentedChain = PolicyFinding(
        .presentedChain,
        .breach,
        "pins are looked for in all that the server sends: who sends a copy of the pinned certificate behind his own "
            + "gets in (CVE-2016-2402)",
        fix: "look for pins on the path that was validated, or at its leaf alone"
    )

    private var skippedCheck: PolicyFinding? {
        let missing = PinPolicy.Checks.all.subtracting(checks)
        guard !missing.isEmpty else { return nil }
        let names = [(PinPolicy.Checks.path, "issuer"), (.host, "host name"), (.validity, "dates")]
            .filter { missing.contains($0.0) }.map(\.1).joined(separator: ", ")
        // Whoever shows the leaf has its key: only an old or a foreign certificate of the owner is let in then.
        if failure == .block, lists.contains(where: { $0.position == .leaf }) {
            return finding(
                .skippedCheck,
                .warning,
                "nothing beside the pin checks the certificate's \(names): whoever has the pinned key is believed, whatever the "
                    + "certificate says of host and dates",
                fix: "keep the ordinary checks on beside the pin"
            )
        }
        let isHarmless = missing == .validity
        return finding(
            .skippedCheck,
            isHarmless ? .warning : .breach,
            "nothing checks the certificate's \(names): "
                + (isHarmless
                    ? "a stolen key is good for ever" : "somebody else's certificate is accepted for the host"),
            fix: "switch the ordinary checks on again"
        )
    }

    private var emptyList: PolicyFinding {
        finding(
            .locksOut,
            .outage,
            "a list of pins holds none that can match: every connection is rejected",
            fix: "give it the pins that were meant, or take the list out"
        )
    }

    private var certificatePin: PolicyFinding? {
        let list = lists.first { $0.digests.contains { $0.match == .certificate } }
        return list.map { certificatePin(isServers: $0.position == .leaf) }
    }

    /// - Parameter isServers: whether it is known to be the server's own certificate, and no authority's.
    func certificatePin(isServers: Bool) -> PolicyFinding {
        finding(
            .certificatePin,
            isServers ? .outage : .warning,
            isServers
                ? "the server's certificate is pinned and not its key: every renewal makes another one, and locks out "
                    + "whoever has not updated the app"
                : "certificates are pinned and not keys: one that is issued anew for the same key matches no more",
            fix: "pin the key, or ship the next certificate's pin well before each renewal"
        )
    }
}
