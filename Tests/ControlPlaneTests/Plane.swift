import Foundation
import HTTPTypes
import HummingbirdTesting
import NIOCore
import NIOPosix
import Pinning
import Synchronization
import TestSupport
import Testing

@testable import ControlPlane
@testable import MitmHarness
@testable import Scenarios

/// A control plane that listens, and somebody who asks it.
struct Plane: Sendable {
    let server: ControlServer
    let port: Int
    let opening: String
    private let client: TestClient

    static let token = "the-token"

    static let story = """
        version: 1
        host: api.acme.example
        keys: { leaf: {}, spare: {}, evil: { by: attacker } }
        authorities: { acme-root: {}, mallory: { by: attacker } }
        stores: { phone: { system: [acme-root], user: [mallory] } }
        chains:
          today: { key: leaf, issuer: acme-root }
          forged: { key: evil, issuer: mallory }
        policies: { pinned: { pins: [leaf, spare] } }
        clients: { app: { kind: attended, ask: Pull to refresh. }, model: { kind: reference } }
        scenarios:
          - { name: attack, about: Somebody listens., steps: [ { present: today }, { present: forged, at: 30d } ] }

        """

    /// Has one listen as long as the body needs it.
    static func with<Value: Sendable>(
        _ story: String = story,
        _ body: @escaping @Sendable (Plane) async throws -> Value
    ) async throws -> Value {
        let file = try ScenarioFile(parsing: story, file: "story.yaml")
        let oracle = Oracle(try PKI(file.blueprint, now: Date()))
        let options = RunnerOptions(timeout: .seconds(60), patience: .seconds(10))
        let setting = ControlSetting(file, oracle: oracle, name: "story.yaml", options: options)
        let server = ControlServer(ControlRoom(setting), token: token)
        let (places, found) = AsyncStream.makeStream(of: (Int, String).self)
        let serving = Task { try await server.run(port: 0) { found.yield(($0, $1)) } }
        defer { serving.cancel() }
        for await (port, opening) in places {
            let client = TestClient(
                host: "127.0.0.1",
                port: port,
                configuration: .init(timeout: .seconds(60)),
                eventLoopGroupProvider: .shared(MultiThreadedEventLoopGroup.singleton)
            )
            client.connect()
            let value: Value
            do {
                value = try await body(Plane(server: server, port: port, opening: opening, client: client))
            } catch {
                try? await client.shutdown()
                await server.room.close()
                throw error
            }
            try? await client.shutdown()
            await server.room.close()
            return value
        }
        throw CancellationError()
    }

    struct Answer: Sendable {
        var status: Int
        var headers: HTTPFields
        var bytes: [UInt8]

        var text: String { String(decoding: bytes, as: UTF8.self) }
        var json: JSONValue { (try? JSONDecoder().decode(JSONValue.self, from: Data(bytes))) ?? .null }
        subscript(_ key: String) -> String? { json[key]?.string }
    }

    /// Asks with the token, as a program on this machine does, unless told otherwise.
    func ask(
        _ method: HTTPRequest.Method,
        _ path: String,
        _ body: String? = nil,
        host: String? = nil,
        token: String? = token,
        headers: [String: String] = [:]
    ) async throws -> Answer {
        var fields = HTTPFields()
        if let token { fields[.authorization] = "Bearer \(token)" }
        if body != nil { fields[.contentType] = "application/json" }
        for (name, value) in headers { fields[try #require(HTTPField.Name(name))] = value }
        let response = try await client.execute(
            TestClient.Request(
                path,
                method: method,
                authority: host ?? "127.0.0.1:\(port)",
                headers: fields,
                body: body.map(ByteBuffer.init(string:))
            )
        )
        return Answer(
            status: response.status.code,
            headers: response.headers,
            bytes: response.body.map { Array($0.readableBytesView) } ?? []
        )
    }

    /// Begins a drill, has a device make each attempt, and gives its word.
    func play(_ wanted: String, _ device: @Sendable (Endpoint) async throws -> ClientReport) async throws -> Answer {
        var drill = try await ask(.post, "/v1/drills?wait=60", wanted)
        try #require(drill.status == 201, "\(drill.text)")
        let id = try #require(drill["id"])
        while drill["state"] == "waiting" {
            let session = try await server.room.drill(id).session
            let report = try await device(try #require(session.state.scene).endpoint)
            let word = report.word == .succeeded ? "worked" : "refused"
            let attempt = session.state.attempt
            drill = try await ask(
                .post,
                "/v1/drills/\(id)/word?wait=60",
                #"{"attempt":\#(attempt),"word":"\#(word)"}"#
            )
        }
        return drill
    }

    static let obeying: @Sendable (Endpoint) async throws -> ClientReport = { endpoint in
        try await ReferenceClient().attempt(endpoint, beforeEnding: { _ in })
    }

    /// Pins nothing, and has a root of the attacker's.
    static let careless: @Sendable (Endpoint) async throws -> ClientReport = { endpoint in
        let exchange = TLSExchange(trust: endpoint.store, checksHost: true, checksDates: true) { _ in
            Decision(.accept, .trusted)
        }
        return ClientReport(await exchange.run(endpoint, beforeEnding: { _ in }), duration: .zero)
    }
}
