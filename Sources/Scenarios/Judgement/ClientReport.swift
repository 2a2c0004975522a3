import Witness

/// A client's own account of one attempt.
package struct ClientReport: Hashable, Sendable {
    /// What the client says of the server.
    package enum Word: String, CaseIterable, Codable, Sendable {
        case succeeded
        /// The server was not acceptable.
        case refused
        /// Something went wrong, whatever it was.
        case failed
        /// It did not say, or cannot.
        case nothing
    }

    /// How the program ended.
    package enum Ending: Hashable, Sendable {
        case exited(Int32)
        case signalled(Int32)
        /// We ended it.
        case timedOut
        /// It never ran.
        case notStarted
    }

    package var word: Word
    /// `nil` where no program was started for the attempt.
    package var ending: Ending?
    /// Whether the client says that the pin made it refuse; `nil` where it has no way to say.
    package var blamesPin: Bool?
    /// Whether the client has a way to say that the server was not acceptable: then `failed` means something else.
    package var canTellRefusal = false
    /// What whoever attended it wants next, in place of the next step.
    package enum Wish: Hashable, Sendable {
        case again, back, skip
    }

    package var wish: Wish?
    /// Whether nothing tells when it succeeded: a person sees what an app shows, which may be an answer of before.
    package var isUndated = false
    /// The processes that it left running when it had ended, by name and number.
    package var leftRunning: [String] = []
    /// What the word rests on, for people, as in `exit 90`.
    package var account: String
    /// What to write in the file if the word is not what the client meant; `nil` where there is nothing to say.
    package var advice: String?
    /// The end of what the client printed, for people.
    package var output: String
    package var duration: Duration

    package init(
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

    /// How it ended where it was not served; `nil` where it was, or did not end by itself.
    struct Manner: Hashable {
        let word: Word
        let ending: Ending?
    }

    var manner: Manner? {
        switch (word, ending) {
        case (.refused, nil), (.refused, .exited), (.failed, .exited): Manner(word: word, ending: ending)
        default: nil
        }
    }

    /// The last that it printed, one line of at most 200 characters; `nil`: it printed nothing.
    package var lastLine: String? { Self.lastLine(of: output) }

    static func lastLine(of output: String) -> String? {
        output.split(whereSeparator: \.isNewline).last { !$0.allSatisfy(\.isWhitespace) }.map { String($0.prefix(200)) }
    }

    /// The line of an output that tells most: the last that begins as an error does, `curl: …` or `ssl.SSLError: …`, else the
    /// last that is no detail of another, of at most 200 characters.
    package static func tellingLine(of output: String) -> String? {
        let lines = output.split(whereSeparator: \.isNewline).filter { !$0.allSatisfy(\.isWhitespace) }
        let line =
            lines.last { $0.prefixMatch(of: /[\w.()\/-]+: \S/) != nil } ?? lines.last {
                $0.first?.isWhitespace == false
            }
            ?? lines.last
        return line.map { String($0.prefix(200)) }
    }

    /// Whose doing a refusal was.
    package var attribution: Attribution {
        switch blamesPin {
        case true?: .pin
        case false?: .other
        case nil: .unproven
        }
    }

    /// Whose doing a refusal was, where the pinned twin may tell: a client that accepts the same chain once its pins are
    /// that chain's was kept from it by its pins, and one that refuses it all the same was not.
    package func attribution(provenBy twin: AttemptResult?) -> Attribution {
        guard blamesPin == nil, let twin else { return attribution }
        switch (twin.wire, twin.report.word) {
        case (.accepted, .succeeded), (.accepted, .nothing): return .pin
        case (.rejected, _), (_, .refused): return .other
        default: return .unproven
        }
    }
}
