import Pinning
import TLSCore
import Witness

/// Everything about one step, a line for each thing: what a viewer shows beside a red test.
struct StepAccount {
    private let step: StepResult
    private let trial: TrialResult

    init(_ step: StepResult, of trial: TrialResult) {
        self.step = step
        self.trial = trial
    }

    var text: String { (shown + seen + meaning + attempts).joined(separator: "\n") + "\n" }

    private var shown: [String] {
        let model = trial.isModel ? ["model: proves the catalogue, not a client"] : []
        let planned = step.planned
        return model
            + (planned.shownChains + planned.others).flatMap { shown in
                let scene = "to \(shown.otherHost ?? planned.step.host), store \(planned.step.store)"
                return [
                    "shown: \(shown.chain) (\(shown.holder.rawValue)'s \(shown.key)) \(scene)",
                    "demanded: \(shown.decision.demand.phrase): \(shown.decision)",
                ]
            }
    }

    private var seen: [String] {
        guard let attempt = step.decisive else { return [] }
        let account = attempt.report.account
        let word = attempt.report.word.rawValue
        return ["wire: \(attempt.wire)", "client: \(account.isEmpty ? word : "\(word) (\(account))")"]
    }

    private var meaning: [String] {
        let trialStep = Report.TrialStep(trial: trial, step: step)
        let isUndeclared = trialStep.isUndeclaredBreach || trialStep.isUndeclaredOutage
        return ["verdict: \(step.judgement.verdict.rawValue): \(step.judgement.grounds)"]
            + ["consequence: \(step.consequence.rawValue)\(isUndeclared ? ", which the file does not declare" : "")"]
            + step.leakage
            + step.missing.map { "asked for \($0) and got 404: declare it in 'origin:'" }
            + (step.attribution.map { ["attribution: \($0.rawValue)"] } ?? [])
            + (step.advice.map { ["advice: \($0)"] } ?? []) + trial.findings.map { "to mend: \($0)" }
            + (step.planned.step.note.map { ["note: \($0)"] } ?? [])
    }

    private var attempts: [String] {
        step.attempts.enumerated().flatMap { index, attempt in
            let name = step.attempts.count > 1 ? "attempt \(index + 1), " : ""
            let connections = (attempt.observations + attempt.elsewhere).map { connection in
                let source = connection.forwardedFrom.map { " from \($0)" } ?? ""
                let request = connection.requestLine.map { ", “\($0)”" } ?? ""
                return "\(name)connection to \(connection.target ?? "nobody named")\(source): "
                    + "\(connection.resumed == nil ? "shown" : "resumed") \(connection.shown ?? "nothing"), "
                    + "\(connection.reaction)\(request)\(connection.proof)"
            }
            return connections + attempt.report.output.split(whereSeparator: \.isNewline).map { "| \($0)" }
        }
    }
}

extension Observation {
    /// What it proved itself by, where it was asked for that.
    fileprivate var proof: String {
        guard wasAskedForCertificate else { return "" }
        guard let certificate = clientCertificate else { return ", without a client certificate" }
        let word = certificate.isVerified ? "verified" : "not verified"
        return ", with the client certificate \(certificate.subject) (\(word), SHA-256 \(certificate.fingerprint.hex))"
    }
}
