internal import CEmbedded
import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdCore
import Logging
import NIOCore
import NIOPosix
package import Scenarios
import ServiceLifecycle
import Synchronization
package import TLSCore

/// What answers over HTTP, so that a browser, a UI test and a terminal see one state.
package struct ControlServer: Sendable {
    package let room: ControlRoom
    let keys: ControlKeys
    private let port = Port()

    private final class Port: Sendable {
        let number = Mutex(0)
    }

    package init(_ room: ControlRoom, token: String) {
        self.room = room
        keys = ControlKeys(token: token)
    }

    package var token: String { keys.token }

    /// A token that nobody can guess.
    package static func randomToken() -> String { ControlKeys.random() }

    /// Listens on loopback until the task is cancelled, and ends with all that is going on: who waits for an answer gets it.
    ///
    /// - Parameters:
    ///   - wanted: 0: wherever there is room.
    ///   - onListening: is told the port, and an address that opens the dashboard once.
    /// - Throws: where it cannot listen.
    package func run(port wanted: Int, onListening: @escaping @Sendable (Int, _ opening: String) async -> Void)
        async throws
    {
        // It has no words of its own for a terminal.
        let silent = Logger(label: "pindrill.control") { _ in SwiftLogNoOpLogHandler() }
        let application = Application(
            responder: ControlResponder(server: self),
            configuration: ApplicationConfiguration(
                address: .hostname("127.0.0.1", port: wanted),
                availableConnectionsDelegate: MaximumAvailableConnections(256)
            ),
            onServerRunning: { channel in
                let number = channel.localAddress?.port ?? wanted
                port.number.withLock { $0 = number }
                await onListening(number, "http://127.0.0.1:\(number)/enter?code=\(keys.code())")
            },
            logger: silent
        )
        let beat = Task {
            while (try? await Task.sleep(for: .seconds(15))) != nil { room.events.beat() }
        }
        defer { beat.cancel() }
        var configuration = ServiceGroupConfiguration(services: [application], logger: silent)
        // Some readers take nothing.
        configuration.maximumGracefulShutdownDuration = .seconds(2)
        let services = ServiceGroup(configuration: configuration)
        let serving = Task { try await services.run() }
        try await withTaskCancellationHandler {
            try await serving.value
        } onCancel: {
            Task {
                await room.close()
                await services.triggerGracefulShutdown()
            }
        }
    }

    /// The roots that any device is to trust, each once.
    package static func fingerprints(of oracle: Oracle) -> [(name: String, sha256: Pin)] {
        oracle.pki.blueprint.stores.flatMap { (try? oracle.roots(of: $0.name)) ?? [] }
            .map { Fingerprint(name: $0.name, sha256: $0.anchor.certificate.fingerprint) }.uniqued
            .map { ($0.name, $0.sha256) }
    }

    private struct Fingerprint: Hashable {
        var name: String
        var sha256: Pin
    }

    /// Why it cannot listen, for people.
    package static func words(for error: any Error) -> String {
        (error as? IOError).map { String(cString: strerror($0.errnoCode)) } ?? "\(error)"
    }

    /// How requests may call us: other names that lead here are no names of ours (DNS rebinding).
    var authorities: [String] {
        let number = port.number.withLock(\.self)
        return ["127.0.0.1:\(number)", "localhost:\(number)", "[::1]:\(number)"]
    }

    func opening(_ code: String) -> String { "http://\(authorities[0])/enter?code=\(code)" }

    /// What is answered, as an OpenAPI document.
    package static var document: [UInt8] {
        let file = CEmbeddedOpenAPI()
        return Array(UnsafeBufferPointer(start: file.bytes, count: file.count))
    }

    /// A file of the dashboard; `nil` where there is none of that name.
    static func dashboardFile(_ name: String) -> [UInt8]? {
        var count = 0
        let files = UnsafeBufferPointer(start: CEmbeddedDashboardFiles(&count), count: count)
        return files.first { String(cString: $0.name) == name }.map {
            Array(UnsafeBufferPointer(start: $0.file.bytes, count: $0.file.count))
        }
    }
}

/// A request's connection, which is closed where its reader is too slow.
struct ControlContext: RequestContext {
    var coreContext: CoreRequestContextStorage
    let channel: any Channel

