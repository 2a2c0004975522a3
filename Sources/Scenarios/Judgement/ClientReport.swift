/// A client's own account of one attempt.
public struct ClientReport: Hashable, Sendable {
    /// What the client says of the server.
    public enum Word: String, CaseIterable, Sendable {
        case succeeded
        /// The server was not acceptable.
        case refused
        /// Something went wrong, whatever it was.
        case failed
        /// It did not say, or cannot.
        case nothing
    }

    public var word: Word
    /// Whether the client says that the pin made it refuse; `nil` where it has no way to say.
    public var blamesPin: Bool?
    /// What the word rests on, for people, as in `exit 90`.
    public var account: String
    /// The end of what the client printed, for people.
    public var output: String
    public var duration: Duration

    public init(
        _ word: Word,
        blamesPin: Bool? = nil,
        account: String = "",
        output: String = "",
        duration: Duration = .zero
    ) {
        self.word = word
        self.blamesPin = blamesPin
        self.account = account
        self.output = output
        self.duration = duration
    }

    /// Whose doing a refusal was.
    public var attribution: Attribution {
        switch blamesPin {
        case true?: .pin
        case false?: .other
        case nil: .unproven
        }
    }
}
