import Foundation
package import HTTPTypes
import Hummingbird
import MitmHarness
import NIOCore
import Scenarios

/// A method of a path, and what it answers.
package struct ControlRoute: Sendable {
    typealias Answer = @Sendable (ControlServer, ControlRequest) async throws -> Response

    package let method: HTTPRequest.Method
    /// With names in braces for what may be anything: `/v1/drills/{id}`.
    package let path: String
    /// Whether it needs no token.
    package let isOpen: Bool
    let answer: Answer
    private let parts: [String]

    private init(_ method: HTTPRequest.Method, _ path: String, isOpen: Bool = false, _ answer: @escaping Answer) {
        self.method = method
        self.path = path
        self.isOpen = isOpen
        self.answer = answer
        parts = path.split(separator: "/", omittingEmptySubsequences: false).dropFirst().map(String.init)
    }

    /// What stands in a path for the names in braces; `nil` where the path is another.
    func parameters(of path: [String]) -> [String: String]? {
        guard path.count == parts.count else { return nil }
        var found: [String: String] = [:]
        for (part, given) in zip(parts, path) {
            if part.hasPrefix("{") {
                guard let value = given.removingPercentEncoding, !value.isEmpty else { return nil }
                found[String(part.dropFirst().dropLast())] = value
            } else if part != given {
                return nil
            }
        }
        return found
    }

    /// In the order in which they are looked at: what has a name comes before what may be anything.
    package static let all = open + loaded + drills + presentations + seen + texts + runs + reports + files

    private static let open = [
        ControlRoute(.get, "/health", isOpen: true) { server, _ in
            try .json(["status": "ok", "version": server.room.setting.version])
        },
        ControlRoute(.get, "/openapi.json", isOpen: true) { _, _ in
            .bytes(ControlServer.document, type: "application/json")
        },
        ControlRoute(.get, "/enter", isOpen: true) { server, request in
            guard let code = request.query("code"), let cookie = server.keys.cookie(for: code) else {
                throw ControlError(
                    .unauthorized,
                    "unauthorized",
                    "this code was used, or is too old: pindrill serve prints one when it begins, POST /v1/codes makes another"
                )
            }
            var response = Response.redirect(to: "/")
            response.headers[.setCookie] = "pindrill=\(cookie); HttpOnly; SameSite=Strict; Path=/"
            return response
        },
        ControlRoute(.post, "/v1/codes") { server, _ in
            let code = server.keys.code()
            return try .json(["code": code, "url": server.opening(code)], status: .created)
        },
    ]

    private static let loaded = [
        ControlRoute(.get, "/v1/scenarios") { server, _ in
            let file = server.room.setting.file
            return try .json(["scenarios": file.playable.map { ScenarioDocument($0, play: file.play) }])
        },
        ControlRoute(.get, "/v1/policies") { server, _ in
            let setting = server.room.setting
            return try .json([
                "policies": setting.file.policies.map {
                    PolicyDocument($0, setting.oracle.pki, host: setting.file.host)
                }
            ])
        },
        ControlRoute(.get, "/v1/clients") { server, _ in
            try .json(["clients": server.room.setting.file.clients.compactMap(ClientDocument.init)])
        },
        ControlRoute(.get, "/v1/trust") { server, _ in
            let oracle = server.room.setting.oracle
            return try .json(["stores": oracle.pki.blueprint.stores.map { try StoreDocument($0, oracle) }])
        },
        ControlRoute(.get, "/v1/trust/{store}") { server, request in
            let (oracle, name) = (server.room.setting.oracle, request.parameter("store"))
            let stores = oracle.pki.blueprint.stores.map(\.name)
            guard stores.contains(name) else { throw ControlError.unknown("store", name, among: stores) }
            var roots = try oracle.roots(of: name)
            let format = try request.word("format", of: ["pem", "der", "mobileconfig"])
            if let wanted = request.query("root") {
                let names = roots.map(\.name)
                roots.removeAll { $0.name != wanted }
                guard !roots.isEmpty else { throw ControlError.unknown("root", wanted, among: names) }
            }
            let certificates = roots.map(\.anchor.certificate)
            switch format {
            case "der":
                guard certificates.count == 1 else {
                    throw ControlError.invalid("'der' has one root: say which with 'root': \(roots.map(\.name))")
                }
                return .bytes(certificates[0].der, type: "application/x-x509-ca-cert")
            case "mobileconfig":
                let profile = server.room.setting.profile(roots.map { ($0.name, $0.anchor.certificate) })
                return .text(profile, type: "application/x-apple-aspen-config")
            default:
                return .text(certificates.map(\.pem).joined(), type: "application/x-pem-file")
            }
        },
    ]

    // MARK: Drills

    private static let drills = [
        ControlRoute(.get, "/v1/drills") { server, _ in
            let drills = await server.room.allDrills()
            return try .json(["drills": drills.map { server.document($0, $0.session.state) }])
        },
        ControlRoute(.post, "/v1/drills") { server, request in
            let wait = try request.wait()
            let drill = try await server.room.begin(try await request.body(NewDrill.self))
            var response = try await server.answer(drill, wait: wait, after: 0)
            response.status = .created
            response.headers[.location] = "/v1/drills/\(drill.id)"
            return response
        },
        ControlRoute(.get, "/v1/drills/{id}") { server, request in
            let wait = try request.wait()
            let after = try request.number("after", in: 0...Int.max) ?? 0
            return try await server.answer(server.room.drill(request.parameter("id")), wait: wait, after: after)
        },
        ControlRoute(.post, "/v1/drills/{id}/word") { server, request in
            let wait = try request.wait()
            let drill = try await server.room.drill(request.parameter("id"))
            let given = try await request.body(GivenWord.self)
            guard let word = AttendedWord(rawValue: given.word) else {
                throw ControlError.unknownWord(given.word)
            }
            if let note = given.note { try checkNote(note) }
            try drill.session.obey { try $0.give(word, for: given.attempt, note: given.note, code: given.code) }
            return try await server.answer(drill, wait: wait, after: given.attempt)
        },
        ControlRoute(.post, "/v1/drills/{id}/next") { server, request in
            let wait = try request.wait()
            let drill = try await server.room.drill(request.parameter("id"))
            let step = try await request.body(GivenNext.self).step
            try drill.session.obey { try $0.goOn(from: step) }
            return try await server.answer(drill, wait: wait, after: 0)
        },
        ControlRoute(.post, "/v1/drills/{id}/note") { server, request in
            let drill = try await server.room.drill(request.parameter("id"))
            let text = try await request.body(GivenNote.self).text
            guard !text.isEmpty else { throw ControlError.invalid("'text' is empty") }
            try checkNote(text)
            try drill.session.obey { try $0.note(text) }
            return try await server.answer(drill, wait: nil, after: 0)
        },
        ControlRoute(.post, "/v1/drills/{id}/stop") { server, request in
            let drill = try await server.room.drill(request.parameter("id"))
            drill.session.stop()
            return try await server.answer(drill, wait: nil, after: 0)
        },
    ]

    private static func checkNote(_ text: String) throws(ControlError) {
        if text.unicodeScalars.count > 4096 { throw .invalid("a note has at most 4096 characters") }
    }

    // MARK: What is shown, and what is seen

    private static let presentations = [
        ControlRoute(.get, "/v1/presentations") { server, _ in
            var documents: [PresentationDocument] = []
            for session in await server.room.allPresentations() { documents.append(await session.document) }
            return try .json(["presentations": documents])
        },
        ControlRoute(.get, "/v1/presentations/{host}") { server, request in
            try .json(await server.room.presentation(request.parameter("host").lowercased()).document)
        },
        ControlRoute(.put, "/v1/presentations/{host}") { server, request in
            let wanted = try await request.body(NewPresentation.self)
            return try .json(
                await server.room.present(wanted, to: request.parameter("host").lowercased()).document
            )
        },
        ControlRoute(.delete, "/v1/presentations/{host}") { server, request in
            await server.room.deletePresentation(request.parameter("host").lowercased())
            return Response(status: .noContent)
        },
    ]

    private static let seen = [
        ControlRoute(.get, "/v1/observations") { server, request in
            try Response.json(server.room.seen.document(for: request.query("host")))
        },
        ControlRoute(.get, "/v1/events") { server, request in
            let channel = request.channel
            let last = request.request.headers[.lastEventID].map { Int($0) ?? -1 }
            guard let events = server.room.events.listen(after: last, onSlow: { channel?.close(promise: nil) }) else {
                throw ControlError(.tooManyRequests, "too-many", "\(EventLog.mostListeners) already listen")
            }
            return Response(
                status: .ok,
                headers: [.contentType: "text/event-stream"],
                body: ResponseBody { writer in
                    try await writer.write(ByteBuffer(string: ": pindrill\n\n"))
                    for await event in events { try await writer.write(ByteBuffer(string: event.text)) }
                    try await writer.finish(nil)
                }
            )
        },
    ]

    // MARK: Texts

    private static let texts = [
        ControlRoute(.post, "/v1/check") { server, request in
            let asked = try await request.body(CheckRequest.self)
            return try answer { try server.room.setting.check(asked) }
        },
        ControlRoute(.post, "/v1/audit") { server, request in
            let asked = try await request.body(AuditRequest.self)
            return try answer { try server.room.setting.audit(asked) }
        },
    ]

    private static func answer(_ body: () throws -> String) throws(ControlError) -> Response {
        do { return .text(try body(), type: "application/json") } catch { throw .senseless("\(error)") }
    }

    // MARK: Runs and reports

    private static let runs = [
        ControlRoute(.get, "/v1/runs") { server, _ in
            try .json(["runs": await server.room.allRuns().map(\.document)])
        },
        ControlRoute(.post, "/v1/runs") { server, request in
            let run = try await server.room.begin(try await request.body(NewRun.self))
            var response = try Response.json(run.document, status: .created)
            response.headers[.location] = "/v1/runs/\(run.id)"
            return response
        },
        ControlRoute(.get, "/v1/runs/{id}") { server, request in
            let wait = try request.wait()
            let run = try await server.room.run(request.parameter("id"))
            if let wait { _ = await within(wait) { await run.rest() } }
            return try .json(run.document)
        },
        ControlRoute(.post, "/v1/runs/{id}/stop") { server, request in
            let run = try await server.room.run(request.parameter("id"))
            run.stop()
            await run.end()
            return try .json(run.document)
        },
    ]

    private static let reports = [
        ControlRoute(.get, "/v1/reports") { server, _ in
            struct Summary: Encodable {
                var id: String
                var started: Date
                var trials: Int
                var exitStatus: Int
            }
            let conditions = server.room.setting.conditions
            return try .json([
                "reports": await server.room.reports().map { id, report in
                    Summary(
                        id: id,
                        started: report.started,
                        trials: report.trials.count,
                        exitStatus: Int(report.exitStatus(failingOn: conditions))
                    )
                }
            ])
        },
        ControlRoute(.get, "/v1/reports/{id}") { server, request in
            let (id, reports) = (request.parameter("id"), await server.room.reports())
            guard let report = reports.first(where: { $0.id == id })?.report else {
                throw ControlError.unknown("report", id, among: reports.map(\.id))
            }
            let conditions = server.room.setting.conditions
            func document(_ kind: ReportKind) throws -> Response {
                let document = ReportDocument(kind, file: report.file, started: report.started, failingOn: conditions)
                let whole = try document.finished(report, exitStatus: report.exitStatus(failingOn: conditions))
                return .bytes(whole.bytes, type: kind == .json ? "application/json" : "application/xml")
            }
            switch try request.word("format", of: ["json", "junit", "text"]) {
            case "junit": return try document(.junit)
            case "text":
                let text = TextReport()
                let trials = report.trials.map { text.render($0) + "\n" }.joined()
                return .text(trials + text.renderSummary(report), type: "text/plain; charset=utf-8")
            default: return try document(.json)
            }
        },
    ]

    // MARK: The dashboard

    private static let files = [
        ControlRoute(.get, "/", isOpen: true) { _, _ in try file("index.html") },
        ControlRoute(.get, "/{file}", isOpen: true) { _, request in try file(request.parameter("file")) },
    ]

    private static let kinds = [
        "html": "text/html; charset=utf-8", "js": "text/javascript; charset=utf-8", "css": "text/css; charset=utf-8",
        "svg": "image/svg+xml", "json": "application/json", "png": "image/png", "woff2": "font/woff2",
        "webmanifest": "application/manifest+json",
    ]

    private static func file(_ name: String) throws(ControlError) -> Response {
        guard let bytes = ControlServer.dashboardFile(name) else {
            throw .unknown("resource", "/\(name)", among: all.map(\.path))
        }
        let kind = kinds[String(name.split(separator: ".").last ?? "")] ?? "application/octet-stream"
        var response = Response.bytes(bytes, type: kind)
        response.headers[.contentSecurityPolicy] =
            "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
            + "font-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
        return response
    }
}

