import NIOCore
import NIOHPACK
import NIOHTTP1
import Synchronization
import Witness

/// What one request is answered, in whatever version of HTTP.
struct Answer {
    let page: Answers.Page
    /// As much of the body as is sent.
    var body: ArraySlice<UInt8>
    let request: AnsweredRequest
    /// Whether the connection ends with it.
    var isLast = false
    /// How long it is to be held back.
    var delay: TimeAmount?
    var failure: Route.Failure?
}

/// What an `Origin` answers: written once for all connections.
final class Answers: Sendable {
    struct Page {
        let status: Int
        /// The answer's head in HTTP/1.1, but for its `connection` field and the empty line.
        let head: [UInt8]
        /// The same in HTTP/2.
        let fields: HPACKHeaders
        /// Empty where the status has none.
        let body: [UInt8]
    }

    private let page: Page
    private let json: Page
    private let missing: Page
    private let misdirected: Page
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
        missing = Answers.note(404, "PinDrill's origin does not have this: declare it in 'origin:'\n")
        misdirected = Answers.note(421, "This connection was made for another host.\n")
        pages = origin.pages.map { (Array($0.key.utf8), page($0.value)) }
        routes = origin.routes.map { ($0, Answers.page(status: $0.status, headers: $0.headers, body: $0.body)) }
        hasOnlyRoutes = origin.hasOnlyRoutes
    }

    private static func note(_ status: Int, _ text: String) -> Page {
        page(status: status, headers: [("content-type", "text/plain; charset=utf-8")], body: Array(text.utf8))
    }

    private static func page(status: Int, headers: [(name: String, value: String)], body: [UInt8]) -> Page {
        let status = HTTPResponseStatus(statusCode: status)
        let length = status.mayHaveResponseBody ? [(name: "content-length", value: "\(body.count)")] : []
        let said = headers.filter { !ours.contains($0.name.lowercased()) } + length
        let lines = said.map { "\($0.name): \($0.value)\r\n" }
        var fields = HPACKHeaders([(":status", "\(status.code)")])
        for (name, value) in said where !isOfConnection(name) { fields.add(name: name.lowercased(), value: value) }
        return Page(
            status: Int(status.code),
            head: Array("HTTP/1.1 \(status.code) \(status.reasonPhrase)\r\n\(lines.joined())".utf8),
            fields: fields,
            body: length.isEmpty ? [] : body
        )
    }

    private static func saysClose(_ headers: [(name: String, value: String)]) -> Bool {
        HTTPHeaders(headers.map { ($0.name, $0.value) })[canonicalForm: "connection"]
            .contains { $0.lowercased() == "close" }
    }

    private static let ours: Set<String> = ["connection", "content-length", "transfer-encoding"]

    /// What HTTP/2 has no place for (RFC 9113 section 8.2.2).
    private static func isOfConnection(_ name: String) -> Bool {
        ["keep-alive", "proxy-connection", "upgrade"].contains(name.lowercased())
    }

    func answer(to request: RequestReader.Request) -> Answer {
        let path = Answers.path(of: request.target)
        let chosen = choose(for: request, path)
        let failure = chosen.route?.failure
        let seen = AnsweredRequest(
            method: request.method,
            path: String(decoding: path, as: UTF8.self),
            status: failure == .silence ? nil : chosen.page.status,
            isMissing: chosen.isMissing,
            isTrouble: chosen.route.map { $0.failure != nil || $0.status >= 300 } ?? false
        )
        var answer = Answer(page: chosen.page, body: chosen.page.body[...], request: seen)
        answer.isLast = closes || failure != nil || chosen.route.map { Answers.saysClose($0.headers) } ?? false
        (answer.delay, answer.failure) = (chosen.route?.delay, failure)
        switch failure {
        case .truncated: answer.body = answer.body.prefix(answer.body.count / 2)
        case .head, .silence: answer.body = []
        case nil: break
        }
        if request.method == "HEAD" { answer.body = [] }
        return answer
    }

    /// To a request whose host is not the one that its connection was made for (RFC 9110 section 15.5.20).
    func turnAway(_ request: RequestReader.Request) -> Answer {
        let path = String(decoding: Answers.path(of: request.target), as: UTF8.self)
        return Answer(
            page: misdirected,
            body: request.method == "HEAD" ? [] : misdirected.body[...],
            request: AnsweredRequest(method: request.method, path: path, status: 421, isTrouble: true)
        )
    }

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
