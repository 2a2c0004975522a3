import Foundation
import NIOCore
import NIOHPACK
import NIOHTTP1
import Synchronization
import TLSCore
import Witness

/// What one request is answered, in whatever version of HTTP.
struct Answer {
    let page: Answers.Page
    /// As much of the body as is sent.
    var body: Body
    var request: AnsweredRequest
    /// Whether the connection ends with it.
    var isLast = false
    /// How long it is to be held back.
    var delay: TimeAmount?
    var failure: Route.Failure?
    /// What ends a call of gRPC.
    var trailers: HPACKHeaders?
    /// Whether a WebSocket begins behind it.
    var isUpgrade = false
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
    private let wrongVersion: Page
    private let uncertified: Page
    private let noUpgrade: Page
    /// Of gRPC, with an empty message.
    private let call: Page
    /// Whether some route tells clients all that they asked.
    let needsFields: Bool
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
        wrongVersion = Answers.note(505, "gRPC needs HTTP/2.\n")
        uncertified = Answers.note(400, "PinDrill requires a client certificate here, and you sent none.\n")
        noUpgrade = Answers.note(426, "This is for WebSockets only.\n", [("upgrade", "websocket")])
        call = Answers.page(of: Route(path: "", kind: .call(status: 0)))
        needsFields = origin.routes.contains { if case .echo = $0.kind { true } else { false } }
        pages = origin.pages.map { (Array($0.key.utf8), page($0.value)) }
        routes = origin.routes.map { ($0, Answers.page(of: $0)) }
        hasOnlyRoutes = origin.hasOnlyRoutes
    }

    private static func note(_ status: Int, _ text: String, _ more: [(name: String, value: String)] = []) -> Page {
        let type = (name: "content-type", value: "text/plain; charset=utf-8")
        return page(status: status, headers: [type] + more, body: Array(text.utf8))
    }

    private static func page(of route: Route) -> Page {
        switch route.kind {
        case .page, .echo, .webSocket: return page(status: route.status, headers: route.headers, body: route.body)
        case .download(let count):
            return page(status: route.status, headers: route.headers, body: [], length: "\(count)")
        case .events: return page(status: route.status, headers: route.headers, body: [], length: nil)
        case .call:
            // Its length, before which there is 0 where it is not compressed (gRPC's PROTOCOL-HTTP2.md).
            let length = (0..<4).map { UInt8(truncatingIfNeeded: route.body.count >> (24 - 8 * $0)) }
            let type = [(name: "content-type", value: "application/grpc")]
            return page(status: 200, headers: type + route.headers, body: [0] + length + route.body, length: nil)
        }
    }

    private static func page(status: Int, headers: [(name: String, value: String)], body: [UInt8]) -> Page {
        page(status: status, headers: headers, body: body, length: "\(body.count)")
    }

    /// - Parameter length: `nil` where nobody knows it before.
    private static func page(
        status: Int,
        headers: [(name: String, value: String)],
        body: [UInt8],
        length: String?
    ) -> Page {
        let status = HTTPResponseStatus(statusCode: status)
        let hasBody = status.mayHaveResponseBody
        let length = hasBody ? length.map { [(name: "content-length", value: $0)] } ?? [] : []
        let said = headers.filter { !ours.contains($0.name.lowercased()) } + length
        let lines = said.map { "\($0.name): \($0.value)\r\n" }
        var fields = HPACKHeaders([(":status", "\(status.code)")])
        for (name, value) in said where !isOfConnection(name) { fields.add(name: name.lowercased(), value: value) }
        return Page(
            status: Int(status.code),
            head: Array("HTTP/1.1 \(status.code) \(status.reasonPhrase)\r\n\(lines.joined())".utf8),
            fields: fields,
            body: hasBody ? body : []
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
        var answer =
            self.answer(chosen.route?.kind ?? chosen.kind, chosen.page, to: request, seen)
            ?? Answer(page: chosen.page, body: Body(chosen.page.body), request: seen)
        answer.isLast = closes || failure != nil || chosen.route.map { Answers.saysClose($0.headers) } ?? false
        (answer.delay, answer.failure) = (chosen.route?.delay, failure)
        switch failure {
        case .truncated: answer.body = answer.body.half
        case .head, .silence: answer.body = Body()
        case nil: break
        }
        if request.method == "HEAD" { answer.body = Body() }
        return answer
    }

    /// An answer of its own kind; `nil`: the page is all of it.
    private func answer(_ kind: Route.Kind, _ page: Page, to request: RequestReader.Request, _ seen: AnsweredRequest)
        -> Answer?
    {
        var answer = Answer(page: page, body: Body(page.body), request: seen)
        switch kind {
        case .page: return nil
        case .download(let count): answer.body = Body(download: count)
        case .events(let events): answer.body = Body(events)
        case .echo:
            let json = [(name: "content-type", value: "application/json")]
            let own = Answers.page(status: page.status, headers: json, body: request.echo)
            answer = Answer(page: own, body: Body(own.body), request: seen)
        case .call(let status):
            guard request.isHTTP2 else { return Answer(wrongVersion, to: request, status: 505) }
            answer.trailers = ["grpc-status": "\(status)"]
        case .webSocket:
            guard let accepted = request.acceptedWebSocket else {
                return Answer(noUpgrade, to: request, status: 426)
            }
            let page = Answers.page(status: 101, headers: accepted, body: [])
            answer = Answer(page: page, body: Body(), request: seen, isUpgrade: true)
            answer.request.status = 101
        }
        return answer
    }

    /// To a request whose host is not the one that its connection was made for (RFC 9110 section 15.5.20).
    func turnAway(_ request: RequestReader.Request) -> Answer {
        Answer(misdirected, to: request, status: 421)
    }

    /// To a client without the certificate that is required of it.
    func demandCertificate(of request: RequestReader.Request) -> Answer {
        var answer = Answer(uncertified, to: request, status: 400)
        answer.isLast = true
        return answer
    }

    private func choose(
        for request: RequestReader.Request,
        _ path: ArraySlice<UInt8>
    ) -> (page: Page, route: Route?, isMissing: Bool, kind: Route.Kind) {
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
            return (page, route, false, .page)
        }
        if let page = pages.first(where: { $0.path.elementsEqual(path) })?.page { return (page, nil, false, .page) }
        if hasOnlyRoutes, !isKnown, !path.elementsEqual("/".utf8) { return (missing, nil, true, .page) }
        // What a client of these can make nothing else of.
        if request.isCall { return (call, nil, false, .call(status: 0)) }
        if request.acceptedWebSocket != nil { return (page, nil, false, .webSocket) }
        return (request.acceptsJSON ? json : page, nil, false, .page)
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

extension Answer {
    /// That a request cannot be answered as it asks.
    fileprivate init(_ page: Answers.Page, to request: RequestReader.Request, status: Int) {
        let path = String(decoding: Answers.path(of: request.target), as: UTF8.self)
        self.init(
            page: page,
            body: request.method == "HEAD" ? Body() : Body(page.body),
            request: AnsweredRequest(method: request.method, path: path, status: status, isTrouble: true)
        )
    }
}

extension RequestReader.Request {
    /// What begins a WebSocket (RFC 6455 section 4.2.2), in the first protocol that was asked for; `nil` where none was.
    fileprivate var acceptedWebSocket: [(name: String, value: String)]? {
        guard method == "GET", minorVersion == 1, !isHTTP2, value(of: "upgrade")?.lowercased() == "websocket",
            let key = value(of: "sec-websocket-key")
        else { return nil }
        let digest = sha1(Array("\(key)258EAFA5-E914-47DA-95CA-C5AB0DC85B11".utf8))
        let spoken = value(of: "sec-websocket-protocol")?.split(separator: ",").first.map {
            (name: "sec-websocket-protocol", value: $0.trimmingCharacters(in: .whitespaces))
        }
        return [("upgrade", "websocket"), ("sec-websocket-accept", Data(digest).base64EncodedString())]
            + [spoken].compactMap(\.self)
    }

    /// What was asked, as JSON.
    fileprivate var echo: [UInt8] {
        struct Echo: Encodable {
            var method: String
            var path: String
            var headers: [String: String]
        }
        let headers = Dictionary(fields.map { ($0.name.lowercased(), $0.value) }) { "\($0), \($1)" }
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return Array((try? encoder.encode(Echo(method: method, path: target, headers: headers))) ?? Data()) + [0x0A]
    }

    /// Whether it asks for what this URL names, which may lack scheme and host.
    fileprivate func isFor(_ location: String) -> Bool {
        let ours = Answers.path(of: target)
        guard !location.hasPrefix("/") else { return Answers.path(of: location) == ours }
        guard location.hasPrefix("https://"), Answers.path(of: location) == ours else { return false }
        let authority = location.dropFirst("https://".count).prefix { $0 != "/" && $0 != "?" && $0 != "#" }
        return Answers.host(of: authority) == Answers.host(of: host ?? "")
    }
}
