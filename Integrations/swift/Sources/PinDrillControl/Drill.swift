import Foundation

/// Whether an app did what its policy demands.
public enum Verdict: String, Decodable, Sendable {
    case pass
    case fail
    case inconclusive
    case notApplicable = "not-applicable"
    case skipped
}

/// The verdict was another one than expected; the description has all that is known.
public struct UnexpectedVerdict: Error, CustomStringConvertible, LocalizedError {
    public let description: String
    public var errorDescription: String? { description }
}

/// One scenario, played to one app.
public final class Drill {
    private let connection: Connection
    private var state: DrillState
    private var steps: [Int: Int] = [:]
    private var seen: [Observations.Seen] = []
    private(set) var isSettled = false

    init(_ connection: Connection, _ state: DrillState) {
        self.connection = connection
        self.state = state
    }

    var scenario: String { state.scenario }
    private var path: String { "/v1/drills/\(state.id)" }

    /// Has each attempt made by `act`, which says how the app took it.
    public func play(_ act: (Attempt) async throws -> Attempt.Word) async throws {
        do {
            while let attempt = try await nextAttempt() {
                let word = try await act(attempt)
                var body: [String: Any] = ["attempt": attempt.number, "word": word.word]
                body["note"] = word.note.flatMap { $0.isEmpty ? nil : $0 }
                body["code"] = word.code
                state = try await connection.ask("POST", "\(path)/word?wait=30", body)
            }
            if state.verdict != .pass {
                let observations: Observations = try await connection.ask("GET", "/v1/observations")
                seen = observations.connections
            }
        } catch {
            await stop()
            throw error
        }
    }

    /// Fails with all that is known if the verdict is another.
    public func expect(_ expected: Verdict) throws {
        if try verdict != expected { throw UnexpectedVerdict(description: account(expecting: expected)) }
    }

    public var verdict: Verdict {
        get throws {
            isSettled = true
            guard let verdict = state.verdict else {
                throw PinDrillError("'\(scenario)' has no verdict: \(state.reason ?? "play it first")")
            }
            return verdict
        }
    }

    /// What happened, for people.
    public func account(expecting expected: Verdict = .pass) -> String {
        let outcome = "\(state.verdict?.rawValue ?? "-") (\(state.consequence ?? "-"))"
        var lines = ["\(scenario) · \(state.policy) · \(state.client): \(outcome), expected: \(expected.rawValue)"]
        for result in state.results where result.verdict != .pass {
            lines.append(
                "  step \(result.number): \(result.host) showed \(result.shown.joined(separator: ", ")), "
                    + "whose key is the \(result.holder)'s: \(result.verdict.rawValue) (\(result.consequence))"
            )
            lines.append("    why: \(result.grounds)")
            for one in seen where one.source == state.id && one.attempt.flatMap({ steps[$0] }) == result.number {
                lines.append("    the wire saw: \(one.connection.reaction)")
            }
            if let word = result.word { lines.append("    the app's word: \(word)") }
            if let advice = result.advice { lines.append("    next: \(advice)") }
        }
        return (lines + (state.findings ?? []).map { "  \($0)" }).joined(separator: "\n")
    }

    func stop() async {
        isSettled = true
        _ = try? await connection.read("POST", "\(path)/stop")
    }

    /// Waits until an attempt is to be made; `nil` where the drill is over.
    private func nextAttempt() async throws -> Attempt? {
        let limit = connection.answerSeconds
        let end = Date(timeIntervalSinceNow: limit)
        while !["waiting", "finished", "stopped"].contains(state.state) {
            let left = end.timeIntervalSinceNow
            guard left > 0 else {
                throw PinDrillError("'\(scenario)' was still '\(state.state)' after \(limit.formatted()) s")
            }
            let wait = max(1, min(30, Int(left)))
            state = try await connection.ask("GET", "\(path)?wait=\(wait)&after=\(state.attempt)")
        }
        guard state.state == "waiting", let step = state.step, let proxy = state.proxy else { return nil }
        steps[state.attempt] = step.number
        return Attempt(
            number: state.attempt,
            ask: state.ask,
            host: step.host,
            proxy: proxy.url,
            address: proxy.address,
            port: proxy.port,
            trust: try await connection.read("GET", "/v1/trust/\(Connection.quoted(step.store))?format=pem")
        )
    }
}
