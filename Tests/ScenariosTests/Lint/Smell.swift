import Scenarios
import TestSupport
import Testing

/// A sound file changed in one way that smells, and in a similar one that does not.
struct Smell: CustomTestStringConvertible {
    /// A text of the sound file, and what takes its place.
    typealias Change = (old: String, new: String)

    var testDescription: String
    var smelly: String
    var sound: String
    var expected: [String]

    init(_ name: String, _ changes: Change..., twin: [Change] = [], finds expected: String...) {
        testDescription = name
        smelly = Self.file(changes)
        sound = Self.file(twin)
        self.expected = expected.map { "f.yaml:" + $0 }
    }

    private static func file(_ changes: [Change]) -> String {
        changes.reduce(base) { text, change in text.changing(change.old, to: change.new, first: true) }
    }

    static let base = """
        version: 1
        host: api.acme.example
        keys: { leaf: {}, spare: {}, evil: { by: attacker } }
        authorities:
          root: {}
          other: {}
          mallory: { by: attacker }
        stores: { phone: { system: [root, other], user: [mallory] } }
        chains:
          today: { key: leaf, issuer: root }
          moved: { key: spare, issuer: other }
          forged: { key: evil, issuer: mallory }
        policies:
          loose: {}
          strict: { pins: [leaf, spare], position: leaf }
        clients:
          tool: { run: "tool {url}" }
        scenarios:
          - { name: calm, steps: [ { present: today }, { present: moved, at: 1d } ] }
          - { name: attack, steps: [ { present: today }, { present: forged } ] }
        """
}

/// What the lints say of a text.
func findings(in text: String) throws -> [String] {
    let file = try ScenarioFile(parsing: text, file: "f.yaml")
    return try file.lint(Oracle(PKI(file.blueprint, now: Sample.now)), instant: Sample.now).map(\.description)
}
