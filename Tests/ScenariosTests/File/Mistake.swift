import Scenarios
import TestSupport
import Testing

/// A text, and what the loader says of it.
struct Mistake: CustomTestStringConvertible {
    var text: String
    var expected: [String]
    var testDescription: String { expected.joined(separator: " / ") }

    /// A text as it stands.
    init(text: String, _ expected: String...) {
        self.text = text
        self.expected = expected.map { "f.yaml:" + $0 }
    }

    /// The sound file, with one piece replaced.
    init(_ old: String, _ new: String, _ expected: String...) {
        text = Self.sound.changing(old, to: new, first: true)
        self.expected = expected.map { "f.yaml:" + $0 }
    }

    func check() { #expect(problems(in: text) == expected) }

    static let sound = """
        version: 1
        host: api.acme.example
        keys: { leaf: {}, spare: {}, evil: { by: attacker } }
        authorities:
          acme-issuing: { issuer: acme-root }
          acme-root: {}
        stores: { phone: { system: [acme-root] } }
        chains: { today: { key: leaf, issuer: acme-issuing } }
        policies: { no-pins: {}, pinned: { pins: [leaf] } }
        clients: { reference: { kind: reference }, tool: { run: "tool {url}" } }
        scenarios: [ { name: calm, steps: [ { present: today } ] } ]
        """
}

/// What the loader says of a text; empty when it is content.
func problems(in text: String) -> [String] {
    do {
        _ = try ScenarioFile(parsing: text, file: "f.yaml")
        return []
    } catch {
        return error.problems.map(\.description)
    }
}
