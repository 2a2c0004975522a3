/// What a scenario is about, in a word that people select by: `attack`, `quick`, `MASVS-NETWORK-2`, `CWE-295`.
public struct ScenarioTag: Hashable, Sendable, CustomStringConvertible {
    public let name: String

    /// The kinds of story.
    package static let kinds = ["rotation", "attack", "validation", "protocol", "behaviour"]
    package static let quick = "quick"
    /// What a person can play with an app in hand, and two drills of others' making: OWASP's network tests (MASVS-NETWORK), and
    /// what Apple tells who pins to rehearse.
    package static let drill = "drill"
    package static let words = kinds + [quick, drill, "masvs-network", "apple-rehearsal"]

    /// `nil` where it is neither one of our words nor has the form of an identifier of OWASP's or of a CWE number.
    package init?(_ name: String) {
        guard Self.words.contains(name) || Self.isIdentifier(name) else { return nil }
        self.name = name
    }

    public var description: String { name }

    /// Whether it is an identifier of others'.
    package var isControl: Bool { Self.isIdentifier(name) }

    /// OWASP MASVS 2.1 (`MASVS-NETWORK-2`), MASTG 2 (`MASTG-TEST-0244`), MITRE (`CWE-295`).
    private static func isIdentifier(_ name: String) -> Bool {
        name.wholeMatch(of: /MASVS-[A-Z]+-[1-9][0-9]?|MASTG-[A-Z]+-[0-9]{4}|CWE-[1-9][0-9]{0,4}/) != nil
    }
}
