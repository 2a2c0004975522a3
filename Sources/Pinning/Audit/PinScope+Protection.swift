extension PinScope {
    /// What lets somebody in.
    var protectionFindings: [Finding] { failure == .report && !lists.isEmpty ? [reportOnly] : [] }

    private var reportOnly: Finding {
        finding(
            .reportOnly,
            .breach,
            "a mismatch is reported and stops nobody: an attacker with a trusted certificate reads everything",
            fix: "enforce the pins once the reports are clean"
        )
    }
}