    init(source: ApplicationRequestContextSource) {
        coreContext = CoreRequestContextStorage(source: source)
        channel = source.channel
    }
}

/// Lets in who may come in, and finds the route.
struct ControlResponder: HTTPResponder {
    let server: ControlServer

    func respond(to request: Request, context: ControlContext) async throws -> Response {
        var response: Response
        do {
            response = try await answer(request, context)
        } catch let error as ControlError {
            response = try Response(error)
        }
        response.headers[.cacheControl] = "no-store"
        response.headers[.xContentTypeOptions] = "nosniff"
        response.headers[.referrerPolicy] = "no-referrer"
        response.headers[.crossOriginResourcePolicy] = "same-origin"
        return response
    }

    private func answer(_ request: Request, _ context: ControlContext) async throws -> Response {
        let ours = server.authorities
        guard let authority = request.head.authority, ours.contains(authority.lowercased()) else {
            throw ControlError(.misdirectedRequest, "foreign-host", "this is \(ours[0]): ask for it by that name")
        }
        let origin = request.headers[.origin]
        if let origin, !ours.contains(where: { origin == "http://\($0)" }) {
            throw ControlError(.forbidden, "foreign-origin", "pages of \(origin.prefix(100)) may ask nothing here")
        }
        let path = request.uri.path.split(separator: "/", omittingEmptySubsequences: false).dropFirst().map(String.init)
        let fitting = ControlRoute.all.filter { $0.parameters(of: path) != nil }
        guard let first = fitting.first else {
            try authorize(request, origin)
            throw ControlError.unknown("resource", request.uri.path, among: ControlRoute.all.map(\.path))
        }
        if !first.isOpen { try authorize(request, origin) }
        guard let route = fitting.first(where: { $0.method == request.method }) else {
            let methods = fitting.map(\.method.rawValue)
            var error = ControlError(
                .methodNotAllowed,
                "method-not-allowed",
                "\(request.uri.path) knows \(methods.joined(separator: ", ")), and no \(request.method.rawValue.prefix(20))"
            )
            error.allow = methods
            throw error
        }
        let parameters = route.parameters(of: path) ?? [:]
        return try await route.answer(
            server,
            ControlRequest(request: request, channel: context.channel, parameters: parameters)
        )
    }

    private func authorize(_ request: Request, _ origin: String?) throws(ControlError) {
        if let given = request.headers[.authorization], given.lowercased().hasPrefix("bearer "),
            server.keys.isToken(String(given.dropFirst("bearer ".count)))
        {
            return
        }
        if let cookie = request.cookies["pindrill"]?.value, server.keys.isCookie(cookie) {
            // A browser says who asks, wherever something changes.
            guard request.method == .get || origin != nil else {
                throw ControlError(.forbidden, "foreign-origin", "with a cookie, 'Origin' must say which page asks")
            }
            return
        }
        throw ControlError(
            .unauthorized,
            "unauthorized",
            "send 'Authorization: Bearer TOKEN' with the token that pindrill printed, or open the address that it printed"
        )
    }
}

extension Response {
    init(_ error: ControlError) throws {
        self = try .json(error, status: error.status)
        if !error.allow.isEmpty { headers[.allow] = error.allow.joined(separator: ", ") }
        if error.status == .unauthorized { headers[.wwwAuthenticate] = "Bearer" }
        // What was not read of a body would be taken for the next request.
        if error.status == .contentTooLarge { headers[.connection] = "close" }
    }

    static func json(_ value: some Encodable, status: HTTPResponse.Status = .ok) throws -> Response {
        text(try value.asLine() + "\n", type: "application/json", status: status)
    }

    static func text(_ text: String, type: String, status: HTTPResponse.Status = .ok) -> Response {
        bytes(Array(text.utf8), type: type, status: status)
    }

    static func bytes(_ bytes: [UInt8], type: String, status: HTTPResponse.Status = .ok) -> Response {
        Response(
            status: status,
            headers: [.contentType: type],
            body: ResponseBody(byteBuffer: ByteBuffer(bytes: bytes))
        )
    }
}

extension HTTPField.Name {
    fileprivate static let referrerPolicy = Self("Referrer-Policy")!
    fileprivate static let crossOriginResourcePolicy = Self("Cross-Origin-Resource-Policy")!
}
