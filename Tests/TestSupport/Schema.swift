package import Foundation

/// Any JSON.
package enum JSONValue: Hashable, Decodable, Sendable {
    case null
    case boolean(Bool)
    case number(Double)
    case string(String)
    case array([JSONValue])
    case object([String: JSONValue])

    package init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            self = .null
        } else if let value = try? container.decode(Bool.self) {
            self = .boolean(value)
        } else if let value = try? container.decode(Double.self) {
            self = .number(value)
        } else if let value = try? container.decode(String.self) {
            self = .string(value)
        } else if let value = try? container.decode([JSONValue].self) {
            self = .array(value)
        } else {
            self = .object(try container.decode([String: JSONValue].self))
        }
    }

    package subscript(_ key: String) -> JSONValue? { if case .object(let members) = self { members[key] } else { nil } }
    package subscript(_ index: Int) -> JSONValue? {
        array.flatMap { $0.indices.contains(index) ? $0[index] : nil }
    }
    package var number: Double? { if case .number(let number) = self { number } else { nil } }
    package var string: String? { if case .string(let text) = self { text } else { nil } }
    package var array: [JSONValue]? { if case .array(let items) = self { items } else { nil } }
    package var object: [String: JSONValue]? { if case .object(let members) = self { members } else { nil } }

    /// As JSON Schema names it.
    fileprivate var type: String {
        switch self {
        case .null: "null"
        case .boolean: "boolean"
        case .number(let number): number == number.rounded() ? "integer" : "number"
        case .string: "string"
        case .array: "array"
        case .object: "object"
        }
    }
}

/// As much of JSON Schema as the schemas in `docs` use; a keyword that it does not know is a complaint too.
package struct Schema: Sendable {
    private let root: JSONValue

    package init(at url: URL) throws {
        root = try JSONDecoder().decode(JSONValue.self, from: Data(contentsOf: url))
    }

    /// An OpenAPI document has them elsewhere.
    private var definitions: JSONValue? { root["$defs"] ?? root["components"]?["schemas"] }

    /// The objects that it describes by name, each with its keys.
    package var objects: [String: Set<String>] {
        (definitions?.object ?? [:]).compactMapValues { $0["properties"]?.object.map { Set($0.keys) } }
    }

    /// What is wrong with a value, and where; nothing if it keeps to the schema.
    package func complaints(about value: JSONValue) -> [String] { complaints(about: value, by: root, at: "") }

    /// The same by one of its definitions.
    package func complaints(about value: JSONValue, as definition: String) -> [String] {
        definitions?[definition].map { complaints(about: value, by: $0, at: "") } ?? [
            "nothing is called \(definition)"
        ]
    }

    private func complaints(about value: JSONValue, by schema: JSONValue, at place: String) -> [String] {
        (schema.object ?? [:]).sorted { $0.key < $1.key }.flatMap { keyword, rule -> [String] in
            switch keyword {
            case "$schema", "$id", "$defs", "title", "description", "format", "maximum", "minLength", "maxLength":
                return []
            case "$ref":
                let name = rule.string?.split(separator: "/").last.map(String.init) ?? ""
                guard let target = definitions?[name] else { return ["\(place): nothing is called \(name)"] }
                return complaints(about: value, by: target, at: place)
            case "type":
                if rule.string == "number", value.type == "integer" { return [] }
                return rule.string == value.type ? [] : ["\(place): \(value.type) is not \(rule.string ?? "")"]
            case "const": return rule == value ? [] : ["\(place): is not \(rule)"]
            case "enum": return rule.array?.contains(value) == true ? [] : ["\(place): \(value) is none of the choices"]
            case "minimum":
                guard case (.number(let value), .number(let least)) = (value, rule), value < least else { return [] }
                return ["\(place): \(value) is less than \(least)"]
            case "required":
                let missing = (rule.array ?? []).compactMap(\.string).filter { value[$0] == nil }
                return missing.map { "\(place): \($0) is missing" }
            case "properties":
                return (value.object ?? [:]).flatMap { name, member in
                    rule[name].map { complaints(about: member, by: $0, at: "\(place)/\(name)") } ?? []
                }
            case "additionalProperties":
                let unknown = (value.object ?? [:]).keys.filter { schema["properties"]?[$0] == nil }
                if rule == .boolean(false) { return unknown.sorted().map { "\(place): \($0) is unknown" } }
                return unknown.sorted().flatMap { name in
                    value[name].map { complaints(about: $0, by: rule, at: "\(place)/\(name)") } ?? []
                }
            case "anyOf":
                let choices = (rule.array ?? []).map { complaints(about: value, by: $0, at: place) }
                return choices.contains(where: \.isEmpty) ? [] : ["\(place): fits none: \(choices.joined())"]
            case "items":
                return (value.array ?? []).enumerated().flatMap { index, item in
                    complaints(about: item, by: rule, at: "\(place)/\(index)")
                }
            default: return ["the schema says \(keyword), which this test does not understand"]
            }
        }
    }
}
