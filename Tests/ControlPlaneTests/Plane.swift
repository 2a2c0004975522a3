import Foundation
import HTTPTypes
import NIOCore
import NIOHTTP1
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
        change: (inout ControlSetting) -> Void = { _ in },
        _ body: @escaping @Sendable (Plane) async throws -> Value
    ) async throws -> Value {
        let file = try ScenarioFile(parsing: story, file: "story.yaml")
        let oracle = Oracle(try PKI(file.blueprint, now: Date()))
        let options = RunnerOptions(timeout: .seconds(60), patience: .seconds(10))
        var setting = ControlSetting(file, oracle: oracle, name: "story.yaml", options: options)
        change(&setting)
        let server = ControlServer(ControlRoom(setting), token: token)
        let (places, found) = AsyncStream.makeStream(of: (Int, String).self)
        let serving = Task { try await server.run(port: 0) { found.yield(($0, $1)) } }
        defer { serving.cancel() }
        for await (port, opening) in places {
            let value: Value
            do {
                value = try await body(Plane(server: server, port: port, opening: opening))
            } catch {
                await server.room.close()
                throw error
            }
            await server.room.close()
            return value
        }
        throw CancellationError()
    }

    struct Answer: Sendable {
        var status = 0
        var headers = HTTPFields()
        var bytes: [UInt8] = []

        var text: String { String(decoding: bytes, as: UTF8.self) }
        var json: JSONValue { (try? JSONDecoder().decode(JSONValue.self, from: Data(bytes))) ?? .null }
        subscript(_ key: String) -> String? { json[key]?.string }
    }

    /// Asks with the token, as a program on this machine does, unless told otherwise; on a connection of its own.
    func ask(
        _ method: HTTPRequest.Method,
        _ path: String,
        _ body: String? = nil,
        host: String? = nil,
        token: String? = token,
        headers: [String: String] = [:]
    ) async throws -> Answer {
        var fields = HTTPHeaders([("Host", host ?? "127.0.0.1:\(port)"), ("Connection", "close")])
        if let token { fields.add(name: "Authorization", value: "Bearer \(token)") }
        if let body {
            fields.add(name: "Content-Length", value: "\(body.utf8.count)")
            if headers["Content-Type"] == nil { fields.add(name: "Content-Type", value: "application/json") }
        }
        for (name, value) in headers { fields.add(name: name, value: value) }
        let head = HTTPRequestHead(
            version: .http1_1,
            method: .init(rawValue: method.rawValue),
            uri: path,
            headers: fields
        )
        let connection = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .connect(host: "127.0.0.1", port: port) { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHTTPClientHandlers()
                    return try NIOAsyncChannel<HTTPClientResponsePart, HTTPClientRequestPart>(
                        wrappingChannelSynchronously: channel
                    )
                }
            }
        return try await connection.executeThenClose { inbound, outbound in
            // Whoever finds a body too long answers, and reads no more of it.
            try? await outbound.write(.head(head))
            if let body { try? await outbound.write(.body(.byteBuffer(ByteBuffer(string: body)))) }
            try? await outbound.write(.end(nil))
            var answer = Answer()
            for try await part in inbound {
                switch part {
                case .head(let head):
                    answer.status = Int(head.status.code)
                    for (name, value) in head.headers {
                        answer.headers.append(HTTPField(name: try #require(HTTPField.Name(name)), value: value))
                    }
                case .body(let bytes): answer.bytes += bytes.readableBytesView
                case .end: return answer
                }
            }
            throw ChannelError.eof
        }
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
