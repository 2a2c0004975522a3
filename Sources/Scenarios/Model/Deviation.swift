/// What a client is known to do in some trials where its policy demands something else.
///
/// It is expected, and must happen: a client that mends its ways is no longer what its declaration says.
package struct Deviation: Hashable, Sendable {
    /// Names of scenarios, in which `*` and `?` are wildcards; each holds of its variants, too.
    package var scenarios: [String]
    /// The policies with which it happens; `nil`: all of the client's.
    package var policies: [String]?
    /// What comes of such a trial: `fail` or `inconclusive`.
    package var verdict: Verdict = .fail
    /// Whether the client obeys at times, because of a race of its own: a pass is then no news.
    package var isOccasional = false
    /// Why, for people.
    package var because: String

    func covers(_ trial: Trial) -> Bool {
        policies?.contains(trial.policy.name) != false
            && scenarios.contains { Glob($0).matches(trial.scenario.name) || Glob($0).matches(trial.scenario.base) }
    }
}

extension Trial {
    /// What is known of this client here: the first declaration that fits.
    var deviation: Deviation? { client.deviations.first { $0.covers(self) } }
}
