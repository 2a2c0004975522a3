import Witness

/// More connections or requests than a step's budget allows in one attempt.
public struct Storm: Hashable, Sendable {
    /// `connections` or `requests`.
    public var kind: String
    public var count: Int
    public var budget: Int
    /// How long the attempt took.
    public var duration: Duration
}

extension Storm: CustomStringConvertible {
    public var description: String {
        let time = duration < .seconds(1) ? duration.inMilliseconds : "\(duration.milliseconds / 1000) s"
        return "retry storm: \(count) \(kind) in \(time), and the budget is \(budget)"
    }
}

extension Budget {
    /// The first attempt that cost more, whichever hosts it went to.
    func exceeded(by attempts: [AttemptResult]) -> Storm? {
        attempts.lazy.compactMap { attempt in
            let seen = attempt.observations + attempt.elsewhere
            let forgotten = seen.flatMap(\.events).reduce(0) { count, event in
                if case .forgotten(let more) = event { count + more } else { count }
            }
            let made = seen.count { $0.number != nil } + forgotten
            let asked = seen.reduce(0) { $0 + $1.requestCount }
            let duration = attempt.report.duration
            if let connections, made > connections {
                return Storm(kind: "connections", count: made, budget: connections, duration: duration)
            }
            guard let requests, asked > requests else { return nil }
            return Storm(kind: "requests", count: asked, budget: requests, duration: duration)
        }.first
    }
}
