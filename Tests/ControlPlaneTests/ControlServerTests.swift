import Foundation
import HTTPTypes
import Synchronization
import TestSupport
import Testing

@testable import ControlPlane
@testable import MitmHarness
@testable import Scenarios

@Suite struct `The control plane` {
    private static let attack = #"{"scenario":"attack"}"#
    private static let schema = Result {
        try Schema(at: Places.package.appending(path: "Sources/CEmbedded/Data/openapi.json"))
    }

    // MARK: Drills

    @Test func `a drill through it passes an app that obeys, and fails one that does not`() async throws {
        try await Plane.with { plane in
            let good = try await plane.play(Self.attack, Plane.obeying)
            let bad = try await plane.play(Self.attack, Plane.careless)

            #expect(good["state"] == "finished" && good["verdict"] == "pass", "\(good.text)")
            #expect(good["consequence"] == "protected")
            #expect(bad["verdict"] == "fail" && bad["consequence"] == "intercepted", "\(bad.text)")
            let results = try #require(bad.json["results"]?.array)
            #expect(results.map { $0["verdict"]?.string } == ["pass", "fail"])
            #expect(results.map { $0["holder"]?.string } == ["owner", "attacker"])
            let reports = try await plane.ask(.get, "/v1/reports")
            #expect(reports.json["reports"]?.array?.map { $0["exit_status"] } == [.number(0), .number(1)])
            let report = try await plane.ask(.get, "/v1/reports/\(try #require(bad["id"]))?format=text")
            #expect(report.text.contains("talked to the wrong server"))
        }
    }

    @Test func `what a step shows is told, and not what is demanded`() async throws {
        try await Plane.with { plane in
            let drill = try await plane.ask(.post, "/v1/drills?wait=60", Self.attack)

            let shown = try #require(drill.json["shown"]?.array?.first)
            #expect(shown["holder"] == .string("owner"))
            #expect(shown["certificates"]?.array?.map { $0["pinned"] } == [.boolean(false), .boolean(true)])
            #expect(drill["ask"] == "Pull to refresh." && drill["state"] == "waiting")
            #expect(!drill.text.contains("demand"))
            #expect(try Self.schema.get().complaints(about: drill.json, as: "Drill") == [])
        }
    }

    @Test(arguments: [(address: "192.168.1.5", isDrawn: true), ("fe80::1", true), ("0.0.0.0", false)])
    func `devices that come from elsewhere get a code for a camera, if they can go there`(
        address: String,
        isDrawn: Bool
    ) async throws {
        try await Plane.with(change: { $0.invite(to: address, port: 8443) }) { plane in
            let drill = try await plane.ask(.post, "/v1/drills?wait=60", Self.attack)

            let proxy = try #require(drill.json["proxy"])
            let rows = proxy["qr"]?.array?.map { $0.string?.map { $0 == "1" } }
            let host = address.contains(":") ? "[\(address)]" : address
            #expect(proxy["url"]?.string == "http://\(host):8443")
            #expect(rows == (isDrawn ? QRCode("http://\(host):8443/")?.modules : nil))
            #expect(try Self.schema.get().complaints(about: drill.json, as: "Drill") == [])
        }
    }

    @Test func `on this machine nobody needs a code for a camera, and a presentation has no page`() async throws {
        let shown = #"{"scenario":"attack"}"#
        let here = try await Plane.with { plane in try await plane.ask(.post, "/v1/drills?wait=60", Self.attack) }
        let presented = try await Plane.with(change: { $0.invite(to: "192.168.1.5", port: 8443) }) { plane in
            try await plane.ask(.put, "/v1/presentations/api.acme.example", shown)
        }

        #expect(here.json["proxy"]?["url"] != nil && here.json["proxy"]?["qr"] == nil, "\(here.text)")
        #expect(presented.json["proxy"]?["url"]?.string == "http://192.168.1.5:8443", "\(presented.text)")
        #expect(presented.json["proxy"]?["qr"] == nil)
    }

