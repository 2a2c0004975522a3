extension OutcomeRule {
    /// Whether a program's end is what the rule describes. Exit status 0 never is: a program that succeeded may have
    /// printed anything, the server's own words included.
    ///
    /// - Parameter output: what it printed, standard output and standard error.
    public func matches(exit status: Int32, output: String) -> Bool {
        guard status != 0, exit.isEmpty || exit.contains(Int(status)) else { return false }
        return text.isEmpty || matches(text: output)
    }

    /// Whether one of the rule's patterns is found in a text.
    public func matches(text output: String) -> Bool {
        // The loader has compiled every pattern once, so none is malformed here.
        text.contains { pattern in (try? Regex(pattern).firstMatch(in: output)) != nil }
    }
}
