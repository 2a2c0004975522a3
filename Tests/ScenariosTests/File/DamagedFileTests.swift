import Dispatch
import Scenarios
import TestSupport
import Testing

/// A file under somebody's editor is broken most of the time. Whatever it holds, reading it ends in a value or in
/// problems with a place inside the file; a trap would end the test process.
@Suite struct `A damaged scenario file` {
    @Test func `is read or refused wherever it is cut off`() {
        let complete = Array(CompleteFile.text.utf8)
        let shipped = Array(ShippedFile.text.utf8)
        // Every place of the file that uses every setting; of the long one a sample, for a second's sake.
        let cuts =
            complete.indices.map { complete[..<$0] }
            + stride(from: 0, to: shipped.count, by: DamagedInputs.areAll ? 29 : 290).map { shipped[..<$0] }

        DispatchQueue.concurrentPerform(iterations: cuts.count) { index in
            expectSensible(String(decoding: cuts[index], as: UTF8.self))
        }
    }

    @Test func `is read or refused after any damage`() {
        DispatchQueue.concurrentPerform(iterations: DamagedInputs.count(of: 2_000)) { seed in
            var generator = SplitMix(state: UInt64(seed))
            let text = seed % 4 == 0 ? ShippedFile.text : CompleteFile.text
            expectSensible(damaged(text, using: &generator))
        }
    }

    /// One to three lines or pieces of text are lost, doubled, exchanged or overwritten with what YAML takes for signs.
    private func damaged(_ text: String, using generator: inout SplitMix) -> String {
        let debris = [
            "", " ", "  ", "\t", "\n", "\r", "- ", "? ", ": ", "{", "}", "[", "]", ",", "#", "&a ", "*a ", "!t ", "|",
            ">", "'",
            "\"", "%", "@", "`", "~", "null", "0", "-1", "1e9", "99999999999999999999d", "<<: ", "---\n", "...\n", "\\",
            "\"\\e[31m\\n\"", "\u{0}", "\u{FEFF}", "\u{E000}", "\u{10FFFF}", "é", "🔑", "self", "all", "version: 1\n",
        ]
        var characters = Array(text)
        for _ in 0..<Int.random(in: 1...3, using: &generator) {
            let start = Int.random(in: 0..<characters.count, using: &generator)
            let end = min(characters.count, start + Int.random(in: 0...30, using: &generator))
            switch Int.random(in: 0..<4, using: &generator) {
            case 0: characters.removeSubrange(start..<end)
            case 1: characters.insert(contentsOf: characters[start..<end], at: start)
            case 2:
                let other = Int.random(in: 0..<characters.count, using: &generator)
                characters.swapAt(start, other)
            default:
                characters.replaceSubrange(start..<min(end, start + 2), with: debris.randomElement(using: &generator)!)
            }
        }
        return String(characters)
    }

    /// Nothing of what stands in for unreadable values is left.
    private func isSound(_ file: ScenarioFile) -> Bool {
        let steps = file.scenarios.flatMap(\.steps)
        return !file.host.isEmpty && !steps.isEmpty
            && file.blueprint.chains.allSatisfy { file.blueprint.holder(of: $0) != nil }
            && steps.allSatisfy { step in
                !step.present.isEmpty && step.present.allSatisfy { file.blueprint.chain(named: $0) != nil }
                    && file.blueprint.store(named: step.store) != nil && !step.host.isEmpty
            }
            && file.policies.flatMap(\.requirements).allSatisfy { !$0.pins.isEmpty }
    }

    private func expectSensible(_ text: String) {
        do {
            let file = try ScenarioFile(parsing: text, file: "f.yaml")
            if !isSound(file) { Issue.record("accepted:\n\(text)") }
        } catch {
            let lineCount = text.utf8.count { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") } + 1
            let isSensible =
                !error.problems.isEmpty
                && error.problems.allSatisfy { problem in
                    // libyaml counts the empty line behind a text whose last line does not end.
                    (1...lineCount + 1).contains(problem.location.line) && problem.location.column >= 1
                        && !problem.message.isEmpty && !problem.message.contains(where: \.isNewline)
                        && !problem.message.contains("Yams")
                }
            if !isSensible { Issue.record("\(error) for:\n\(text)") }
        }
    }
}

/// Steele, Lea and Flood's SplitMix64: the same damage in every run.
struct SplitMix: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var word = state
        word = (word ^ (word >> 30)) &* 0xBF58_476D_1CE4_E5B9
        word = (word ^ (word >> 27)) &* 0x94D0_49BB_1331_11EB
        return word ^ (word >> 31)
    }
}
