package import HTTPTypes
import Pinning

/// Why a request is not answered as its sender wants: one code for programs, one sentence for people.
package struct ControlError: Error, Encodable {
    package var status: HTTPResponse.Status
    package var code: String
    package var message: String
    package var nearest: String?
    /// The methods that the path knows, where it was another.
    package var allow: [String] = []

    package init(_ status: HTTPResponse.Status, _ code: String, _ message: String, nearest: String? = nil) {
        self.status = status
        self.code = code
        self.message = message
        self.nearest = nearest
    }

    /// Something that was sent and cannot be used.
    package static func invalid(_ message: String, nearest: String? = nil) -> ControlError {
        ControlError(.badRequest, "invalid", message, nearest: nearest)
    }

    /// Something that can be read, and makes no sense here.
    package static func senseless(_ message: String) -> ControlError {
        ControlError(.unprocessableContent, "senseless", message)
    }

    package static func conflict(_ message: String) -> ControlError { ControlError(.conflict, "conflict", message) }

    /// A name that nothing has.
    package static func unknown(_ kind: String, _ name: String, among names: some Sequence<String>) -> ControlError {
        let near = Pinning.nearest(to: name, among: names)
        let advice = near.map { "did you mean '\($0)'?" } ?? "see the list of them"
        let shown = name.count > 60 ? "\(name.prefix(60))…" : name
        return ControlError(.notFound, "not-found", "there is no \(kind) '\(shown)'; \(advice)", nearest: near)
    }

    private enum CodingKeys: CodingKey { case code, message, nearest }
}
