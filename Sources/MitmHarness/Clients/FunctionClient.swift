import Scenarios

/// What a client says of an attempt: what a Swift function's result amounts to, and the line of a program that lives
/// through a trial.
public enum ClientAnswer: String, Sendable {
    case succeeded
    /// The server was not acceptable, for another reason than the pin.
    case refused
    case refusedPin = "refused-pin"
    /// Something went wrong, whatever it was.
    case failed
}

/// A client that is a Swift function, such as an app's own networking code.
struct FunctionClient<Value: Sendable>: ClientUnderTest {
    /// What its result means; without, an error may be anything.
    let answer: (@Sendable (Result<Value, any Error>) -> ClientAnswer)?
    let function: @Sendable (Endpoint) async throws -> Value

    func attempt(
        _ endpoint: Endpoint,
        beforeEnding: @escaping BeforeEnding
    ) async throws(CancellationError) -> ClientReport {
        let start = ContinuousClock.now
        let result = await withTaskGroup(of: Result<Value, any Error>?.self) { group in
            group.addTask { await outcome(endpoint) }
            group.addTask {
                guard (try? await Task.sleep(for: endpoint.timeout)) != nil else { return nil }
                await beforeEnding(true)
                return nil
            }
            // A function cannot be ended from outside; it is asked to end, and waited for.
            defer { group.cancelAll() }
            return await group.next() ?? nil
        }
        if Task.isCancelled { throw CancellationError() }
        // What it returns once its connections are cut is not its doing.
        let duration = ContinuousClock.now - start
        let own = duration < endpoint.timeout ? result : nil
        var report = own.map(word) ?? ClientReport(.nothing, account: "ended by our timeout")
        report.duration = duration
        return report
    }

    private func outcome(_ endpoint: Endpoint) async -> Result<Value, any Error> {
        do { return .success(try await function(endpoint)) } catch { return .failure(error) }
    }

    private func word(_ result: Result<Value, any Error>) -> ClientReport {
        let account =
            switch result {
            case .success(let value): value is Void ? "returned" : "returned \(value)"
            case .failure(let error): "threw \(error)"
            }
        guard let answer else {
            return ClientReport((try? result.get()) == nil ? .failed : .succeeded, account: String(account.prefix(200)))
        }
        // Who can say that it was the pin, and says only that it refused, says that it was something else.
        var report = ClientReport(answer(result), blamesPin: false, account: String(account.prefix(200)))
        report.canTellRefusal = true
        return report
    }
}

extension ClientReport {
    /// - Parameter blamesPin: what is known of a refusal besides.
    init(_ answer: ClientAnswer, blamesPin: Bool? = nil, account: String) {
        switch answer {
        case .succeeded: self.init(Word.succeeded, account: account)
        case .refused: self.init(Word.refused, blamesPin: blamesPin, account: account)
        case .refusedPin: self.init(Word.refused, blamesPin: true, account: account)
        case .failed: self.init(Word.failed, blamesPin: blamesPin, account: account)
        }
    }
}
