/// What a lint can find: mistakes that load well, and make a run prove less than its author believes.
///
/// The rules that cost most are first: what proves nothing, then who is let in, then who is shut out, then tidiness.
package enum LintRule: String, CaseIterable, Sendable {
    /// A policy whose pins decide nothing in the whole file.
    case pinNotExercised = "pin-not-exercised"
    /// A step must be refused where no chain of the owner could be accepted, so the refusal will prove nothing.
    case noControl = "no-control"
    /// A pin or a date that stands still, while certificates are made anew.
    case movingTarget = "moving-target"
    /// A scenario that is played to nobody.
    case noTrial = "no-trial"
    /// A policy that looks for its pins in what the server sends.
    case presentedChain = "presented-chain"
    /// A policy that leaves out an ordinary check, and lets somebody in by that.
    case skippedCheck = "skipped-check"
    /// A policy that goes on when no pin matches.
    case reportOnly = "report-only"
    /// A client that calls every refusal its pins' doing.
    case broadPinRule = "broad-pin-rule"
    /// A client whose words may count where its exit status says that all went well.
    case wordsAtExitZero = "words-at-exit-zero"
    /// A key of a leaf that is an authority's as well.
    case sharedKey = "shared-key"
    /// A policy that one lost key, or one change of provider, turns into an outage.
    case noRedundancy = "no-redundancy"
    /// A declaration, or a pinned key, that no step needs.
    case neverUsed = "never-used"
    /// An `allow` that allows nothing; the only rule that cannot be allowed.
    case needlessAllow = "needless-allow"
}
