import NIOCore
import NIOHTTP1
import Synchronization
import Witness

/// What an `Origin` answers, as bytes: written once for all connections.
final class Answers: Sendable {
    private struct Page {
        let status: Int
        /// The answer's head, but for its `connection` field and the empty line.
        let head: [UInt8]
        /// Empty where the status has none.
        let body: [UInt8]
    }

    /// What came of a request.
    struct Outcome {
        var request: AnsweredRequest
        /// Whether the connection ends with the answer.
        var isLast: Bool
        /// How long the answer is to be held back.
        var delay: TimeAmount?
    }

    private let page: Page
    private let json: Page
    private let missing: Page
    /// By the path.
    private let pages: [(path: [UInt8], page: Page)]
    private let routes: [(route: Route, page: Page)]
    /// How often each route that is for some requests only has answered.
    private let uses = Mutex<[Int: Int]>([:])
    private let closes: Bool
    private let hasOnlyRoutes: Bool

    init(_ origin: Origin) {
        closes = Answers.saysClose(origin.headers)
        let page = { Answers.page(status: origin.status, headers: origin.headers, body: $0) }
        self.page = page(origin.body)
        // What a test put there is what it wants.
        let isOrdinary = origin.status == 200 && origin.body == Origin.greeting
        json =
            isOrdinary
            ? Answers.page(status: 200, headers: [("content-type", "application/json")], body: Array("{}\n".utf8))
            : self.page
        missing = Answers.page(
            status: 404,
            headers: [("content-type", "text/plain; charset=utf-8")],
            body: Array("PinDrill's origin does not have this: declare it in 'origin:'\n".utf8)
        )
        pages = origin.pages.map { (Array($0.key.utf8), page($0.value)) }
        routes = origin.routes.map { ($0, Answers.page(status: $0.status, headers: $0.headers, body: $0.body)) }
        hasOnlyRoutes = origin.hasOnlyRoutes
    }

    private static func page(status: Int, headers: [(name: String, value: String)], body: [UInt8]) -> Page {
        let status = HTTPResponseStatus(statusCode: status)
        var head = "HTTP/1.1 \(status.code) \(status.reasonPhrase)\r\n"
        for (name, value) in headers where !ours.contains(name.lowercased()) { head += "\(name): \(value)\r\n" }
        guard status.mayHaveResponseBody else {
            return Page(status: Int(status.code), head: Array(head.utf8), body: [])
        }
        head += "content-length: \(body.count)\r\n"
        return Page(status: Int(status.code), head: Array(head.utf8), body: body)
    }

    private static func saysClose(_ headers: [(name: String, value: String)]) -> Bool {
        HTTPHeaders(headers.map { ($0.name, $0.value) })[canonicalForm: "connection"]
            .contains { $0.lowercased() == "close" }
    }

    private static let ours: Set<String> = ["connection", "content-length", "transfer-encoding"]

    /// Writes the answer to a request.
    func write(_ request: RequestReader.Request, to bytes: inout ByteBuffer) -> Outcome {
        let path = Answers.path(of: request.target)
        let chosen = choose(for: request, path)
        var isLast = closes || !request.isKeepAlive
        if let route = chosen.route { isLast = isLast || Answers.saysClose(route.headers) || route.failure != nil }
        let seen = AnsweredRequest(
            method: request.method,
            path: String(decoding: path, as: UTF8.self),
            status: chosen.route?.failure == .silence ? nil : chosen.page.status,
            isMissing: chosen.isMissing,
            isTrouble: chosen.route.map { $0.failure != nil || $0.status >= 300 } ?? false
        )
        let outcome = Outcome(request: seen, isLast: isLast, delay: chosen.route?.delay)
        if chosen.route?.failure == .silence { return outcome }
        var body = (request.method == "HEAD" ? [] : chosen.page.body)[...]
        switch chosen.route?.failure {
        case .head: body = []
        case .truncated: body = body.prefix(body.count / 2)
        case .silence, nil: break
        }
        bytes.reserveCapacity(minimumWritableBytes: chosen.page.head.count + Answers.longestEnd + body.count)
        bytes.writeBytes(chosen.page.head)
        if isLast {
            bytes.writeStaticString("connection: close\r\n")
        } else if request.minorVersion == 0 {
            // A client that speaks HTTP/1.0 believes in nothing it is not told (RFC 9112 section 9.3).
            bytes.writeStaticString("connection: keep-alive\r\n")
        }
        bytes.writeStaticString("\r\n")
        bytes.writeBytes(body)
        return outcome
    }

    private static let longestEnd = "connection: keep-alive\r\n\r\n".utf8.count

    private func choose(
        for request: RequestReader.Request,
        _ path: ArraySlice<UInt8>
    ) -> (page: Page, route: Route?, isMissing: Bool) {
        var isKnown = false
        for (index, (route, page)) in routes.enumerated() where route.matches(method: request.method, path: path) {
            isKnown = true
            // A redirect to the very place that was asked for would never end.
            if let location = route.location, request.isFor(location) { continue }
            if let times = route.times {
                let use = uses.withLock { uses in
                    uses[index, default: 0] += 1
                    return uses[index, default: 0]
                }
                guard use <= times else { continue }
            }
            return (page, route, false)
        }
        if let page = pages.first(where: { $0.path.elementsEqual(path) })?.page { return (page, nil, false) }
        if hasOnlyRoutes, !isKnown, !path.elementsEqual("/".utf8) { return (missing, nil, true) }
        return (request.acceptsJSON ? json : page, nil, false)
    }

    /// Without its port.
    fileprivate static func host(of authority: some StringProtocol) -> String {
        String(authority.prefix { $0 != ":" }).lowercased()
    }

    /// The path of a target, or of a whole URI as proxies are asked, without its query.
    fileprivate static func path(of target: String) -> ArraySlice<UInt8> {
        let target = Array(target.utf8.prefix { $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") })
        let slash = UInt8(ascii: "/")
        guard target.first != slash, let colon = target.firstIndex(of: UInt8(ascii: ":")),
            target[colon...].starts(with: "://".utf8)
        else { return target[...] }
        let rest = target[(colon + 3)...].drop { $0 != slash }
        return rest.isEmpty ? [slash] : rest
    }
}

extension RequestReader.Request {
    /// Whether it asks for what this URL names, which may lack scheme and host.
    fileprivate func isFor(_ location: String) -> Bool {
        let ours = Answers.path(of: target)
        guard !location.hasPrefix("/") else { return Answers.path(of: location) == ours }
        guard location.hasPrefix("https://"), Answers.path(of: location) == ours else { return false }
        let authority = location.dropFirst("https://".count).prefix { $0 != "/" && $0 != "?" && $0 != "#" }
        return Answers.host(of: authority) == Answers.host(of: host ?? "")
    }
}
