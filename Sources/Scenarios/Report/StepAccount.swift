/// Everything about one step, a line for each thing: what a viewer shows beside a red test.
struct StepAccount {
    private let step: RecordedStep
    private let trial: RecordedTrial

    init(_ step: RecordedStep, of trial: RecordedTrial) {
        self.step = step
        self.trial = trial
    }

    var text: String { (shown + seen + meaning + attempts).joined(separator: "\n") + "\n" }

    private var shown: [String] {
        let model = trial.model ? ["model: proves the catalogue, not a client"] : []
        return model
            + step.shown.flatMap { shown in
                let scene = "to \(shown.host ?? step.host), store \(step.store)"
                return [
                    "shown: \(shown.chain) (\(shown.holder.rawValue)'s \(shown.key)) \(scene)",
                    "demanded: \(shown.demand.phrase): \(shown.reason)",
                ]
            }
    }

    private var seen: [String] {
        guard let attempt = step.decisive else { return [] }
        let (word, account) = (attempt.word.rawValue, attempt.account)
        return ["wire: \(attempt.wire)", "client: \(account.isEmpty ? word : "\(word) (\(account))")"]
    }

    private var meaning: [String] {
        let isUndeclared = step.isUndeclaredBreach || step.isUndeclaredOutage
        return ["verdict: \(step.verdict.rawValue): \(step.grounds)"]
            + ["consequence: \(step.consequence.rawValue)\(isUndeclared ? ", which the file does not declare" : "")"]
            + (step.leaks ?? [])
            + step.missing.map { "asked for \($0) and got 404: declare it in 'origin:'" }
            + (step.attribution.map { ["attribution: \($0.rawValue)"] } ?? [])
            + (step.advice.map { ["advice: \($0)"] } ?? []) + (trial.findings ?? []).map { "to mend: \($0)" }
            + (step.note.map { ["note: \($0)"] } ?? [])
    }

    private var attempts: [String] {
        step.attempts.enumerated().flatMap { index, attempt in
            let name = step.attempts.count > 1 ? "attempt \(index + 1), " : ""
            let connections = attempt.connections.map { connection in
                let source = connection.forwardedFrom.map { " from \($0)" } ?? ""
                let request = connection.requestLine.map { ", “\($0)”" } ?? ""
                return "\(name)connection to \(connection.target ?? "nobody named")\(source): "
                    + "\(connection.resumed == true ? "resumed" : "shown") \(connection.shown ?? "nothing"), "
                    + "\(connection.reaction)\(request)\(connection.proof)"
            }
            return connections + attempt.output.split(whereSeparator: \.isNewline).map { "| \($0)" }
        }
    }
}

extension RecordedConnection {
    /// What its client proved itself by, where it was asked for that.
    fileprivate var proof: String {
        guard let certificate = clientCertificate else { return "" }
        guard let subject = certificate.subject else { return ", without a client certificate" }
        let word = certificate.verified == true ? "verified" : "not verified"
        return ", with the client certificate \(subject) (\(word), SHA-256 \(certificate.sha256 ?? ""))"
    }
}
