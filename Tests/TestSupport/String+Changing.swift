extension String {
    /// This text with every occurrence of a piece replaced, or only the first.
    ///
    /// The piece must be there: what is made from a text that no longer holds it proves nothing.
    package func changing(_ old: String, to new: String, first: Bool = false) -> String {
        precondition(contains(old), "the text does not hold '\(old)', which a test replaces")
        return replacing(old, with: new, maxReplacements: first ? 1 : .max)
    }
}
