import Foundation
import Pinning
import Scenarios
import TestSupport
import Testing

/// `docs/scenario-file.schema.json`, which editors use, and the reader: each knows the keys of the other.
@Suite struct `The schema of scenario files` {
    private let schema: Schema

    init() throws {
        schema = try Schema(at: Places.package.appending(path: "docs/scenario-file.schema.json"))
    }

    /// Where an object of the schema stands in a file, with `@` for a key that nobody knows.
    private static let places: [String: (old: String, new: String)] = [
        "file": ("version: 1", "version: 1\n@: 1"),
        "key": ("leaf: {}", "leaf: { @: 1 }"),
        "authority": ("acme-root: {}", "acme-root: { @: 1 }"),
        "store": ("phone: { system: [acme-root] }", "phone: { system: [acme-root], @: 1 }"),
        "chain": ("issuer: acme-issuing }", "issuer: acme-issuing, @: 1 }"),
        "policy": ("no-pins: {}", "no-pins: { @: 1 }"),
        "requirement": ("no-pins: {}", "no-pins: { require: [ { pins: [leaf], @: 1 } ] }"),
        "client": ("kind: reference }", "kind: reference, @: 1 }"),
        "deviation": (
            "kind: reference }", "kind: reference, deviates: [ { scenarios: [calm], because: So., @: 1 } ] }"
        ),
        "outcome": ("run: \"tool {url}\"", "run: \"tool {url}\", refused: { @: 1 }"),
        "scenario": ("name: calm", "name: calm, @: 1"),
        "answer": ("host: api.acme.example", "host: api.acme.example\norigin: { GET /: { @: 1 } }"),
        "event": (
            "host: api.acme.example", "host: api.acme.example\norigin: { GET /: { events: [ { data: x, @: 1 } ] } }"
        ),
        "upstream": ("host: api.acme.example", "host: api.acme.example\nupstream: { url: 'http://a.example', @: 1 }"),
        "commonLimits": ("host: api.acme.example", "host: api.acme.example\ntls: { alpn: h2, @: 1 }"),
        "budget": ("present: today", "present: today, budget: { requests: 1, @: 1 }"),
        "step": ("present: today", "present: today, @: 1"),
        "handshake": ("present: today", "present: today, handshake: { delay: 1s, @: 1 }"),
        "limits": ("present: today", "present: today, tls: { @: 1 }"),
        "variants": ("name: calm", "name: calm, variants: { @: 1 }"),
        "extension": ("issuer: acme-issuing }", "issuer: acme-issuing, extensions: [ { id: 1.2.3, @: 1 } ] }"),
    ]

    @Test func `has every key that the reader knows, and no other`() throws {
        for (object, keys) in schema.objects {
            let place = try #require(Self.places[object], "no place is known for '\(object)'")
            let text = Mistake.sound.changing(place.old, to: place.new, first: true)
            let problem = try #require(problems(in: text.changing("@", to: "qqqqqqqqqq")).first)
            let known = try #require(problem.firstMatch(of: /unknown key 'q+'; known here: (.*)/), "\(problem)").output
                .1

            #expect(keys.sorted() == known.split(separator: ", ").map(String.init).sorted(), "\(object)")
        }
    }

    @Test func `knows a place for every object`() {
        #expect(schema.objects.keys.sorted() == Self.places.keys.sorted())
    }

    @Test(arguments: ScenarioFile.shippedTexts.keys.sorted())
    func `takes every shipped file`(name: String) throws {
        #expect(try complaints(about: #require(ScenarioFile.shippedTexts[name])) == [])
    }

    @Test func `takes a file with every setting there is`() throws {
        #expect(try complaints(about: CompleteFile.text) == [])
    }

    @Test(arguments: [
        ("leaf: {}", "leaf: { typ: p256 }", "/keys/leaf: typ is unknown"),
        ("leaf: {}", "leaf: { by: nobody }", "/keys/leaf/by: string(\"nobody\") is none of the choices"),
        ("name: calm, ", "", "/scenarios/0: name is missing"),
        ("present: today", "present: today, attempts: 0", "/scenarios/0/steps/0/attempts: 0.0 is less than 1.0"),
    ])
    func `refuses what the reader refuses`(old: String, new: String, complaint: String) throws {
        #expect(try complaints(about: Mistake.sound.changing(old, to: new)) == [complaint])
    }

    private func complaints(about text: String) throws -> [String] {
        let node = try YAMLNode(parsing: text, file: "f.yaml", called: "a file", beginning: "", takesAliases: true)
        return schema.complaints(about: JSONValue(node))
    }
}

extension JSONValue {
    /// As YAML's core schema reads plain text.
    fileprivate init(_ node: YAMLNode) {
        switch node.content {
        case .list(let values): self = .array(values.map(JSONValue.init))
        case .mapping(let entries):
            self = .object(
                Dictionary(entries.map { ($0.key.scalar ?? "", JSONValue($0.value)) }, uniquingKeysWith: { $1 })
            )
        case .scalar(let text, _):
            switch node.kind {
            case .boolean: self = .boolean(text == "true")
            case .nothing: self = .null
            case .number: self = Double(text).map(JSONValue.number) ?? .string(text)
            default: self = .string(text)
            }
        }
    }
}
