import Foundation
import HTTPTypes
import Hummingbird
import NIOCore
import Pinning

/// One request, as a route reads it.
struct ControlRequest {
    let request: Request
    let channel: (any Channel)?
    /// What stands in the path where the route has a name in braces.
    let parameters: [String: String]

    /// Bodies are this long at most.
    static let mostBytes = 1_000_000

    func parameter(_ name: String) -> String { parameters[name] ?? "" }

    func query(_ name: String) -> String? {
        request.uri.queryParameters[Substring(name)].map { String($0) }
    }

    /// A number of a range; `nil` where it is not given.
    func number(_ name: String, in range: ClosedRange<Int>) throws(ControlError) -> Int? {
        guard let text = query(name) else { return nil }
        guard let number = Int(text), range.contains(number) else {
            let most = range.upperBound == .max ? "" : " to \(range.upperBound)"
            throw .invalid("'\(name)' is no number from \(range.lowerBound)\(most)")
        }
        return number
    }

    /// One word of a list; `nil` where it is not given.
    func word(_ name: String, of words: [String]) throws(ControlError) -> String? {
        guard let text = query(name) else { return nil }
        guard words.contains(text) else {
            throw .invalid(
                "'\(name)' is none of \(words.joined(separator: ", "))",
                nearest: nearest(to: text, among: words)
            )
        }
        return text
    }

    /// The body, which must be JSON with no other keys than it may have.
    func body<Body: ControlBody>(_ type: Body.Type) async throws -> Body {
        let kind = request.headers[.contentType]?.prefix { $0 != ";" }.lowercased()
        guard kind?.trimmingCharacters(in: .whitespaces) == "application/json" else {
            throw ControlError(
                .unsupportedMediaType,
                "unsupported-media-type",
                "the body must be JSON: send 'Content-Type: application/json'"
            )
        }
        let bytes = try await bytes()
        do {
            return try JSONDecoder().decode(Strict<Body>.self, from: bytes).body
        } catch let error as ControlError {
            throw error
        } catch DecodingError.keyNotFound(let key, _) {
            throw ControlError.invalid("'\(key.stringValue)' is missing")
        } catch DecodingError.typeMismatch(_, let context), DecodingError.valueNotFound(_, let context) {
            throw ControlError.invalid("\(Self.place(context)) is of the wrong type")
        } catch DecodingError.dataCorrupted(let context) where !context.codingPath.isEmpty {
            throw ControlError.invalid("\(Self.place(context)): \(context.debugDescription)")
        } catch {
            throw ControlError.invalid("the body is no JSON")
        }
    }

    private static func place(_ context: DecodingError.Context) -> String {
        context.codingPath.isEmpty ? "the body" : "'\(context.codingPath.map(\.stringValue).joined(separator: "."))'"
    }

    private func bytes() async throws -> Data {
        var data = Data()
        let announced = request.headers[.contentLength].flatMap(Int.init) ?? 0
        if announced <= Self.mostBytes {
            for try await part in request.body {
                data.append(contentsOf: part.readableBytesView)
                if data.count > Self.mostBytes { break }
            }
            if data.count <= Self.mostBytes { return data }
        }
        throw ControlError(.contentTooLarge, "too-large", "a body has at most \(Self.mostBytes) bytes")
    }
}

/// What a request may carry.
protocol ControlBody: Decodable {
    static var keys: [String] { get }
}

/// The same with nothing in it that nobody asked for, and no null.
private struct Strict<Body: ControlBody>: Decodable {
    let body: Body

    private struct AnyKey: CodingKey {
        var stringValue: String
        var intValue: Int? { nil }
        init?(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: AnyKey.self)
        for key in container.allKeys {
            let name = key.stringValue
            guard Body.keys.contains(name) else {
                let near = nearest(to: name, among: Body.keys)
                let advice = near.map { "did you mean '\($0)'?" } ?? "it takes \(Body.keys.joined(separator: ", "))"
                throw ControlError.invalid("there is no '\(name.prefix(60))' here; \(advice)", nearest: near)
            }
            if try container.decodeNil(forKey: key) { throw ControlError.invalid("'\(name)' is null; leave it out") }
        }
        body = try Body(from: decoder)
    }
}

struct NewDrill: ControlBody {
    var scenario: String
    var policy: String?
    var client: String?
    var pauses: Bool?
    var example: Bool?
    static let keys = ["scenario", "policy", "client", "pauses", "example"]
}

struct GivenWord: ControlBody {
    var attempt: Int
    var word: String
    var note: String?
    var code: String?
    static let keys = ["attempt", "word", "note", "code"]
}

struct GivenNext: ControlBody {
    var step: Int
    static let keys = ["step"]
}

struct GivenNote: ControlBody {
    var text: String
    static let keys = ["text"]
}

struct NewPresentation: ControlBody {
    var scenario: String
    var step: Int?
    static let keys = ["scenario", "step"]
}

struct NewRun: ControlBody {
    var scenarios: [String]?
    var tags: [String]?
    var policies: [String]?
    var clients: [String]?
    var all: Bool?
    static let keys = ["scenarios", "tags", "policies", "clients", "all"]
}

/// What `check` is asked, as texts.
package struct CheckRequest: ControlBody, Sendable {
    package var policy: String
    package var dialect: String?
    package var device: [String]?
    package var chain: String
    package var trust: String?
    package var appTrust: String?
    package var userTrust: String?
    package var host: String
    package var at: String?

    private enum CodingKeys: String, CodingKey, CaseIterable {
        case policy, dialect, device, chain, trust
        case appTrust = "app_trust"
        case userTrust = "user_trust"
        case host, at
    }

    static var keys: [String] { CodingKeys.allCases.map(\.rawValue) }
}

/// What `audit` is asked, as texts.
package struct AuditRequest: ControlBody, Sendable {
    package var policy: String
    package var dialect: String?
    package var device: [String]?
    package var host: String?
    package var chain: String?
    package var trust: String?
    static let keys = ["policy", "dialect", "device", "host", "chain", "trust"]
}