    @Test func `a word names its attempt, and counts once`() async throws {
        try await Plane.with { plane in
            let drill = try await plane.ask(.post, "/v1/drills?wait=60", Self.attack)
            let path = "/v1/drills/\(try #require(drill["id"]))/word"
            _ = try await Plane.obeying(
                try #require(await plane.server.room.allDrills().first?.session.state.scene).endpoint
            )

            let early = try await plane.ask(.post, path, #"{"attempt":2,"word":"worked"}"#)
            let first = try await plane.ask(.post, path + "?wait=60", #"{"attempt":1,"word":"worked"}"#)
            let again = try await plane.ask(.post, path, #"{"attempt":1,"word":"worked"}"#)
            let other = try await plane.ask(.post, path, #"{"attempt":1,"word":"refused"}"#)

            #expect(statuses(early, first, again, other) == [409, 200, 200, 409])
            #expect(first.json["attempt"] == .number(2) && again.json["attempt"] == .number(2))
            #expect(other["message"]?.contains("has its word already: worked") == true)
        }
    }

    @Test func `a drill that pauses shows nothing until somebody goes on`() async throws {
        try await Plane.with { plane in
            let begun = try await plane.ask(.post, "/v1/drills?wait=60", #"{"scenario":"attack","pauses":true}"#)
            let path = "/v1/drills/\(try #require(begun["id"]))"
            let session = try #require(await plane.server.room.allDrills().first).session
            let endpoint = try #require(session.state.scene).endpoint
            _ = try await Plane.obeying(endpoint)

            let paused = try await plane.ask(.post, path + "/word?wait=60", #"{"attempt":1,"word":"worked"}"#)
            let meanwhile = try await Plane.careless(endpoint)
            let wrong = try await plane.ask(.post, path + "/next", #"{"step":2}"#)
            let next = try await plane.ask(.post, path + "/next?wait=60", #"{"step":1}"#)
            let twice = try await plane.ask(.post, path + "/next", #"{"step":1}"#)

            #expect(paused["state"] == "paused")
            #expect(meanwhile.word != .succeeded)
            #expect(wrong.status == 409)
            #expect(next["state"] == "waiting" && next.json["attempt"] == .number(2))
            #expect(twice.status == 200 && twice.json["attempt"] == .number(2))
        }
    }

    @Test func `a host has one drill or presentation at a time`() async throws {
        try await Plane.with { plane in
            let path = "/v1/presentations/api.acme.example"
            let first = try await plane.ask(.post, "/v1/drills", Self.attack)
            let second = try await plane.ask(.post, "/v1/drills", Self.attack)
            let shown = try await plane.ask(.put, path, Self.attack)
            let stopped = try await plane.ask(.post, "/v1/drills/\(try #require(first["id"]))/stop")
            let presentation = try await plane.ask(.put, path, #"{"scenario":"attack","step":2}"#)
            let third = try await plane.ask(.post, "/v1/drills", Self.attack)
            let deleted = try await plane.ask(.delete, path)
            let fourth = try await plane.ask(.post, "/v1/drills", Self.attack)

            #expect(statuses(first, second, shown) == [201, 409, 409])
            #expect(second["message"] == "drill-1 is about api.acme.example: stop it first, or wait until it is over")
            #expect(stopped["state"] == "stopped" && stopped["verdict"] == nil)
            #expect(statuses(presentation, third, deleted, fourth) == [200, 409, 204, 201])
            #expect(try Self.schema.get().complaints(about: presentation.json, as: "Presentation") == [])
        }
    }

    @Test func `without an app of its own a server plays no example`() async throws {
        try await Plane.with { plane in
            let none = try await plane.ask(.post, "/v1/drills", #"{"scenario":"attack","example":true}"#)
            let usual = try await plane.ask(.post, "/v1/drills", #"{"scenario":"attack","example":false}"#)

            #expect(none.status == 422 && none["message"] == "this server has no app of its own")
            #expect(usual.status == 201)
        }
    }

    @Test func `an example is played by the server's own app, and is no finding`() async throws {
        let found = Mutex(0)
        try await Plane.with(change: {
            $0.example = ReferenceClient()
            $0.onResult = { _ in found.withLock { $0 += 1 } }
        }) { plane in
            let begun = try await plane.ask(.post, "/v1/drills", #"{"scenario":"attack","example":true}"#)
            let drill = try await plane.eventually("/v1/drills/\(try #require(begun["id"]))") {
                $0["state"] == "finished"
            }

            #expect(drill["verdict"] == "pass" && drill["consequence"] == "protected", "\(drill.text)")
            #expect(await plane.server.room.begun == 0)
        }
        let count = found.withLock(\.self)
        #expect(count == 0)
    }

    @Test func `a presentation says who did what with it, and has no verdict`() async throws {
        try await Plane.with { plane in
            let shown = try await plane.ask(
                .put,
                "/v1/presentations/api.acme.example",
                #"{"scenario":"attack","step":2}"#
            )
            guard case .number(let port)? = shown.json["proxy"]?["port"] else {
                Issue.record("\(shown.text)")
                return
            }
            let setting = plane.server.room.setting
            let endpoint = Endpoint(
                host: "api.acme.example",
                port: Int(port),
                store: try setting.oracle.pki.store(named: "phone", at: .zero),
                configuration: try setting.oracle.pki.configuration(
                    of: setting.file.policies[0],
                    at: .zero,
                    host: "api.acme.example"
                ),
                step: "shown",
                folder: FileManager.default.temporaryDirectory,
                timeout: .seconds(60),
                instant: Date()
            )
            _ = try await Plane.careless(endpoint)

            // While it is open, a connection has not accepted yet.
            let seen = try await plane.eventually("/v1/observations") {
                $0.json["connections"]?.array?.first?["connection"]?["closed"] == .boolean(true)
            }
            let chains = seen.json["hosts"]?.array?.first?["chains"]?.array?.first
            #expect(chains?["accepted"] == .number(1) && chains?["holder"] == .string("attacker"), "\(seen.text)")
        }
    }

    @Test func `a run is played by the clients that nobody attends`() async throws {
        try await Plane.with { plane in
            let begun = try await plane.ask(.post, "/v1/runs", "{}")
            let path = try #require(begun.headers[.location])
            let run = try await plane.ask(.get, path + "?wait=60")

            #expect(begun.status == 201)
            #expect(run["state"] == "finished" && run.json["exit_status"] == .number(0), "\(run.text)")
            #expect(run.json["trials"]?.array?.map { $0["client"]?.string } == ["model"])
            #expect(try Self.schema.get().complaints(about: run.json, as: "Run") == [])
        }
    }

    @Test func `whoever listens is told of a run's beginning, of some states, and once of its end`() async throws {
        let scenarios = (0..<60).map { "  - { name: s\($0), steps: [ { present: today } ] }\n" }.joined()
        try await Plane.with(Plane.story + scenarios) { plane in
            let events = try #require(plane.server.room.events.listen(after: nil))
            let run = try await plane.ask(.post, "/v1/runs", #"{"clients":["model"]}"#)
            #expect(run.status == 201, "\(run.text)")

            var texts: [String] = []
            for await event in events where event.text.contains("event: run") {
                texts.append(event.text)
                if event.text.contains("\"state\":\"finished\"") { break }
            }

            // One for each of ten seconds' tenths at most, where a state for each trial would be 61.
            #expect(texts.count >= 2 && texts.count < 61, "\(texts.count)")
            #expect(texts.first?.contains("\"state\":\"running\"") == true)
            #expect(texts.last?.contains("\"exit_status\":0") == true)
            #expect(texts.last?.contains("\"revision\":62") == true, "\(texts.last?.prefix(200) ?? "")")
        }
    }

    // MARK: What was loaded

    @Test func `what was loaded keeps to the document`() async throws {
        try await Plane.with { plane in
            let schema = try Self.schema.get()
            for (path, key, name) in [
                ("/v1/scenarios", "scenarios", "Scenario"), ("/v1/policies", "policies", "Policy"),
                ("/v1/clients", "clients", "Client"), ("/v1/trust", "stores", "Store"),
            ] {
                let items = try #require(await plane.ask(.get, path).json[key]?.array)
                #expect(!items.isEmpty)
                for item in items { #expect(schema.complaints(about: item, as: name) == []) }
            }
        }
    }

    @Test func `roots come as files, with the fingerprints that are told`() async throws {
        try await Plane.with { plane in
            let stores = try await plane.ask(.get, "/v1/trust").json["stores"]?.array
            let roots = try #require(stores?.first?["roots"]?.array)
            let pem = try await plane.ask(.get, "/v1/trust/phone")
            let der = try await plane.ask(.get, "/v1/trust/phone?format=der&root=acme-root")
            let both = try await plane.ask(.get, "/v1/trust/phone?format=der")
            let unknown = try await plane.ask(.get, "/v1/trust/phnoe")

            #expect(roots.map { $0["name"]?.string } == ["mallory", "acme-root"])
            #expect(pem.text.split(separator: "-----BEGIN CERTIFICATE-----").count == 2)
            let pki = plane.server.room.setting.oracle.pki
            let root = try pki.authority(named: "acme-root", at: .zero).certificate
            #expect(der.bytes == root.der)
            #expect(both.status == 400)
            #expect(unknown.status == 404 && unknown["nearest"] == "phone")
        }
    }

    // MARK: Who may ask, and what

    @Test func `nobody asks without the token, by another name, or from another page`() async throws {
        try await Plane.with { plane in
            let none = try await plane.ask(.get, "/v1/drills", token: nil)
            let wrong = try await plane.ask(.get, "/v1/drills", token: "the-tokem")
            let foreign = try await plane.ask(.get, "/v1/drills", host: "evil.example:\(plane.port)")
            let rebound = try await plane.ask(.get, "/health", host: "evil.example", token: nil)
            let page = try await plane.ask(.get, "/v1/drills", headers: ["Origin": "http://evil.example"])
            let own = try await plane.ask(
                .get,
                "/v1/drills",
                host: "localhost:\(plane.port)",
                headers: ["Origin": "http://127.0.0.1:\(plane.port)"]
            )
            let health = try await plane.ask(.get, "/health", token: nil)

            #expect(
                statuses(none, wrong, foreign, rebound, page) == [401, 401, 421, 421, 403]
            )
            #expect(statuses(own, health) == [200, 200])
            #expect(none.headers[.wwwAuthenticate] == "Bearer")
        }
    }

    @Test func `a code works once, and its cookie needs an origin to change something`() async throws {
        try await Plane.with { plane in
            let enter = String(plane.opening.trimmingPrefix("http://127.0.0.1:\(plane.port)"))
            let first = try await plane.ask(.get, enter, token: nil)
            let second = try await plane.ask(.get, enter, token: nil)
            let cookie = try #require(first.headers[.setCookie]?.split(separator: ";").first.map(String.init))
            let read = try await plane.ask(.get, "/v1/drills", token: nil, headers: ["Cookie": cookie])
            let silent = try await plane.ask(.post, "/v1/codes", token: nil, headers: ["Cookie": cookie])
            let origin = "http://127.0.0.1:\(plane.port)"
            let said = try await plane.ask(
                .post,
                "/v1/codes",
                token: nil,
                headers: ["Cookie": cookie, "Origin": origin]
            )

            #expect(statuses(first, second) == [303, 401])
            #expect(first.headers[.setCookie]?.contains("HttpOnly; SameSite=Strict") == true)
            #expect(statuses(read, silent, said) == [200, 403, 201])
        }
    }

    @Test(arguments: [
        ("{oops", 400, "the body is no JSON"), ("[]", 400, "the body is of the wrong type"),
        (#"{"scenaro":"attack"}"#, 400, "there is no 'scenaro' here; did you mean 'scenario'?"),
        (#"{"scenario":null}"#, 400, "'scenario' is null; leave it out"), ("{}", 400, "'scenario' is missing"),
        (#"{"scenario":7}"#, 400, "'scenario' is of the wrong type"),
        (#"{"scenario":"atack"}"#, 404, "there is no scenario 'atack'; did you mean 'attack'?"),
        (#"{"scenario":"attack","client":"model"}"#, 422, "nobody attends client 'model': /v1/runs plays it"),
        (
            #"{"scenario":"attack","policy":"/etc/passwd"}"#, 404,
            "there is no policy '/etc/passwd'; see the list of them"
        ),
    ])
    func `what cannot be used is told in a sentence`(body: String, status: Int, message: String) async throws {
        try await Plane.with { plane in
            let answer = try await plane.ask(.post, "/v1/drills", body)

            #expect(answer.status == status && answer["message"] == message, "\(answer.text)")
            #expect(try Self.schema.get().complaints(about: answer.json, as: "Error") == [])
        }
    }

    @Test func `wrong methods, paths, types and sizes are told as such`() async throws {
        try await Plane.with { plane in
            let method = try await plane.ask(.patch, "/v1/drills")
            let path = try await plane.ask(.get, "/v1/drill")
            let up = try await plane.ask(.get, "/..%2f..%2fetc%2fpasswd")
            let type = try await plane.ask(.post, "/v1/drills", "{}", headers: ["Content-Type": "text/plain"])
            let wait = try await plane.ask(.get, "/v1/drills/drill-1?wait=61")
            let size = try await plane.ask(.post, "/v1/check", String(repeating: "a", count: 1_000_001))

            #expect(method.status == 405 && method.headers[.allow] == "GET, POST")
            #expect(path.status == 404 && path["nearest"] == "/v1/drills")
            #expect(statuses(up, type, wait, size) == [404, 415, 400, 413])
        }
    }

    @Test func `the dashboard comes without a token, and runs nothing of others`() async throws {
        try await Plane.with { plane in
            let page = try await plane.ask(.get, "/", token: nil)

            #expect(page.status == 200 && page.headers[.contentType] == "text/html; charset=utf-8")
            let rules = try #require(page.headers[.contentSecurityPolicy])
            #expect(rules.hasPrefix("default-src 'none'; script-src 'self';") && !rules.contains("unsafe"))
            #expect(page.headers[.cacheControl] == "no-store")
        }
    }

    // MARK: The document

    @Test func `the document has the routes that there are`() throws {
        let document = try JSONDecoder().decode(JSONValue.self, from: Data(ControlServer.document))
        let paths = try #require(document["paths"]?.object)
        let told = paths.flatMap { path, methods in
            (methods.object ?? [:]).map { "\($0.key.uppercased()) \(path) \($0.value["security"] == .array([]))" }
        }
        let served = ControlRoute.all.filter { !["/", "/{file}"].contains($0.path) }
            .map { "\($0.method.rawValue) \($0.path) \($0.isOpen)" }

        #expect(told.sorted() == served.sorted())
    }
}

private func statuses(_ answers: Plane.Answer...) -> [Int] { answers.map(\.status) }

extension Plane {
    /// Asks again and again, for three minutes: a machine may be busy.
    func eventually(_ path: String, _ condition: (Answer) -> Bool) async throws -> Answer {
        let end = ContinuousClock.now + .seconds(180)
        while true {
            let answer = try await ask(.get, path)
            if condition(answer) { return answer }
            guard ContinuousClock.now < end else {
                Issue.record("\(path) never became what was waited for: \(answer.text)")
                return answer
            }
            await Task.yield()
        }
    }
}
