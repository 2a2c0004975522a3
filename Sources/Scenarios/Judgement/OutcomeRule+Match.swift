extension OutcomeRule {
    /// Whether a program's end is what the rule describes.
    ///
    /// - Parameter output: what it printed, standard output and standard error.
    public func matches(exit status: Int32, output: String) -> Bool {
        if !exit.isEmpty, !exit.contains(Int(status)) { return false }
        return text.isEmpty
            || text.contains { pattern in
                // The loader has compiled every pattern once, so none is malformed here.
                (try? Regex(pattern).firstMatch(in: output)) != nil
            }
    }
}