extension ControlServer {
    func document(_ drill: ControlRoom.Drill, _ state: DrillSession.State) -> DrillDocument {
        DrillDocument(drill, state, in: room.setting)
    }

    /// A drill's state: at once, or when somebody has to act who has acted on this attempt.
    func answer(_ drill: ControlRoom.Drill, wait: Duration?, after attempt: Int) async throws -> Response {
        let session = drill.session
        if let wait {
            _ = await within(wait) {
                await session.state { $0.phase.isAtRest && ($0.phase != .waiting || $0.attempt > attempt) }
            }
        }
        return try .json(document(drill, session.state))
    }
}

extension ControlRequest {
    fileprivate func wait() throws(ControlError) -> Duration? { try number("wait", in: 0...60).map { .seconds($0) } }
}

extension ControlError {
    fileprivate static func unknownWord(_ word: String) -> ControlError {
        let words = AttendedWord.allCases.map(\.rawValue)
        let error = unknown("word", word, among: words)
        return .invalid(
            error.nearest == nil ? "'word' is one of \(words.joined(separator: ", "))" : error.message,
            nearest: error.nearest
        )
    }
}

extension DrillSession {
    fileprivate func obey(_ body: (DrillSession) throws -> Void) throws(ControlError) {
        do { try body(self) } catch { throw .conflict("\(error)") }
    }
}

/// Waits for something, but not for ever.
private func within(_ limit: Duration, _ body: @escaping @Sendable () async -> some Sendable) async -> Bool {
    await withTaskGroup(of: Bool.self) { group in
        group.addTask {
            _ = await body()
            return true
        }
        group.addTask {
            try? await Task.sleep(for: limit)
            return false
        }
        defer { group.cancelAll() }
        return await group.next() ?? false
    }
}

extension HTTPField.Name {
    fileprivate static let lastEventID = Self("Last-Event-ID")!
}
