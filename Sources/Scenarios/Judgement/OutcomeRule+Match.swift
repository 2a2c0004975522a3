import Foundation

extension OutcomeRule {
    /// Whether a program's end is the refusal that the rule describes. Exit status 0 is one only where the rule asks for
    /// words and names no status: some programs end with 0 whatever happens.
    ///
    /// - Parameter output: what it printed, standard output and standard error.
    package func matches(exit status: Int32, output: String) throws(CostlyPattern) -> Bool {
        guard exit.isEmpty ? status != 0 || !text.isEmpty : exit.contains(Int(status)) else { return false }
        return text.isEmpty ? true : try matches(text: output)
    }

    /// Whether a program's end is the success that the rule describes: with status 0, where it names none.
    package func matchesSuccess(exit status: Int32, output: String) throws(CostlyPattern) -> Bool {
        guard exit.isEmpty ? status == 0 : exit.contains(Int(status)) else { return false }
        return text.isEmpty ? true : try matches(text: output)
    }

    /// Whether one of the rule's patterns is found in a text.
    package func matches(text output: String) throws(CostlyPattern) -> Bool {
        for pattern in text where try OutcomeRule.finds(pattern, in: output) { return true }
        return false
    }

    /// Whether a pattern is found in a text, or is no pattern.
    ///
    /// ICU goes back and tries again, which some patterns make last for years. It reports each place where it begins, and
    /// every 10,000 steps between (`TIMER_INITIAL_VALUE` in ICU's rematch.cpp): those are counted, not the time, so that a
    /// busy machine comes to the same result.
    static func finds(_ pattern: String, in text: String) throws(CostlyPattern) -> Bool {
        // The loader has compiled every pattern once, so none is malformed here.
        guard let expression = try? NSRegularExpression(pattern: pattern) else { return false }
        nonisolated(unsafe) var (isFound, isCutOff) = (false, false)
        nonisolated(unsafe) var reportsLeft = text.utf16.count + 5000
        expression.enumerateMatches(
            in: text,
            options: [.reportProgress, .reportCompletion],
            range: NSRange(location: 0, length: text.utf16.count)
        ) { match, flags, stop in
            reportsLeft -= 1
            isFound = match != nil
            isCutOff = !isFound && (reportsLeft < 0 || flags.contains(.internalError) || Task.isCancelled)
            stop.pointee = ObjCBool(isFound || isCutOff)
        }
        if isCutOff { throw CostlyPattern(pattern: pattern) }
        return isFound
    }
}

/// A search that was broken off because it might have no end.
package struct CostlyPattern: Error, CustomStringConvertible, Sendable {
    package let pattern: String

    package var description: String {
        "'\(pattern)' takes too long to search for; does it repeat a repetition, as (a+)+ does?"
    }
}
