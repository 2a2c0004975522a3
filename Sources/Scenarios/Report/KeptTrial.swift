package import Foundation

/// A trial that an earlier run has finished, as its JSON report tells of it: what it amounts to, and its words.
package struct KeptTrial: Hashable, Sendable {
    package var scenario: String { outline.scenario }
    /// As reports name it.
    package let name: String
    /// As a report has it, its first line not indented.
    let json: String
    fileprivate let outline: Outline

    /// What of a trial counts.
    fileprivate struct Outline: Decodable, Hashable {
        struct Step: Decodable, Hashable {
            var control: Bool
            var verdict: String
            var consequence: String
            var declared: Bool
            var attribution: String?
        }

        struct Deviation: Decodable, Hashable { var seen: Bool }

        var scenario: String
        var policy: String
        var client: String
        var deviation: Deviation?
        var steps: [Step]
    }

    private struct Outlines: Decodable {
        var file: String
        var trials: [Outline]
    }

    /// The trials of a JSON report, and the scenario file that it is of.
    ///
    /// - Returns: `nil` where it is no such report.
    package static func reading(_ report: Data) -> (file: String, trials: [KeptTrial])? {
        guard let told = try? JSONDecoder().decode(Outlines.self, from: report),
            let object = try? JSONSerialization.jsonObject(with: report) as? [String: Any],
            let entries = object["trials"] as? [Any], entries.count == told.trials.count
        else { return nil }
        let trials = zip(entries, told.trials).compactMap { entry, outline -> KeptTrial? in
            guard
                let bytes = try? JSONSerialization.data(
                    withJSONObject: entry,
                    options: [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
                ), outline.steps.allSatisfy({ $0.isKnown })
            else { return nil }
            let name = "\(outline.scenario) · \(outline.policy) · \(outline.client)"
            return KeptTrial(name: name, json: String(decoding: bytes, as: UTF8.self), outline: outline)
        }
        return trials.count == entries.count ? (told.file, trials) : nil
    }

    /// The worst exit status that one of its steps stands for, as `Report.exitStatus` has it; 0: something passed.
    func exitStatus(failingOn conditions: Set<FailureCondition>) -> Int32 {
        if let deviation = outline.deviation { return deviation.seen ? 0 : 1 }
        let isBad = outline.steps.contains { step in
            step.verdict == Verdict.fail.rawValue || step.isUndeclared(.intercepted)
                || conditions.contains(.outage) && step.isUndeclared(.lockedOut)
                // A report does not tell what the pins alone demand: better one rejection too many.
                || conditions.contains(.unproven) && step.verdict == Verdict.pass.rawValue
                    && step.attribution == Attribution.unproven.rawValue
        }
        if isBad { return 1 }
        return outline.steps.contains { $0.verdict == Verdict.inconclusive.rawValue } ? 2 : 0
    }

    /// Whether something passed that was asked for.
    var hasPassed: Bool { outline.steps.contains { $0.verdict == Verdict.pass.rawValue && !$0.control } }

    func add(to tally: inout Tally) {
        tally.trials += 1
        for step in outline.steps {
            if let verdict = Verdict(rawValue: step.verdict) { tally.verdicts[verdict, default: 0] += 1 }
            if let consequence = Consequence(rawValue: step.consequence) {
                tally.consequences[consequence, default: 0] += 1
            }
            tally.undeclaredBreaches += step.isUndeclared(.intercepted) ? 1 : 0
            tally.undeclaredOutages += step.isUndeclared(.lockedOut) ? 1 : 0
        }
    }
}

extension KeptTrial.Outline.Step {
    fileprivate var isKnown: Bool { Verdict(rawValue: verdict) != nil && Consequence(rawValue: consequence) != nil }

    fileprivate func isUndeclared(_ consequence: Consequence) -> Bool {
        self.consequence == consequence.rawValue && !declared
    }
}
