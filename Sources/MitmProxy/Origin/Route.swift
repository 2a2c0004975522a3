package import NIOCore

/// What an origin answers to some requests in place of its ordinary answer.
package struct Route: Sendable {
    /// How an answer fails.
    package enum Failure: Sendable {
        /// The connection ends without a byte of it.
        case silence
        /// It ends behind the head.
        case head
        /// It ends in the middle of the body.
        case truncated
    }

    /// What an answer consists of.
    package enum Kind: Sendable {
        /// The body.
        case page
        /// What was asked, as JSON.
        case echo
        /// So many bytes, made as they are sent.
        case download(Int)
        /// Server-sent events, in turn.
        case events([Event])
        /// The body as a message of gRPC, and the call's status.
        case call(status: Int)
        /// A WebSocket whose frames come back.
        case webSocket
    }

    /// One of the events that a server sends, as it is written (HTML Living Standard section 9.2).
    package struct Event: Sendable {
        package var text: String
        /// How long it is held back behind the one before.
        package var delay: TimeAmount

        package init(_ text: String, delay: TimeAmount = .zero) {
            self.text = text
            self.delay = delay
        }
    }

    /// `*`: any. That of GET also answers HEAD.
    package var method: String
    /// Of the path without its query; `*` stands for any characters.
    package var path: String
    package var status: Int
    package var headers: [(name: String, value: String)]
    package var body: [UInt8]
    package var kind: Kind
    package var delay: TimeAmount?
    package var failure: Failure?
    /// How many requests it answers; `nil`: all.
    package var times: Int?

    package init(
        method: String = "GET",
        path: String,
        status: Int = 200,
        headers: [(name: String, value: String)] = [],
        body: [UInt8] = [],
        kind: Kind = .page,
        delay: TimeAmount? = nil,
        failure: Failure? = nil,
        times: Int? = nil
    ) {
        self.method = method
        self.path = path
        self.status = status
        self.headers = headers
        self.body = body
        self.kind = kind
        self.delay = delay
        self.failure = failure
        self.times = times
    }

    /// Where a redirect leads.
    var location: String? { headers.first { $0.name.lowercased() == "location" }?.value }

    func matches(method asked: String, path: ArraySlice<UInt8>) -> Bool {
        guard method == "*" || method == asked || (method == "GET" && asked == "HEAD") else { return false }
        return Route.matches(Array(self.path.utf8)[...], path)
    }

    /// Goes back to the last `*` only, which takes a time that grows with the product of both lengths.
    private static func matches(_ pattern: ArraySlice<UInt8>, _ path: ArraySlice<UInt8>) -> Bool {
        var (pattern, path) = (pattern, path)
        var retry: (pattern: ArraySlice<UInt8>, path: ArraySlice<UInt8>)?
        while let next = path.first {
            if pattern.first == UInt8(ascii: "*") {
                pattern = pattern.dropFirst()
                retry = (pattern, path)
            } else if pattern.first == next {
                (pattern, path) = (pattern.dropFirst(), path.dropFirst())
            } else if let last = retry {
                (pattern, path) = (last.pattern, last.path.dropFirst())
                retry?.path = path
            } else {
                return false
            }
        }
        return pattern.allSatisfy { $0 == UInt8(ascii: "*") }
    }
}
