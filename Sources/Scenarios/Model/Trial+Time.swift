import TLSCore

extension Trial {
    /// What a connection takes, and a program that begins, in milliseconds: measured with the built-in client and curl.
    private static let connection: Int64 = 5
    private static let program: Int64 = 35
    /// The runner's own limit, for clients without any.
    private static let patience: Int64 = 10_000

    /// An estimate of its time, in milliseconds: what is inserted when it is planned is left out, for that may differ from
    /// day to day.
    var estimate: Int64 {
        var begins: Int64 = 0
        if case .command = client.kind { begins = Self.program }
        return scenario.steps.map { step in
            let connections = max(step.attempts, step.present.count)
            return Self.connection * Int64(connections) + begins * Int64(step.attempts)
        }.reduce(waiting, +)
    }

    /// How many milliseconds of it are waiting, because the server is slow or says nothing.
    package var waiting: Int64 {
        let patience = client.timeout == .zero ? Self.patience : client.timeout.milliseconds
        return scenario.steps.map { $0.waiting(patience) }.reduce(0, +)
    }
}

extension Step {
    /// How many milliseconds a client waits that lets the server answer, or gives up when its patience ends.
    fileprivate func waiting(_ patience: Int64) -> Int64 {
        let answers = (origin?.routes ?? []).map { ($0.delay ?? .zero).milliseconds }.max() ?? 0
        let met = min(attempts, handshake?.times ?? attempts)
        let hello: Int64 =
            switch handshake?.kind {
            case .delay(let delay): delay.milliseconds
            case .stop(.hang, after: _): patience
            case .stop, nil: 0
            }
        return answers * Int64(attempts) + hello * Int64(met)
    }
}
