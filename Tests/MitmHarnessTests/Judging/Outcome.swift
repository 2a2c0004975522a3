import Scenarios

/// What is expected of one step, with one policy.
struct Outcome: Hashable, CustomStringConvertible {
    var judgement: Judgement
    var consequence: Consequence

    init(_ verdict: Verdict, _ grounds: Grounds, _ consequence: Consequence) {
        judgement = Judgement(verdict, grounds)
        self.consequence = consequence
    }

    init(_ step: StepResult) {
        judgement = step.judgement
        consequence = step.consequence
    }

    var description: String { "\(judgement.verdict): \(judgement.grounds) (\(consequence.rawValue))" }
}

/// Where in the catalogues a step is, and with which policy it was played.
struct Place: Hashable, CustomStringConvertible {
    var scenario: String
    /// As counted in the file; 0 is a control that the runner inserted.
    var step: Int
    var policy: String

    var description: String { "\(scenario) \(step) \(policy)" }
}

/// What is right at one step with one policy: who shows a certificate there, and what a correct client does to its
/// users.
enum Right: String {
    /// The owner's, to be accepted.
    case served = "S"
    /// The owner's, to be rejected.
    case lockedOut = "L"
    /// An attacker's, to be rejected.
    case protected = "P"
    /// An attacker's, to be accepted.
    case intercepted = "I"

    /// What comes of a client that does what is right.
    var outcome: Outcome {
        switch self {
        case .served: Outcome(.pass, .obeyed, .served)
        case .lockedOut: Outcome(.pass, .obeyed, .lockedOut)
        case .protected: Outcome(.pass, .obeyed, .protected)
        case .intercepted: Outcome(.pass, .obeyed, .intercepted)
        }
    }

    var mustReject: Bool { self == .lockedOut || self == .protected }

    /// Much of the shipped catalogue and all of the other, worked out by hand from what the files declare. `-`: there is
    /// no such step.
    static let table: [Place: Right] = {
        let policies = ["no-pins", "leaf-only", "leaf-and-backup", "issuing-ca", "root-ca"]
        let text = """
            same-certificate                 1  S S S S S
            same-certificate                 2  S S S S S
            renewed-same-key                 1  S S S S S
            renewed-same-key                 2  S S S S S
            rotated-unknown-key              1  S S S S S
            rotated-unknown-key              2  S L L S S
            rotated-to-backup                1  S S S S S
            rotated-to-backup                2  S L S S S
            new-trusted-ca                   1  S S S S S
            new-trusted-ca                   2  S L S L L
            attacker-installed-root          1  S S S S S
            attacker-installed-root          2  I P P P P
            attacker-unknown-root            1  S S S S S
            attacker-unknown-root            2  P P P P P
            self-signed-lookalike            1  S S S S S
            self-signed-lookalike            2  P P P P P
            two-edges                        1  S S S S S
            two-edges                        2  S L S S S
            expired-certificate              1  S S S S S
            expired-certificate              2  L L L L L
            misnamed-certificate             1  S S S S S
            misnamed-certificate             2  L L L L L
            stuffed-chain                    1  S S S S S
            stuffed-chain                    2  I P P P P
            stuffed-chain                    3  S S S S S
            stuffed-chain                    4  P P P P P
            pinned-ca-for-another-host       1  S S S S S
            pinned-ca-for-another-host       2  P P P P P
            a-quarter-in-production          1  S S S S S
            a-quarter-in-production          2  S S S S S
            a-quarter-in-production          3  L L L L L
            a-quarter-in-production          0  - S S S S
            a-quarter-in-production          4  I P P P P
            a-quarter-in-production          5  S L S S S
            only-a-stuffed-chain             0  - S S S S
            only-a-stuffed-chain             1  I P P P P
            pinned-key-under-a-foreign-name  1  S S S S S
            pinned-key-under-a-foreign-name  2  L L L L L
            pinned-ca-under-a-foreign-name   1  S S S S S
            pinned-ca-under-a-foreign-name   2  P P P P P
            good-then-bad                    0  - S S S S
            good-then-bad                    1  I P P P P
            """
        var table: [Place: Right] = [:]
        for line in text.split(separator: "\n") {
            let words = line.split(separator: " ").map(String.init)
            for (policy, letter) in zip(policies, words[2...]) {
                table[Place(scenario: words[0], step: Int(words[1]) ?? -1, policy: policy)] = Right(rawValue: letter)
            }
        }
        return table
    }()
}
