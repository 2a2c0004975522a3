extension Mistake {
    static let lints = [
        Mistake(
            "spare: {}",
            "spare: { allow: [never-usd] }",
            "3:36: 'never-usd' is not a lint rule; did you mean 'never-used'?"
        ),
        Mistake(
            "spare: {}",
            "spare: { allow: never-used }",
            "3:35: expected a list of lint rules, found text"
        ),
        Mistake("spare: {}", "spare: { allow: [] }", "3:35: an empty list allows nothing; leave it out"),
        Mistake(
            "spare: {}",
            "spare: { allow: [never-used, never-used] }",
            "3:48: 'never-used' is listed twice"
        ),
        Mistake(
            "no-pins: {}",
            "no-pins: { allow: [needless-allow] }",
            "9:32: 'needless-allow' is not a lint rule; known here: pin-not-exercised, no-control, moving-target, no-trial, presented-chain, skipped-check, report-only, broad-pin-rule, words-at-exit-zero, shared-key, no-redundancy, never-used"
        ),
    ]
}
