extension FoundPins {
    /// What is told of code that names pins, and accepts whatever a server shows: all, or all but these.
    private static let opening = [
        "lets every certificate through", "every certificate is let through",
        "lets all others through, and refuses these",
        "no certificate is looked at",
    ]

    /// What is told of code that would judge certificates, before what nothing does with it.
    static let nothing = "; nothing in what was read"

    /// What is told of a type whose objects would judge certificates, before its name.
    static let unmade = "\(nothing) makes an object of "

    /// Whether code accepts whatever a server shows, by what is told of it.
    package static func acceptsAll(_ what: String) -> Bool {
        opening.contains(where: what.contains) && !what.contains(nothing)
    }
}
