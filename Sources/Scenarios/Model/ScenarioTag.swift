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
    ///
    /// Without an expression: a catalogue has hundreds, and to make one takes longer than to read a scenario.
    private static func isIdentifier(_ name: String) -> Bool {
        let parts = name.split(separator: "-", omittingEmptySubsequences: false)
        return switch (parts.first, parts.count) {
        case ("MASVS", 3): isWord(parts[1]) && isNumber(parts[2], digits: 1...2)
        case ("MASTG", 3): isWord(parts[1]) && parts[2].utf8.count == 4 && parts[2].utf8.allSatisfy(isDigit)
        case ("CWE", 2): isNumber(parts[1], digits: 1...5)
        default: false
        }
    }

    private static func isWord(_ text: Substring) -> Bool {
        !text.isEmpty && text.utf8.allSatisfy { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) }
    }

    private static func isNumber(_ text: Substring, digits: ClosedRange<Int>) -> Bool {
        digits.contains(text.utf8.count) && text.utf8.allSatisfy(isDigit) && text.first != "0"
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }
}
